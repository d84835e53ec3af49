//! Fields of the registers that state a profiler's sizes.

/// Fields of [`GEOMETRY0`](crate::registers::GEOMETRY0).
pub mod geometry0 {
    use crate::registers::word::{Field, field};
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

/// Fields of [`GEOMETRY1`](crate::registers::GEOMETRY1).
pub mod geometry1 {
    use crate::registers::word::{Field, field};
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

/// Fields of [`GEOMETRY2`](crate::registers::GEOMETRY2).
pub mod geometry2 {
    use crate::registers::word::{Field, field};
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
        values: &[("PARALLEL", 0), ("SEQUENTIAL", 1)],
    };
    /// Words of a table entry.
    pub const ENTRY_WORDS: Field = field(
        "ENTRY_WORDS",
        24,
        8,
        "32-bit words of one table entry on TABLE_DATA.",
    );
}

/// Fields of [`GEOMETRY3`](crate::registers::GEOMETRY3).
pub mod geometry3 {
    use crate::registers::word::{Field, field};
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
        "1: returns are compared with the return addresses that calls and traps left.",
    );
    /// What happens to a path that misses in the table.
    pub const REPLACEMENT: Field = Field {
        name: "REPLACEMENT",
        lsb: 5,
        width: 2,
        description: "What happens to a path that misses in the table.",
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
        description: "What has parity, so that a flipped bit is detected.",
        values: &[("NONE", 0), ("MEMORIES", 1), ("ALL", 2)],
    };
    /// Whether addresses and events start and stop profiling.
    pub const TRIGGERS: Field = field(
        "TRIGGERS",
        14,
        1,
        "Whether addresses and events start and stop profiling; 1 if so.",
    );
    /// What the profiler is built of.
    pub const ENGINE: Field = Field {
        name: "ENGINE",
        lsb: 15,
        width: 1,
        description: "What the profiler is built of. TINY: rows and modes are fixed; there are no events, no extensions, no queue and no lossy mode; an entry has three words.",
        values: &[("FULL", 0), ("TINY", 1)],
    };
}
