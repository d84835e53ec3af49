//! A program profiled three ways in one run: by the hardware, by the golden model, and exactly.

use super::replay::Reporting;
use super::{ProfilerSources, Replay, Run, Soc, While};
use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::board::{Board, TableOptions};
use hpp_fpga::core::Core;
use hpp_fpga::demo::demonstration;
use hpp_fpga::profiler::defines;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_paths::metrics::overlap;
use hpp_report::{ElfFile, Profile, Program, Report};
use std::collections::HashMap;
use std::path::Path;
use verilated::tools::project_root;

/// What one run of a program showed.
pub struct Profiled {
    pub run: Run,
    /// The profile that firmware read from the hardware and printed.
    pub dump: Dump,
    /// The profile that the golden model would have printed after the same retirements.
    pub expected: Dump,
    /// The profile that a table without bounds holds.
    pub exact: HashMap<PathDescriptor, u64>,
    /// Entries that left a table with a drain.
    pub entries_left: u64,
    /// What passed while the profiler was enabled.
    pub profiled: While,
    pub records: u64,
    /// What the hardware's profile says of the program; every path walks through its code.
    pub report: Report,
}

impl Profiled {
    /// Runs a program, an ELF file, on the system with this core and this profiler, which has no drain. `progress` is given the cycles so far
    /// every few thousand.
    ///
    /// # Errors
    ///
    /// If something does not build, the program fails, it prints no sound profile, or a path of it does not walk.
    pub fn run(
        core: Core,
        elf: &Path,
        sources: &ProfilerSources,
        progress: impl FnMut(u64),
    ) -> Result<Self> {
        let soc = Soc::with_profiler(core, sources)?;
        Self::on(&soc, elf, sources, progress)
    }

    /// The same on PicoRV32 and with a profiler that has a drain: a drain writer puts evicted entries into memory, or the program does, in an
    /// interrupt, if it was built so.
    pub fn run_drained(elf: &Path, sources: &ProfilerSources) -> Result<Self> {
        let soc = Soc::with_drain(&sources.verilog, &sources.drain_writer)?;
        Self::on(&soc, elf, sources, |_| ())
    }

    fn on(
        soc: &Soc,
        elf: &Path,
        sources: &ProfilerSources,
        mut progress: impl FnMut(u64),
    ) -> Result<Self> {
        let replay = Replay::new(&sources.geometry, &sources.reset)?;
        let replay = replay.with_extensions(sources.extensions);
        let progress = |cycles, _: &[u8]| progress(cycles);
        Self::watch(
            soc,
            elf,
            &sources.event_names,
            Reporting { replay, progress },
        )
    }

    /// Runs the demonstration program on the board as it is synthesised: with the board's own configuration of the
    /// profiler, but for its table, its memory and its clock. What the program prints is read off the serial line. The boards' own core is
    /// PicoRV32.
    pub fn on_board(board: &Board, core: Core, table: &TableOptions) -> Result<Self> {
        let root = project_root();
        let profiler = board.profiler(&root, core, table)?;
        let folder =
            root.join("build/boards")
                .join(format!("{}-{}{table}", board.key, core.about().key));
        let elf = demonstration(&root, board.memory_words, &profiler, &folder)?;
        let config = &profiler.config;
        let verilog = folder.join(format!("{}.v", config.prefix));
        let has_drain = config.geometry.has_drain();
        ensure!(
            !has_drain || core == Core::PicoRv32,
            "the system of {} has no interrupt for a drain",
            core.about().name
        );
        let soc = Soc::on_board(
            board,
            core,
            Some(&verilog),
            &defines(&profiler.config.geometry),
        )?;
        let replay = Replay::new(&config.geometry, &config.effective_reset())?;
        let progress = |_, _: &[u8]| ();
        Self::watch(
            &soc,
            &elf,
            &config.event_names,
            Reporting { replay, progress },
        )
    }

    fn watch(
        soc: &Soc,
        elf: &Path,
        event_names: &[String],
        mut watcher: Reporting<impl FnMut(u64, &[u8])>,
    ) -> Result<Self> {
        let program = elf.display();
        let run = soc.run(elf, &mut watcher)?;
        run.ended_well(&program)?;
        let replay = watcher.replay;
        let dump = Dump::read(&run.uart)
            .with_context(|| format!("what {program} printed:\n{}", run.uart))?;
        let report = report(&dump, event_names, elf)?;
        Ok(Self {
            run,
            expected: replay.dump_like(&dump),
            dump,
            exact: counts(replay.exact().iter()),
            entries_left: replay.entries_left(),
            profiled: replay.profiled(),
            records: replay.records(),
            report,
        })
    }

    /// How much of the exact profile the hardware's table holds, from 0 to 1 (see
    /// [`hpp_paths::metrics::overlap()`]).
    pub fn overlap(&self) -> f64 {
        overlap(&self.exact, &counts(self.dump.profile().iter()))
    }
}

/// # Errors
///
/// If a path does not walk: then the profile is not the program's.
fn report(dump: &Dump, event_names: &[String], elf: &Path) -> Result<Report> {
    let name = elf.display();
    let file = ElfFile::read(elf).with_context(|| format!("cannot read {name}"))?;
    let program = Program::from_elf(&file).with_context(|| name.to_string())?;
    let mut profile = Profile::of(dump)?;
    profile.event_names = event_names.to_vec();
    let report = Report::new(&profile, Some(&program), None)?;
    let stray = report
        .paths
        .iter()
        .find_map(|path| path.problem.as_ref().map(|problem| (path, problem)));
    if let Some((path, problem)) = stray {
        bail!("path {} in {}: {problem}", path.descriptor, path.place);
    }
    Ok(report)
}

fn counts<'a>(
    profile: impl Iterator<Item = (&'a PathDescriptor, u64)>,
) -> HashMap<PathDescriptor, u64> {
    profile.map(|(path, count)| (*path, count)).collect()
}
