//! The task `parameters`: what each parameter of the default profiler costs.

use std::path::Path;

use anyhow::Result;
use hpp_fpga::parameters::{CHANGES, Change};
use hpp_fpga::profiler::Profiler;
use hpp_fpga::table::Figure;
use verilated::tools::figures::{markdown, thousands};

use crate::Workshop;
use crate::figures::{device_called, figures};

/// The configuration that is changed.
const CONFIGURATION: &str = "default";

/// Size and speed of the default profiler and of those that differ from it in a parameter.
pub fn table(workshop: &Workshop, device: &str, seeds: u32, record: bool) -> Result<String> {
    let measurement = workshop.measurement("parameters", record)?;
    let device = device_called(device)?;
    let profilers = profilers(&workshop.root)?;
    let figures = figures(workshop, &profilers, &[device], seeds)?;
    let changes = CHANGES.iter().map(|change| format!("`{}`", change.text));
    let names = std::iter::once(format!("`{CONFIGURATION}`")).chain(changes);
    let rows: Vec<Vec<String>> = names
        .zip(&figures)
        .map(|(name, figure)| row(name, figure, &figures[0], seeds))
        .collect();
    let speed = if seeds > 0 { " | MHz" } else { "" };
    let head = format!("profiler | LUT | more or fewer | flip-flops | block RAM{speed}");
    let text = format!(
        "On {}: cells as Yosys counts them{}.\n\n{}",
        device.name,
        speeds(seeds),
        markdown(&head, &rows)
    );
    if let Some(measurement) = measurement {
        measurement.record([("all".to_string(), text.clone())])?;
    }
    Ok(text)
}

/// What the last column is of.
fn speeds(seeds: u32) -> String {
    let noun = match seeds {
        0 => return String::new(),
        1 => "seed",
        _ => "seeds",
    };
    format!(", and the median over {seeds} {noun} of place and route; –: the device is too small")
}

/// The profiler as it is, and with each of the changes.
fn profilers(root: &Path) -> Result<Vec<Profiler>> {
    let mut profilers = vec![Profiler::of_configuration(root, CONFIGURATION)?];
    for Change { text, apply } in CHANGES {
        let profiler = Profiler::of_changed(root, CONFIGURATION, &file_name(text), apply)?;
        profilers.push(profiler);
    }
    Ok(profilers)
}

/// The name of a design, which is that of its folder.
fn file_name(change: &str) -> String {
    let words: String = change
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                ' '
            }
        })
        .collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    format!("{CONFIGURATION}-{}", words.join("-"))
}

fn row(name: String, figure: &Figure, base: &Figure, seeds: u32) -> Vec<String> {
    let usage = &figure.usage;
    let difference = usage.luts as i64 - base.usage.luts as i64;
    let mut row = vec![
        name,
        thousands(usage.luts),
        if difference == 0 {
            String::new()
        } else {
            format!("{difference:+}")
        },
        thousands(usage.flip_flops),
        usage.block_rams.to_string(),
    ];
    row.extend((seeds > 0).then(|| figure.mhz()));
    row
}
