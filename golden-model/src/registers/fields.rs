//! The named bits of the registers that have some.

/// Fields of [`GEOMETRY0`](super::GEOMETRY0).
pub mod geometry0 {
    use super::super::{Field, field};
    /// Base-2 logarithm of the number of sets.
    pub const LOG2_SETS: Field = field(
        "LOG2_SETS",
        0,
        8,
        "Base-2 logarithm of the table's number of sets.",
    );
    /// Ways of each set.
    pub const WAYS: Field = field("WAYS", 8, 8, "Ways of each set.");
    /// Most branches a path records.
    pub const MAX_BRANCHES: Field = field(
        "MAX_BRANCHES",
        16,
        8,
        "Most branches a path records before it is split.",
    );
    /// Width of an instruction address.
    pub const PC_BITS: Field = field("PC_BITS", 24, 8, "Width of an instruction address in bits.");
}

/// Fields of [`GEOMETRY1`](super::GEOMETRY1).
pub mod geometry1 {
    use super::super::{Field, field};
    /// Entries of the path stack, less one.
    pub const STACK_DEPTH: Field = field(
        "STACK_DEPTH_MINUS_1",
        0,
        8,
        "Entries of the path stack, less one.",
    );
    /// Records the branch queue holds, less one.
    pub const QUEUE_DEPTH: Field = field(
        "QUEUE_DEPTH_MINUS_1",
        8,
        8,
        "Records the branch queue holds, less one.",
    );
    /// Width of `br_events`.
    pub const EVENT_BITS: Field = field(
        "EVENT_BITS",
        16,
        8,
        "Width of the events of one record in bits.",
    );
    /// Width of a path's event counter.
    pub const EVENT_COUNTER_BITS: Field = field(
        "EVENT_COUNTER_BITS",
        24,
        8,
        "Width of a path's event counter in bits.",
    );
}

/// Fields of [`GEOMETRY2`](super::GEOMETRY2).
pub mod geometry2 {
    use super::super::{Field, field};
    /// Width of an accumulator.
    pub const ACCUMULATOR_BITS: Field = field(
        "ACCUMULATOR_BITS",
        0,
        8,
        "Width of an entry's accumulator in bits.",
    );
    /// Width of the statistics counters.
    pub const COUNTER_BITS: Field = field(
        "COUNTER_BITS",
        8,
        8,
        "Width of the statistics counters in bits.",
    );
    /// Width of a path's extension counter.
    pub const EXTENSION_BITS: Field = field(
        "EXTENSION_BITS",
        16,
        4,
        "Width of a path's extension counter in bits.",
    );
    /// Low address bits that are always 0.
    pub const ALIGN: Field = field(
        "ALIGN",
        20,
        2,
        "Low bits of an instruction address that are always 0.",
    );
    /// How the table is indexed.
    pub const INDEX_SCHEME: Field = Field {
        name: "INDEX_SCHEME",
        lsb: 22,
        width: 1,
        description: "What the table's set index is computed from.",
        values: &[("FULL", 0), ("START", 1)],
    };
    /// How the table looks a path up.
    pub const LOOKUP: Field = Field {
        name: "LOOKUP",
        lsb: 23,
        width: 1,
        description: "Whether a lookup takes all ways of a set at once or one after another.",
        values: &[("PARALLEL", 0), ("SERIAL", 1)],
    };
    /// Words of a table entry.
    pub const ENTRY_WORDS: Field = field(
        "ENTRY_WORDS",
        24,
        8,
        "32-bit words of one table entry on TABLE_DATA.",
    );
}

/// Fields of [`GEOMETRY3`](super::GEOMETRY3).
pub mod geometry3 {
    use super::super::{Field, field};
    /// Width of a context.
    pub const CONTEXT_BITS: Field = field(
        "CONTEXT_BITS",
        0,
        4,
        "Width of a path's context in bits; it lies above the address in an entry's start.",
    );
    /// Whether the path stack is checked.
    pub const STACK_CHECK: Field = field(
        "STACK_CHECK",
        4,
        1,
        "1: returns are held against the addresses that calls and traps left.",
    );
    /// What becomes of a path that is not in the table.
    pub const REPLACEMENT: Field = Field {
        name: "REPLACEMENT",
        lsb: 5,
        width: 2,
        description: "What becomes of a path that is not in the table.",
        values: &[("LFU", 0), ("SHADOW", 1), ("RRIP", 2)],
    };
    /// Entries of the drain.
    pub const LOG2_DRAIN_DEPTH: Field = field(
        "LOG2_DRAIN_DEPTH",
        8,
        4,
        "Base-2 logarithm of the entries of the drain, 6 to 12; 0 without one.",
    );
    /// What has parity.
    pub const PROTECT: Field = Field {
        name: "PROTECT",
        lsb: 12,
        width: 2,
        description: "What has parity, so that a flipped bit is noticed.",
        values: &[("NONE", 0), ("MEMORIES", 1), ("ALL", 2)],
    };
}

