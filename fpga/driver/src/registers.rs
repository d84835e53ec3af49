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

/// Identification word. (read-only)
pub mod id {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x00;
    /// 0x48505031, the bytes HPP1.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Sizes of the table, the paths and the addresses. (read-only)
pub mod geometry0 {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x04;
    /// Base-2 logarithm of the table's number of sets.
    pub const LOG2_SETS: Field = Field::new(0, 8);
    /// Ways of each set.
    pub const WAYS: Field = Field::new(8, 8);
    /// Most branches a path records before it is split.
    pub const MAX_BRANCHES: Field = Field::new(16, 8);
    /// Width of an instruction address in bits.
    pub const PC_BITS: Field = Field::new(24, 8);
}

/// Sizes of the stack, the queue and the events. (read-only)
pub mod geometry1 {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x08;
    /// Entries of the path stack, less one.
    pub const STACK_DEPTH_MINUS_1: Field = Field::new(0, 8);
    /// Records the branch queue holds, less one.
    pub const QUEUE_DEPTH_MINUS_1: Field = Field::new(8, 8);
    /// Width of the events of one record in bits.
    pub const EVENT_BITS: Field = Field::new(16, 8);
    /// Width of a path's event counter in bits.
    pub const EVENT_COUNTER_BITS: Field = Field::new(24, 8);
}

/// Sizes of the counters, and the shape of the readout. (read-only)
pub mod geometry2 {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x0c;
    /// Width of an entry's accumulator in bits.
    pub const ACCUMULATOR_BITS: Field = Field::new(0, 8);
    /// Width of the statistics counters in bits.
    pub const COUNTER_BITS: Field = Field::new(8, 8);
    /// Width of a path's extension counter in bits.
    pub const EXTENSION_BITS: Field = Field::new(16, 4);
    /// Low bits of an instruction address that are always 0.
    pub const ALIGN: Field = Field::new(20, 2);
    /// What the table's set index is computed from.
    pub const INDEX_SCHEME: Field = Field::new(22, 1);
    /// A value of [`INDEX_SCHEME`].
    pub const INDEX_SCHEME_FULL: u32 = 0;
    /// A value of [`INDEX_SCHEME`].
    pub const INDEX_SCHEME_START: u32 = 1;
    /// Whether a lookup takes all ways of a set at once or one after another.
    pub const LOOKUP: Field = Field::new(23, 1);
    /// A value of [`LOOKUP`].
    pub const LOOKUP_PARALLEL: u32 = 0;
    /// A value of [`LOOKUP`].
    pub const LOOKUP_SEQUENTIAL: u32 = 1;
    /// 32-bit words of one table entry on TABLE_DATA.
    pub const ENTRY_WORDS: Field = Field::new(24, 8);
}

/// Enable, freeze, lossy mode and lock. (read-write)
pub mod control {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x10;
    /// 1: records are profiled. 0: records are accepted and discarded; the path stack is purged before the next one profiled.
    pub const ENABLE: Field = Field::new(0, 1);
    /// 1: the table takes no paths; the detector goes on.
    pub const FREEZE: Field = Field::new(1, 1);
    /// What happens to a record that finds the queue full.
    pub const LOSSY: Field = Field::new(2, 1);
    /// A value of [`LOSSY`].
    pub const LOSSY_STALL: u32 = 0;
    /// A value of [`LOSSY`].
    pub const LOSSY_LOSSY: u32 = 1;
    /// 1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit take no writes until reset. Reads 0 without contexts.
    pub const LOCK: Field = Field::new(3, 1);
}

/// One-off commands. (write-only)
pub mod command {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x14;
    /// Write 1: empty the table, one entry a cycle; STATUS.CLEARING is 1 meanwhile.
    pub const CLEAR: Field = Field::new(0, 1);
    /// Write 1: empty the path stack before the next record that enters the queue.
    pub const PURGE: Field = Field::new(1, 1);
    /// Write 1: set every statistics counter to 0.
    pub const CLEAR_COUNTERS: Field = Field::new(2, 1);
}

/// What is in progress, and detected faults. (read-only)
pub mod status {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x18;
    /// 1: the table is being emptied; paths that complete meanwhile are not looked up.
    pub const CLEARING: Field = Field::new(0, 1);
    /// 1: the entry at TABLE_INDEX has been fetched, so TABLE_DATA answers at once.
    pub const ENTRY_VALID: Field = Field::new(1, 1);
    /// Cycles in which a flipped bit was detected, since reset or COMMAND.CLEAR_COUNTERS; saturates at 65535. A bit in a memory is detected each time its word is read. 0 without parity.
    pub const FAULTS: Field = Field::new(16, 16);
}

/// Path Profiler Control Register: the operations of each kind of branch. (read-write)
pub mod ppcr_rows {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x1c;
    /// Operations of a forward branch.
    pub const FORWARD: Field = Field::new(0, 4);
    /// A value of [`FORWARD`].
    pub const FORWARD_UPDATE: u32 = 1;
    /// A value of [`FORWARD`].
    pub const FORWARD_UPDATE_COUNT: u32 = 2;
    /// A value of [`FORWARD`].
    pub const FORWARD_POP: u32 = 4;
    /// A value of [`FORWARD`].
    pub const FORWARD_PUSH: u32 = 8;
    /// Operations of a backward branch.
    pub const BACKWARD: Field = Field::new(4, 4);
    /// A value of [`BACKWARD`].
    pub const BACKWARD_UPDATE: u32 = 1;
    /// A value of [`BACKWARD`].
    pub const BACKWARD_UPDATE_COUNT: u32 = 2;
    /// A value of [`BACKWARD`].
    pub const BACKWARD_POP: u32 = 4;
    /// A value of [`BACKWARD`].
    pub const BACKWARD_PUSH: u32 = 8;
    /// Operations of an indirect jump.
    pub const INDIRECT: Field = Field::new(8, 4);
    /// A value of [`INDIRECT`].
    pub const INDIRECT_UPDATE: u32 = 1;
    /// A value of [`INDIRECT`].
    pub const INDIRECT_UPDATE_COUNT: u32 = 2;
    /// A value of [`INDIRECT`].
    pub const INDIRECT_POP: u32 = 4;
    /// A value of [`INDIRECT`].
    pub const INDIRECT_PUSH: u32 = 8;
    /// Operations of a direct call.
    pub const CALL: Field = Field::new(12, 4);
    /// A value of [`CALL`].
    pub const CALL_UPDATE: u32 = 1;
    /// A value of [`CALL`].
    pub const CALL_UPDATE_COUNT: u32 = 2;
    /// A value of [`CALL`].
    pub const CALL_POP: u32 = 4;
    /// A value of [`CALL`].
    pub const CALL_PUSH: u32 = 8;
    /// Operations of a return.
    pub const RETURN: Field = Field::new(16, 4);
    /// A value of [`RETURN`].
    pub const RETURN_UPDATE: u32 = 1;
    /// A value of [`RETURN`].
    pub const RETURN_UPDATE_COUNT: u32 = 2;
    /// A value of [`RETURN`].
    pub const RETURN_POP: u32 = 4;
    /// A value of [`RETURN`].
    pub const RETURN_PUSH: u32 = 8;
    /// Operations of an indirect call.
    pub const INDIRECT_CALL: Field = Field::new(20, 4);
    /// A value of [`INDIRECT_CALL`].
    pub const INDIRECT_CALL_UPDATE: u32 = 1;
    /// A value of [`INDIRECT_CALL`].
    pub const INDIRECT_CALL_UPDATE_COUNT: u32 = 2;
    /// A value of [`INDIRECT_CALL`].
    pub const INDIRECT_CALL_POP: u32 = 4;
    /// A value of [`INDIRECT_CALL`].
    pub const INDIRECT_CALL_PUSH: u32 = 8;
    /// Operations of a trap being taken.
    pub const TRAP: Field = Field::new(24, 4);
    /// A value of [`TRAP`].
    pub const TRAP_UPDATE: u32 = 1;
    /// A value of [`TRAP`].
    pub const TRAP_UPDATE_COUNT: u32 = 2;
    /// A value of [`TRAP`].
    pub const TRAP_POP: u32 = 4;
    /// A value of [`TRAP`].
    pub const TRAP_PUSH: u32 = 8;
    /// Operations of a return from a trap.
    pub const TRAP_RETURN: Field = Field::new(28, 4);
    /// A value of [`TRAP_RETURN`].
    pub const TRAP_RETURN_UPDATE: u32 = 1;
    /// A value of [`TRAP_RETURN`].
    pub const TRAP_RETURN_UPDATE_COUNT: u32 = 2;
    /// A value of [`TRAP_RETURN`].
    pub const TRAP_RETURN_POP: u32 = 4;
    /// A value of [`TRAP_RETURN`].
    pub const TRAP_RETURN_PUSH: u32 = 8;
}

/// Path Profiler Control Register: what is counted, and how far paths reach. (read-write)
pub mod ppcr_mode {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x20;
    /// What a completed path adds to its accumulator: 1, or its event counter.
    pub const METRIC: Field = Field::new(0, 1);
    /// A value of [`METRIC`].
    pub const METRIC_EXECUTIONS: u32 = 0;
    /// A value of [`METRIC`].
    pub const METRIC_EVENTS: u32 = 1;
    /// The row applied to a backward branch that is not taken.
    pub const BACKWARD_NOT_TAKEN: Field = Field::new(1, 1);
    /// A value of [`BACKWARD_NOT_TAKEN`].
    pub const BACKWARD_NOT_TAKEN_AS_FORWARD: u32 = 0;
    /// A value of [`BACKWARD_NOT_TAKEN`].
    pub const BACKWARD_NOT_TAKEN_AS_BACKWARD: u32 = 1;
    /// What a path may extend across; the reserved value 3 is stored as NONE.
    pub const EXTENSION: Field = Field::new(2, 2);
    /// A value of [`EXTENSION`].
    pub const EXTENSION_NONE: u32 = 0;
    /// A value of [`EXTENSION`].
    pub const EXTENSION_LOOP: u32 = 1;
    /// A value of [`EXTENSION`].
    pub const EXTENSION_PROCEDURE: u32 = 2;
    /// Event type to count, on the event_select port: cycles since the previous record, retired instructions, or, from 2 on, the events of an input.
    pub const EVENT_SELECT: Field = Field::new(4, 4);
    /// A value of [`EVENT_SELECT`].
    pub const EVENT_SELECT_CYCLES: u32 = 0;
    /// A value of [`EVENT_SELECT`].
    pub const EVENT_SELECT_INSTRUCTIONS: u32 = 1;
    /// A value of [`EVENT_SELECT`].
    pub const EVENT_SELECT_EXTERNAL: u32 = 2;
    /// Backward branches or calls a path may extend across; bits above GEOMETRY2.EXTENSION_BITS read 0.
    pub const MAX_EXTENSION: Field = Field::new(8, 8);
}

/// Sticky errors; write 1 to clear. (write-one-to-clear)
pub mod errors {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x24;
    /// A PPCR row with both UPDATE and UPDATE_COUNT was refused; the old row stayed.
    pub const ILLEGAL_ROW: Field = Field::new(0, 1);
    /// A count did not fit into an accumulator, which stays at its maximum.
    pub const ACCUMULATOR_SATURATED: Field = Field::new(1, 1);
    /// Events did not fit into a path's event counter, which stays at its maximum.
    pub const EVENT_COUNTER_SATURATED: Field = Field::new(2, 1);
    /// A record was lost: no room in the queue or before it, or not held until it was taken.
    pub const RECORDS_LOST: Field = Field::new(3, 1);
    /// A write to a register that CONTROL.LOCK protects was refused.
    pub const WRITE_REFUSED: Field = Field::new(4, 1);
    /// An evicted entry found the drain full. DRAIN_LOST counts such entries, DRAIN_LOST_COUNT adds up their accumulators.
    pub const DRAIN_LOST: Field = Field::new(5, 1);
    /// A bit of a memory or register of the profiler has flipped, so any count may be wrong. STATUS.FAULTS counts the cycles with a detection.
    pub const FAULT: Field = Field::new(6, 1);
}

/// Table entry to read, set * WAYS + way; a write fetches it, and it steps on after an entry's last word. (read-write)
pub mod table_index {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x28;
    /// Entry number; taken modulo the next power of two of the entries.
    pub const INDEX: Field = Field::new(0, 16);
}

/// The entry's words in turn: start, outcomes (low words first), length, count; then the next entry. (read-only)
pub mod table_data {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x2c;
    /// Next word of the entry; all words of an empty way are 0.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Which contexts' paths are shown: those whose context is VALUE wherever MASK has ones. Reads 0 without contexts. (read-write)
pub mod context {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x30;
    /// Bits of the context that are compared with VALUE; 0 shows every path. Bits above GEOMETRY3.CONTEXT_BITS read 0.
    pub const MASK: Field = Field::new(0, 8);
    /// Required value of the bits in MASK. Bits above GEOMETRY3.CONTEXT_BITS read 0.
    pub const VALUE: Field = Field::new(8, 8);
}

/// What the profiler has beyond its sizes. (read-only)
pub mod geometry3 {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x34;
    /// Width of a path's context in bits; it lies above the address in an entry's start.
    pub const CONTEXT_BITS: Field = Field::new(0, 4);
    /// 1: returns are compared with the return addresses that calls and traps left.
    pub const STACK_CHECK: Field = Field::new(4, 1);
    /// What happens to a path that misses in the table.
    pub const REPLACEMENT: Field = Field::new(5, 2);
    /// A value of [`REPLACEMENT`].
    pub const REPLACEMENT_LFU: u32 = 0;
    /// A value of [`REPLACEMENT`].
    pub const REPLACEMENT_SHADOW: u32 = 1;
    /// A value of [`REPLACEMENT`].
    pub const REPLACEMENT_RRIP: u32 = 2;
    /// Base-2 logarithm of the entries of the drain, 6 to 12; 0 without one.
    pub const LOG2_DRAIN_DEPTH: Field = Field::new(8, 4);
    /// What has parity, so that a flipped bit is detected.
    pub const PROTECT: Field = Field::new(12, 2);
    /// A value of [`PROTECT`].
    pub const PROTECT_NONE: u32 = 0;
    /// A value of [`PROTECT`].
    pub const PROTECT_MEMORIES: u32 = 1;
    /// A value of [`PROTECT`].
    pub const PROTECT_ALL: u32 = 2;
    /// Whether addresses and events start and stop profiling; 1 if so.
    pub const TRIGGERS: Field = Field::new(14, 1);
}

/// Returns that did not fit the frame on top of a checked path stack; 0 without one. (read-only)
pub mod repairs {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x38;
    /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
    pub const VALUE: Field = Field::new(0, 32);
}

/// State of the policy shadow; 0 with another policy. (read-only)
pub mod shadow {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x3c;
    /// State of the linear-feedback shift register, which takes a step for each path.
    pub const CHANCE: Field = Field::new(0, 27);
    /// One miss in 2^SCALE is sampled.
    pub const SCALE: Field = Field::new(27, 5);
}

/// Records that entered the queue. (read-only)
pub mod records_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x40;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Records that entered the queue. (read-only)
pub mod records_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x44;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths. (read-only)
pub mod paths_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x48;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths. (read-only)
pub mod paths_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x4c;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths found in the table. (read-only)
pub mod hits_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x50;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths found in the table. (read-only)
pub mod hits_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x54;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths that replaced another path in the table. (read-only)
pub mod replacements_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x58;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Completed paths that replaced another path in the table. (read-only)
pub mod replacements_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x5c;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Paths split at the maximum length. (read-only)
pub mod splits_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x60;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Paths split at the maximum length. (read-only)
pub mod splits_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x64;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Pops of the only entry of the path stack. (read-only)
pub mod underflows_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x68;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Pops of the only entry of the path stack. (read-only)
pub mod underflows_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x6c;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Pushes that dropped the oldest entry of a full path stack. (read-only)
pub mod overflows_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x70;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Pushes that dropped the oldest entry of a full path stack. (read-only)
pub mod overflows_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x74;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Lost records: no room in the queue or before it, or not held until they were taken. (read-only)
pub mod lost_records_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x78;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Lost records: no room in the queue or before it, or not held until they were taken. (read-only)
pub mod lost_records_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x7c;
    /// High word, as latched by the last read of a low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// What happens to evicted entries. (read-write)
pub mod drain_control {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x80;
    /// What happens when the drain fills up: evicted entries are lost and counted, or no record leaves the queue while fewer than 48 places are free, which stalls the core.
    pub const HOLD: Field = Field::new(0, 1);
    /// A value of [`HOLD`].
    pub const HOLD_LOSE: u32 = 0;
    /// A value of [`HOLD`].
    pub const HOLD_HOLD: u32 = 1;
    /// Who takes entries out of the drain: software, by DRAIN_COMMAND.TAKE, or the circuit at the drain_* ports.
    pub const STREAM: Field = Field::new(1, 1);
    /// A value of [`STREAM`].
    pub const STREAM_SOFTWARE: u32 = 0;
    /// A value of [`STREAM`].
    pub const STREAM_PORTS: u32 = 1;
    /// drain_irq is 1 while at least this many entries wait; 0: never. Bits above those of the drain's depth read 0.
    pub const WATERMARK: Field = Field::new(16, 13);
}

/// How many entries wait in the drain. (read-only)
pub mod drain_status {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x84;
    /// Entries that wait, 0 to the drain's depth.
    pub const LEVEL: Field = Field::new(0, 13);
}

/// One-off commands to the drain. (write-only)
pub mod drain_command {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x88;
    /// Write 1: remove the entry at the head. No effect if none waits, or while DRAIN_CONTROL.STREAM is 1.
    pub const TAKE: Field = Field::new(0, 1);
    /// Write 1: discard the entries that wait. They are not counted as lost.
    pub const CLEAR: Field = Field::new(1, 1);
}

/// Accumulator of the entry at the drain's head. (read-only)
pub mod drain_count {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x8c;
    /// The count; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Length of the path at the drain's head. (read-only)
pub mod drain_length {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x90;
    /// Its branches; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Outcomes of the path at the drain's head. (read-only)
pub mod drain_outcomes_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x94;
    /// Low word; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Outcomes of the path at the drain's head, above the low word. (read-only)
pub mod drain_outcomes_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x98;
    /// High word; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Start of the path at the drain's head. (read-only)
pub mod drain_start_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0x9c;
    /// Low word; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Start of the path at the drain's head, above the low word. (read-only)
pub mod drain_start_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xa0;
    /// High word; 0 if no entry waits.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Evicted entries that found the drain full. (read-only)
pub mod drain_lost {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xa4;
    /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Sum of the accumulators of the entries that were lost, modulo 2^64. (read-only)
pub mod drain_lost_count_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xa8;
    /// Low word; reading it latches the high word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Sum of the accumulators of the entries that were lost, above the low word. (read-only)
pub mod drain_lost_count_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xac;
    /// High word, as latched by the last read of the low word.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Whether records are profiled, and what starts and stops that. (read-write)
pub mod trigger_control {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xc0;
    /// Records are profiled; a start sets it, a stop clears it. 1 after reset. A write of this byte sets it, too.
    pub const RUN: Field = Field::new(0, 1);
    /// While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.
    pub const START_ADDRESS: Field = Field::new(1, 1);
    /// While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.
    pub const START_EVENT: Field = Field::new(2, 1);
    /// While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.
    pub const STOP_ADDRESS: Field = Field::new(3, 1);
    /// While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.
    pub const STOP_EVENT: Field = Field::new(4, 1);
    /// Only a call or a trap starts profiling by address, and the address that it leaves to return to becomes TRIGGER_STOP.
    pub const AT_RETURN: Field = Field::new(5, 1);
}

/// What triggers have found; write 1 to clear. (write-one-to-clear)
pub mod trigger_status {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xc4;
    /// TRIGGER_PATHS has come to 0. The output trigger_irq is this bit.
    pub const REACHED: Field = Field::new(0, 1);
}

/// Address at which profiling starts. (read-write)
pub mod trigger_start_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xc8;
    /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
    pub const VALUE: Field = Field::new(0, 32);
}

/// Address at which profiling starts, above the low word. (read-write)
pub mod trigger_start_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xcc;
    /// High word; bits above those of an address read 0.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Address at which profiling stops. (read-write)
pub mod trigger_stop_lo {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xd0;
    /// Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).
    pub const VALUE: Field = Field::new(0, 32);
}

/// Address at which profiling stops, above the low word. (read-write)
pub mod trigger_stop_hi {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xd4;
    /// High word; bits above those of an address read 0.
    pub const VALUE: Field = Field::new(0, 32);
}

/// Paths that are still to complete before TRIGGER_STATUS.REACHED is set. Each completed path that PATHS counts takes 1 off. (read-write)
pub mod trigger_paths {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xd8;
    /// How many; 0: no path sets TRIGGER_STATUS.REACHED.
    pub const LEFT: Field = Field::new(0, 32);
}

/// Records that came while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. They are neither in RECORDS nor lost. (read-only)
pub mod trigger_kept_out {
    use super::Field;

    /// Offset in bytes from the profiler's base address.
    pub const OFFSET: u32 = 0xdc;
    /// How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.
    pub const VALUE: Field = Field::new(0, 32);
}
