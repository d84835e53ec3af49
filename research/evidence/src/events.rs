//! Paths by time and by cache misses, as the hardware counts them behind a core with caches.

use std::collections::{HashMap, HashSet};

use anyhow::{Result, ensure};
use hpp_fpga::core::Core;
use hpp_golden::path::PathDescriptor;
use hpp_golden::registers::{ERRORS, errors};
use hpp_paths::metrics::overlap;
use hpp_report::Report;
use hpp_soc::{EXECUTIONS, PROGRAMS, Profiled, ProfilerSources, Program};

use crate::document::{Document, percent};

const CORE: Core = Core::VexRiscvCaches;
/// What is counted besides executions.
const COUNTED: [&str; 3] = ["cycles", "icache-refill", "dcache-refill"];
/// The paths looked at.
const HOTTEST: usize = 10;

pub fn fill(document: &Document) -> Result<()> {
    let (mut shares, mut hottest) = (Vec::new(), Vec::new());
    for name in PROGRAMS {
        let program = Program::Named(name.into());
        let executions = Profile::taken(&program, EXECUTIONS)?;
        hottest.push(executions.hottest(name, EXECUTIONS, &executions));
        for counted in COUNTED {
            let profile = Profile::taken(&program, counted)?;
            let ran = |path| executions.ran.contains(path);
            ensure!(
                profile.counts.keys().all(ran),
                "{name}: a path counts {counted} that never ran"
            );
            shares.push(profile.shares(name, counted, &executions));
            hottest.push(profile.hottest(name, counted, &executions));
        }
    }
    let head =
        "program | counted | in all | 10 by this | 10 by executions | overlap with executions";
    document.table("events-shares", head, &shares)?;
    let head = "program | hottest by | path | share | executions";
    document.table("events-hottest", head, &hottest)
}

/// What the hardware counted.
struct Profile {
    counts: HashMap<PathDescriptor, u64>,
    /// Every path that counted, those included that the table lost.
    ran: HashSet<PathDescriptor>,
    total: u64,
    report: Report,
}

impl Profile {
    fn taken(program: &Program, counted: &str) -> Result<Self> {
        let elf = program.elf_counting(CORE, counted)?;
        let sources = ProfilerSources::for_core(CORE)?;
        let profiled = Profiled::run(CORE, &elf, &sources, |_| ())?;
        ensure!(
            profiled.dump == profiled.expected,
            "{program}: the hardware counts other {counted} than the model"
        );
        ensure!(
            errors::EVENT_COUNTER_SATURATED.get(profiled.dump.errors) == 0,
            "{program}: {counted} of a path saturate; {} is {:x}",
            ERRORS.name,
            profiled.dump.errors
        );
        let table = profiled.dump.profile();
        let counts: HashMap<_, _> = table.iter().map(|(path, count)| (*path, count)).collect();
        Ok(Self {
            total: counts.values().sum(),
            ran: profiled.exact.into_keys().collect(),
            report: profiled.report,
            counts,
        })
    }

    fn share(&self, path: &PathDescriptor) -> f64 {
        self.counts.get(path).copied().unwrap_or(0) as f64 / self.total as f64
    }

    /// The share of this profile that the hottest paths of another one hold.
    fn held_by(&self, other: &Self) -> String {
        let hottest = other.report.paths.iter().take(HOTTEST);
        percent(hottest.map(|path| self.share(&path.descriptor)).sum())
    }

    fn shares(&self, program: &str, counted: &str, executions: &Self) -> Vec<String> {
        vec![
            program.into(),
            counted.into(),
            hpp_report::numbers::thousands(self.total),
            self.held_by(self),
            self.held_by(executions),
            percent(overlap(&self.counts, &executions.counts)),
        ]
    }

    fn hottest(&self, program: &str, counted: &str, executions: &Self) -> Vec<String> {
        let path = &self.report.paths[0];
        vec![
            program.into(),
            counted.into(),
            format!("`{}` {}", path.place, path.outcomes),
            percent(self.share(&path.descriptor)),
            percent(executions.share(&path.descriptor)),
        ]
    }
}
