//! The registers of triggers.

use super::fields::{trigger_control, trigger_status};
use super::word::{Access, Register, field, register, word};

/// Whether records are profiled, and what starts and stops that.
pub const TRIGGER_CONTROL: Register = register(
    "TRIGGER_CONTROL",
    0xc0,
    Access::ReadWrite,
    "Whether records are profiled, and what starts and stops that.",
    &[
        trigger_control::RUN,
        trigger_control::START_ADDRESS,
        trigger_control::START_EVENT,
        trigger_control::STOP_ADDRESS,
        trigger_control::STOP_EVENT,
        trigger_control::AT_RETURN,
    ],
);
/// What triggers have found.
pub const TRIGGER_STATUS: Register = register(
    "TRIGGER_STATUS",
    0xc4,
    Access::WriteOneToClear,
    "What triggers have found; write 1 to clear.",
    &[trigger_status::REACHED],
);
/// Address at which profiling starts.
pub const TRIGGER_START_LO: Register = register(
    "TRIGGER_START_LO",
    0xc8,
    Access::ReadWrite,
    "Address at which profiling starts.",
    &[word(
        "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).",
    )],
);
/// Address at which profiling starts, above the low word.
pub const TRIGGER_START_HI: Register = register(
    "TRIGGER_START_HI",
    0xcc,
    Access::ReadWrite,
    "Address at which profiling starts, above the low word.",
    &[word("High word; bits above those of an address read 0.")],
);
/// Address at which profiling stops.
pub const TRIGGER_STOP_LO: Register = register(
    "TRIGGER_STOP_LO",
    0xd0,
    Access::ReadWrite,
    "Address at which profiling stops.",
    &[word(
        "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).",
    )],
);
/// Address at which profiling stops, above the low word.
pub const TRIGGER_STOP_HI: Register = register(
    "TRIGGER_STOP_HI",
    0xd4,
    Access::ReadWrite,
    "Address at which profiling stops, above the low word.",
    &[word("High word; bits above those of an address read 0.")],
);
/// Paths until the interrupt.
pub const TRIGGER_PATHS: Register = register(
    "TRIGGER_PATHS",
    0xd8,
    Access::ReadWrite,
    "Paths that are still to complete before TRIGGER_STATUS.REACHED is set. Each completed path that PATHS counts takes 1 off.",
    &[field(
        "LEFT",
        0,
        32,
        "How many; 0: no path sets TRIGGER_STATUS.REACHED.",
    )],
);
/// Records that were kept out.
pub const TRIGGER_KEPT_OUT: Register = register(
    "TRIGGER_KEPT_OUT",
    0xdc,
    Access::ReadOnly,
    "Records that came while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. They are neither in RECORDS nor lost.",
    &[word(
        "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.",
    )],
);

/// The registers of a profiler with triggers that another has not, in the order of their addresses.
pub const TRIGGER_REGISTERS: [Register; 8] = [
    TRIGGER_CONTROL,
    TRIGGER_STATUS,
    TRIGGER_START_LO,
    TRIGGER_START_HI,
    TRIGGER_STOP_LO,
    TRIGGER_STOP_HI,
    TRIGGER_PATHS,
    TRIGGER_KEPT_OUT,
];
