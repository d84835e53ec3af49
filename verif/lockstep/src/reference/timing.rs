//! When things happen inside a profiler, in clock cycles: all that the reference knows beyond the golden model.

use super::lookups::SequentialTiming;
use super::tally::Forgets;
use hpp_golden::config::Geometry;

/// Distances in clock cycles between what is seen on the pins and what it means.
///
/// A record is *accepted* in the cycle in which `br_valid` and `br_ready` are 1. A write is in force from the cycle of
/// `wb_ack_o` on: its register has the new value, an accepted record carries the mark of its purge command, the table
/// takes no paths because of its clear command. All distances are those of a record that goes on as soon as it can; a sequential
/// table may hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// From a record's acceptance to the first cycle in which it can leave the queue.
    pub leave: u64,
    /// From a record's acceptance to the cycle in which the path stack processes it; the control register as of that
    /// cycle applies.
    pub detect: u64,
    /// From a record's acceptance to the cycle in which `path_valid` shows the path it completes.
    pub path: u64,
    /// From a record's acceptance to the cycle in which the table takes the path it completes; freeze and clear as of
    /// that cycle apply.
    pub table: u64,
    /// Cycles after which a counter that is read has every event.
    pub counted: u64,
    /// Which cycles a clear command of the counters may or may not forget.
    pub forgets: Forgets,
    /// Cycles after which an error that the table or the stack finds is in `ERRORS`.
    pub errors: u64,
    /// From the cycle in which the table takes a path to that from which on a readout sees what it changed. If ways are looked
    /// up one after another, it is the cycle after the last of the path's lookup.
    pub stored: u64,
    /// From the cycle in which the table takes a path to that in which the entry it evicts comes into the drain. If ways are looked up one
    /// after another, it is the cycle after the one in which the path takes a row or is found.
    pub departs: u64,
    /// From the cycle in which a fetch shows in `STATUS.ENTRY_VALID` to that in which it may be, and must be, over. If lookups take
    /// time, it may last as long as an access.
    pub fetch: (u64, u64),
    /// A checked stack makes records wait; `None` without one.
    pub check: Option<CheckTiming>,
    /// How long lookups take if ways are looked up one after another.
    pub sequential: Option<SequentialTiming>,
}

/// How long no record leaves the queue because of a checked stack, in clock cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckTiming {
    /// After the one in which a return left it.
    pub passes: u64,
    /// By which a return acts later than other records.
    pub late: u64,
    /// After the one in which the stack processes a return that leads elsewhere, beyond one for each entry below the top.
    pub looks: u64,
}

impl Timing {
    /// That of a profiler of this geometry: the queue, the decoder and the path stack take a cycle each, the table takes a path as it
    /// shows, and the counters are gathered in rounds of sixteen cycles.
    pub fn of(geometry: &Geometry) -> Self {
        let check = geometry.stack_check.then_some(CheckTiming {
            passes: 2,
            late: 1,
            looks: 4,
        });
        let late = check.map_or(0, |check| check.late);
        let sequential = geometry.buffers_paths().then_some(SequentialTiming {
            found: 4,
            missed: 3,
            repeated: 2,
            decided: 4,
            inserts: 1,
            ages: 6,
            judges: 18,
            moves: 3,
            lag: 4,
        });
        Self {
            leave: 1,
            detect: 2,
            path: 4,
            table: 4,
            counted: 28 + late,
            forgets: Forgets {
                table: 8 + late,
                rest: 4 + late,
                after: 1,
            },
            errors: 8 + late,
            stored: 8,
            departs: 6,
            fetch: (
                3,
                sequential.map_or(4, |_| geometry.longest_access().into()),
            ),
            check,
            sequential,
        }
    }

    /// The greatest of the distances: nothing of a cycle is in flight after so many more.
    pub fn longest(&self) -> u64 {
        self.detect.max(self.path).max(self.table)
    }

    /// Cycles after which everything that can be read is exact once nothing moves.
    pub fn settle(&self) -> u64 {
        self.counted.max(self.errors).max(self.stored)
    }
}
