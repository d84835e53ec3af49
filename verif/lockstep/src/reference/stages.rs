//! What is between the queue and a table that looks its ways up one after another: the decoder, and the record before the stack.
//!
//! ```text
//!   queue ---> [ decoder ] ---> [ before the stack ] ---> path_*, which stays until its lookup is over
//! ```
//!
//! A record that completes no path goes on whatever the table does. One that completes a path stays before the stack until that of the path before is over, and so
//! does everything behind it. One that pops what was pushed in the cycle before stays for a cycle.

use super::Reference;
use hpp_golden::branch::BranchKind;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{QueuedRecord, StackTally};

/// What a record did to the path stack.
#[derive(Debug, Clone, Copy)]
pub struct Stepped {
    pub path: Option<CompletedPath>,
    pub tally: StackTally,
    /// The stack grew, and shrank, by an entry.
    pub pushes: bool,
    pub pops: bool,
}

/// The records between queue and table.
#[derive(Debug, Default)]
pub struct Stages {
    decoder: Option<QueuedRecord>,
    /// From which cycle on it acts, and what it does.
    stack: Option<(u64, Stepped)>,
    stay: bool,
    /// When a path is shown first.
    shown: Option<u64>,
    /// When an entry was pushed last.
    pushed: Option<u64>,
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
        let lookups = self.lookups.as_ref().expect("lookups take time");
        // Neither in a path's first cycle, looked up or not, nor until its lookup is over may the next come.
        let waits = self.stages.shown == Some(cycle) || lookups.free_from(cycle) > cycle;
        let acting = self.stages.stack.filter(|(acts, _)| *acts <= cycle);
        let unread = self.stages.pushed == cycle.checked_sub(1);
        self.stages.stay = acting.is_some_and(|(_, stepped)| {
            (waits && stepped.path.is_some()) || (unread && stepped.pops)
        });
        if self.stages.stay {
            return;
        }
        if let Some((_, stepped)) = acting {
            self.stages.stack = None;
            self.tell(&stepped);
            if stepped.pushes {
                self.stages.pushed = Some(cycle);
            }
            if let Some(path) = stepped.path {
                self.stages.shown = Some(cycle + 1);
                self.expected.push_back((cycle + 1, path));
                self.to_table.push_back((cycle + 1, path));
            }
        }
        if let Some(queued) = self.stages.decoder.take() {
            let late = self.late(&queued);
            let kind = queued.record.kind;
            if let Some(check) = self.checks()
                && matches!(kind, BranchKind::Return | BranchKind::TrapReturn)
            {
                self.passes_from = cycle + check.passes;
            }
            let stepped = self.step(&queued);
            self.stages.stack = Some((cycle + 1 + late, stepped));
        }
    }
}
