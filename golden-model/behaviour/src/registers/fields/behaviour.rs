//! Fields of the registers that control a profiler, and of its status.

/// Fields of [`SHADOW`](crate::registers::SHADOW).
pub mod shadow {
    use crate::registers::word::{Field, field};
    /// The state of its chances.
    pub const CHANCE: Field = field(
        "CHANCE",
        0,
        27,
        "State of the linear-feedback shift register, which takes a step for each path.",
    );
    /// How rarely misses are sampled.
    pub const SCALE: Field = field("SCALE", 27, 5, "One miss in 2^SCALE is sampled.");
}

/// Fields of [`CONTEXT`](crate::registers::CONTEXT).
pub mod context {
    use crate::registers::word::{Field, field};
    /// Bits that matter.
    pub const MASK: Field = field(
        "MASK",
        0,
        8,
        "Bits of the context that are compared with VALUE; 0 shows every path. Bits above GEOMETRY3.CONTEXT_BITS read 0.",
    );
    /// What they have to be.
    pub const VALUE: Field = field(
        "VALUE",
        8,
        8,
        "Required value of the bits in MASK. Bits above GEOMETRY3.CONTEXT_BITS read 0.",
    );
}

/// Fields of [`CONTROL`](crate::registers::CONTROL).
pub mod control {
    use crate::registers::word::{Field, field};
    /// Records are taken in.
    pub const ENABLE: Field = field(
        "ENABLE",
        0,
        1,
        "1: records are profiled. 0: records are accepted and discarded; the path stack is purged before the next one profiled.",
    );
    /// The table takes no paths.
    pub const FREEZE: Field = field(
        "FREEZE",
        1,
        1,
        "1: the table takes no paths; the detector goes on.",
    );
    /// The queue drops what it cannot hold.
    pub const LOSSY: Field = Field {
        name: "LOSSY",
        lsb: 2,
        width: 1,
        description: "What happens to a record that finds the queue full.",
        values: &[("STALL", 0), ("LOSSY", 1)],
    };
    /// What is counted for whom stays as it is.
    pub const LOCK: Field = field(
        "LOCK",
        3,
        1,
        "1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit take no writes until reset. Reads 0 without contexts.",
    );
}

/// Fields of [`COMMAND`](crate::registers::COMMAND).
pub mod command {
    use crate::registers::word::{Field, field};
    /// Empties the table.
    pub const CLEAR: Field = field(
        "CLEAR",
        0,
        1,
        "Write 1: empty the table, one entry a cycle; STATUS.CLEARING is 1 meanwhile.",
    );
    /// Empties the path stack.
    pub const PURGE: Field = field(
        "PURGE",
        1,
        1,
        "Write 1: empty the path stack before the next record that enters the queue.",
    );
    /// Zeroes the statistics counters.
    pub const CLEAR_COUNTERS: Field = field(
        "CLEAR_COUNTERS",
        2,
        1,
        "Write 1: set every statistics counter to 0.",
    );
}

/// Fields of [`STATUS`](crate::registers::STATUS).
pub mod status {
    use crate::registers::word::{Field, field};
    /// The table is being emptied.
    pub const CLEARING: Field = field(
        "CLEARING",
        0,
        1,
        "1: the table is being emptied; paths that complete meanwhile are not looked up.",
    );
    /// The entry at TABLE_INDEX has been fetched.
    pub const ENTRY_VALID: Field = field(
        "ENTRY_VALID",
        1,
        1,
        "1: the entry at TABLE_INDEX has been fetched, so TABLE_DATA answers at once.",
    );
    /// In how many cycles a flipped bit was seen.
    pub const FAULTS: Field = field(
        "FAULTS",
        16,
        16,
        "Cycles in which a flipped bit was detected, since reset or COMMAND.CLEAR_COUNTERS; saturates at 65535. A bit in a memory is detected each time its word is read. 0 without parity.",
    );
}

/// Fields of [`PPCR_MODE`](crate::registers::PPCR_MODE).
pub mod ppcr_mode {
    use crate::registers::word::{Field, field};
    /// What a completed path counts.
    pub const METRIC: Field = Field {
        name: "METRIC",
        lsb: 0,
        width: 1,
        description: "What a completed path adds to its accumulator: 1, or its event counter.",
        values: &[("EXECUTIONS", 0), ("EVENTS", 1)],
    };
    /// What a backward branch that is not taken does.
    pub const BACKWARD_NOT_TAKEN: Field = Field {
        name: "BACKWARD_NOT_TAKEN",
        lsb: 1,
        width: 1,
        description: "The row applied to a backward branch that is not taken.",
        values: &[("AS_FORWARD", 0), ("AS_BACKWARD", 1)],
    };
    /// What extended paths span.
    pub const EXTENSION: Field = Field {
        name: "EXTENSION",
        lsb: 2,
        width: 2,
        description: "What a path may extend across; the reserved value 3 is stored as NONE.",
        values: &[("NONE", 0), ("LOOP", 1), ("PROCEDURE", 2)],
    };
    /// The event type the core is asked to count.
    pub const EVENT_SELECT: Field = Field {
        name: "EVENT_SELECT",
        lsb: 4,
        width: 4,
        description: "Event type to count, on the event_select port: cycles since the previous record, retired instructions, or, from 2 on, the events of an input.",
        values: &[("CYCLES", 0), ("INSTRUCTIONS", 1), ("EXTERNAL", 2)],
    };
    /// How often a path may extend.
    pub const MAX_EXTENSION: Field = field(
        "MAX_EXTENSION",
        8,
        8,
        "Backward branches or calls a path may extend across; bits above GEOMETRY2.EXTENSION_BITS read 0.",
    );
}

/// Fields of [`ERRORS`](crate::registers::ERRORS).
pub mod errors {
    use crate::registers::word::{Field, field};
    /// A row with update and update_count was refused.
    pub const ILLEGAL_ROW: Field = field(
        "ILLEGAL_ROW",
        0,
        1,
        "A PPCR row with both UPDATE and UPDATE_COUNT was refused; the old row stayed.",
    );
    /// An accumulator reached its maximum.
    pub const ACCUMULATOR_SATURATED: Field = field(
        "ACCUMULATOR_SATURATED",
        1,
        1,
        "A count did not fit into an accumulator, which stays at its maximum.",
    );
    /// An event counter reached its maximum.
    pub const EVENT_COUNTER_SATURATED: Field = field(
        "EVENT_COUNTER_SATURATED",
        2,
        1,
        "Events did not fit into a path's event counter, which stays at its maximum.",
    );
    /// A record found no place in the queue or before it, or was not held until it was taken.
    pub const RECORDS_LOST: Field = field(
        "RECORDS_LOST",
        3,
        1,
        "A record was lost: no room in the queue or before it, or not held until it was taken.",
    );
    /// A locked register was written.
    pub const WRITE_REFUSED: Field = field(
        "WRITE_REFUSED",
        4,
        1,
        "A write to a register that CONTROL.LOCK protects was refused.",
    );
    /// An entry found the drain full.
    pub const DRAIN_LOST: Field = field(
        "DRAIN_LOST",
        5,
        1,
        "An evicted entry found the drain full. DRAIN_LOST counts such entries, DRAIN_LOST_COUNT adds up their accumulators.",
    );
    /// A bit of the profiler has flipped.
    pub const FAULT: Field = field(
        "FAULT",
        6,
        1,
        "A bit of a memory or register of the profiler has flipped, so any count may be wrong. STATUS.FAULTS counts the cycles with a detection.",
    );
}
