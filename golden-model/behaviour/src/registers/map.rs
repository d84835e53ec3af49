//! The registers and their fields.
//!
//! The sentence that describes a register or field is also its documentation here.

use super::word::{Access, Field, Register, fields, name, registers};

registers! {
    /// The registers of every profiler but those of its counters, in the order of their addresses.
    pub(super) MAIN_REGISTERS at main:
    ID_REGISTER = "ID": 0x00, ReadOnly, "Identification word." { "0x48505031, the bytes HPP1." };
    GEOMETRY0: 0x04, ReadOnly, "Sizes of the table, the paths and the addresses." {
        LOG2_SETS: 0, 8, "Base-2 logarithm of the table's number of sets.";
        WAYS: 8, 8, "Ways of each set.";
        MAX_BRANCHES: 16, 8, "Maximum number of branches in a path. A longer path is split.";
        PC_BITS: 24, 8, "Width of an instruction address in bits.";
    } in geometry0;
    GEOMETRY1: 0x08, ReadOnly, "Sizes of the stack, the queue and the events." {
        STACK_DEPTH = "STACK_DEPTH_MINUS_1": 0, 8, "Depth of the path stack in entries, minus one.";
        QUEUE_DEPTH = "QUEUE_DEPTH_MINUS_1": 8, 8, "Depth of the branch queue in records, minus one.";
        EVENT_BITS: 16, 8, "Width of a record's event count in bits.";
        EVENT_COUNTER_BITS: 24, 8, "Width of a path's event counter in bits.";
    } in geometry1;
    GEOMETRY2: 0x0c, ReadOnly, "Sizes of the counters, and the layout of table entries." {
        ACCUMULATOR_BITS: 0, 8, "Width of an entry's accumulator in bits.";
        COUNTER_BITS: 8, 8, "Width of the statistics counters in bits.";
        EXTENSION_BITS: 16, 4, "Width of a path's extension counter in bits.";
        ALIGN: 20, 2, "Number of low address bits that are always 0.";
        INDEX_SCHEME: 22, 1, "Input of the set index: the whole path, or its start alone." [FULL = 0, START = 1];
        LOOKUP: 23, 1, "Order in which a lookup compares the ways of a set: all in parallel, or one after another." [PARALLEL = 0, SEQUENTIAL = 1];
        ENTRY_WORDS: 24, 8, "Number of 32-bit words that TABLE_DATA returns for one entry.";
    } in geometry2;
    CONTROL: 0x10, ReadWrite, "Enable, freeze, lossy mode and lock." {
        ENABLE: 0, 1, "1: records are profiled. 0: records are accepted and discarded. The path stack is purged before the next profiled record.";
        FREEZE: 1, 1, "1: the table takes no paths. Path detection continues.";
        LOSSY: 2, 1, "Action on a record when the queue is full: stall the core, or drop the record and count it." [STALL = 0, LOSSY = 1];
        LOCK: 3, 1, "1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit ignore writes until reset. Reads 0 without contexts.";
    } in control;
    COMMAND: 0x14, WriteOnly, "Commands. Each takes effect once per write." {
        CLEAR: 0, 1, "Write 1: clear the table, one entry per cycle. STATUS.CLEARING is 1 meanwhile.";
        PURGE: 1, 1, "Write 1: clear the path stack before the next record that enters the queue.";
        CLEAR_COUNTERS: 2, 1, "Write 1: clear every statistics counter.";
    } in command;
    STATUS: 0x18, ReadOnly, "Operations in progress." {
        CLEARING: 0, 1, "1: the table is being cleared. Paths that complete meanwhile are not looked up.";
        ENTRY_VALID: 1, 1, "1: a read of TABLE_DATA does not wait: the entry at TABLE_INDEX has been fetched, or none since reset.";
    } in status;
    PPCR_ROWS: 0x1c, ReadWrite, "Path Profiler Control Register: operations for each kind of branch." {
        FORWARD: 0, 4, "Operations of a forward branch." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        BACKWARD: 4, 4, "Operations of a backward branch." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        INDIRECT: 8, 4, "Operations of an indirect jump." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        CALL: 12, 4, "Operations of a direct call." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        RETURN: 16, 4, "Operations of a return." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        INDIRECT_CALL: 20, 4, "Operations of an indirect call." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        TRAP: 24, 4, "Operations of a trap being taken." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        TRAP_RETURN: 28, 4, "Operations of a return from a trap." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
    };
    PPCR_MODE: 0x20, ReadWrite, "Path Profiler Control Register: the metric, and the extension of paths." {
        METRIC: 0, 1, "Increment of the accumulator when a path completes: 1, or the path's event counter." [EXECUTIONS = 0, EVENTS = 1];
        BACKWARD_NOT_TAKEN: 1, 1, "The row applied to a backward branch that is not taken." [AS_FORWARD = 0, AS_BACKWARD = 1];
        EXTENSION: 2, 2, "Boundaries that a path may extend across. The reserved value 3 is stored as NONE." [NONE = 0, LOOP = 1, PROCEDURE = 2];
        EVENT_SELECT: 4, 4, "Event to count, driven on the event_select port: cycles since the previous record, retired instructions (half words behind a trace interface whose iretire counts them), or an external input. Values from 2 on select an input." [CYCLES = 0, INSTRUCTIONS = 1, EXTERNAL = 2];
        MAX_EXTENSION: 8, 8, "Maximum number of backward branches or calls that a path extends across. Bits above GEOMETRY2.EXTENSION_BITS read 0.";
    } in ppcr_mode;
    ERRORS: 0x24, WriteOneToClear, "Sticky errors. Write 1 to clear." {
        ILLEGAL_ROW: 0, 1, "A write of a PPCR row with both UPDATE and UPDATE_COUNT was ignored. The row kept its value.";
        ACCUMULATOR_SATURATED: 1, 1, "An accumulator saturated at its maximum.";
        EVENT_COUNTER_SATURATED: 2, 1, "The event counter of a path saturated at its maximum. It also runs under the metric EXECUTIONS, where this does no harm.";
        RECORDS_LOST: 3, 1, "A record was lost. The queue or the buffer before it was full, the core did not hold the record until it was accepted, or an interrupt hid the target of a transfer.";
        WRITE_REFUSED: 4, 1, "A write to a register that CONTROL.LOCK protects was ignored.";
        DRAIN_LOST: 5, 1, "An evicted entry was lost because the drain was full. DRAIN_LOST counts such entries. DRAIN_LOST_COUNT is the sum of their accumulators.";
    } in errors;
    TABLE_INDEX: 0x28, ReadWrite, "Table entry to read, set * WAYS + way. A write fetches the entry. The index increments after an entry's last word is read. After reset nothing is fetched: write the index first." {
        INDEX: 0, 16, "Entry number, modulo the number of entries rounded up to a power of two.";
    };
    TABLE_DATA: 0x2c, ReadOnly, "Words of the entry in order: start and outcomes (each low word first), length, count. The next entry follows. A tiny profiler has other words (GEOMETRY3.ENGINE)." { "Next word of the entry. All words of an empty way are 0." };
    CONTEXT: 0x30, ReadWrite, "Context filter. A path passes if its context equals VALUE in the bits that are 1 in MASK. Reads 0 without contexts." {
        MASK: 0, 8, "Bits of the context to compare with VALUE. 0: every path passes. Bits above GEOMETRY3.CONTEXT_BITS read 0.";
        VALUE: 8, 8, "Value to compare with. Bits above GEOMETRY3.CONTEXT_BITS read 0.";
    } in context;
    GEOMETRY3: 0x34, ReadOnly, "Optional features." {
        CONTEXT_BITS: 0, 4, "Width of a path's context in bits. The context lies above the address in an entry's start.";
        STACK_CHECK: 4, 1, "1: the path stack is checked. Each return is compared with the return addresses that calls and traps pushed.";
        REPLACEMENT: 5, 2, "Replacement policy of the table." [LFU = 0, SHADOW = 1, RRIP = 2];
        LOG2_DRAIN_DEPTH: 8, 4, "Base-2 logarithm of the drain's depth in entries, 6 to 12. 0: no drain.";
        TRIGGERS: 14, 1, "1: triggers start and stop profiling at addresses and events.";
        HARTS: 16, 3, "Harts that share the table, minus 1. The highest bits of a path's context are the hart's number, as many as HARTS has.";
        ENGINE: 15, 1, "Implementation of the profiler. TINY: rows and modes are fixed. There are no events, extensions, queue or lossy mode. An entry has three words: start with bit 0 set; outcomes with the last one highest, below the first a 1, then zeros; count. TABLE_INDEX reads 0. A record that arrives while another is processed is lost." [FULL = 0, TINY = 1];
    } in geometry3;
    REPAIRS: 0x38, ReadOnly, "Returns that did not match the frame on top of the checked path stack. 0 without a checked stack." { "Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32." };
    SHADOW: 0x3c, ReadOnly, "State of the shadow policy. 0 with another policy." {
        SCALE: 0, 5, "One miss in 2^(SCALE + 1) is sampled.";
    } in shadow;
}

