//! The profiler once more, written from `docs/behaviour.md` alone and as plainly as possible: growing vectors, lists of
//! outcomes, sums that cannot overflow, sorting to find the least frequently used way.

mod stack;

use std::collections::{BTreeMap, VecDeque};

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::Ppcr;
use hpp_golden::registers::Counter;

pub use stack::Stack;
use stack::{Tally, maximum};

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