/// Fields of [`SHADOW`](super::SHADOW).
pub mod shadow {
    use super::super::{Field, field};
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

/// Fields of [`CONTEXT`](super::CONTEXT).
pub mod context {
    use super::super::{Field, field};
    /// Bits that matter.
    pub const MASK: Field = field(
        "MASK",
        0,
        8,
        "Bits of the context that matter; 0 shows every path. Bits above GEOMETRY3.CONTEXT_BITS read 0.",
    );
    /// What they have to be.
    pub const VALUE: Field = field(
        "VALUE",
        8,
        8,
        "What the bits that matter have to be. Bits above GEOMETRY3.CONTEXT_BITS read 0.",
    );
}

/// Fields of [`CONTROL`](super::CONTROL).
pub mod control {
    use super::super::{Field, field};
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

/// Fields of [`COMMAND`](super::COMMAND).
pub mod command {
    use super::super::{Field, field};
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
        "Write 1: empty the path stack before the next record that gets in.",
    );
    /// Zeroes the statistics counters.
    pub const CLEAR_COUNTERS: Field = field(
        "CLEAR_COUNTERS",
        2,
        1,
        "Write 1: set every statistics counter to 0.",
    );
}

/// Fields of [`STATUS`](super::STATUS).
pub mod status {
    use super::super::{Field, field};
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
        "Cycles in which a flipped bit was seen, since reset or COMMAND.CLEAR_COUNTERS; 65535 of them and more. A bit in a memory is seen each time its word is read. 0 without protection.",
    );
}

/// Fields of [`PPCR_MODE`](super::PPCR_MODE).
pub mod ppcr_mode {
    use super::super::{Field, field};
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
        description: "Event type to count, on the event_select port: cycles since the record before, retired instructions, or, from 2 on, what an input of events adds.",
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

/// Fields of [`ERRORS`](super::ERRORS).
pub mod errors {
    use super::super::{Field, field};
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
        "A record was lost: no place in the queue or before it, or not held until it was taken.",
    );
    /// A locked register was written.
    pub const WRITE_REFUSED: Field = field(
        "WRITE_REFUSED",
        4,
        1,
        "A register that CONTROL.LOCK protects was written, and took nothing.",
    );
    /// An entry found the drain full.
    pub const DRAIN_LOST: Field = field(
        "DRAIN_LOST",
        5,
        1,
        "An entry that left the table found the drain full; DRAIN_LOST says how many, DRAIN_LOST_COUNT what they had counted.",
    );
    /// A bit of the profiler has flipped.
    pub const FAULT: Field = field(
        "FAULT",
        6,
        1,
        "A bit of a memory or register of the profiler has flipped: what it has counted may be wrong. STATUS.FAULTS says in how many cycles one was seen.",
    );
}

/// Fields of [`DRAIN_CONTROL`](super::DRAIN_CONTROL).
pub mod drain_control {
    use super::super::{Field, field};
    /// A drain that is nearly full holds the core.
    pub const HOLD: Field = Field {
        name: "HOLD",
        lsb: 0,
        width: 1,
        description: "What happens when the drain is full: entries are lost, and counted, or no record leaves the queue, which holds the core, while fewer than 48 places are free.",
        values: &[("LOSE", 0), ("HOLD", 1)],
    };
    /// Who takes entries.
    pub const STREAM: Field = Field {
        name: "STREAM",
        lsb: 1,
        width: 1,
        description: "Who takes entries out of the drain: software, with DRAIN_COMMAND.TAKE, or whoever is behind the drain_* ports.",
        values: &[("SOFTWARE", 0), ("PORTS", 1)],
    };
    /// The level from which on the interrupt is raised.
    pub const WATERMARK: Field = field(
        "WATERMARK",
        16,
        13,
        "drain_irq is 1 while at least so many entries wait; 0: never. Bits above those of the drain's depth read 0.",
    );
}

/// Fields of [`DRAIN_STATUS`](super::DRAIN_STATUS).
pub mod drain_status {
    use super::super::{Field, field};
    /// Entries that wait.
    pub const LEVEL: Field = field("LEVEL", 0, 13, "Entries that wait, 0 to the drain's depth.");
}

/// Fields of [`DRAIN_COMMAND`](super::DRAIN_COMMAND).
pub mod drain_command {
    use super::super::{Field, field};
    /// Takes the entry at the head.
    pub const TAKE: Field = field(
        "TAKE",
        0,
        1,
        "Write 1: the entry at the head has been read, and makes way for the next. Nothing without one, or with DRAIN_CONTROL.STREAM.",
    );
    /// Forgets all entries.
    pub const CLEAR: Field = field(
        "CLEAR",
        1,
        1,
        "Write 1: forget the entries that wait. They are not counted as lost.",
    );
}
