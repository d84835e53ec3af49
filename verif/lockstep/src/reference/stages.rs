//! The records between the queue and a table with sequential lookup: one in the decoder and one before the stack.
//!
//! ```text
//!   queue ---> [ decoder ] ---> [ before the stack ] ---> path_*, which stays until its lookup is over
//! ```
//!
//! A record whose row has neither pop nor push is before the stack for one cycle, or two if it fills the path. Any
//! other record takes two cycles, and three if it splits a path and pushes. A path leaves in the second cycle, after
//! the previous path was looked up. Later records wait behind it.

use super::Reference;
use hpp_golden::branch::BranchKind;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{QueuedRecord, StackTally};

/// The effect of a record on the path stack.
#[derive(Debug, Clone, Copy)]
pub struct Stepped {
    pub path: Option<CompletedPath>,
    pub tally: StackTally,
    /// Cycles that the record spends before the stepwise stack if nothing stalls it.
    pub cycles: u64,
}

#[derive(Debug, Clone, Copy)]
struct Acting {
    /// The cycle from which on it acts.
    from: u64,
    done: u64,
    stepped: Stepped,
}

#[derive(Debug, Default)]
pub struct Stages {
    decoder: Option<QueuedRecord>,
    stack: Option<Acting>,
    stay: bool,
    /// The first cycle in which a path is shown.
    shown: Option<u64>,
}

impl Stages {
    pub fn enter(&mut self, queued: QueuedRecord) {
        self.decoder = Some(queued);
    }

    pub fn stay(&self) -> bool {
        self.stay
    }
}

impl Reference {
    /// Moves the records between queue and table, unless one must wait for the table.
    pub(super) fn move_on(&mut self, cycle: u64) {
        if let Some(acting) = self.stages.stack.filter(|acting| acting.from <= cycle) {
            let left = self.act(cycle, acting);
            self.stages.stack = left;
            self.stages.stay = left.is_some();
            if self.stages.stay {
                return;
            }
        }
        if let Some(queued) = self.stages.decoder.take() {
            let late = self.late(&queued);
            let kind = queued.record.kind;
            if let Some(check) = self.timing.check
                && matches!(kind, BranchKind::Return | BranchKind::TrapReturn)
            {
                self.passes_from = cycle + check.passes;
            }
            let stepped = self.step(&queued);
            self.stages.stack = Some(Acting {
                from: cycle + 1 + late,
                done: 0,
                stepped,
            });
        }
    }

    /// A cycle of the record before the stack. Returns the record if it is not done.
    fn act(&mut self, cycle: u64, mut acting: Acting) -> Option<Acting> {
        let stepped = acting.stepped;
        // The next path may come neither in the first cycle of a path nor during its lookup.
        let lookups = self.lookups.as_ref().expect("lookups take time");
        let waits = self.stages.shown == Some(cycle) || lookups.first(cycle) > cycle;
        if acting.done == 1 && waits && stepped.path.is_some() {
            return Some(acting);
        }
        if acting.done == 0 {
            self.tell_saturation(&stepped);
        }
        acting.done += 1;
        // A record acts in its second cycle, or in its only one. Only saturation comes earlier, and the push after a
        // split later.
        if acting.done == stepped.cycles.min(2) {
            self.tell(&stepped);
            if let Some(path) = stepped.path {
                self.stages.shown = Some(cycle + 1);
                self.expected.push_back((cycle + 1, path));
                self.to_table.push_back((cycle + 1, path));
            }
        }
        (acting.done < stepped.cycles).then_some(acting)
    }
}
