//! What is between the queue and a table that looks its ways up one after another: the decoder, and the record before the stack.
//!
//! ```text
//!   queue ---> [ decoder ] ---> [ before the stack ] ---> path_*, which stays until its lookup is over
//! ```
//!
//! A record of which no row asks for a pop or a push is before the stack for a cycle, or for two if it fills the path. Any other is for two, and one that splits a path and pushes for three. In the second
//! a path leaves, which waits for the path before it; what is behind waits with it.

use super::Reference;
use hpp_golden::branch::BranchKind;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{QueuedRecord, StackTally};

/// What a record did to the path stack.
#[derive(Debug, Clone, Copy)]
pub struct Stepped {
    pub path: Option<CompletedPath>,
    pub tally: StackTally,
    /// Cycles for which the record is before a stack that moves entries a cycle later, if nothing waits.
    pub cycles: u64,
}

/// A record before the stack.
#[derive(Debug, Clone, Copy)]
struct Acting {
    /// From which cycle on it acts.
    from: u64,
    /// In how many cycles it has.
    done: u64,
    stepped: Stepped,
}

/// The records between queue and table.
#[derive(Debug, Default)]
pub struct Stages {
    decoder: Option<QueuedRecord>,
    stack: Option<Acting>,
    stay: bool,
    /// When a path is shown first.
    shown: Option<u64>,
}

impl Stages {
    /// A record leaves the queue.
    pub fn enter(&mut self, queued: QueuedRecord) {
        self.decoder = Some(queued);
    }

    /// Nothing moves in this cycle.
    pub fn stay(&self) -> bool {
        self.stay
    }
}

impl Reference {
    /// The records between queue and table go on, unless one has to wait for the table.
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

    /// A cycle of the record before the stack; what is left of it.
    fn act(&mut self, cycle: u64, mut acting: Acting) -> Option<Acting> {
        let stepped = acting.stepped;
        // Neither in a path's first cycle, looked up or not, nor while its lookup may go on may the next come.
        let lookups = self.lookups.as_ref().expect("lookups take time");
        let waits = self.stages.shown == Some(cycle) || lookups.first(cycle) > cycle;
        if acting.done == 1 && waits && stepped.path.is_some() {
            return Some(acting);
        }
        if acting.done == 0 {
            self.tell_saturation(&stepped);
        }
        acting.done += 1;
        // Whatever a record does but to saturate a counter and to push what it has split, it does in its second cycle, or in its only one.
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
