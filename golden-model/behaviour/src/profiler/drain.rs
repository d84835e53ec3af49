//! The drain: a FIFO of the entries evicted from the hot path table, so that no count is lost.
//!
//! ```text
//!   table ---> left ---> ( FIFO ) ---> software, or whoever is behind the ports
//!                 +-- full ---> lost: how many, and what they had counted
//! ```
//!
//! The entries in the table, taken from the drain, waiting in it and lost add up, path by path, to all completed
//! paths. An accumulator that would overflow is drained too, and begins again with the count.

use std::collections::VecDeque;

use super::table::{TableEntry, entry_words};
use crate::config::Geometry;
use crate::registers::{self, at, drain_command, drain_control, drain_status};

/// A FIFO of entries that left the table, and its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drain {
    geometry: Geometry,
    control: u32,
    entries: VecDeque<TableEntry>,
    lost: u32,
    lost_count: u64,
    /// High word of `lost_count` when its low word was read last.
    high: u32,
}

/// What software sees of a drain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DrainSight {
    /// Entries that wait.
    pub level: u32,
    /// The entry at the head, if it can be read.
    pub head: Option<TableEntry>,
    /// Entries that were lost, modulo 2^32.
    pub lost: u32,
    /// What they had counted, modulo 2^64.
    pub lost_count: u64,
}

impl Drain {
    /// An empty drain; `None` if the geometry has none.
    pub fn new(geometry: &Geometry) -> Option<Self> {
        Self::starting(geometry, 0)
    }

    /// The same that begins with so many entries lost, modulo 2^32, and as much of what they had counted
    /// ([`ResetValues::counters`](super::ResetValues::counters)).
    pub fn starting(geometry: &Geometry, start: u64) -> Option<Self> {
        geometry.has_drain().then(|| Self {
            geometry: *geometry,
            control: 0,
            entries: VecDeque::new(),
            lost: start as u32,
            lost_count: start,
            high: 0,
        })
    }

    /// A full drain holds the core rather than losing entries.
    pub const fn holds(&self) -> bool {
        drain_control::HOLD.get(self.control) == 1
    }

    /// Entries leave through the ports, not by commands.
    pub const fn streams(&self) -> bool {
        drain_control::STREAM.get(self.control) == 1
    }

    /// Whether the interrupt is raised at that level.
    pub const fn interrupts(&self, level: u32) -> bool {
        let watermark = drain_control::WATERMARK.get(self.control);
        watermark > 0 && level >= watermark
    }

    /// Whether every place is taken.
    pub fn is_full(&self) -> bool {
        self.entries.len() >= self.geometry.drain_depth as usize
    }

    /// The entries that wait, the one that left first at the head.
    pub const fn entries(&self) -> &VecDeque<TableEntry> {
        &self.entries
    }

    /// An entry has left the table. Returns whether there was a place for it.
    pub fn offer(&mut self, entry: TableEntry) -> bool {
        let place = !self.is_full();
        if place {
            self.entries.push_back(entry);
        } else {
            self.lose(entry.count);
        }
        place
    }

    /// An entry with that accumulator was lost.
    pub const fn lose(&mut self, count: u32) {
        self.lost = self.lost.wrapping_add(1);
        self.lost_count = self.lost_count.wrapping_add(count as u64);
    }

    /// An entry has left the table, and the core waits for a place. The model has no clock, so the drain takes the entry though it is full.
    pub fn push(&mut self, entry: TableEntry) {
        self.entries.push_back(entry);
    }

    /// Takes the entry at the head.
    pub fn take(&mut self) -> Option<TableEntry> {
        self.entries.pop_front()
    }

    /// Zeroes what was lost.
    pub const fn clear_counters(&mut self) {
        self.lost = 0;
        self.lost_count = 0;
    }

    /// What software sees, with the first entry as the head.
    pub fn sight(&self) -> DrainSight {
        DrainSight {
            level: self.entries.len() as u32,
            head: self.entries.front().copied(),
            lost: self.lost,
            lost_count: self.lost_count,
        }
    }

    /// Reads the register at a byte offset. The low word of what was lost latches its high word.
    pub fn read(&mut self, offset: u32, sight: &DrainSight) -> u32 {
        if offset == at::DRAIN_LOST_COUNT_LO {
            self.high = (sight.lost_count >> u32::BITS) as u32;
        }
        self.word(offset, sight)
    }

    fn word(&self, offset: u32, sight: &DrainSight) -> u32 {
        let words: Vec<u32> = entry_words(&self.geometry, sight.head).collect();
        let (start, outcomes) = words.split_at(self.geometry.start_words() as usize);
        let (outcomes, rest) = outcomes.split_at(self.geometry.outcome_words() as usize);
        let part = |words: &[u32], place: usize| words.get(place).copied().unwrap_or(0);
        match offset {
            at::DRAIN_CONTROL => self.control,
            at::DRAIN_STATUS => drain_status::LEVEL.put(sight.level),
            at::DRAIN_COUNT => part(rest, 1),
            at::DRAIN_LENGTH => part(rest, 0),
            at::DRAIN_OUTCOMES_LO => part(outcomes, 0),
            at::DRAIN_OUTCOMES_HI => part(outcomes, 1),
            at::DRAIN_START_LO => part(start, 0),
            at::DRAIN_START_HI => part(start, 1),
            at::DRAIN_LOST => sight.lost,
            at::DRAIN_LOST_COUNT_LO => sight.lost_count as u32,
            at::DRAIN_LOST_COUNT_HI => self.high,
            _ => 0,
        }
    }

    /// Writes the bits set in `mask` of the register at a byte offset. Returns how many entries its commands remove from the head: CLEAR all that
    /// wait, which are `level`; TAKE the first, if it is `ready`.
    pub fn write(
        &mut self,
        offset: u32,
        value: u32,
        mask: u32,
        level: usize,
        ready: bool,
    ) -> usize {
        if offset == at::DRAIN_CONTROL {
            let merged = value & mask | self.control & !mask;
            let bits = self.geometry.drain_depth.trailing_zeros() + 1;
            let watermark = drain_control::WATERMARK.get(merged) & Geometry::mask(bits) as u32;
            self.control = merged & (drain_control::HOLD.mask() | drain_control::STREAM.mask())
                | drain_control::WATERMARK.put(watermark);
        }
        if offset != at::DRAIN_COMMAND {
            return 0;
        }
        let taken = drain_command::TAKE.get(value & mask) == 1 && ready && !self.streams();
        let gone = match drain_command::CLEAR.get(value & mask) {
            1 => level,
            _ => usize::from(taken),
        };
        self.entries.drain(..gone);
        gone
    }
}

/// Whether a byte offset is one of a drain's registers.
pub const fn is_drains(offset: u32) -> bool {
    offset >= registers::ADDRESS_SPACE && offset < registers::WIDE_ADDRESS_SPACE
}
