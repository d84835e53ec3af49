//! The branch queue: records wait here for the detector.
//!
//! A FIFO of `queue_depth` records. In stall mode a core that finds it full must hold; in lossy mode the record is
//! dropped. A gap in the stream of records (a lost record, a disabled profiler) and a purge command mark the next
//! record that enters the queue. The path stack is purged before that record, so every reported path was executed.
//! A core that does not hold, though it has to, loses the record, which is detected too.
//!
//! Source: Vaswani's thesis, section 5.2 (the queue) and section 5.5.3 (its depth); lossy mode is this project's.

use std::collections::VecDeque;

use crate::branch::BranchRecord;
use crate::config::Geometry;

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It waits in the queue.
    Accepted,
    /// The profiler is disabled, or its triggers keep the record out: accepted and forgotten.
    Discarded,
    /// The queue is full (stall mode): nothing happened, the core offers it again.
    Stalled,
    /// The queue is full (lossy mode): the record is lost.
    Lost,
}

/// A record on its way to the detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueuedRecord {
    /// The record.
    pub record: BranchRecord,
    /// The path stack is purged before it.
    pub purge: bool,
}

/// The branch queue.
#[derive(Clone, Debug)]
pub struct BranchQueue {
    records: VecDeque<QueuedRecord>,
    geometry: Geometry,
    enabled: bool,
    lossy: bool,
    /// The next record that gets in carries the purge mark.
    purge: bool,
    /// The record that was refused last, if the core has been offering it since.
    refused: Option<BranchRecord>,
}

impl BranchQueue {
    /// An empty queue of this geometry, disabled, in stall mode.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            records: VecDeque::with_capacity(geometry.queue_depth as usize),
            geometry: *geometry,
            enabled: false,
            lossy: false,
            purge: true,
            refused: None,
        }
    }

    /// Enables or disables the profiler's intake; records already waiting are kept.
    pub const fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
        self.purge |= !enabled;
    }

    /// Whether records are taken in.
    pub const fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Chooses between stall mode and lossy mode.
    pub const fn set_lossy(&mut self, lossy: bool) {
        self.lossy = lossy;
    }

    /// Marks the next record that gets in.
    pub const fn purge(&mut self) {
        self.purge = true;
    }

    /// Records waiting.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether no record waits.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Whether every place is taken.
    pub fn is_full(&self) -> bool {
        self.records.len() == self.geometry.queue_depth as usize
    }

    /// The `br_ready` port: whether the core may go on.
    pub fn ready(&self) -> bool {
        !self.enabled || self.lossy || !self.is_full()
    }

    /// Sees what the core offers in a cycle, before it is taken. Returns whether a record is lost: one was refused in the cycle before, and now
    /// nothing or another record is offered. (Events may have been added to it.) The next record that gets in then carries the purge mark.
    ///
    /// A core that offers an equal record instead cannot be distinguished from one that holds.
    #[inline]
    pub fn watch(&mut self, offered: Option<&BranchRecord>) -> bool {
        let Some(refused) = self.refused.take() else {
            return false;
        };
        let shown = |record: &BranchRecord| {
            let target = self.geometry.start(record.target);
            (record.kind, record.taken, target)
        };
        let held = offered.is_some_and(|record| shown(record) == shown(&refused));
        self.purge |= !held;
        !held && self.enabled
    }

    /// The core offers a record.
    #[inline]
    pub fn offer(&mut self, record: &BranchRecord) -> Offer {
        if !self.enabled {
            return Offer::Discarded;
        }
        if self.is_full() {
            if !self.lossy {
                self.refused = Some(*record);
                return Offer::Stalled;
            }
            self.purge = true;
            return Offer::Lost;
        }
        self.records.push_back(QueuedRecord {
            record: *record,
            purge: self.purge,
        });
        self.purge = false;
        Offer::Accepted
    }

    /// A record arrives and leaves at once. `None` if it cannot, because others wait or the profiler is disabled; else
    /// whether it carries the purge mark.
    #[inline]
    pub fn pass(&mut self) -> Option<bool> {
        let free = self.enabled && self.is_empty() && self.refused.is_none();
        free.then(|| core::mem::take(&mut self.purge))
    }

    /// The oldest record leaves.
    #[inline]
    pub fn take(&mut self) -> Option<QueuedRecord> {
        self.records.pop_front()
    }
}
