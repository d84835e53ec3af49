//! The profiler once more, written from `docs/behaviour.md` alone and as plainly as possible: growing vectors, lists of
//! outcomes, sums that cannot overflow, sorting to find the least frequently used way.

use std::collections::{BTreeMap, VecDeque};

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Operation, Ppcr};
use hpp_golden::registers::Counter;

fn maximum(bits: u32) -> u128 {
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

fn start_bits(geometry: &Geometry) -> u32 {
    geometry.pc_bits + geometry.context_bits
}

/// An address with its context as hardware has it: the bits there are, from the first instruction's place on.
fn cut(start: u64, geometry: &Geometry) -> u64 {
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

/// Way by way the path and its count, for every set that has been used.
pub struct Table {
    geometry: Geometry,
    sets: BTreeMap<u64, Vec<(PathDescriptor, u128)>>,
    pub tally: Tally,
    pub evicted: u128,
}

impl Table {
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            sets: BTreeMap::new(),
            tally: Tally::new(),
            evicted: 0,
        }
    }

    pub fn clear(&mut self) {
        self.sets.clear();
    }

    fn fold(&self, mut x: u64) -> u64 {
        let mut folded = 0;
        while x > 0 {
            folded ^= x % u64::from(self.geometry.sets);
            x /= u64::from(self.geometry.sets);
        }
        folded
    }

    pub fn set(&self, path: &PathDescriptor) -> u64 {
        let start = self.fold(path.start >> self.geometry.align);
        match self.geometry.index_scheme {
            IndexScheme::Full => start ^ self.fold(path.outcomes) ^ self.fold(path.length.into()),
            IndexScheme::Start => start,
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.tally.entry(what).or_default() += 1;
    }

    pub fn record(&mut self, path: &CompletedPath) {
        let most = maximum(self.geometry.accumulator_bits);
        let number = self.set(&path.descriptor);
        let ways = self.geometry.ways as usize;
        let set = self.sets.entry(number).or_default();
        if let Some((_, count)) = set.iter_mut().find(|(held, _)| *held == path.descriptor) {
            let sum = *count + u128::from(path.count);
            *count = most.min(sum);
            self.count("hits");
            if sum > most {
                self.count("accumulator saturated");
            }
        } else if path.count > 0 && set.len() < ways {
            set.push((path.descriptor, path.count.into()));
        } else if path.count > 0 {
            let mut order: Vec<_> = set.iter().map(|&(_, count)| count).zip(0..).collect();
            order.sort_unstable();
            let (lost, way) = order[0];
            set[way] = (path.descriptor, path.count.into());
            self.evicted += lost;
            self.count("replacements");
        }
    }

    /// Entry number, path and count of every way in use, in order.
    pub fn entries(&self) -> Vec<(usize, PathDescriptor, u32)> {
        let ways = self.geometry.ways as usize;
        let numbered = |(&set, held): (&u64, &Vec<(PathDescriptor, u128)>)| {
            let first = set as usize * ways;
            let entries = held.iter().enumerate();
            entries
                .map(|(way, &(path, count))| (first + way, path, count as u32))
                .collect::<Vec<_>>()
        };
        self.sets.iter().flat_map(numbered).collect()
    }
}

/// The whole, as far as it can be seen from outside.
pub struct Whole {
    pub geometry: Geometry,
    pub stack: Stack,
    pub table: Table,
    pub queue: VecDeque<(bool, BranchRecord)>,
    pub enabled: bool,
    pub lossy: bool,
    pub frozen: bool,
    pub purge: bool,
    /// Whether the core was asked to hold in the cycle before.
    pub refused: Option<BranchRecord>,
    pub counters: BTreeMap<Counter, u64>,
    pub repairs: u32,
    /// The bits of a context that matter, and what they have to be.
    pub filter: (u64, u64),
    pub locked: bool,
    pub errors: u32,
}

impl Whole {
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            stack: Stack::new(geometry, Ppcr::ball_larus()),
            table: Table::new(geometry),
            queue: VecDeque::new(),
            enabled: false,
            lossy: false,
            frozen: false,
            purge: false,
            refused: None,
            counters: BTreeMap::new(),
            repairs: 0,
            filter: (0, 0),
            locked: false,
            errors: 0,
        }
    }

    fn count(&mut self, counter: Counter, n: u64) {
        *self.counters.entry(counter).or_default() += n;
    }

    fn lose(&mut self) {
        self.errors |= 8;
        self.count(Counter::LostRecords, 1);
    }

    /// Whether the record that was refused is gone, and had a place to be missed from.
    fn gone(&mut self, offered: Option<&BranchRecord>) -> bool {
        let named = |record: &BranchRecord| (record.kind, record.taken, record.target);
        let refused = self.refused.take();
        let gone = refused.is_some_and(|refused| offered.map(named) != Some(named(&refused)));
        self.purge |= gone;
        gone && self.enabled
    }

    /// A cycle without a record.
    pub fn idle(&mut self) {
        if self.gone(None) {
            self.lose();
        }
    }

    /// Whether the core may go on.
    pub fn offer(&mut self, record: BranchRecord) -> bool {
        let mut loses = self.gone(Some(&record));
        let mut ready = true;
        if self.enabled && self.queue.len() < self.geometry.queue_depth as usize {
            self.queue.push_back((self.purge, record));
            self.purge = false;
            self.count(Counter::Records, 1);
        } else if self.enabled && self.lossy {
            self.purge = true;
            loses = true;
        } else if self.enabled {
            self.refused = Some(record);
            ready = false;
        }
        if loses {
            self.lose();
        }
        ready
    }

    pub fn step(&mut self) -> Option<CompletedPath> {
        let (purge, record) = self.queue.pop_front()?;
        if purge {
            self.stack.purge();
        }
        let path = self.stack.step(&record);
        let path = path.filter(|path| {
            let (mask, value) = self.filter;
            let context = u128::from(path.descriptor.start) >> self.geometry.pc_bits;
            context as u64 & mask == value & mask
        });
        if let Some(path) = &path {
            self.count(Counter::Paths, 1);
            if !self.frozen {
                self.table.record(path);
            }
        }
        self.settle();
        path
    }

    /// Moves what stack and table tallied into counters and errors.
    fn settle(&mut self) {
        let mut tally = core::mem::take(&mut self.stack.tally);
        tally.append(&mut self.table.tally);
        for (what, n) in tally {
            match what {
                "splits" => self.count(Counter::Splits, n),
                "underflows" => self.count(Counter::Underflows, n),
                "overflows" => self.count(Counter::Overflows, n),
                "repairs" => self.repairs += n as u32,
                "hits" => self.count(Counter::Hits, n),
                "replacements" => self.count(Counter::Replacements, n),
                "accumulator saturated" => self.errors |= 2,
                "event counter saturated" => self.errors |= 4,
                _ => unreachable!("{what} is not tallied"),
            }
        }
    }

    pub fn counters(&self) -> [u64; Counter::COUNT] {
        Counter::ALL.map(|counter| self.counters.get(&counter).copied().unwrap_or(0))
    }
}
