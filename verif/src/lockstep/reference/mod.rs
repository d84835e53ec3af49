//! The reference: the golden model's parts, each at its moment.
//!
//! The model has no clock. The reference gives it one: it sees the pins cycle by cycle and lets each part of the model
//! see each event in the cycle in which the circuits do ([`Timing`]). It lags [`LAG`] cycles behind the pins, because a
//! write is known only when it is acknowledged.

mod bus;
mod entry_watch;
mod serial;
mod tally;
mod timing;

pub use serial::SerialTiming;
pub use timing::Timing;

use super::bus::Transfer;
use super::pins::{Drive, Seen};
use entry_watch::EntryWatch;
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{
    BranchQueue, Counters, HotPathTable, Lookup, Offer, PathStack, RegisterFile, ResetValues,
    set_index,
};
use hpp_golden::registers::{Counter, Field, errors};
use serial::SerialLookups;
use std::collections::VecDeque;
use tally::{Sticky, Tally};

/// How many cycles the reference is behind the pins; more than any write takes.
pub const LAG: u64 = 16;

/// What the reference has to know of a cycle.
#[derive(Debug, Clone, Copy)]
struct Past {
    offered: Option<BranchRecord>,
    ready: bool,
}

/// The golden model with a clock.
#[derive(Debug)]
pub struct Reference {
    geometry: Geometry,
    reset: ResetValues,
    timing: Timing,
    /// The cycle the pins are in, and the first the model has not seen.
    now: u64,
    model_now: u64,
    past: VecDeque<Past>,
    transfers: VecDeque<Transfer>,

    registers: RegisterFile,
    queue: BranchQueue,
    stack: PathStack,
    table: HotPathTable,
    /// When lookups end, if they take time.
    lookups: Option<SerialLookups>,
    tally: Tally,
    sticky: Sticky,
    /// Clear commands: first cycle without paths and first with them again.
    clearing: (u64, u64),
    to_stack: VecDeque<(u64, BranchRecord, bool)>,
    to_table: VecDeque<(u64, CompletedPath)>,
    expected: VecDeque<(u64, CompletedPath)>,
    seen: VecDeque<(u64, CompletedPath)>,
    watch: EntryWatch,
    no_counters: Counters,
    records: u64,
    paths: u64,
}

impl Reference {
    /// The reference of a profiler just out of reset.
    pub fn new(geometry: &Geometry, reset: &ResetValues, timing: Timing) -> Self {
        let registers = RegisterFile::new(geometry, reset);
        let empty = vec![0; geometry.entry_words() as usize];
        let serial = timing
            .serial
            .filter(|_| geometry.lookup == LookupScheme::Serial);
        let lookups = serial.map(|serial| SerialLookups::new(serial, geometry.ways));
        // What a path changes may show when all before it have been looked up.
        let settle = timing.settle + lookups.as_ref().map_or(0, |lookups| lookups.longest(0));
        let mut reference = Self {
            geometry: *geometry,
            reset: *reset,
            timing,
            now: 0,
            model_now: 0,
            past: VecDeque::new(),
            transfers: VecDeque::new(),
            queue: BranchQueue::new(geometry),
            stack: PathStack::new(geometry, *registers.ppcr()),
            registers,
            table: HotPathTable::new(geometry),
            lookups,
            tally: Tally::new(settle),
            sticky: Sticky::new(settle),
            clearing: (0, u64::from(geometry.clear_cycles()) + timing.reset_clear),
            to_stack: VecDeque::new(),
            to_table: VecDeque::new(),
            expected: VecDeque::new(),
            seen: VecDeque::new(),
            watch: EntryWatch::new(0, empty),
            no_counters: Counters::new(geometry),
            records: 0,
            paths: 0,
        };
        reference.apply_control();
        reference
    }

    /// Records processed and paths compared so far, resets included.
    pub fn compared(&self) -> (u64, u64) {
        (self.records, self.paths)
    }

    /// The cycle the pins are in, counted since reset.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The model's table, [`LAG`] cycles behind the pins.
    pub fn table(&self) -> &HotPathTable {
        &self.table
    }

    /// Cycles without new events until everything that happened can be read exactly.
    pub fn settling(&self) -> u64 {
        let queued = u64::from(self.geometry.queue_depth);
        let lookups = self.lookups.as_ref();
        let lookups = lookups.map_or(0, |lookups| lookups.longest(queued));
        LAG + self.timing.longest() + self.timing.settle + lookups
    }

    /// Cycles left until the table takes paths again.
    pub fn clearing_left(&self) -> u64 {
        self.clearing.1.saturating_sub(self.model_now)
    }

    /// The counts the counters should read once settled.
    pub fn total(&self, counter: Counter) -> u64 {
        self.tally.total(counter)
    }

    /// One cycle of the pins, and the transfer that was acknowledged in it.
    ///
    /// # Errors
    ///
    /// What differs from the model.
    pub fn cycle(
        &mut self,
        drive: &Drive,
        seen: &Seen,
        transfer: Option<Transfer>,
    ) -> Result<(), String> {
        if drive.reset {
            return self.reset(drive.bus_cycle);
        }
        self.past.push_back(Past {
            offered: drive.record,
            ready: seen.ready,
        });
        self.seen.extend(seen.path.map(|path| (self.now, path)));
        self.transfers.extend(transfer);
        self.now += 1;
        while self.model_now + LAG < self.now {
            self.advance()?;
        }
        Ok(())
    }

    /// Catches up with the pins and starts again. What was in flight is gone: no path of it may show.
    ///
    /// Cycles in which a write may have been at work that was never acknowledged are not compared.
    fn reset(&mut self, bus_cycle: bool) -> Result<(), String> {
        let unsure = if bus_cycle { 4 } else { 0 };
        while self.model_now + unsure < self.now {
            self.advance()?;
        }
        let (records, paths) = self.compared();
        *self = Self {
            records,
            paths,
            ..Self::new(&self.geometry, &self.reset, self.timing)
        };
        Ok(())
    }

