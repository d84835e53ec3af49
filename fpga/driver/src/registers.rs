//! Registers of the hot path profiler: a module each, with its offset, its fields and their named values.
//!
//! Written by gen-verilog 0.1.0 from the description that the circuits, the C header and the SVD are made of.

/// Bits of a register that belong together.
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

    /// A word with this value in the field, cut to its width, and 0 elsewhere.
    #[must_use]
    pub const fn put(self, value: u32) -> u32 {
        (value << self.lsb) & self.mask()
    }
}

/// A line a field: its lowest bit and its width, and the values that have names.
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
        /// Most branches a path records before it is split.
        MAX_BRANCHES: 16, 8;
        /// Width of an instruction address in bits.
        PC_BITS: 24, 8;
    }
    /// Sizes of the stack, the queue and the events. (read-only)
    geometry1 at 0x08 {
        /// Entries of the path stack, less one.
        STACK_DEPTH_MINUS_1: 0, 8;
        /// Records the branch queue holds, less one.
        QUEUE_DEPTH_MINUS_1: 8, 8;
        /// Width of the events of one record in bits.
        EVENT_BITS: 16, 8;
        /// Width of a path's event counter in bits.
        EVENT_COUNTER_BITS: 24, 8;
    }
    /// Sizes of the counters, and the shape of the readout. (read-only)
    geometry2 at 0x0c {
        /// Width of an entry's accumulator in bits.
        ACCUMULATOR_BITS: 0, 8;
        /// Width of the statistics counters in bits.
        COUNTER_BITS: 8, 8;
        /// Width of a path's extension counter in bits.
        EXTENSION_BITS: 16, 4;
        /// Low bits of an instruction address that are always 0.
        ALIGN: 20, 2;
        /// What the table's set index is computed from.
        INDEX_SCHEME: 22, 1 { INDEX_SCHEME_FULL = 0, INDEX_SCHEME_START = 1 };
        /// Whether a lookup takes all ways of a set at once or one after another.
        LOOKUP: 23, 1 { LOOKUP_PARALLEL = 0, LOOKUP_SEQUENTIAL = 1 };
        /// 32-bit words of one table entry on TABLE_DATA.
        ENTRY_WORDS: 24, 8;
    }
    /// Enable, freeze, lossy mode and lock. (read-write)
    control at 0x10 {
        /// 1: records are profiled. 0: records are accepted and discarded; the path stack is purged before the next one profiled.
        ENABLE: 0, 1;
        /// 1: the table takes no paths; the detector goes on.
        FREEZE: 1, 1;
        /// What happens to a record that finds the queue full.
        LOSSY: 2, 1 { LOSSY_STALL = 0, LOSSY_LOSSY = 1 };
        /// 1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit take no writes until reset. Reads 0 without contexts.
        LOCK: 3, 1;
    }
    /// One-off commands. (write-only)
    command at 0x14 {
        /// Write 1: empty the table, one entry a cycle; STATUS.CLEARING is 1 meanwhile.
        CLEAR: 0, 1;
        /// Write 1: empty the path stack before the next record that enters the queue.
        PURGE: 1, 1;
        /// Write 1: set every statistics counter to 0.
        CLEAR_COUNTERS: 2, 1;
    }
    /// What is in progress, and detected faults. (read-only)
    status at 0x18 {
        /// 1: the table is being emptied; paths that complete meanwhile are not looked up.
        CLEARING: 0, 1;
        /// 1: the entry at TABLE_INDEX has been fetched, so TABLE_DATA answers at once.
        ENTRY_VALID: 1, 1;
        /// Cycles in which a flipped bit was detected, since reset or COMMAND.CLEAR_COUNTERS; saturates at 65535. A bit in a memory is detected each time its word is read. 0 without parity.
        FAULTS: 16, 16;
    }
    /// Path Profiler Control Register: the operations of each kind of branch. (read-write)
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
    /// Path Profiler Control Register: what is counted, and how far paths reach. (read-write)
    ppcr_mode at 0x20 {
        /// What a completed path adds to its accumulator: 1, or its event counter.
        METRIC: 0, 1 { METRIC_EXECUTIONS = 0, METRIC_EVENTS = 1 };
        /// The row applied to a backward branch that is not taken.
        BACKWARD_NOT_TAKEN: 1, 1 { BACKWARD_NOT_TAKEN_AS_FORWARD = 0, BACKWARD_NOT_TAKEN_AS_BACKWARD = 1 };
        /// What a path may extend across; the reserved value 3 is stored as NONE.
        EXTENSION: 2, 2 { EXTENSION_NONE = 0, EXTENSION_LOOP = 1, EXTENSION_PROCEDURE = 2 };
        /// Event type to count, on the event_select port: cycles since the previous record, retired instructions, or, from 2 on, the events of an input.
        EVENT_SELECT: 4, 4 { EVENT_SELECT_CYCLES = 0, EVENT_SELECT_INSTRUCTIONS = 1, EVENT_SELECT_EXTERNAL = 2 };
        /// Backward branches or calls a path may extend across; bits above GEOMETRY2.EXTENSION_BITS read 0.
        MAX_EXTENSION: 8, 8;
    }
    /// Sticky errors; write 1 to clear. (write-one-to-clear)
    errors at 0x24 {
        /// A PPCR row with both UPDATE and UPDATE_COUNT was refused; the old row stayed.
        ILLEGAL_ROW: 0, 1;
        /// A count did not fit into an accumulator, which stays at its maximum.
        ACCUMULATOR_SATURATED: 1, 1;
        /// Events did not fit into a path's event counter, which stays at its maximum.
        EVENT_COUNTER_SATURATED: 2, 1;
        /// A record was lost: no room in the queue or before it, or not held until it was taken.
        RECORDS_LOST: 3, 1;
        /// A write to a register that CONTROL.LOCK protects was refused.
        WRITE_REFUSED: 4, 1;
        /// An evicted entry found the drain full. DRAIN_LOST counts such entries, DRAIN_LOST_COUNT adds up their accumulators.
        DRAIN_LOST: 5, 1;
        /// A bit of a memory or register of the profiler has flipped, so any count may be wrong. STATUS.FAULTS counts the cycles with a detection.
        FAULT: 6, 1;
    }
    /// Table entry to read, set * WAYS + way; a write fetches it, and it steps on after an entry's last word. (read-write)
    table_index at 0x28 {
        /// Entry number; taken modulo the next power of two of the entries.
        INDEX: 0, 16;
    }
    /// The entry's words in turn: start, outcomes (low words first), length, count; then the next entry. (read-only)
    table_data at 0x2c {
        /// Next word of the entry; all words of an empty way are 0.
        VALUE: 0, 32;
    }
    /// Which contexts' paths are shown: those whose context is VALUE wherever MASK has ones. Reads 0 without contexts. (read-write)
    context at 0x30 {
        /// Bits of the context that are compared with VALUE; 0 shows every path. Bits above GEOMETRY3.CONTEXT_BITS read 0.
        MASK: 0, 8;
        /// Required value of the bits in MASK. Bits above GEOMETRY3.CONTEXT_BITS read 0.
        VALUE: 8, 8;
    }
    /// What the profiler has beyond its sizes. (read-only)
    geometry3 at 0x34 {
        /// Width of a path's context in bits; it lies above the address in an entry's start.
        CONTEXT_BITS: 0, 4;
        /// 1: returns are compared with the return addresses that calls and traps left.
        STACK_CHECK: 4, 1;
        /// What happens to a path that misses in the table.
        REPLACEMENT: 5, 2 { REPLACEMENT_LFU = 0, REPLACEMENT_SHADOW = 1, REPLACEMENT_RRIP = 2 };
        /// Base-2 logarithm of the entries of the drain, 6 to 12; 0 without one.
        LOG2_DRAIN_DEPTH: 8, 4;
        /// What has parity, so that a flipped bit is detected.
        PROTECT: 12, 2 { PROTECT_NONE = 0, PROTECT_MEMORIES = 1, PROTECT_ALL = 2 };
        /// Whether addresses and events start and stop profiling; 1 if so.
        TRIGGERS: 14, 1;
        /// What the profiler is built of. TINY: rows and modes are fixed; there are no events, no extensions, no queue and no lossy mode; an entry has three words.
        ENGINE: 15, 1 { ENGINE_FULL = 0, ENGINE_TINY = 1 };
    }
    /// Returns that did not fit the frame on top of a checked path stack; 0 without one. (read-only)
    repairs at 0x38 {
        /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
    /// State of the policy shadow; 0 with another policy. (read-only)
    shadow at 0x3c {
        /// State of the linear-feedback shift register, which takes a step for each path.
        CHANCE: 0, 27;
        /// One miss in 2^SCALE is sampled.
        SCALE: 27, 5;
    }
    /// Records that entered the queue. (read-only)
    records_lo at 0x40 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Records that entered the queue. (read-only)
    records_hi at 0x44 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths. (read-only)
    paths_lo at 0x48 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths. (read-only)
    paths_hi at 0x4c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths found in the table. (read-only)
    hits_lo at 0x50 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths found in the table. (read-only)
    hits_hi at 0x54 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Completed paths that replaced another path in the table. (read-only)
    replacements_lo at 0x58 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Completed paths that replaced another path in the table. (read-only)
    replacements_hi at 0x5c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Paths split at the maximum length. (read-only)
    splits_lo at 0x60 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Paths split at the maximum length. (read-only)
    splits_hi at 0x64 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Pops of the only entry of the path stack. (read-only)
    underflows_lo at 0x68 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Pops of the only entry of the path stack. (read-only)
    underflows_hi at 0x6c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Pushes that dropped the oldest entry of a full path stack. (read-only)
    overflows_lo at 0x70 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Pushes that dropped the oldest entry of a full path stack. (read-only)
    overflows_hi at 0x74 {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// Lost records: no room in the queue or before it, or not held until they were taken. (read-only)
    lost_records_lo at 0x78 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Lost records: no room in the queue or before it, or not held until they were taken. (read-only)
    lost_records_hi at 0x7c {
        /// High word, as latched by the last read of a low word.
        VALUE: 0, 32;
    }
    /// What happens to evicted entries. (read-write)
    drain_control at 0x80 {
        /// What happens when the drain fills up: evicted entries are lost and counted, or no record leaves the queue while fewer than 48 places are free, which stalls the core.
        HOLD: 0, 1 { HOLD_LOSE = 0, HOLD_HOLD = 1 };
        /// Who takes entries out of the drain: software, by DRAIN_COMMAND.TAKE, or the circuit at the drain_* ports.
        STREAM: 1, 1 { STREAM_SOFTWARE = 0, STREAM_PORTS = 1 };
        /// drain_irq is 1 while at least this many entries wait; 0: never. Bits above those of the drain's depth read 0.
        WATERMARK: 16, 13;
    }
    /// How many entries wait in the drain. (read-only)
    drain_status at 0x84 {
        /// Entries that wait, 0 to the drain's depth.
        LEVEL: 0, 13;
    }
    /// One-off commands to the drain. (write-only)
    drain_command at 0x88 {
        /// Write 1: remove the entry at the head. No effect if none waits, or while DRAIN_CONTROL.STREAM is 1.
        TAKE: 0, 1;
        /// Write 1: discard the entries that wait. They are not counted as lost.
        CLEAR: 1, 1;
    }
    /// Accumulator of the entry at the drain's head. (read-only)
    drain_count at 0x8c {
        /// The count; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Length of the path at the drain's head. (read-only)
    drain_length at 0x90 {
        /// Its branches; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Outcomes of the path at the drain's head. (read-only)
    drain_outcomes_lo at 0x94 {
        /// Low word; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Outcomes of the path at the drain's head, above the low word. (read-only)
    drain_outcomes_hi at 0x98 {
        /// High word; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Start of the path at the drain's head. (read-only)
    drain_start_lo at 0x9c {
        /// Low word; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Start of the path at the drain's head, above the low word. (read-only)
    drain_start_hi at 0xa0 {
        /// High word; 0 if no entry waits.
        VALUE: 0, 32;
    }
    /// Evicted entries that found the drain full. (read-only)
    drain_lost at 0xa4 {
        /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
    /// Sum of the accumulators of the entries that were lost, modulo 2^64. (read-only)
    drain_lost_count_lo at 0xa8 {
        /// Low word; reading it latches the high word.
        VALUE: 0, 32;
    }
    /// Sum of the accumulators of the entries that were lost, above the low word. (read-only)
    drain_lost_count_hi at 0xac {
        /// High word, as latched by the last read of the low word.
        VALUE: 0, 32;
    }
    /// Whether records are profiled, and what starts and stops that. (read-write)
    trigger_control at 0xc0 {
        /// Records are profiled; a start sets it, a stop clears it. 1 after reset. A write of this byte sets it, too.
        RUN: 0, 1;
        /// While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.
        START_ADDRESS: 1, 1;
        /// While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.
        START_EVENT: 2, 1;
        /// While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.
        STOP_ADDRESS: 3, 1;
        /// While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.
        STOP_EVENT: 4, 1;
        /// Only a call or a trap starts profiling by address, and the address that it leaves to return to becomes TRIGGER_STOP.
        AT_RETURN: 5, 1;
    }
    /// What triggers have found; write 1 to clear. (write-one-to-clear)
    trigger_status at 0xc4 {
        /// TRIGGER_PATHS has come to 0. The output trigger_irq is this bit.
        REACHED: 0, 1;
    }
    /// Address at which profiling starts. (read-write)
    trigger_start_lo at 0xc8 {
        /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
        VALUE: 0, 32;
    }
    /// Address at which profiling starts, above the low word. (read-write)
    trigger_start_hi at 0xcc {
        /// High word; bits above those of an address read 0.
        VALUE: 0, 32;
    }
    /// Address at which profiling stops. (read-write)
    trigger_stop_lo at 0xd0 {
        /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
        VALUE: 0, 32;
    }
    /// Address at which profiling stops, above the low word. (read-write)
    trigger_stop_hi at 0xd4 {
        /// High word; bits above those of an address read 0.
        VALUE: 0, 32;
    }
    /// Paths that are still to complete before TRIGGER_STATUS.REACHED is set. Each completed path that PATHS counts takes 1 off. (read-write)
    trigger_paths at 0xd8 {
        /// How many; 0: no path sets TRIGGER_STATUS.REACHED.
        LEFT: 0, 32;
    }
    /// Records that came while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. They are neither in RECORDS nor lost. (read-only)
    trigger_kept_out at 0xdc {
        /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
        VALUE: 0, 32;
    }
}
