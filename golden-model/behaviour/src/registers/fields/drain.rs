//! The fields of a drain's registers.

/// Fields of [`DRAIN_CONTROL`](crate::registers::DRAIN_CONTROL).
pub mod drain_control {
    use crate::registers::word::{Field, field};
    /// A drain that is nearly full holds the core.
    pub const HOLD: Field = Field {
        name: "HOLD",
        lsb: 0,
        width: 1,
        description: "What happens when the drain fills up: evicted entries are lost and counted, or no record leaves the queue while fewer than 48 places are free, which stalls the core.",
        values: &[("LOSE", 0), ("HOLD", 1)],
    };
    /// Who takes entries.
    pub const STREAM: Field = Field {
        name: "STREAM",
        lsb: 1,
        width: 1,
        description: "Who takes entries out of the drain: software, by DRAIN_COMMAND.TAKE, or the circuit at the drain_* ports.",
        values: &[("SOFTWARE", 0), ("PORTS", 1)],
    };
    /// The level from which on the interrupt is raised.
    pub const WATERMARK: Field = field(
        "WATERMARK",
        16,
        13,
        "drain_irq is 1 while at least this many entries wait; 0: never. Bits above those of the drain's depth read 0.",
    );
}

/// Fields of [`DRAIN_STATUS`](crate::registers::DRAIN_STATUS).
pub mod drain_status {
    use crate::registers::word::{Field, field};
    /// Entries that wait.
    pub const LEVEL: Field = field("LEVEL", 0, 13, "Entries that wait, 0 to the drain's depth.");
}

/// Fields of [`DRAIN_COMMAND`](crate::registers::DRAIN_COMMAND).
pub mod drain_command {
    use crate::registers::word::{Field, field};
    /// Takes the entry at the head.
    pub const TAKE: Field = field(
        "TAKE",
        0,
        1,
        "Write 1: remove the entry at the head. No effect if none waits, or while DRAIN_CONTROL.STREAM is 1.",
    );
    /// Forgets all entries.
    pub const CLEAR: Field = field(
        "CLEAR",
        1,
        1,
        "Write 1: discard the entries that wait. They are not counted as lost.",
    );
}
