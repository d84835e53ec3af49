//! The golden model in the profiler's place: it sees the same retirements and the same register writes.

use super::{Meanwhile, Watcher};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{ExactProfile, Profiler, ProfilerError, ResetValues};
use hpp_golden::registers::{COMMAND, command};
use hpp_riscv::{Ingress, Retirement, Xlen, events_of};

/// Watches a run and profiles it in the model, exactly and with the table.
///
/// Records and writes have to come in the order in which they meet in the profiler, as a
/// [`Watcher`] is shown them.
pub struct Replay {
    ingress: Ingress,
    profiler: Profiler,
    exact: ExactProfile,
    records: u64,
}

impl Replay {
    /// A profiler of this geometry just out of reset, on an RV32 core.
    ///
    /// # Errors
    ///
    /// If the geometry or a reset value is impossible.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        Ok(Self {
            ingress: Ingress::new(Xlen::Rv32, geometry.event_bits),
            profiler: Profiler::new(geometry, reset)?,
            exact: ExactProfile::new(),
            records: 0,
        })
    }

    /// What the firmware should have printed.
    #[must_use]
    pub fn dump(&self) -> Dump {
        Dump::of(&self.profiler)
    }

    /// Every path that reached the table since it was last cleared: what a table without bounds would hold.
    #[must_use]
    pub const fn exact(&self) -> &ExactProfile {
        &self.exact
    }

    /// Branch records of the whole run, those outside the profiled part included.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.records
    }

    /// The model.
    #[must_use]
    pub const fn profiler(&self) -> &Profiler {
        &self.profiler
    }
}

impl Watcher for Replay {
    fn retired(&mut self, retirement: &Retirement) {
        self.retired_in(&Meanwhile::default(), retirement);
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        let select = self.profiler.registers().ppcr().event_select;
        let (before, own) = match select {
            0 => (meanwhile.cycles.saturating_sub(1), 1),
            select => (
                events_of(select, 0, &meanwhile.events),
                events_of(select, 1, &meanwhile.own_events),
            ),
        };
        self.ingress.idle(before);
        for record in self.ingress.step(retirement, own) {
            self.records += 1;
            let path = self.profiler.profile(&record);
            if let Some(path) = path.filter(|_| !self.profiler.registers().frozen()) {
                self.exact.record(&path);
            }
        }
    }

    fn register_written(&mut self, word: u32, value: u32) {
        let offset = 4 * word;
        self.profiler.write(offset, value);
        if offset == COMMAND.offset && command::CLEAR.get(value) == 1 {
            self.exact = ExactProfile::new();
        }
    }
}
