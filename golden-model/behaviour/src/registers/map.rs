//! The registers that every profiler has, except its counters.

use super::fields::{
    command, context, control, errors, geometry0, geometry1, geometry2, geometry3, ppcr_mode,
    shadow, status,
};
use super::word::{Access, Field, Register, field, register, word};

const ROW: &[(&str, u32)] = &[("UPDATE", 1), ("UPDATE_COUNT", 2), ("POP", 4), ("PUSH", 8)];

const fn row(name: &'static str, kind: u32, description: &'static str) -> Field {
    Field {
        name,
        lsb: 4 * kind,
        width: 4,
        description,
        values: ROW,
    }
}

/// Identification word.
pub const ID_REGISTER: Register = register(
    "ID",
    0x00,
    Access::ReadOnly,
    "Identification word.",
    &[word("0x48505031, the bytes HPP1.")],
);
/// Sizes of the table, the paths and the addresses.
pub const GEOMETRY0: Register = register(
    "GEOMETRY0",
    0x04,
    Access::ReadOnly,
    "Sizes of the table, the paths and the addresses.",
    &[
        geometry0::LOG2_SETS,
        geometry0::WAYS,
        geometry0::MAX_BRANCHES,
        geometry0::PC_BITS,
    ],
);
/// Sizes of stack, queue and events.
pub const GEOMETRY1: Register = register(
    "GEOMETRY1",
    0x08,
    Access::ReadOnly,
    "Sizes of the stack, the queue and the events.",
    &[
        geometry1::STACK_DEPTH,
        geometry1::QUEUE_DEPTH,
        geometry1::EVENT_BITS,
        geometry1::EVENT_COUNTER_BITS,
    ],
);
/// Sizes of the counters, and the readout's shape.
pub const GEOMETRY2: Register = register(
    "GEOMETRY2",
    0x0c,
    Access::ReadOnly,
    "Sizes of the counters, and the shape of the readout.",
    &[
        geometry2::ACCUMULATOR_BITS,
        geometry2::COUNTER_BITS,
        geometry2::EXTENSION_BITS,
        geometry2::ALIGN,
        geometry2::INDEX_SCHEME,
        geometry2::LOOKUP,
        geometry2::ENTRY_WORDS,
    ],
);
/// Enable, freeze, lossy mode and lock.
pub const CONTROL: Register = register(
    "CONTROL",
    0x10,
    Access::ReadWrite,
    "Enable, freeze, lossy mode and lock.",
    &[
        control::ENABLE,
        control::FREEZE,
        control::LOSSY,
        control::LOCK,
    ],
);
/// One-off commands.
pub const COMMAND: Register = register(
    "COMMAND",
    0x14,
    Access::WriteOnly,
    "One-off commands.",
    &[command::CLEAR, command::PURGE, command::CLEAR_COUNTERS],
);
/// What is in progress, and detected faults.
pub const STATUS: Register = register(
    "STATUS",
    0x18,
    Access::ReadOnly,
    "What is in progress, and detected faults.",
    &[status::CLEARING, status::ENTRY_VALID, status::FAULTS],
);
/// The operations of each kind of branch.
pub const PPCR_ROWS: Register = register(
    "PPCR_ROWS",
    0x1c,
    Access::ReadWrite,
    "Path Profiler Control Register: the operations of each kind of branch.",
    &[
        row("FORWARD", 0, "Operations of a forward branch."),
        row("BACKWARD", 1, "Operations of a backward branch."),
        row("INDIRECT", 2, "Operations of an indirect jump."),
        row("CALL", 3, "Operations of a direct call."),
        row("RETURN", 4, "Operations of a return."),
        row("INDIRECT_CALL", 5, "Operations of an indirect call."),
        row("TRAP", 6, "Operations of a trap being taken."),
        row("TRAP_RETURN", 7, "Operations of a return from a trap."),
    ],
);
/// What is counted, and how far paths reach.
pub const PPCR_MODE: Register = register(
    "PPCR_MODE",
    0x20,
    Access::ReadWrite,
    "Path Profiler Control Register: what is counted, and how far paths reach.",
    &[
        ppcr_mode::METRIC,
        ppcr_mode::BACKWARD_NOT_TAKEN,
        ppcr_mode::EXTENSION,
        ppcr_mode::EVENT_SELECT,
        ppcr_mode::MAX_EXTENSION,
    ],
);
/// Sticky errors.
pub const ERRORS: Register = register(
    "ERRORS",
    0x24,
    Access::WriteOneToClear,
    "Sticky errors; write 1 to clear.",
    &[
        errors::ILLEGAL_ROW,
        errors::ACCUMULATOR_SATURATED,
        errors::EVENT_COUNTER_SATURATED,
        errors::RECORDS_LOST,
        errors::WRITE_REFUSED,
        errors::DRAIN_LOST,
        errors::FAULT,
    ],
);
/// The entry to read out.
pub const TABLE_INDEX: Register = register(
    "TABLE_INDEX",
    0x28,
    Access::ReadWrite,
    "Table entry to read, set * WAYS + way; a write fetches it, and it steps on after an entry's last word.",
    &[field(
        "INDEX",
        0,
        16,
        "Entry number; taken modulo the next power of two of the entries.",
    )],
);
/// The entry's words in turn.
pub const TABLE_DATA: Register = register(
    "TABLE_DATA",
    0x2c,
    Access::ReadOnly,
    "The entry's words in turn: start, outcomes (low words first), length, count; then the next entry.",
    &[word(
        "Next word of the entry; all words of an empty way are 0.",
    )],
);

/// Which contexts' paths are shown.
pub const CONTEXT: Register = register(
    "CONTEXT",
    0x30,
    Access::ReadWrite,
    "Which contexts' paths are shown: those whose context is VALUE wherever MASK has ones. Reads 0 without contexts.",
    &[context::MASK, context::VALUE],
);
/// What the profiler has beyond its sizes.
pub const GEOMETRY3: Register = register(
    "GEOMETRY3",
    0x34,
    Access::ReadOnly,
    "What the profiler has beyond its sizes.",
    &[
        geometry3::CONTEXT_BITS,
        geometry3::STACK_CHECK,
        geometry3::REPLACEMENT,
        geometry3::LOG2_DRAIN_DEPTH,
        geometry3::PROTECT,
        geometry3::TRIGGERS,
        geometry3::ENGINE,
    ],
);
/// Repairs of a checked path stack.
pub const REPAIRS: Register = register(
    "REPAIRS",
    0x38,
    Access::ReadOnly,
    "Returns that did not fit the frame on top of a checked path stack; 0 without one.",
    &[word(
        "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.",
    )],
);

/// What a table with shadows decides by.
pub const SHADOW: Register = register(
    "SHADOW",
    0x3c,
    Access::ReadOnly,
    "State of the policy shadow; 0 with another policy.",
    &[shadow::CHANCE, shadow::SCALE],
);
