//! Retirements that wait to give their records: the model of the RVFI ingress's buffer.
//!
//! A retirement may make two records and the profiler takes one a cycle, so retirements wait in [`PLACES`] places. One
//! that finds no place loses its records, and the next that gets one says that records are missing before it.

use std::collections::VecDeque;

use crate::ingress::Records;
use hpp_golden::branch::BranchRecord;

/// Retirements that can wait.
pub const PLACES: usize = 4;

/// A retirement that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    records: Records,
    after_loss: bool,
}

/// The buffer. Within a cycle: [`front`](Self::front) and [`stalls`](Self::stalls), then [`store`](Self::store), then
/// [`take`](Self::take).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    waiting: VecDeque<Waiting>,
    gap: bool,
}

impl Buffer {
    /// Whether the core is asked not to retire: there is room for one more at most.
    #[must_use]
    pub fn stalls(&self) -> bool {
        self.waiting.len() + 1 >= PLACES
    }

    /// The record that is offered, and whether records before it are missing.
    #[must_use]
    pub fn front(&self) -> Option<(BranchRecord, bool)> {
        let head = self.waiting.front()?;
        let record = head.records.into_iter().next()?;
        Some((record, head.after_loss))
    }

    /// Stores the records of a retirement. Returns whether none is lost.
    pub fn store(&mut self, records: Records) -> bool {
        if records == Records::default() {
            return true;
        }
        let after_loss = std::mem::replace(&mut self.gap, self.waiting.len() == PLACES);
        if !self.gap {
            self.waiting.push_back(Waiting {
                records,
                after_loss,
            });
        }
        !self.gap
    }

    /// The record offered is taken.
    pub fn take(&mut self) {
        let Some(head) = self.waiting.front_mut() else {
            return;
        };
        head.after_loss = false;
        if head.records.trap.take().is_none() || head.records.own.is_none() {
            self.waiting.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_golden::branch::BranchKind;

    fn record(kind: BranchKind, target: u64) -> BranchRecord {
        BranchRecord {
            kind,
            taken: true,
            target,
            next: 0,
            events: 0,
        }
    }

    fn entry(target: u64) -> Records {
        Records {
            trap: Some(record(BranchKind::Trap, target)),
            own: Some(record(BranchKind::Forward, target + 1)),
        }
    }

    #[test]
    fn a_trap_goes_first() {
        let mut buffer = Buffer::default();
        assert!(buffer.store(entry(8)));
        assert_eq!(buffer.front(), Some((record(BranchKind::Trap, 8), false)));
        buffer.take();
        assert_eq!(
            buffer.front(),
            Some((record(BranchKind::Forward, 9), false))
        );
        buffer.take();
        assert_eq!(buffer.front(), None);
    }

    #[test]
    fn what_follows_a_lost_retirement_says_so() {
        let mut buffer = Buffer::default();
        for target in [0, 2, 4, 6] {
            assert_eq!(buffer.stalls(), target == 6);
            assert!(buffer.store(entry(target)));
        }
        assert!(!buffer.store(entry(8)));
        assert!(buffer.store(Records::default()), "no record, nothing lost");
        (0..2).for_each(|_| buffer.take());
        assert!(buffer.store(entry(10)));
        (0..6).for_each(|_| buffer.take());
        assert_eq!(buffer.front(), Some((record(BranchKind::Trap, 10), true)));
        buffer.take();
        assert_eq!(
            buffer.front(),
            Some((record(BranchKind::Forward, 11), false))
        );
    }
}
