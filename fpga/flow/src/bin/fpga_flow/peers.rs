//! The task `peers`: what the cores take by themselves, beside the profiler.

use anyhow::Result;
use hpp_fpga::core::Core;
use hpp_fpga::profiler::Profiler;
use hpp_fpga::stat::Usage;
use verilated::tools::figures::{markdown, thousands};

use crate::Workshop;
use crate::figures::{device_called, job};

/// The profilers in the table.
const PROFILERS: [&str; 2] = ["small", "default"];

/// The cells of each core that Yosys reads, and of some profilers, on one device.
pub fn table(workshop: &Workshop, device: &str, record: bool) -> Result<String> {
    let measurement = workshop.measurement("peers", record)?;
    let device = device_called(device)?;
    let root = &workshop.root;
    let mut names = Vec::new();
    let mut jobs = Vec::new();
    for core in Core::ALL {
        if let Some(design) = core.alone(root)? {
            names.push(core.name().to_string());
            jobs.push(job(design, device, 0));
        }
    }
    for name in PROFILERS {
        names.push(format!("profiler `{name}`"));
        let profiler = Profiler::of_configuration(root, name)?;
        jobs.push(job(profiler.design, device, 0));
    }
    let measured = workshop.measure(&jobs)?;
    let usages = measured.iter().map(|measured| measured.usage());
    let rows: Vec<Vec<String>> = names.into_iter().zip(usages).map(row).collect();
    let text = format!(
        "On {}: cells as Yosys counts them.\n\n{}",
        device.name,
        markdown(
            "circuit | LUT | carry cells | LUT RAMs | flip-flops | block RAM",
            &rows
        )
    );
    if let Some(measurement) = measurement {
        measurement.record([("all".to_string(), text.clone())])?;
    }
    Ok(text)
}

fn row((name, usage): (String, Usage)) -> Vec<String> {
    let cells = [
        usage.luts,
        usage.carries,
        usage.lut_rams,
        usage.flip_flops,
        usage.block_rams,
    ];
    std::iter::once(name).chain(cells.map(thousands)).collect()
}
