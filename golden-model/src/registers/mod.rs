//! The one description of the software-visible registers.
//!
//! The circuits' address decoder, the model's register file, the C header, the SVD and the register page are all
//! made from [`REGISTERS`]. Registers are 32-bit words on 4-byte boundaries.

mod fields;

pub use fields::{
    command, context, control, drain_command, drain_control, drain_status, errors, geometry0,
    geometry1, geometry2, geometry3, ppcr_mode, shadow, status,
};

/// Identification word: the bytes `HPP1`, most significant first.
pub const ID: u32 = 0x4850_5031;

/// Bytes of address space the registers occupy, but for those of a drain.
pub const ADDRESS_SPACE: u32 = 0x80;

/// Bytes of address space the registers of a profiler with a drain occupy: its own lie behind the others.
pub const DRAIN_ADDRESS_SPACE: u32 = 2 * ADDRESS_SPACE;

/// Width of a register's word address in bits, with a drain.
pub const DRAIN_ADDRESS_BITS: u32 = ADDRESS_BITS + 1;

/// Width of a register's word address in bits.
pub const ADDRESS_BITS: u32 = (ADDRESS_SPACE / 4).trailing_zeros();

/// How software may use a register or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads back what the hardware holds; writes are ignored.
    ReadOnly,
    /// Reads back what was written.
    ReadWrite,
    /// Writing 1 gives a command; reads 0.
    WriteOnly,
    /// Sticky: set by hardware, cleared by writing 1.
    WriteOneToClear,
}

/// A named run of bits in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, in the C header and the SVD.
    pub name: &'static str,
    /// Lowest bit.
    pub lsb: u32,
    /// Width in bits.
    pub width: u32,
    /// What it means, in one sentence.
    pub description: &'static str,
    /// Names of particular values.
    pub values: &'static [(&'static str, u32)],
}

/// A 32-bit register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name, in the C header and the SVD.
    pub name: &'static str,
    /// Byte offset from the profiler's base address.
    pub offset: u32,
    /// How software may use it.
    pub access: Access,
    /// What it is, in one sentence.
    pub description: &'static str,
    /// Its fields, lowest first; bits outside them read 0.
    pub fields: &'static [Field],
}

impl Field {
    /// The field's bits in the register.
    #[must_use]
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.lsb
    }

    /// The field's value in a register's word.
    #[must_use]
    pub const fn get(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// A register's word that holds `value` in this field and 0 elsewhere; bits that do not fit are dropped.
    #[must_use]
    pub const fn put(&self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }
}

impl Register {
    /// Word address on the bus.
    #[must_use]
    pub const fn word(&self) -> u32 {
        self.offset / 4
    }
}

const fn field(name: &'static str, lsb: u32, width: u32, description: &'static str) -> Field {
    Field {
        name,
        lsb,
        width,
        description,
        values: &[],
    }
}

const fn register(
    name: &'static str,
    offset: u32,
    access: Access,
    description: &'static str,
    fields: &'static [Field],
) -> Register {
    Register {
        name,
        offset,
        access,
        description,
        fields,
    }
}

const fn word(description: &'static str) -> Field {
    field("VALUE", 0, 32, description)
}

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
/// What the profiler does now.
pub const CONTROL: Register = register(
    "CONTROL",
    0x10,
    Access::ReadWrite,
    "What the profiler does now.",
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
/// What the profiler is busy with, and how it is.
pub const STATUS: Register = register(
    "STATUS",
    0x18,
    Access::ReadOnly,
    "What the profiler is busy with, and how it is.",
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
    ],
);
/// Repairs of a checked path stack.
pub const REPAIRS: Register = register(
    "REPAIRS",
    0x38,
    Access::ReadOnly,
    "Returns that went elsewhere than the procedure on top of the path stack was to return to; 0 without a checked stack.",
    &[word(
        "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.",
    )],
);

/// What a table with shadows decides by.
pub const SHADOW: Register = register(
    "SHADOW",
    0x3c,
    Access::ReadOnly,
    "What a table with shadows decides by; 0 with another policy.",
    &[shadow::CHANCE, shadow::SCALE],
);

/// A statistics counter: two registers, low word first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Counter {
    /// Records that got into the queue.
    Records = 0,
    /// Completed paths.
    Paths = 1,
    /// Paths found in the table.
    Hits = 2,
    /// Paths that replaced another path in the table.
    Replacements = 3,
    /// Paths split at the maximum length.
    Splits = 4,
    /// Pops that left the stack empty.
    Underflows = 5,
    /// Pushes that dropped the oldest entry.
    Overflows = 6,
    /// Records that found no place in the queue or before it, or were not held until they were taken.
    LostRecords = 7,
}

impl Counter {
    /// How many counters there are.
    pub const COUNT: usize = 8;

