//! Records that wait to be taken: the model of the buffer that ends an ingress.
//!
//! What retires in a cycle may make several records, a *row*, and the profiler takes one a cycle, so rows wait in [`PLACES`]
//! places. One that finds no place loses its records, and the next that gets one says that records are missing before it.

use std::collections::VecDeque;

use crate::branch::BranchRecord;

/// Rows that the buffer holds.
pub const PLACES: usize = 4;

/// A record on its way to the profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offer {
    /// The record.
    pub record: BranchRecord,
    /// Something between it and the record before is missing: no path goes across.
    pub after_loss: bool,
}

impl Offer {
    /// A record after which nothing is missing.
    pub const fn new(record: BranchRecord) -> Self {
        Self {
            record,
            after_loss: false,
        }
    }
}

/// The records of one cycle, in order: a row of the buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CycleRecords {
    /// The records.
    pub offers: Vec<Offer>,
    /// A record is missing among them, or its target is.
    pub lost: bool,
}

impl IntoIterator for CycleRecords {
    type Item = BranchRecord;
    type IntoIter = core::iter::Map<std::vec::IntoIter<Offer>, fn(Offer) -> BranchRecord>;

    fn into_iter(self) -> Self::IntoIter {
        self.offers.into_iter().map(|offer| offer.record)
    }
}

/// The buffer. Within a cycle: [`front`](Self::front) and [`stalls`](Self::stalls), then [`store`](Self::store), then
/// [`take`](Self::take).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    rows: VecDeque<VecDeque<Offer>>,
    gap: bool,
    reserve: usize,
}

impl Buffer {
    /// An empty buffer that asks the core to hold while no more than `reserve` places are free.
    pub const fn new(reserve: usize) -> Self {
        Self {
            rows: VecDeque::new(),
            gap: false,
            reserve,
        }
    }

    /// Whether the core is asked not to retire.
    pub fn stalls(&self) -> bool {
        self.rows.len() + self.reserve >= PLACES
    }

    /// The record that is offered.
    pub fn front(&self) -> Option<Offer> {
        self.rows.front()?.front().copied()
    }

    /// Stores the records of a cycle. Returns whether none is lost.
    pub fn store(&mut self, row: CycleRecords) -> bool {
        let mut offers: VecDeque<Offer> = row.offers.into();
        let Some(first) = offers.front_mut() else {
            return !row.lost;
        };
        first.after_loss |= std::mem::replace(&mut self.gap, self.rows.len() == PLACES);
        if !self.gap {
            self.rows.push_back(offers);
        }
        !(self.gap || row.lost)
    }

    /// The record offered is taken.
    pub fn take(&mut self) {
        let Some(head) = self.rows.front_mut() else {
            return;
        };
        head.pop_front();
        if head.is_empty() {
            self.rows.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::BranchKind;

    fn record(kind: BranchKind, target: u64) -> BranchRecord {
        BranchRecord::new(kind, true, target, 0)
    }

    fn row(target: u64) -> CycleRecords {
        let records = [
            record(BranchKind::Forward, target),
            record(BranchKind::Trap, target + 1),
        ];
        CycleRecords {
            offers: records.map(Offer::new).to_vec(),
            lost: false,
        }
    }

    fn front(buffer: &Buffer) -> Option<(u64, bool)> {
        let offer = buffer.front()?;
        Some((offer.record.target, offer.after_loss))
    }

    #[test]
    fn records_leave_in_order() {
        let mut buffer = Buffer::new(1);
        assert!(buffer.store(row(8)));
        assert_eq!(front(&buffer), Some((8, false)));
        buffer.take();
        assert_eq!(front(&buffer), Some((9, false)));
        buffer.take();
        assert_eq!(buffer.front(), None);
    }

    #[test]
    fn what_follows_a_lost_row_says_so() {
        let mut buffer = Buffer::new(1);
        for target in [0, 2, 4, 6] {
            assert_eq!(buffer.stalls(), target == 6);
            assert!(buffer.store(row(target)));
        }
        assert!(!buffer.store(row(8)));
        assert!(
            buffer.store(CycleRecords::default()),
            "no record, nothing lost"
        );
        (0..2).for_each(|_| buffer.take());
        assert!(buffer.store(row(10)));
        (0..6).for_each(|_| buffer.take());
        assert_eq!(front(&buffer), Some((10, true)));
        buffer.take();
        assert_eq!(front(&buffer), Some((11, false)));
    }
}
