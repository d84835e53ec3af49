//! The fields of the registers of triggers.

/// Fields of [`TRIGGER_CONTROL`](crate::registers::TRIGGER_CONTROL).
pub mod trigger_control {
    use crate::registers::word::{Field, field};
    /// Records are profiled.
    pub const RUN: Field = field(
        "RUN",
        0,
        1,
        "Records are profiled; a start sets it, a stop clears it. 1 after reset. A write of this byte sets it, too.",
    );
    /// Profiling starts at an address.
    pub const START_ADDRESS: Field = field(
        "START_ADDRESS",
        1,
        1,
        "While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.",
    );
    /// Profiling starts by an event.
    pub const START_EVENT: Field = field(
        "START_EVENT",
        2,
        1,
        "While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.",
    );
    /// Profiling stops at an address.
    pub const STOP_ADDRESS: Field = field(
        "STOP_ADDRESS",
        3,
        1,
        "While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.",
    );
    /// Profiling stops by an event.
    pub const STOP_EVENT: Field = field(
        "STOP_EVENT",
        4,
        1,
        "While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.",
    );
    /// The stop address is that to which the function returns.
    pub const AT_RETURN: Field = field(
        "AT_RETURN",
        5,
        1,
        "Only a call or a trap starts profiling by address, and the address that it leaves to return to becomes TRIGGER_STOP.",
    );
}

/// Fields of [`TRIGGER_STATUS`](crate::registers::TRIGGER_STATUS).
pub mod trigger_status {
    use crate::registers::word::{Field, field};
    /// So many paths have completed.
    pub const REACHED: Field = field(
        "REACHED",
        0,
        1,
        "TRIGGER_PATHS has come to 0. The output trigger_irq is this bit.",
    );
}