    /// Every counter, in the order of its address.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Records,
        Self::Paths,
        Self::Hits,
        Self::Replacements,
        Self::Splits,
        Self::Underflows,
        Self::Overflows,
        Self::LostRecords,
    ];

    /// Byte offset of the low word; the high word follows it.
    #[must_use]
    pub const fn offset(self) -> u32 {
        COUNTERS_OFFSET + 8 * self as u32
    }
}

/// Byte offset of the first counter.
pub const COUNTERS_OFFSET: u32 = 0x40;

const LOW_WORD: &[Field] = &[word("Low word; reading it latches the high word.")];
const HIGH_WORD: &[Field] = &[word(
    "High word, as latched by the last read of a low word.",
)];

const fn low(name: &'static str, offset: u32, description: &'static str) -> Register {
    register(name, offset, Access::ReadOnly, description, LOW_WORD)
}

const fn high(name: &'static str, offset: u32, description: &'static str) -> Register {
    register(name, offset, Access::ReadOnly, description, HIGH_WORD)
}

/// What happens to entries that leave the table.
pub const DRAIN_CONTROL: Register = register(
    "DRAIN_CONTROL",
    0x80,
    Access::ReadWrite,
    "What happens to entries that leave the table.",
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
    "Entries that left the table and found the drain full.",
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

/// Every register that a profiler has without a drain, in the order of its address.
pub const REGISTERS: [Register; 32] = [
    ID_REGISTER,
    GEOMETRY0,
    GEOMETRY1,
    GEOMETRY2,
    CONTROL,
    COMMAND,
    STATUS,
    PPCR_ROWS,
    PPCR_MODE,
    ERRORS,
    TABLE_INDEX,
    TABLE_DATA,
    CONTEXT,
    GEOMETRY3,
    REPAIRS,
    SHADOW,
    low("RECORDS_LO", 0x40, "Records that got into the queue."),
    high("RECORDS_HI", 0x44, "Records that got into the queue."),
    low("PATHS_LO", 0x48, "Completed paths."),
    high("PATHS_HI", 0x4c, "Completed paths."),
    low("HITS_LO", 0x50, "Completed paths found in the table."),
    high("HITS_HI", 0x54, "Completed paths found in the table."),
    low(
        "REPLACEMENTS_LO",
        0x58,
        "Completed paths that replaced another path in the table.",
    ),
    high(
        "REPLACEMENTS_HI",
        0x5c,
        "Completed paths that replaced another path in the table.",
    ),
    low("SPLITS_LO", 0x60, "Paths split at the maximum length."),
    high("SPLITS_HI", 0x64, "Paths split at the maximum length."),
    low(
        "UNDERFLOWS_LO",
        0x68,
        "Pops that left the path stack empty.",
    ),
    high(
        "UNDERFLOWS_HI",
        0x6c,
        "Pops that left the path stack empty.",
    ),
    low(
        "OVERFLOWS_LO",
        0x70,
        "Pushes that dropped the oldest entry of a full path stack.",
    ),
    high(
        "OVERFLOWS_HI",
        0x74,
        "Pushes that dropped the oldest entry of a full path stack.",
    ),
    low(
        "LOST_RECORDS_LO",
        0x78,
        "Records that were lost: no place in the queue or before it, or not held until they were taken.",
    ),
    high(
        "LOST_RECORDS_HI",
        0x7c,
        "Records that were lost: no place in the queue or before it, or not held until they were taken.",
    ),
];

/// The registers of a profiler, with a drain or without, in the order of their addresses.
pub fn registers(drain: bool) -> impl Iterator<Item = &'static Register> {
    let behind: &[Register] = if drain { &DRAIN_REGISTERS } else { &[] };
    REGISTERS.iter().chain(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_ascend_within_the_address_space() {
        let within = |drain, space| {
            let all: Vec<_> = registers(drain).collect();
            for pair in all.windows(2) {
                let names = (pair[0].name, pair[1].name);
                assert!(pair[0].offset < pair[1].offset, "{names:?}");
            }
            all.iter().all(|r| r.offset % 4 == 0 && r.offset < space)
        };
        assert!(within(false, ADDRESS_SPACE) && within(true, DRAIN_ADDRESS_SPACE));
        assert!(DRAIN_REGISTERS.iter().all(|r| r.offset >= ADDRESS_SPACE));
    }

    #[test]
    fn fields_do_not_overlap() {
        for register in registers(true) {
            let mut seen = 0;
            for field in register.fields {
                assert_eq!(seen & field.mask(), 0, "{}.{}", register.name, field.name);
                seen |= field.mask();
                assert_eq!(field.get(field.put(u32::MAX)), field.mask() >> field.lsb);
            }
        }
    }

    #[test]
    fn counters_lie_where_their_registers_say() {
        for counter in Counter::ALL {
            let low = REGISTERS
                .iter()
                .find(|r| r.offset == counter.offset())
                .expect("a low word");
            assert!(low.name.ends_with("_LO"), "{}", low.name);
        }
    }
}
