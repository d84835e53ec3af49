//! The golden model in the profiler's place: it sees the same retirements and the same register writes.

use super::{Meanwhile, Watcher};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::ingress::Extensions;
use hpp_golden::profiler::{Drain, ExactProfile, Profiler, ProfilerError, ResetValues, TableEntry};
use hpp_golden::registers::{COMMAND, DRAIN_COMMAND, command, drain_command};
use hpp_riscv::{Ingress, LastStage, Retire, Retirement, Xlen, events_of};

/// Watches a run and profiles it in the model, exactly and with the table.
///
/// Records and writes have to come in the order in which they meet in the profiler, as a
/// [`Watcher`] is shown them.
pub struct Replay {
    ingress: Shown,
    profiler: Profiler,
    exact: ExactProfile,
    /// What a drain writer, or the program, has put into memory.
    left: ExactProfile,
    entries_left: u64,
    /// The last retirement's, that of the one at which the profiler was enabled, and those between in which it was before.
    cycle: u64,
    enabled: Option<u64>,
    profiled: While,
    records: u64,
}

/// What the core shows, and how it becomes records.
enum Shown {
    /// Instructions that retire, each with the address that follows.
    Retirements(Ingress),
    /// What the last stage retires, traps by themselves.
    Stages(Retire),
}

impl Shown {
    fn idle(&mut self, events: u32) {
        match self {
            Shown::Retirements(ingress) => ingress.idle(events),
            Shown::Stages(ingress) => ingress.idle(events),
        }
    }

    fn step(&mut self, shown: &Retirement, events: u32) -> [Option<BranchRecord>; 2] {
        match self {
            Shown::Retirements(ingress) => {
                let records = ingress.step(shown, events);
                [records.trap, records.own]
            }
            Shown::Stages(ingress) => {
                let stage = LastStage {
                    pc: shown.pc,
                    insn: shown.insn,
                    trap: shown.trap,
                    loop_end: shown.loop_end,
                    context: shown.context,
                    ..LastStage::default()
                };
                [ingress.step(&stage, events), None]
            }
        }
    }
}

/// What passed while the profiler was enabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct While {
    /// Clock cycles, from a retirement to a retirement.
    pub cycles: u64,
    pub instructions: u64,
}

impl Replay {
    /// A profiler of this geometry just out of reset, on an RV32 core; with more than 32 bits of addresses, on an RV64 core.
    ///
    /// # Errors
    ///
    /// If the geometry or a reset value is impossible.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        let xlen = match geometry.pc_bits {
            ..=32 => Xlen::Rv32,
            _ => Xlen::Rv64,
        };
        let ingress = Ingress::new(xlen, geometry.event_bits).with_geometry(geometry);
        Self::with_ingress(Shown::Retirements(ingress), geometry, reset)
    }

    /// The same behind the last stage of an RV32 core that says in which context an instruction executes: it is shown what retires, a trap by
    /// itself, with the address that it returns to.
    pub fn of_last_stage(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        let ingress = Retire::new(Xlen::Rv32, geometry.event_bits).with_geometry(geometry);
        Self::with_ingress(Shown::Stages(ingress), geometry, reset)
    }

    /// Instructions are those of a core with these extensions.
    #[must_use]
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.ingress = match self.ingress {
            Shown::Retirements(ingress) => Shown::Retirements(ingress.with_extensions(extensions)),
            Shown::Stages(ingress) => Shown::Stages(ingress.with_extensions(extensions)),
        };
        self
    }

    fn with_ingress(
        ingress: Shown,
        geometry: &Geometry,
        reset: &ResetValues,
    ) -> Result<Self, ProfilerError> {
        Ok(Self {
            ingress,
            profiler: Profiler::new(geometry, reset)?,
            exact: ExactProfile::new(),
            left: ExactProfile::new(),
            entries_left: 0,
            cycle: 0,
            enabled: None,
            profiled: While::default(),
            records: 0,
        })
    }

    /// What the firmware should have printed in the place of this.
    pub(super) fn dump_like(&self, printed: &Dump) -> Dump {
        Dump {
            configuration: printed.configuration.clone(),
            program: printed.program.clone(),
            ..self.dump()
        }
    }

    /// The same, of no configuration and no program that are known.
    pub fn dump(&self) -> Dump {
        let mut dump = Dump::of(&self.profiler);
        if let Some(drained) = &mut dump.drained {
            drained.left = self
                .left
                .iter()
                .map(|(path, count)| (*path, count))
                .collect();
        }
        dump
    }

    /// Every path that reached the table since it was last cleared: what a table without bounds would hold.
    pub const fn exact(&self) -> &ExactProfile {
        &self.exact
    }

    /// Entries that left the table, and that a drain writer, or the program, has put into memory.
    pub const fn entries_left(&self) -> u64 {
        self.entries_left
    }

    /// What passed while the profiler was enabled.
    pub const fn profiled(&self) -> While {
        self.profiled
    }

    /// Branch records of the whole run, those outside the profiled part included.
    pub const fn records(&self) -> u64 {
        self.records
    }

    pub const fn profiler(&self) -> &Profiler {
        &self.profiler
    }
}

