//! The task `table`: what the profiler costs.

use anyhow::{Result, ensure};
use hpp_fpga::design::Design;
use hpp_fpga::device::{Device, Family, MEASURED, Placer};
use hpp_fpga::harness::{GOWIN_PINS, between_registers};
use hpp_fpga::measure::Job;
use hpp_fpga::profiler::Profiler;
use hpp_fpga::table::Figure;
use verilated::tools::figures::markdown;

use crate::Workshop;

/// The configurations of the table, each a group of figures.
const CONFIGURATIONS: [&str; 11] = [
    "stream", "tiny", "small", "compact", "default", "parallel", "checked", "shadow", "rrip",
    "drain", "large",
];

/// The frequency that place and route strives for when nothing but speed is asked.
const TARGET_MHZ: f64 = 150.0;

/// Size and speed of the configurations on the devices.
pub fn table(workshop: &Workshop, seeds: u32, only: &[String], record: bool) -> Result<String> {
    let wanted = wanted(only)?;
    let begun = wanted
        .iter()
        .map(|name| workshop.measurement(name, record))
        .collect::<Result<Vec<_>>>()?;
    let profilers = wanted
        .iter()
        .map(|name| Profiler::of_configuration(&workshop.root, name))
        .collect::<Result<Vec<_>, _>>()?;
    let figures = figures(workshop, &profilers, &MEASURED, seeds)?;
    let rows = figures.chunks_exact(MEASURED.len());
    for (measurement, row) in begun.iter().flatten().zip(rows.clone()) {
        let places = MEASURED.iter().zip(row);
        measurement.record(places.flat_map(|(device, figure)| figure.named(device.key)))?;
    }
    let lines = wanted.iter().zip(rows).map(|(name, row)| {
        let name = std::iter::once(format!("`{name}`"));
        name.chain(row.iter().map(Figure::cell)).collect()
    });
    let devices = MEASURED.map(|device| device.name).join(" | ");
    Ok(format!(
        "LUT (sites) / FF / block RAM / MHz, the median over {seeds} {}. –: the device is too small.\n\n{}",
        if seeds == 1 { "seed" } else { "seeds" },
        markdown(
            &format!("configuration | {devices}"),
            &lines.collect::<Vec<_>>()
        )
    ))
}

/// The configurations that were asked for; those of the table if none was.
fn wanted(only: &[String]) -> Result<Vec<&'static str>> {
    for name in only {
        ensure!(
            CONFIGURATIONS.contains(&name.as_str()),
            "no configuration `{name}`; known: {}",
            CONFIGURATIONS.join(", ")
        );
    }
    let asked = |name: &&str| only.is_empty() || only.iter().any(|asked| asked == name);
    Ok(CONFIGURATIONS.into_iter().filter(asked).collect())
}

/// The figures of each profiler on each device: cells of the circuit alone, and, where it fits, its speed between registers.
fn figures(
    workshop: &Workshop,
    profilers: &[Profiler],
    devices: &[Device],
    seeds: u32,
) -> Result<Vec<Figure>> {
    let places: Vec<(&Profiler, Device)> = profilers
        .iter()
        .flat_map(|profiler| devices.iter().map(move |&device| (profiler, device)))
        .collect();
    let alone: Vec<Job> = places
        .iter()
        .map(|&(profiler, device)| job(profiler.design.clone(), device, 0))
        .collect();
    let alone = workshop.measure(&alone)?;
    let benches: Vec<Option<Job>> = places
        .iter()
        .zip(&alone)
        .map(|(&(profiler, device), alone)| {
            let bench = || between_registers(&profiler.design, &profiler.ports);
            let fits = alone.netlist.lacks().is_none();
            fits.then(|| job(bench(), device, seeds))
        })
        .collect();
    let jobs: Vec<Job> = benches.iter().flatten().cloned().collect();
    let mut timed = workshop.measure(&jobs)?.into_iter();
    Ok(alone
        .iter()
        .zip(&benches)
        .map(|(alone, bench)| Figure {
            usage: alone.usage(),
            placed: bench
                .as_ref()
                .and_then(|_| timed.next()?.timing.median().copied()),
        })
        .collect())
}

/// What is to be measured of a design: nothing but size and speed.
fn job(design: Design, device: Device, seeds: u32) -> Job {
    Job {
        design,
        device,
        seeds,
        target_mhz: TARGET_MHZ,
        placer: Placer::Default,
        constraints: (device.family == Family::Gowin).then(|| GOWIN_PINS.to_string()),
    }
}
