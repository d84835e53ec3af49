//! The cycle-level timing of a profiler: all that the reference knows beyond the golden model.

use super::tally::Forgets;
use hpp_golden::config::Geometry;

/// Distances in clock cycles between events on the pins and their effects.
///
/// A record is *accepted* in the cycle in which `br_valid` and `br_ready` are 1. A write is in force from the cycle of
/// `wb_ack_o` on. Its register then has the new value, a purge marks the next accepted record, and a clear stops
/// lookups. All distances are those of a record that is not stalled; a sequential table may stall it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// From acceptance to the first cycle in which the record can leave the queue.
    pub leave: u64,
    /// From acceptance to the cycle in which the path stack processes the record. The PPCR of that cycle applies.
    pub detect: u64,
    /// From acceptance to the cycle in which the completed path is on `path_*`.
    pub path: u64,
    /// From acceptance to the cycle in which the table takes the path. Freeze and clear of that cycle apply.
    pub table: u64,
    /// Cycles after which a counter that is read contains every event.
    pub counted: u64,
    /// The effect of a clear command on the counters.
    pub forgets: Forgets,
    /// Cycles after which an error of the table or the stack is in `ERRORS`.
    pub errors: u64,
    /// From the cycle in which the table takes a path to the first in which a readout sees its change. With sequential
    /// lookup it is the cycle after the last of the lookup.
    pub stored: u64,
    /// From the cycle in which the table takes a path to the one in which the evicted entry arrives in the drain. With
    /// sequential lookup it is the cycle after the path takes a row or hits.
    pub departs: u64,
    /// From the cycle in which a fetch is visible in `STATUS.ENTRY_VALID` to the earliest and latest end. With
    /// sequential lookup a fetch may last as long as an access.
    pub fetch: (u64, u64),
    /// The stall of a checked stack; `None` without one.
    pub check: Option<CheckTiming>,
    /// Cycles by which a sequential lookup ends later than a parallel table takes the path; `None` with parallel lookup.
    pub sequential: Option<u64>,
}

/// How long a checked stack blocks the queue, in clock cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckTiming {
    /// After the cycle in which a return left the queue.
    pub passes: u64,
    /// Additional cycles before a return takes effect.
    pub late: u64,
    /// After the cycle in which the stack processes a return that does not fit, plus one for each entry below the top.
    pub looks: u64,
}

impl Timing {
    /// The timing of a geometry. Queue, decoder and path stack take a cycle each. The table takes a path when it is
    /// output. The counters are scanned in rounds of sixteen cycles.
    pub fn of(geometry: &Geometry) -> Self {
        let check = geometry.stack_check.then_some(CheckTiming {
            passes: 2,
            late: 1,
            looks: 4,
        });
        let late = check.map_or(0, |check| check.late);
        let sequential = geometry.buffers_paths().then_some(4);
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

    /// The longest of the distances: nothing from a cycle is in flight after it.
    pub fn longest(&self) -> u64 {
        self.detect.max(self.path).max(self.table)
    }

    /// Cycles until every readable value is exact, once nothing moves.
    pub fn settle(&self) -> u64 {
        self.counted.max(self.errors).max(self.stored)
    }
}