registers! {
    /// The registers of a profiler with a drain that another has not, in the order of their addresses.
    pub DRAIN_REGISTERS at drain:
    DRAIN_CONTROL: 0x80, ReadWrite, "Handling of evicted entries." {
        HOLD: 0, 1, "Action when the drain fills up. LOSE: evicted entries are lost and counted. HOLD: while fewer than 48 places are free, no record leaves the queue, which stalls the core." [LOSE = 0, HOLD = 1];
        STREAM: 1, 1, "Reader of the drain: software by DRAIN_COMMAND.TAKE, or a circuit at the drain_* ports." [SOFTWARE = 0, PORTS = 1];
        WATERMARK: 16, 13, "Fill level from which drain_irq is 1. 0: never. Bits above those of the drain's depth read 0.";
    } in drain_control;
    DRAIN_STATUS: 0x84, ReadOnly, "Fill level of the drain." {
        LEVEL: 0, 13, "Entries in the drain, 0 to the drain's depth.";
    } in drain_status;
    DRAIN_COMMAND: 0x88, WriteOnly, "Commands to the drain. Each takes effect once per write." {
        TAKE: 0, 1, "Write 1: remove the entry at the head. No effect if the drain is empty, or while DRAIN_CONTROL.STREAM is 1.";
        CLEAR: 1, 1, "Write 1: discard all entries in the drain. They are not counted as lost.";
    } in drain_command;
    DRAIN_COUNT: 0x8c, ReadOnly, "Accumulator of the entry at the drain's head." { "The count. 0 if the drain is empty." };
    DRAIN_LENGTH: 0x90, ReadOnly, "Length of the path at the drain's head." { "Number of branches. 0 if the drain is empty." };
    DRAIN_OUTCOMES_LO: 0x94, ReadOnly, "Outcomes of the path at the drain's head." { "Low word. 0 if the drain is empty." };
    DRAIN_OUTCOMES_HI: 0x98, ReadOnly, "Outcomes of the path at the drain's head, high word." { "High word. 0 if the drain is empty." };
    DRAIN_START_LO: 0x9c, ReadOnly, "Start of the path at the drain's head." { "Low word. 0 if the drain is empty." };
    DRAIN_START_HI: 0xa0, ReadOnly, "Start of the path at the drain's head, high word." { "High word. 0 if the drain is empty." };
    DRAIN_LOST: 0xa4, ReadOnly, "Evicted entries lost because the drain was full." { "Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32." };
    DRAIN_LOST_COUNT_LO: 0xa8, ReadOnly, "Sum of the accumulators of the lost entries, modulo 2^64." { "Low word. A read latches the high word." };
    DRAIN_LOST_COUNT_HI: 0xac, ReadOnly, "Sum of the accumulators of the lost entries, high word." { "High word, as latched by the last read of the low word." };
}

