//! The task `table`: what the profiler costs.

use anyhow::{Result, ensure};
use hpp_fpga::design::Design;
use hpp_fpga::device::{Device, Family, MEASURED, Placer};
use hpp_fpga::harness::{GOWIN_PINS, between_registers};
use hpp_fpga::measure::Job;
use hpp_fpga::profiler::Profiler;
use hpp_fpga::stat::Usage;
use hpp_fpga::table::Figure;
use verilated::tools::figures::{markdown, thousands};

use crate::Workshop;

/// The configurations of the table, and what each is.
const CONFIGURATIONS: [(&str, &str); 11] = [
    ("stream", "no table, no bus: the stream of paths"),
    (
        "tiny",
        "64 x 4, paths of 31 branches, one memory and a microprogram, last stage's ingress",
    ),
    ("small", "64 x 4, paths of 16 branches, RVFI"),
    ("compact", "128 x 2, paths of 16 branches, RVFI"),
    (
        "default",
        "128 x 4, sequential lookup, paths of 32 branches",
    ),
    ("parallel", "as default, all ways looked up at once"),
    ("checked", "as default, returns checked, 2 bits of context"),
    ("shadow", "as default, shadow entries protect hot paths"),
    (
        "rrip",
        "as default, re-reference interval prediction (RRIP)",
    ),
    ("drain", "as default, evicted entries kept in a FIFO of 256"),
    ("large", "512 x 8, paths of 64 branches, 39-bit addresses"),
];

/// The frequency that place and route strives for when nothing but speed is asked.
const TARGET_MHZ: f64 = 150.0;

/// Size and speed of the configurations on the devices.
pub fn table(workshop: &Workshop, seeds: u32, only: &[String], record: bool) -> Result<String> {
    let wanted = wanted(only)?;
    let group = match (only, &wanted[..]) {
        ([], _) => "table",
        (_, [(name, _)]) => *name,
        _ => {
            ensure!(!record, "only all configurations or one can be recorded");
            "table"
        }
    };
    let measurement = workshop.measurement(group, record)?;
    let profilers = wanted
        .iter()
        .map(|(name, _)| Profiler::of_configuration(&workshop.root, name))
        .collect::<Result<Vec<_>, _>>()?;
    let figures = figures(workshop, &profilers, &MEASURED, seeds)?;
    let rows: Vec<(&str, &str, &[Figure])> = wanted
        .iter()
        .zip(figures.chunks_exact(MEASURED.len()))
        .map(|((name, meaning), figures)| (*name, *meaning, figures))
        .collect();
    let all = devices_table(&rows, seeds);
    let sites = sites_table(&rows);
    let text = format!("{all}\n{sites}");
    if let Some(measurement) = measurement {
        let named = |prefix: &str, figures: &[Figure]| -> Vec<_> {
            let places = MEASURED.iter().zip(figures);
            places
                .flat_map(|(device, figure)| figure.named(&format!("{prefix}{}", device.key)))
                .collect()
        };
        match &rows[..] {
            [(_, _, figures)] => measurement.record(named("", figures))?,
            rows => {
                let named = rows
                    .iter()
                    .flat_map(|(name, _, figures)| named(&format!("{name}."), figures));
                let blocks = [("all", all), ("sites", sites)];
                let blocks = blocks.map(|(name, text)| (name.to_string(), text));
                measurement.record(named.chain(blocks))?;
            }
        }
    }
    Ok(text)
}

/// A row for each configuration, a column for each device.
fn devices_table(rows: &[(&str, &str, &[Figure])], seeds: u32) -> String {
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, meaning, figures)| {
            std::iter::once(format!("`{name}`: {meaning}"))
                .chain(figures.iter().map(Figure::cell))
                .collect()
        })
        .collect();
    let devices = MEASURED.map(|device| device.name).join(" | ");
    let head = format!("configuration | {devices}");
    format!(
        "LUT (sites) / FF / block RAM / MHz of the profiler alone: cells as Yosys counts them, and the median over {seeds} \
         {} of place and route with the circuit between registers. Sites are what the part loses, to carry cells and LUT RAM \
         too, with these registers. –: the device is too small.\n\n{}",
        if seeds == 1 { "seed" } else { "seeds" },
        markdown(&head, &lines)
    )
}

/// What takes the sites of logic on the first device.
fn sites_table(rows: &[(&str, &str, &[Figure])]) -> String {
    let device = MEASURED[0];
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|(name, _, figures)| {
            let Usage {
                luts,
                carries,
                lut_rams,
                ..
            } = figures[0].usage;
            let cells = [luts, carries, lut_rams].map(thousands);
            [&[format!("`{name}`")], &cells[..], &[figures[0].sites()]].concat()
        })
        .collect();
    format!(
        "On {}, which has {} sites of logic.\n\n{}",
        device.name,
        thousands(device.luts.into()),
        markdown(
            "configuration | LUT | carry cells | LUT RAMs | sites, with the bench",
            &lines
        )
    )
}

/// The configurations that were asked for; those of the table if none was.
fn wanted(only: &[String]) -> Result<Vec<(&'static str, &'static str)>> {
    if only.is_empty() {
        return Ok(CONFIGURATIONS.to_vec());
    }
    let known = CONFIGURATIONS.map(|(name, _)| name);
    for name in only {
        ensure!(
            known.contains(&name.as_str()),
            "no configuration `{name}`; known: {}",
            known.join(", ")
        );
    }
    let asked = |name: &str| only.iter().any(|asked| asked == name);
    let wanted = CONFIGURATIONS.into_iter();
    Ok(wanted.filter(|(name, _)| asked(name)).collect())
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