    /// Lets the model see one more cycle.
    fn advance(&mut self) -> Result<(), String> {
        let cycle = self.model_now;
        self.bus(cycle)?;
        let past = self
            .past
            .pop_front()
            .ok_or("the reference overtook the pins")?;
        self.intake(cycle, &past)?;
        while self.to_stack.front().is_some_and(|entry| entry.0 == cycle) {
            let (_, record, purge) = self.to_stack.pop_front().expect("just seen");
            self.process(&record, purge);
        }
        if cycle == self.clearing.0 {
            self.table.clear();
            self.watch_changed();
        }
        while self.to_table.front().is_some_and(|entry| entry.0 == cycle) {
            let (_, path) = self.to_table.pop_front().expect("just seen");
            self.look_up(&path);
        }
        self.tally.end_cycle(cycle);
        self.model_now += 1;
        self.compare_paths()
    }

    /// The queue's side of a cycle.
    fn intake(&mut self, cycle: u64, past: &Past) -> Result<(), String> {
        if past.ready != self.queue.ready() {
            return Err(format!(
                "br_ready is {} in cycle {cycle}, the model's is {}, with {} records in the queue",
                u8::from(past.ready),
                u8::from(self.queue.ready()),
                self.queue.len()
            ));
        }
        let waits = self.timing.leave > 0;
        let mut leaves = waits && !self.queue.is_empty();
        match past.offered.map(|record| self.queue.offer(&record)) {
            Some(Offer::Accepted) => {
                self.tally.add(Counter::Records, 1);
                self.records += 1;
                leaves |= !waits;
            }
            Some(Offer::Lost) => {
                self.tally.add(Counter::LostRecords, 1);
                self.raise(errors::RECORDS_LOST);
            }
            Some(Offer::Discarded | Offer::Stalled) | None => {}
        }
        let lookups = self.lookups.as_mut();
        if leaves && !lookups.is_some_and(|lookups| lookups.hold(cycle)) {
            let queued = self.queue.take().expect("a record is in the queue");
            let step = cycle + self.timing.detect - self.timing.leave;
            self.to_stack.push_back((step, queued.record, queued.purge));
        }
        Ok(())
    }

    /// The detector's side: one record through the path stack.
    fn process(&mut self, record: &BranchRecord, purge: bool) {
        if purge {
            self.stack.purge();
        }
        let accepted = self.model_now - self.timing.detect;
        let path = self.stack.step(record);
        let tally = self.stack.take_tally();
        self.tally.add(Counter::Splits, tally.splits);
        self.tally.add(Counter::Underflows, tally.underflows);
        self.tally.add(Counter::Overflows, tally.overflows);
        if tally.event_counter_saturated {
            self.raise(errors::EVENT_COUNTER_SATURATED);
        }
        if let Some(path) = path {
            self.tally.add(Counter::Paths, 1);
            self.expected.push_back((accepted + self.timing.path, path));
            self.to_table
                .push_back((accepted + self.timing.table, path));
        }
    }

    /// The table's side: one completed path.
    fn look_up(&mut self, path: &CompletedPath) {
        let (from, to) = self.clearing;
        if (from..to).contains(&self.model_now) || self.registers.frozen() {
            return;
        }
        if let Some(lookups) = &mut self.lookups {
            let way = find(&self.table, &self.geometry, path);
            lookups.enter(self.model_now, way);
        }
        match self.table.record(path) {
            Lookup::Hit { saturated } => {
                self.tally.add(Counter::Hits, 1);
                if saturated {
                    self.raise(errors::ACCUMULATOR_SATURATED);
                }
            }
            Lookup::Replaced { .. } => self.tally.add(Counter::Replacements, 1),
            Lookup::Inserted | Lookup::Nothing | Lookup::Frozen => {}
        }
        self.watch_changed();
    }

    fn watch_changed(&mut self) {
        self.watch.change(self.table.words(self.watch.number()));
    }

    fn raise(&mut self, error: Field) {
        self.sticky.raise(error.mask(), self.model_now);
    }

    /// Paths seen and expected, in order, each in its cycle.
    fn compare_paths(&mut self) -> Result<(), String> {
        while let Some(&(cycle, path)) = self.seen.front().filter(|seen| seen.0 < self.model_now) {
            match self.expected.pop_front() {
                Some(expected) if expected == (cycle, path) => self.paths += 1,
                Some((due, expected)) => {
                    return Err(format!(
                        "path {} with count {} in cycle {cycle}; the model completes {} with count {}, due in \
                         cycle {due}",
                        path.descriptor, path.count, expected.descriptor, expected.count
                    ));
                }
                None => {
                    return Err(format!(
                        "path {} with count {} in cycle {cycle}; the model completes none",
                        path.descriptor, path.count
                    ));
                }
            }
            self.seen.pop_front();
        }
        match self.expected.front() {
            Some((due, path)) if *due < self.model_now => Err(format!(
                "no path in cycle {due}; the model completes {} with count {}",
                path.descriptor, path.count
            )),
            _ => Ok(()),
        }
    }
}

/// The way in which the table holds a path.
fn find(table: &HotPathTable, geometry: &Geometry, path: &CompletedPath) -> Option<u64> {
    let first = set_index(geometry, &path.descriptor) * geometry.ways as usize;
    let is_there = |way: &usize| {
        table
            .entry(first + way)
            .is_some_and(|entry| entry.descriptor == path.descriptor)
    };
    (0..geometry.ways as usize)
        .find(is_there)
        .map(|way| way as u64)
}
