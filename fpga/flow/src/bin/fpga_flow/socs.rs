//! The task `soc`: what the profiler does to the clock of the system that it stands in.

use std::fs;

use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_fpga::demo::demonstration;
use hpp_fpga::device::{Device, ECP5_25F, HX8K, Placer};
use hpp_fpga::image::memory_image;
use hpp_fpga::measure::{Job, Measured, Timing};
use hpp_fpga::profiler::Profiler;
use hpp_fpga::system::System;
use verilated::tools::figures::{markdown, thousands};

use crate::Workshop;
use crate::figures::TARGET_MHZ;

/// A system that is measured with and without the profiler.
struct Case {
    core: Core,
    device: Device,
    /// The profiler's configuration.
    configuration: &'static str,
    /// Words of memory.
    memory_words: u32,
}

/// The default profiler where there is room for it; beside a core on the HX8K there is none for four ways.
const CASES: [Case; 4] = [
    Case {
        core: Core::PicoRv32,
        device: ECP5_25F,
        configuration: "rvfi",
        memory_words: 4_096,
    },
    Case {
        core: Core::VexRiscv,
        device: ECP5_25F,
        configuration: "rvfi",
        memory_words: 4_096,
    },
    Case {
        core: Core::PicoRv32,
        device: HX8K,
        configuration: "compact",
        memory_words: 1_024,
    },
    Case {
        core: Core::VexRiscv,
        device: HX8K,
        configuration: "compact",
        memory_words: 1_024,
    },
];

/// Frequency from which the serial line takes its time.
const CLOCK_HZ: u32 = 50_000_000;

/// The clock of each system with and without the profiler.
pub fn table(workshop: &Workshop, seeds: u32, only: &[String], record: bool) -> Result<String> {
    let measurement = workshop.measurement("systems", record)?;
    let cases: Vec<&Case> = CASES.iter().filter(|case| case.is_wanted(only)).collect();
    ensure!(
        !cases.is_empty(),
        "no system is of {}; cores: picorv32, vexriscv; devices: ecp5-25f, hx8k",
        only.join(", ")
    );
    let mut jobs = Vec::new();
    for case in &cases {
        jobs.extend(case.jobs(workshop, seeds)?);
    }
    let measured = workshop.measure(&jobs)?;
    let rows: Vec<Vec<String>> = cases
        .iter()
        .zip(measured.chunks_exact(2))
        .map(|(case, pair)| case.row(&pair[0], &pair[1]))
        .collect();
    let head = "core | device | profiler | LUT without | LUT with | MHz without | MHz with | \
        with / without | longest path with";
    let text = format!(
        "MHz: the median over {seeds} {} of place and route, and the lowest and the highest. The longest path is that of \
         the median: from where to where.\n\n{}",
        if seeds == 1 { "seed" } else { "seeds" },
        markdown(head, &rows)
    );
    if let Some(measurement) = measurement {
        measurement.record([("all".to_string(), text.clone())])?;
    }
    Ok(text)
}

impl Case {
    /// Whether each of the words is its core or its device.
    fn is_wanted(&self, only: &[String]) -> bool {
        only.iter()
            .all(|word| word == self.core.key() || word == self.device.key)
    }

    /// The system without the profiler and with it, both with the same program.
    fn jobs(&self, workshop: &Workshop, seeds: u32) -> Result<[Job; 2]> {
        let root = &workshop.root;
        let name = format!("soc-{}", self.core.key());
        workshop.say(&format!("{name}: profiler and program"));
        let profiler = Profiler::for_core(root, self.configuration, self.core)?;
        let out = root
            .join("build/fpga")
            .join(&name)
            .join(format!("{}-demo", self.device.key));
        let elf = demonstration(root, self.memory_words, &profiler, &out)?;
        let bytes = fs::read(&elf).with_context(|| elf.display().to_string())?;
        let program =
            memory_image(&bytes, self.memory_words).with_context(|| elf.display().to_string())?;
        let job = |profiler| -> Result<Job> {
            let system = System {
                name: &name,
                core: self.core,
                clock_hz: CLOCK_HZ,
                memory_words: self.memory_words,
                profiler,
                program: &program,
            };
            Ok(Job {
                design: system.design(root)?,
                device: self.device,
                seeds,
                target_mhz: TARGET_MHZ,
                placer: Placer::FewLongPaths,
                constraints: None,
            })
        };
        Ok([job(None)?, job(Some(&profiler))?])
    }

    fn row(&self, without: &Measured, with: &Measured) -> Vec<String> {
        let ratio = without
            .timing
            .median_mhz()
            .zip(with.timing.median_mhz())
            .map_or("–".to_string(), |(without, with)| {
                format!("{:.1} %", 100.0 * with / without)
            });
        vec![
            self.core.name().to_string(),
            self.device.name.to_string(),
            format!("`{}`", self.configuration),
            thousands(without.usage().luts),
            thousands(with.usage().luts),
            speed(&without.timing),
            speed(&with.timing),
            ratio,
            longest_path(&with.timing),
        ]
    }
}

/// Median, lowest and highest frequency.
fn speed(timing: &Timing) -> String {
    match (timing.median_mhz(), timing.range_mhz()) {
        (Some(median), Some((low, high))) => format!("{median:.1} ({low:.1} to {high:.1})"),
        _ => "–".to_string(),
    }
}

/// Where the longest path of the median begins and ends.
fn longest_path(timing: &Timing) -> String {
    let ends = timing.median().and_then(|seed| seed.longest_path.as_ref());
    ends.map_or("–".to_string(), |(from, to)| {
        match (part(from), part(to)) {
            (from, to) if from == to => from.to_string(),
            (from, to) => format!("{from} to {to}"),
        }
    })
}

/// The part of the system that a cell is in, by its hierarchical name.
fn part(cell: &str) -> &'static str {
    if cell.starts_with("soc.profiler.") {
        "profiler"
    } else if cell.starts_with("soc.core.") {
        "core"
    } else {
        "memory and bus"
    }
}
