//! The registers of a drain.

use super::fields::{drain_command, drain_control, drain_status};
use super::word::{Access, Register, register, word};

/// What happens to evicted entries.
pub const DRAIN_CONTROL: Register = register(
    "DRAIN_CONTROL",
    0x80,
    Access::ReadWrite,
    "What happens to evicted entries.",
    &[
        drain_control::HOLD,
        drain_control::STREAM,
        drain_control::WATERMARK,
    ],
);
/// How many entries wait in the drain.
pub const DRAIN_STATUS: Register = register(
    "DRAIN_STATUS",
    0x84,
    Access::ReadOnly,
    "How many entries wait in the drain.",
    &[drain_status::LEVEL],
);
/// One-off commands to the drain.
pub const DRAIN_COMMAND: Register = register(
    "DRAIN_COMMAND",
    0x88,
    Access::WriteOnly,
    "One-off commands to the drain.",
    &[drain_command::TAKE, drain_command::CLEAR],
);
/// Accumulator of the entry at the drain's head.
pub const DRAIN_COUNT: Register = register(
    "DRAIN_COUNT",
    0x8c,
    Access::ReadOnly,
    "Accumulator of the entry at the drain's head.",
    &[word("The count; 0 if no entry waits.")],
);
/// Length of the path at the drain's head.
pub const DRAIN_LENGTH: Register = register(
    "DRAIN_LENGTH",
    0x90,
    Access::ReadOnly,
    "Length of the path at the drain's head.",
    &[word("Its branches; 0 if no entry waits.")],
);
/// Outcomes of the path at the drain's head.
pub const DRAIN_OUTCOMES_LO: Register = register(
    "DRAIN_OUTCOMES_LO",
    0x94,
    Access::ReadOnly,
    "Outcomes of the path at the drain's head.",
    &[word("Low word; 0 if no entry waits.")],
);
/// Outcomes of the path at the drain's head, above the low word.
pub const DRAIN_OUTCOMES_HI: Register = register(
    "DRAIN_OUTCOMES_HI",
    0x98,
    Access::ReadOnly,
    "Outcomes of the path at the drain's head, above the low word.",
    &[word("High word; 0 if no entry waits.")],
);
/// Start of the path at the drain's head.
pub const DRAIN_START_LO: Register = register(
    "DRAIN_START_LO",
    0x9c,
    Access::ReadOnly,
    "Start of the path at the drain's head.",
    &[word("Low word; 0 if no entry waits.")],
);
/// Start of the path at the drain's head, above the low word.
pub const DRAIN_START_HI: Register = register(
    "DRAIN_START_HI",
    0xa0,
    Access::ReadOnly,
    "Start of the path at the drain's head, above the low word.",
    &[word("High word; 0 if no entry waits.")],
);
/// Entries that were lost.
pub const DRAIN_LOST: Register = register(
    "DRAIN_LOST",
    0xa4,
    Access::ReadOnly,
    "Evicted entries that found the drain full.",
    &[word(
        "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.",
    )],
);
/// Sum of the accumulators that were lost.
pub const DRAIN_LOST_COUNT_LO: Register = register(
    "DRAIN_LOST_COUNT_LO",
    0xa8,
    Access::ReadOnly,
    "Sum of the accumulators of the entries that were lost, modulo 2^64.",
    &[word("Low word; reading it latches the high word.")],
);
/// Sum of the accumulators that were lost, above the low word.
pub const DRAIN_LOST_COUNT_HI: Register = register(
    "DRAIN_LOST_COUNT_HI",
    0xac,
    Access::ReadOnly,
    "Sum of the accumulators of the entries that were lost, above the low word.",
    &[word(
        "High word, as latched by the last read of the low word.",
    )],
);

/// The registers of a profiler with a drain that another has not, in the order of their addresses.
pub const DRAIN_REGISTERS: [Register; 12] = [
    DRAIN_CONTROL,
    DRAIN_STATUS,
    DRAIN_COMMAND,
    DRAIN_COUNT,
    DRAIN_LENGTH,
    DRAIN_OUTCOMES_LO,
    DRAIN_OUTCOMES_HI,
    DRAIN_START_LO,
    DRAIN_START_HI,
    DRAIN_LOST,
    DRAIN_LOST_COUNT_LO,
    DRAIN_LOST_COUNT_HI,
];