registers! {
    /// The registers of a profiler with triggers that another has not, in the order of their addresses.
    pub TRIGGER_REGISTERS at triggers:
    TRIGGER_CONTROL: 0xc0, ReadWrite, "Triggers that start and stop profiling." {
        RUN: 0, 1, "1: records are profiled. A start trigger sets the bit, a stop trigger clears it, and software writes it. 1 after reset.";
        START_ADDRESS: 1, 1, "While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.";
        START_EVENT: 2, 1, "While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.";
        STOP_ADDRESS: 3, 1, "While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.";
        STOP_EVENT: 4, 1, "While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.";
        AT_RETURN: 5, 1, "1: only a call or a trap starts profiling by address. Its return address is then stored in TRIGGER_STOP.";
    } in trigger_control;
    TRIGGER_STATUS: 0xc4, WriteOneToClear, "Trigger events. Write 1 to clear." {
        REACHED: 0, 1, "TRIGGER_PATHS has reached 0. The output trigger_irq is this bit.";
    } in trigger_status;
    TRIGGER_START_LO: 0xc8, ReadWrite, "Address at which profiling starts." { "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN)." };
    TRIGGER_START_HI: 0xcc, ReadWrite, "Address at which profiling starts, high word." { "High word. Bits above those of an address read 0." };
    TRIGGER_STOP_LO: 0xd0, ReadWrite, "Address at which profiling stops." { "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN)." };
    TRIGGER_STOP_HI: 0xd4, ReadWrite, "Address at which profiling stops, high word." { "High word. Bits above those of an address read 0." };
    TRIGGER_PATHS: 0xd8, ReadWrite, "Number of paths to complete before TRIGGER_STATUS.REACHED is set. Decrements with each completed path that PATHS counts." {
        LEFT: 0, 32, "Number of paths left. 0: no path sets TRIGGER_STATUS.REACHED.";
    };
    TRIGGER_KEPT_OUT: 0xdc, ReadOnly, "Records that arrived while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. RECORDS and LOST_RECORDS do not count them." { "Number since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32." };
}
