//! Registers of the hardware path profiler: one module per register, with its offset, its fields and their named values.
//!
//! Written by gen-verilog 0.1.0 from the register descriptions of the circuits; the C header and the SVD have the same source.

/// A field of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Lowest bit.
    pub lsb: u32,
    /// Width in bits.
    pub width: u32,
}

impl Field {
    const fn new(lsb: u32, width: u32) -> Self {
        Self { lsb, width }
    }

    /// The field's bits in its register.
    #[must_use]
    pub const fn mask(self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.lsb
    }

    /// The field's value in a word of its register.
    #[must_use]
    pub const fn get(self, word: u32) -> u32 {
        (word & self.mask()) >> self.lsb
    }

    /// A word with this value in the field, truncated to its width, and 0 elsewhere.
    #[must_use]
    pub const fn put(self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }
}

/// One line per field: lowest bit, width, and named values.
macro_rules! registers {
    ($($(#[$about:meta])* $register:ident at $offset:literal {
        $($(#[$meaning:meta])* $field:ident: $lsb:literal, $width:literal $({ $($value:ident = $number:literal),* })?;)*
    })*) => {$(
        $(#[$about])*
        pub mod $register {
            use super::Field;

            /// Offset in bytes from the profiler's base address.
            pub const OFFSET: u32 = $offset;
            $(
                $(#[$meaning])*
                pub const $field: Field = Field::new($lsb, $width);
                $($(
                    #[doc = concat!("A value of [`", stringify!($field), "`].")]
                    pub const $value: u32 = $number;
                )*)?
            )*
        }
    )*};
}

registers! {
    /// Identification word. (read-only)
    id at 0x00 {
        /// 0x48505031, the bytes HPP1.
        VALUE: 0, 32;
    }
    /// Sizes of the table, the paths and the addresses. (read-only)
    geometry0 at 0x04 {
        /// Base-2 logarithm of the table's number of sets.
        LOG2_SETS: 0, 8;
        /// Ways of each set.
        WAYS: 8, 8;
        /// Maximum number of branches in a path. A longer path is split.
        MAX_BRANCHES: 16, 8;
        /// Width of an instruction address in bits.
        PC_BITS: 24, 8;
    }
    /// Sizes of the stack, the queue and the events. (read-only)
    geometry1 at 0x08 {
        /// Depth of the path stack in entries, minus one.
        STACK_DEPTH_MINUS_1: 0, 8;
        /// Depth of the branch queue in records, minus one.
        QUEUE_DEPTH_MINUS_1: 8, 8;
        /// Width of a record's event count in bits.
        EVENT_BITS: 16, 8;
        /// Width of a path's event counter in bits.
        EVENT_COUNTER_BITS: 24, 8;
    }
    /// Sizes of the counters, and the layout of table entries. (read-only)
    geometry2 at 0x0c {
        /// Width of an entry's accumulator in bits.
        ACCUMULATOR_BITS: 0, 8;
        /// Width of the statistics counters in bits.
        COUNTER_BITS: 8, 8;
        /// Width of a path's extension counter in bits.
        EXTENSION_BITS: 16, 4;
        /// Number of low address bits that are always 0.
        ALIGN: 20, 2;
        /// Input of the set index: the whole path, or its start alone.
        INDEX_SCHEME: 22, 1 { INDEX_SCHEME_FULL = 0, INDEX_SCHEME_START = 1 };
        /// Order in which a lookup compares the ways of a set: all in parallel, or one after another.
        LOOKUP: 23, 1 { LOOKUP_PARALLEL = 0, LOOKUP_SEQUENTIAL = 1 };
        /// Number of 32-bit words that TABLE_DATA returns for one entry.
        ENTRY_WORDS: 24, 8;
    }
    /// Enable, freeze, lossy mode and lock. (read-write)
    control at 0x10 {
        /// 1: records are profiled. 0: records are accepted and discarded. The path stack is purged before the next profiled record.
        ENABLE: 0, 1;
        /// 1: the table takes no paths. Path detection continues.
        FREEZE: 1, 1;
        /// Action on a record when the queue is full: stall the core, or drop the record and count it.
        LOSSY: 2, 1 { LOSSY_STALL = 0, LOSSY_LOSSY = 1 };
        /// 1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit ignore writes until reset. Reads 0 without contexts.
        LOCK: 3, 1;
    }
    /// Commands. Each takes effect once per write. (write-only)
    command at 0x14 {
        /// Write 1: clear the table, one entry per cycle. STATUS.CLEARING is 1 meanwhile.
        CLEAR: 0, 1;
        /// Write 1: clear the path stack before the next record that enters the queue.
        PURGE: 1, 1;
        /// Write 1: clear every statistics counter.
        CLEAR_COUNTERS: 2, 1;
    }
    /// Operations in progress. (read-only)
    status at 0x18 {
        /// 1: the table is being cleared. Paths that complete meanwhile are not looked up.
        CLEARING: 0, 1;
        /// 1: a read of TABLE_DATA does not wait: the entry at TABLE_INDEX has been fetched, or none since reset.
        ENTRY_VALID: 1, 1;
    }
    /// Path Profiler Control Register: operations for each kind of branch. (read-write)
    ppcr_rows at 0x1c {
        /// Operations of a forward branch.
        FORWARD: 0, 4 { FORWARD_UPDATE = 1, FORWARD_UPDATE_COUNT = 2, FORWARD_POP = 4, FORWARD_PUSH = 8 };
        /// Operations of a backward branch.
        BACKWARD: 4, 4 { BACKWARD_UPDATE = 1, BACKWARD_UPDATE_COUNT = 2, BACKWARD_POP = 4, BACKWARD_PUSH = 8 };
        /// Operations of an indirect jump.
        INDIRECT: 8, 4 { INDIRECT_UPDATE = 1, INDIRECT_UPDATE_COUNT = 2, INDIRECT_POP = 4, INDIRECT_PUSH = 8 };
        /// Operations of a direct call.
        CALL: 12, 4 { CALL_UPDATE = 1, CALL_UPDATE_COUNT = 2, CALL_POP = 4, CALL_PUSH = 8 };
        /// Operations of a return.
        RETURN: 16, 4 { RETURN_UPDATE = 1, RETURN_UPDATE_COUNT = 2, RETURN_POP = 4, RETURN_PUSH = 8 };
        /// Operations of an indirect call.
        INDIRECT_CALL: 20, 4 { INDIRECT_CALL_UPDATE = 1, INDIRECT_CALL_UPDATE_COUNT = 2, INDIRECT_CALL_POP = 4, INDIRECT_CALL_PUSH = 8 };
        /// Operations of a trap being taken.
        TRAP: 24, 4 { TRAP_UPDATE = 1, TRAP_UPDATE_COUNT = 2, TRAP_POP = 4, TRAP_PUSH = 8 };
        /// Operations of a return from a trap.
        TRAP_RETURN: 28, 4 { TRAP_RETURN_UPDATE = 1, TRAP_RETURN_UPDATE_COUNT = 2, TRAP_RETURN_POP = 4, TRAP_RETURN_PUSH = 8 };
    }
    /// Path Profiler Control Register: the metric, and the extension of paths. (read-write)
    ppcr_mode at 0x20 {
        /// Increment of the accumulator when a path completes: 1, or the path's event counter.
        METRIC: 0, 1 { METRIC_EXECUTIONS = 0, METRIC_EVENTS = 1 };
        /// The row applied to a backward branch that is not taken.
        BACKWARD_NOT_TAKEN: 1, 1 { BACKWARD_NOT_TAKEN_AS_FORWARD = 0, BACKWARD_NOT_TAKEN_AS_BACKWARD = 1 };
        /// Boundaries that a path may extend across. The reserved value 3 is stored as NONE.
        EXTENSION: 2, 2 { EXTENSION_NONE = 0, EXTENSION_LOOP = 1, EXTENSION_PROCEDURE = 2 };
        /// Event to count, driven on the event_select port: cycles since the previous record, retired instructions (half words behind a trace interface whose iretire counts them), or an external input. Values from 2 on select an input.
        EVENT_SELECT: 4, 4 { EVENT_SELECT_CYCLES = 0, EVENT_SELECT_INSTRUCTIONS = 1, EVENT_SELECT_EXTERNAL = 2 };
        /// Maximum number of backward branches or calls that a path extends across. Bits above GEOMETRY2.EXTENSION_BITS read 0.
        MAX_EXTENSION: 8, 8;
    }
    /// Sticky errors. Write 1 to clear. (write-one-to-clear)
    errors at 0x24 {
        /// A write of a PPCR row with both UPDATE and UPDATE_COUNT was ignored. The row kept its value.
        ILLEGAL_ROW: 0, 1;
        /// An accumulator saturated at its maximum.
        ACCUMULATOR_SATURATED: 1, 1;
        /// The event counter of a path saturated at its maximum. It also runs under the metric EXECUTIONS, where this does no harm.
        EVENT_COUNTER_SATURATED: 2, 1;
        /// A record was lost. The queue or the buffer before it was full, the core did not hold the record until it was accepted, or an interrupt hid the target of a transfer.
        RECORDS_LOST: 3, 1;
        /// A write to a register that CONTROL.LOCK protects was ignored.
        WRITE_REFUSED: 4, 1;
        /// An evicted entry was lost because the drain was full. DRAIN_LOST counts such entries. DRAIN_LOST_COUNT is the sum of their accumulators.
        DRAIN_LOST: 5, 1;
    }
    /// Table entry to read, set * WAYS + way. A write fetches the entry. The index increments after an entry's last word is read. After reset nothing is fetched: write the index first. (read-write)
    table_index at 0x28 {
        /// Entry number, modulo the number of entries rounded up to a power of two.
        INDEX: 0, 16;
    }
    /// Words of the entry in order: start and outcomes (each low word first), length, count. The next entry follows. A tiny profiler has other words (GEOMETRY3.ENGINE). (read-only)
    table_data at 0x2c {
        /// Next word of the entry. All words of an empty way are 0.
        VALUE: 0, 32;
    }
    /// Context filter. A path passes if its context equals VALUE in the bits that are 1 in MASK. Reads 0 without contexts. (read-write)
    context at 0x30 {
        /// Bits of the context to compare with VALUE. 0: every path passes. Bits above GEOMETRY3.CONTEXT_BITS read 0.
        MASK: 0, 8;
        /// Value to compare with. Bits above GEOMETRY3.CONTEXT_BITS read 0.
        VALUE: 8, 8;
    }
    /// Optional features. (read-only)
    geometry3 at 0x34 {
        /// Width of a path's context in bits. The context lies above the address in an entry's start.
        CONTEXT_BITS: 0, 4;
        /// 1: the path stack is checked. Each return is compared with the return addresses that calls and traps pushed.
        STACK_CHECK: 4, 1;
        /// Replacement policy of the table.
        REPLACEMENT: 5, 2 { REPLACEMENT_LFU = 0, REPLACEMENT_SHADOW = 1, REPLACEMENT_RRIP = 2 };
        /// Base-2 logarithm of the drain's depth in entries, 6 to 12. 0: no drain.
        LOG2_DRAIN_DEPTH: 8, 4;
        /// 1: triggers start and stop profiling at addresses and events.
        TRIGGERS: 14, 1;
        /// Harts that share the table, minus 1. The highest bits of a path's context are the hart's number, as many as HARTS has.
        HARTS: 16, 3;
        /// Implementation of the profiler. TINY: rows and modes are fixed. There are no events, extensions, queue or lossy mode. An entry has three words: start with bit 0 set; outcomes with the last one highest, below the first a 1, then zeros; count. TABLE_INDEX reads 0. A record that arrives while another is processed is lost.
        ENGINE: 15, 1 { ENGINE_FULL = 0, ENGINE_TINY = 1 };
    }
    /// Returns that did not match the frame on top of the checked path stack. 0 without a checked stack. (read-only)
    repairs at 0x38 {
        /// Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
    /// State of the shadow policy. 0 with another policy. (read-only)
    shadow at 0x3c {
        /// One miss in 2^(SCALE + 1) is sampled.
        SCALE: 0, 5;
    }
    /// Records that entered the queue. (read-only)
    records_lo at 0x40 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Records that entered the queue. (read-only)
    records_hi at 0x44 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths. (read-only)
    paths_lo at 0x48 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths. (read-only)
    paths_hi at 0x4c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths that hit in the table. (read-only)
    hits_lo at 0x50 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths that hit in the table. (read-only)
    hits_hi at 0x54 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths that replaced an entry of the table. (read-only)
    replacements_lo at 0x58 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths that replaced an entry of the table. (read-only)
    replacements_hi at 0x5c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Paths split at the maximum number of branches. (read-only)
    splits_lo at 0x60 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Paths split at the maximum number of branches. (read-only)
    splits_hi at 0x64 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Pops of the last entry of the path stack. (read-only)
    underflows_lo at 0x68 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Pops of the last entry of the path stack. (read-only)
    underflows_hi at 0x6c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Pushes that dropped the oldest entry of a full path stack. (read-only)
    overflows_lo at 0x70 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Pushes that dropped the oldest entry of a full path stack. (read-only)
    overflows_hi at 0x74 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Lost records. The queue or the buffer before it was full, the core did not hold the record until it was accepted, or an interrupt hid the target of a transfer. (read-only)
    lost_records_lo at 0x78 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Lost records. The queue or the buffer before it was full, the core did not hold the record until it was accepted, or an interrupt hid the target of a transfer. (read-only)
    lost_records_hi at 0x7c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Handling of evicted entries. (read-write)
    drain_control at 0x80 {
        /// Action when the drain fills up. LOSE: evicted entries are lost and counted. HOLD: while fewer than 48 places are free, no record leaves the queue, which stalls the core.
        HOLD: 0, 1 { HOLD_LOSE = 0, HOLD_HOLD = 1 };
        /// Reader of the drain: software by DRAIN_COMMAND.TAKE, or a circuit at the drain_* ports.
        STREAM: 1, 1 { STREAM_SOFTWARE = 0, STREAM_PORTS = 1 };
        /// Fill level from which drain_irq is 1. 0: never. Bits above those of the drain's depth read 0.
        WATERMARK: 16, 13;
    }
    /// Fill level of the drain. (read-only)
    drain_status at 0x84 {
        /// Entries in the drain, 0 to the drain's depth.
        LEVEL: 0, 13;
    }
    /// Commands to the drain. Each takes effect once per write. (write-only)
    drain_command at 0x88 {
        /// Write 1: remove the entry at the head. No effect if the drain is empty, or while DRAIN_CONTROL.STREAM is 1.
        TAKE: 0, 1;
        /// Write 1: discard all entries in the drain. They are not counted as lost.
        CLEAR: 1, 1;
    }
    /// Accumulator of the entry at the drain's head. (read-only)
    drain_count at 0x8c {
        /// The count. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Length of the path at the drain's head. (read-only)
    drain_length at 0x90 {
        /// Number of branches. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Outcomes of the path at the drain's head. (read-only)
    drain_outcomes_lo at 0x94 {
        /// Low word. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Outcomes of the path at the drain's head, high word. (read-only)
    drain_outcomes_hi at 0x98 {
        /// High word. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Start of the path at the drain's head. (read-only)
    drain_start_lo at 0x9c {
        /// Low word. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Start of the path at the drain's head, high word. (read-only)
    drain_start_hi at 0xa0 {
        /// High word. 0 if the drain is empty.
        VALUE: 0, 32;
    }
    /// Evicted entries lost because the drain was full. (read-only)
    drain_lost at 0xa4 {
        /// Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
    /// Sum of the accumulators of the lost entries, modulo 2^64. (read-only)
    drain_lost_count_lo at 0xa8 {
        /// Low word. A read latches the high word.
        VALUE: 0, 32;
    }
    /// Sum of the accumulators of the lost entries, high word. (read-only)
    drain_lost_count_hi at 0xac {
        /// High word, as latched by the last read of the low word.
        VALUE: 0, 32;
    }
    /// Triggers that start and stop profiling. (read-write)
    trigger_control at 0xc0 {
        /// 1: records are profiled. A start trigger sets the bit, a stop trigger clears it, and software writes it. 1 after reset.
        RUN: 0, 1;
        /// While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.
        START_ADDRESS: 1, 1;
        /// While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.
        START_EVENT: 2, 1;
        /// While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.
        STOP_ADDRESS: 3, 1;
        /// While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.
        STOP_EVENT: 4, 1;
        /// 1: only a call or a trap starts profiling by address. Its return address is then stored in TRIGGER_STOP.
        AT_RETURN: 5, 1;
    }
    /// Trigger events. Write 1 to clear. (write-one-to-clear)
    trigger_status at 0xc4 {
        /// TRIGGER_PATHS has reached 0. The output trigger_irq is this bit.
        REACHED: 0, 1;
    }
    /// Address at which profiling starts. (read-write)
    trigger_start_lo at 0xc8 {
        /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
        VALUE: 0, 32;
    }
    /// Address at which profiling starts, high word. (read-write)
    trigger_start_hi at 0xcc {
        /// High word. Bits above those of an address read 0.
        VALUE: 0, 32;
    }
    /// Address at which profiling stops. (read-write)
    trigger_stop_lo at 0xd0 {
        /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
        VALUE: 0, 32;
    }
    /// Address at which profiling stops, high word. (read-write)
    trigger_stop_hi at 0xd4 {
        /// High word. Bits above those of an address read 0.
        VALUE: 0, 32;
    }
    /// Number of paths to complete before TRIGGER_STATUS.REACHED is set. Decrements with each completed path that PATHS counts. (read-write)
    trigger_paths at 0xd8 {
        /// Number of paths left. 0: no path sets TRIGGER_STATUS.REACHED.
        LEFT: 0, 32;
    }
    /// Records that arrived while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. RECORDS and LOST_RECORDS do not count them. (read-only)
    trigger_kept_out at 0xdc {
        /// Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
}