impl Replay {
    /// The writer has time for an evicted entry before the next path.
    fn empty_drain(&mut self) {
        if !self.profiler.drain().is_some_and(Drain::streams) {
            return;
        }
        while let Some(entry) = self.profiler.take_left() {
            self.leaves(entry);
        }
    }

    /// The program takes the entry at the head, if it does, and adds it up in memory.
    fn take(&mut self, offset: u32, value: u32) {
        let takes = offset == DRAIN_COMMAND.offset && drain_command::TAKE.get(value) == 1;
        let drain = self.profiler.drain().filter(|_| takes);
        let head = drain.and_then(|drain| drain.entries().front().copied());
        if let Some(entry) = head {
            self.leaves(entry);
        }
    }

    fn leaves(&mut self, entry: TableEntry) {
        self.left.add(entry.descriptor, entry.count.into());
        self.entries_left += 1;
    }
}

impl Watcher for Replay {
    fn retired(&mut self, retirement: &Retirement) {
        self.retired_in(&Meanwhile::default(), retirement);
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        self.cycle = meanwhile.cycle;
        self.profiled.instructions += u64::from(self.enabled.is_some());
        let select = self.profiler.registers().ppcr().event_select;
        let (before, own) = match select {
            0 => (meanwhile.cycles.saturating_sub(1), 1),
            select => (
                events_of(select, 0, &meanwhile.events),
                events_of(select, 1, &meanwhile.own_events),
            ),
        };
        self.ingress.idle(before);
        for record in self.ingress.step(retirement, own).into_iter().flatten() {
            self.records += 1;
            let path = self.profiler.profile(&record);
            if let Some(path) = path.filter(|_| !self.profiler.registers().frozen()) {
                self.exact.record(&path);
            }
            self.empty_drain();
        }
    }

    fn register_written(&mut self, word: u32, value: u32) {
        let offset = 4 * word;
        self.take(offset, value);
        self.profiler.write(offset, value);
        let enabled = self.profiler.registers().enabled();
        match (self.enabled, enabled) {
            (None, true) => self.enabled = Some(self.cycle),
            (Some(since), false) => {
                self.profiled.cycles += self.cycle - since;
                self.enabled = None;
            }
            _ => {}
        }
        if offset == COMMAND.offset && command::CLEAR.get(value) == 1 {
            self.exact = ExactProfile::new();
            self.left = ExactProfile::new();
            self.entries_left = 0;
        }
    }
}

/// A replay that also reports the progress of the run.
pub(super) struct Reporting<F> {
    pub replay: Replay,
    pub progress: F,
}

impl<F: FnMut(u64, &[u8])> Watcher for Reporting<F> {
    fn retired(&mut self, retirement: &Retirement) {
        self.replay.retired(retirement);
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        self.replay.retired_in(meanwhile, retirement);
    }

    fn register_written(&mut self, word: u32, value: u32) {
        self.replay.register_written(word, value);
    }

    fn progress(&mut self, cycles: u64, uart: &[u8]) {
        (self.progress)(cycles, uart);
    }
}
