//! The drain in the reference: each evicted entry in its cycle.

use super::super::pins::Access;
use super::super::pins::{Drive, Seen};
use hpp_golden::config::{DRAIN_MARGIN, Geometry};
use hpp_golden::profiler::register_file::lane_mask;
use hpp_golden::profiler::{Drain, DrainSight, TableEntry};
use std::collections::VecDeque;

#[derive(Debug)]
pub struct TimedDrain {
    drain: Drain,
    limit: u32,
    /// The cycle in which each waiting entry arrived.
    came: VecDeque<u64>,
    /// Evicted entries and the cycles of their arrival.
    due: VecDeque<(u64, TableEntry)>,
    /// Accumulators of lost entries, and the cycles from which they are counted.
    losses: VecDeque<(u64, u32)>,
    /// The outputs in this cycle and in the previous one.
    sights: [DrainSight; 2],
    irq: bool,
    hold: bool,
    sums: Sums,
}

/// Sums of accumulators since reset: of all entries that left the table, and of those lost or taken from the drain.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    left: u64,
    lost: u64,
    taken: u64,
}

/// Cycles from the arrival of an entry to the first in which it can be taken, and to the one in which its loss is
/// counted.
const STAGES: u64 = 2;

impl TimedDrain {
    /// A drain after reset, if the geometry has one. Its loss counters begin with `start`.
    pub fn new(geometry: &Geometry, start: u64) -> Option<Self> {
        let drain = Drain::starting(geometry, start)?;
        Some(Self {
            limit: geometry.drain_depth - DRAIN_MARGIN,
            came: VecDeque::new(),
            due: VecDeque::new(),
            losses: VecDeque::new(),
            sights: [drain.sight(); 2],
            drain,
            irq: false,
            hold: false,
            sums: Sums::default(),
        })
    }

    /// Schedules the arrival of an entry. Entries arrive in the order of their cycles.
    pub fn enter(&mut self, cycle: u64, entry: TableEntry) {
        self.due.push_back((cycle, entry));
        self.sums.left += u64::from(entry.count);
    }

    /// The sum of the accumulators that have left the table since reset.
    pub fn left(&self) -> u64 {
        self.sums.left
    }

    /// Checks that every entry that left the table is in flight, waits, was taken or was lost.
    ///
    /// # Errors
    ///
    /// If some are missing.
    pub fn balance(&self) -> Result<(), String> {
        let due = self.due.iter().map(|(_, entry)| u64::from(entry.count));
        let waiting = self.drain.entries().iter();
        let waiting = waiting.map(|entry| u64::from(entry.count));
        let Sums { left, lost, taken } = self.sums;
        let found = due.chain(waiting).sum::<u64>() + lost + taken;
        (left == found).then_some(()).ok_or_else(|| {
            format!(
                "{left} left the table, {found} are known of: {:?}",
                self.sums
            )
        })
    }

    pub fn begin(&mut self, cycle: u64) {
        while let Some((_, count)) = self.losses.pop_front_if(|(from, _)| *from <= cycle) {
            self.drain.lose(count);
        }
        let level = self.sights[0].level;
        self.irq = self.drain.interrupts(level);
        self.hold = self.drain.holds() && level > self.limit;
    }

    /// An access that took effect in the cycle before `cycle`.
    pub fn access(&mut self, access: &Access, cycle: u64) -> Result<(), String> {
        let offset = access.request.address * 4;
        let Some(value) = access.request.write else {
            let expected = self.drain.read(offset, &self.sights[0]);
            return match access.data {
                Some(data) if data != expected => {
                    Err(format!("{data:#x}, the model reads {expected:#x}"))
                }
                _ => Ok(()),
            };
        };
        // An entry that arrived in the cycle of the access comes after it.
        let level = self.came.partition_point(|came| came + 1 < cycle);
        let mask = lane_mask(access.request.select);
        let ready = self.sights[0].head.is_some();
        let before: Vec<u32> = self
            .drain
            .entries()
            .iter()
            .map(|entry| entry.count)
            .collect();
        let gone = self.drain.write(offset, value, mask, level, ready);
        self.came.drain(..gone);
        self.sums.taken += before[..gone]
            .iter()
            .map(|&count| u64::from(count))
            .sum::<u64>();
        Ok(())
    }

    /// Clears the losses before the last cycle.
    pub fn clear_counters(&mut self) {
        self.drain.clear_counters();
    }

    /// No record leaves the queue in this cycle.
    pub fn holds(&self) -> bool {
        self.hold
    }

    /// Compares the pins of a cycle, after its accesses.
    pub fn compare(&mut self, cycle: u64, seen: &Seen) -> Result<(), String> {
        let sight = self.drain.sight();
        let there = self.came.front().is_some_and(|came| came + STAGES <= cycle);
        self.sights[1] = DrainSight {
            head: sight.head.filter(|_| there),
            ..sight
        };
        let shown = self.sights[1].head.filter(|_| self.drain.streams());
        if seen.drain != shown {
            return Err(format!(
                "drain_* shows {:?} in cycle {cycle}, the model's {shown:?}",
                seen.drain
            ));
        }
        if seen.drain_irq != self.irq {
            return Err(format!(
                "drain_irq is {} in cycle {cycle}, with {} entries in the drain",
                u8::from(seen.drain_irq),
                sight.level
            ));
        }
        Ok(())
    }

    /// Arrivals and departures of a cycle. Returns whether an entry was lost.
    pub fn end(&mut self, cycle: u64, drive: &Drive) -> bool {
        let mut lost = false;
        while let Some((_, entry)) = self.due.pop_front_if(|(due, _)| *due <= cycle) {
            if self.drain.is_full() {
                self.losses.push_back((cycle + STAGES, entry.count));
                self.sums.lost += u64::from(entry.count);
                lost = true;
            } else {
                self.drain.push(entry);
                self.came.push_back(cycle);
            }
        }
        let head = self.sights[1].head.is_some();
        if head && self.drain.streams() && drive.drain_ready {
            let taken = self.drain.take();
            self.sums.taken += taken.map_or(0, |entry| u64::from(entry.count));
            self.came.pop_front();
        }
        self.sights[0] = self.sights[1];
        lost
    }
}
