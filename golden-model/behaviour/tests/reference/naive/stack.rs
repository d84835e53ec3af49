//! The stack of paths.

use std::collections::BTreeMap;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Operation, Ppcr};

pub fn maximum(bits: u32) -> u128 {
    (1 << bits) - 1
}

struct Entry {
    start: u64,
    outcomes: Vec<bool>,
    events: u128,
    extension: u32,
    /// What entered the procedure or handler, and where that is to return to; nobody knows of the one the stack began with.
    entered: Option<(BranchKind, u64)>,
}

impl Entry {
    fn new(start: u64) -> Self {
        Self {
            start,
            outcomes: Vec::new(),
            events: 0,
            extension: 0,
            entered: None,
        }
    }

    fn is_left_by(&self, record: &BranchRecord, geometry: &Geometry) -> bool {
        let wrap = |start: u64| (u128::from(start) % (1 << start_bits(geometry))) as u64;
        let goes_to = |start: u64| wrap(start) == cut(record.target, geometry);
        match self.entered {
            None => false,
            Some((BranchKind::Trap, from)) => {
                let (address, context) = geometry.address_and_context(wrap(from));
                let beyond = |skip: u64| geometry.address(address.wrapping_add(skip));
                record.kind == BranchKind::TrapReturn
                    && [0, 2, 4]
                        .map(beyond)
                        .iter()
                        .any(|&address| goes_to(geometry.in_context(address, context)))
            }
            Some((_, from)) => record.kind == BranchKind::Return && goes_to(from),
        }
    }
}

pub fn start_bits(geometry: &Geometry) -> u32 {
    geometry.pc_bits + geometry.context_bits
}

/// An address with its context as hardware has it: the bits there are, from the first instruction's place on.
pub fn cut(start: u64, geometry: &Geometry) -> u64 {
    let start = (u128::from(start) % (1 << start_bits(geometry))) as u64;
    start >> geometry.align << geometry.align
}

/// Everything the profiler counts or remembers, by name.
pub type Tally = BTreeMap<&'static str, u64>;

/// Splits, underflows and so on happen to this stack of entries, the oldest first.
pub struct Stack {
    geometry: Geometry,
    pub ppcr: Ppcr,
    entries: Vec<Entry>,
    /// The context in which the last record went on, above an address.
    context: u64,
    pub tally: Tally,
}

impl Stack {
    pub fn new(geometry: &Geometry, ppcr: Ppcr) -> Self {
        Self {
            geometry: *geometry,
            ppcr,
            entries: Vec::new(),
            context: 0,
            tally: Tally::new(),
        }
    }

    pub fn purge(&mut self) {
        self.entries.clear();
    }

    pub fn depth(&self) -> usize {
        self.entries.len()
    }

    fn count(&mut self, what: &'static str) {
        *self.tally.entry(what).or_default() += 1;
    }

    fn complete(&self, entry: &Entry) -> CompletedPath {
        let bits = entry.outcomes.iter().enumerate();
        CompletedPath {
            descriptor: PathDescriptor {
                start: entry.start,
                length: entry.outcomes.len() as u32,
                outcomes: bits.map(|(i, &taken)| u64::from(taken) << i).sum(),
            },
            count: match self.ppcr.metric {
                Metric::Executions => 1,
                Metric::Events => entry.events as u32,
            },
        }
    }

    /// What is left of the entries when a return leads elsewhere than the top's.
    fn repair(&mut self, record: &BranchRecord, target: u64) {
        self.count("repairs");
        let left = |entry: &Entry| entry.is_left_by(record, &self.geometry);
        let numbered = self.entries.iter().enumerate();
        let fitting: Vec<usize> = numbered
            .filter_map(|(i, entry)| left(entry).then_some(i))
            .collect();
        match fitting[..] {
            [only] if only > 0 => self.entries.truncate(only),
            _ => self.entries = vec![Entry::new(target)],
        }
    }

    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let path = self.act(record);
        let address = maximum(self.geometry.pc_bits) as u64;
        self.context = cut(record.target, &self.geometry) & !address;
        path
    }

    fn act(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let target = cut(record.target, &self.geometry);
        let Some(mut top) = self.entries.pop() else {
            self.entries.push(Entry::new(target));
            return None;
        };
        let mut kind = record.kind;
        let as_forward = self.ppcr.backward_not_taken == BackwardNotTaken::AsForward;
        if kind == BranchKind::Backward && !record.taken && as_forward {
            kind = BranchKind::Forward;
        }
        let row = self.ppcr.rows[kind];
        let [update, update_count, mut pop, mut push] = Operation::ALL.map(|o| row.has(o));
        let moved = match (self.ppcr.extension, kind) {
            (Extension::Loop, BranchKind::Backward) | (Extension::Procedure, BranchKind::Call)
                if top.extension < self.ppcr.max_extension.into() =>
            {
                Some(top.extension + 1)
            }
            (Extension::Procedure, BranchKind::Return) => top.extension.checked_sub(1),
            _ => None,
        };
        if let Some(extension) = moved {
            top.extension = extension;
            (pop, push) = (false, false);
        }
        let returns = matches!(record.kind, BranchKind::Return | BranchKind::TrapReturn);
        if self.geometry.stack_check
            && returns
            && pop
            && !push
            && top.entered.is_some()
            && !top.is_left_by(record, &self.geometry)
        {
            self.repair(record, target);
            return None;
        }
        let entered = top.entered;
        if update || update_count {
            let events = u128::from(record.events) % (1 << self.geometry.event_bits);
            let most = maximum(self.geometry.event_counter_bits);
            if top.events + events > most {
                self.count("event counter saturated");
            }
            top.events = most.min(top.events + events);
        }
        if update {
            top.outcomes.push(record.taken);
        }
        let split = !pop && top.outcomes.len() == self.geometry.max_branches as usize;
        if split {
            self.count("splits");
        }
        let mut completed = None;
        if pop || split {
            completed = Some(self.complete(&top));
            if split || push {
                let mut next = Entry::new(target);
                next.entered = entered;
                if self.ppcr.extension == Extension::Procedure {
                    next.extension = top.extension;
                }
                self.entries.push(next);
            }
        } else {
            self.entries.push(top);
        }
        if push && !pop {
            let address = maximum(self.geometry.pc_bits) as u64;
            let from = cut(record.next & address, &self.geometry) + self.context;
            let mut next = Entry::new(target);
            next.entered = Some((record.kind, from));
            self.entries.push(next);
        }
        if self.entries.is_empty() {
            self.count("underflows");
            self.entries.push(Entry::new(target));
        }
        if self.entries.len() > self.geometry.stack_depth as usize {
            self.count("overflows");
            self.entries.remove(0);
        }
        completed
    }
}
