//! Where handlers were entered, and where their trap returns led.

use std::collections::{BTreeSet, HashMap};

use hpp_riscv::Xlen;

use super::Recorded;
use super::step::{Follows, Step, steps};

/// Entries of a handler after one instruction.
#[derive(Default)]
struct Entry {
    pc: u64,
    handler: u64,
    /// Where the program may go on.
    resumes: [Option<u64>; 2],
    /// An exception's.
    trap: bool,
    /// The instruction is shown as several operations: one that is interrupted begins again.
    is_operation: bool,
    /// Entries without their trap return, and when the last one was.
    open: usize,
    last: usize,
    /// Something shows that it is an entry.
    is_shown: bool,
}

/// All of them, by the instruction, whether it trapped, and the handler.
#[derive(Default)]
pub struct Entries {
    entries: Vec<Entry>,
    places: HashMap<(u64, u32, bool, u64), usize>,
    seen: usize,
    /// What may be handlers of interrupts.
    entered: BTreeSet<u64>,
    displaced: usize,
}

impl Entries {
    /// Of all runs. A trap return is that of the last entry after which the program may go on where it leads.
    pub fn of(recorded: &Recorded, xlen: Xlen) -> Self {
        let mut entries = Self::default();
        for run in &recorded.runs {
            for entry in &mut entries.entries {
                entry.open = 0;
            }
            for step in steps(run, xlen) {
                match step.follows() {
                    Follows::Trap | Follows::Enters => entries.enter(&step),
                    // After a computed jump an interrupt is known by its handler.
                    Follows::Leads if step.is_computed() && entries.is_handler(&step) => {
                        entries.enter(&step);
                    }
                    Follows::Leads if step.is_trap_return() => entries.leave(&step),
                    _ => {}
                }
            }
        }
        entries
    }

    fn is_handler(&self, step: &Step<'_>) -> bool {
        self.entered.contains(&step.after.pc)
    }

    fn enter(&mut self, step: &Step<'_>) {
        let (pc, handler, trap) = (step.before.pc, step.after.pc, step.before.trap);
        let key = (pc, step.before.insn, trap, handler);
        let place = self.places.entry(key);
        let place = *place.or_insert(self.entries.len());
        if place == self.entries.len() {
            self.entries.push(Entry::default());
        }
        self.seen += 1;
        self.entered.extend((!trap).then_some(handler));
        let entry = &mut self.entries[place];
        *entry = Entry {
            pc,
            handler,
            resumes: step.resumes(),
            trap,
            is_operation: step.is_operation,
            open: entry.open + 1,
            last: self.seen,
            is_shown: entry.is_shown || step.after.intr,
        };
    }

    fn leave(&mut self, step: &Step<'_>) {
        let to = step.after.pc;
        let open = || (0..self.entries.len()).filter(|&place| self.entries[place].open > 0);
        let last = |&place: &usize| self.entries[place].last;
        let resumes = |&place: &usize| self.entries[place].resumes.contains(&Some(to));
        // Of several that resume there, one that is known to be an entry.
        let known = |place: &usize| {
            let entry = &self.entries[*place];
            (entry.trap || entry.is_shown, last(place))
        };
        let resumed = open().filter(resumes).max_by_key(known);
        let Some(place) = resumed.or_else(|| open().max_by_key(last)) else {
            return;
        };
        let handler = self.entries[place].handler;
        let same = |entry: &Entry| entry.is_shown && !entry.trap && entry.handler == handler;
        let is_known = self.entries.iter().any(same);
        // Where another one resumes may not be known: this may be its return.
        let is_only =
            open().all(|other| other == place || self.entries[other].resumes != [None; 2]);
        let entry = &mut self.entries[place];
        if resumed.is_none() && is_known && is_only && entry.pc == to {
            // To the instruction that was interrupted, which does not lead to itself.
            let again = entry.is_operation || step.begins_operations;
            self.displaced += usize::from(!again);
        } else if resumed.is_none() {
            // Where the last one resumes may not be known: this may be its return.
            entry.open -= usize::from(entry.resumes == [None; 2]);
            return;
        }
        entry.open -= 1;
        entry.is_shown = true;
    }

    /// How often a trap return led to the instruction that was interrupted, though that had retired.
    pub const fn displaced(&self) -> usize {
        self.displaced
    }

    /// The handlers of interrupts.
    pub fn handlers(&self) -> BTreeSet<u64> {
        let shown = self
            .entries
            .iter()
            .filter(|entry| entry.is_shown && !entry.trap);
        shown.map(|entry| entry.handler).collect()
    }
}
