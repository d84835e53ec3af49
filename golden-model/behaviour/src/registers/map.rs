//! The registers and their fields.
//!
//! The sentence that describes a register or field is also its documentation here.

use super::word::{Access, Field, Register, fields, name, registers};

registers! {
    /// The registers of every profiler but those of its counters, in the order of their addresses.
    pub(super) MAIN_REGISTERS:
    ID_REGISTER = "ID": 0x00, ReadOnly, "Identification word." {
        VALUE: 0, 32, "0x48505031, the bytes HPP1.";
    };
    GEOMETRY0: 0x04, ReadOnly, "Sizes of the table, the paths and the addresses." {
        LOG2_SETS: 0, 8, "Base-2 logarithm of the table's number of sets.";
        WAYS: 8, 8, "Ways of each set.";
        MAX_BRANCHES: 16, 8, "Most branches a path records before it is split.";
        PC_BITS: 24, 8, "Width of an instruction address in bits.";
    } in geometry0;
    GEOMETRY1: 0x08, ReadOnly, "Sizes of the stack, the queue and the events." {
        STACK_DEPTH = "STACK_DEPTH_MINUS_1": 0, 8, "Entries of the path stack, less one.";
        QUEUE_DEPTH = "QUEUE_DEPTH_MINUS_1": 8, 8, "Records the branch queue holds, less one.";
        EVENT_BITS: 16, 8, "Width of the events of one record in bits.";
        EVENT_COUNTER_BITS: 24, 8, "Width of a path's event counter in bits.";
    } in geometry1;
    GEOMETRY2: 0x0c, ReadOnly, "Sizes of the counters, and the shape of the readout." {
        ACCUMULATOR_BITS: 0, 8, "Width of an entry's accumulator in bits.";
        COUNTER_BITS: 8, 8, "Width of the statistics counters in bits.";
        EXTENSION_BITS: 16, 4, "Width of a path's extension counter in bits.";
        ALIGN: 20, 2, "Low bits of an instruction address that are always 0.";
        INDEX_SCHEME: 22, 1, "What the table's set index is computed from." [FULL = 0, START = 1];
        LOOKUP: 23, 1, "Whether a lookup takes all ways of a set at once or one after another." [PARALLEL = 0, SEQUENTIAL = 1];
        ENTRY_WORDS: 24, 8, "32-bit words of one table entry on TABLE_DATA.";
    } in geometry2;
    CONTROL: 0x10, ReadWrite, "Enable, freeze, lossy mode and lock." {
        ENABLE: 0, 1, "1: records are profiled. 0: records are accepted and discarded; the path stack is purged before the next one profiled.";
        FREEZE: 1, 1, "1: the table takes no paths; the detector goes on.";
        LOSSY: 2, 1, "What happens to a record that finds the queue full." [STALL = 0, LOSSY = 1];
        LOCK: 3, 1, "1: CONTEXT, PPCR_ROWS, PPCR_MODE and this bit take no writes until reset. Reads 0 without contexts.";
    } in control;
    COMMAND: 0x14, WriteOnly, "One-off commands." {
        CLEAR: 0, 1, "Write 1: empty the table, one entry a cycle; STATUS.CLEARING is 1 meanwhile.";
        PURGE: 1, 1, "Write 1: empty the path stack before the next record that enters the queue.";
        CLEAR_COUNTERS: 2, 1, "Write 1: set every statistics counter to 0.";
    } in command;
    STATUS: 0x18, ReadOnly, "What is in progress, and detected faults." {
        CLEARING: 0, 1, "1: the table is being emptied; paths that complete meanwhile are not looked up.";
        ENTRY_VALID: 1, 1, "1: the entry at TABLE_INDEX has been fetched, so TABLE_DATA answers at once.";
        FAULTS: 16, 16, "Cycles in which a flipped bit was detected, since reset or COMMAND.CLEAR_COUNTERS; saturates at 65535. A bit in a memory is detected each time its word is read. 0 without parity.";
    } in status;
    PPCR_ROWS: 0x1c, ReadWrite, "Path Profiler Control Register: the operations of each kind of branch." {
        FORWARD: 0, 4, "Operations of a forward branch." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        BACKWARD: 4, 4, "Operations of a backward branch." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        INDIRECT: 8, 4, "Operations of an indirect jump." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        CALL: 12, 4, "Operations of a direct call." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        RETURN: 16, 4, "Operations of a return." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        INDIRECT_CALL: 20, 4, "Operations of an indirect call." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        TRAP: 24, 4, "Operations of a trap being taken." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
        TRAP_RETURN: 28, 4, "Operations of a return from a trap." [UPDATE = 1, UPDATE_COUNT = 2, POP = 4, PUSH = 8];
    };
    PPCR_MODE: 0x20, ReadWrite, "Path Profiler Control Register: what is counted, and how far paths reach." {
        METRIC: 0, 1, "What a completed path adds to its accumulator: 1, or its event counter." [EXECUTIONS = 0, EVENTS = 1];
        BACKWARD_NOT_TAKEN: 1, 1, "The row applied to a backward branch that is not taken." [AS_FORWARD = 0, AS_BACKWARD = 1];
        EXTENSION: 2, 2, "What a path may extend across; the reserved value 3 is stored as NONE." [NONE = 0, LOOP = 1, PROCEDURE = 2];
        EVENT_SELECT: 4, 4, "Event type to count, on the event_select port: cycles since the previous record, retired instructions, or, from 2 on, the events of an input." [CYCLES = 0, INSTRUCTIONS = 1, EXTERNAL = 2];
        MAX_EXTENSION: 8, 8, "Backward branches or calls a path may extend across; bits above GEOMETRY2.EXTENSION_BITS read 0.";
    } in ppcr_mode;
    ERRORS: 0x24, WriteOneToClear, "Sticky errors; write 1 to clear." {
        ILLEGAL_ROW: 0, 1, "A PPCR row with both UPDATE and UPDATE_COUNT was refused; the old row stayed.";
        ACCUMULATOR_SATURATED: 1, 1, "A count did not fit into an accumulator, which stays at its maximum.";
        EVENT_COUNTER_SATURATED: 2, 1, "Events did not fit into a path's event counter, which stays at its maximum.";
        RECORDS_LOST: 3, 1, "A record was lost: no room in the queue or before it, or not held until it was taken.";
        WRITE_REFUSED: 4, 1, "A write to a register that CONTROL.LOCK protects was refused.";
        DRAIN_LOST: 5, 1, "An evicted entry found the drain full. DRAIN_LOST counts such entries, DRAIN_LOST_COUNT adds up their accumulators.";
        FAULT: 6, 1, "A bit of a memory or register of the profiler has flipped, so any count may be wrong. STATUS.FAULTS counts the cycles with a detection.";
    } in errors;
    TABLE_INDEX: 0x28, ReadWrite, "Table entry to read, set * WAYS + way; a write fetches it, and it steps on after an entry's last word." {
        INDEX: 0, 16, "Entry number; taken modulo the next power of two of the entries.";
    };
    TABLE_DATA: 0x2c, ReadOnly, "The entry's words in turn: start, outcomes (low words first), length, count; then the next entry." {
        VALUE: 0, 32, "Next word of the entry; all words of an empty way are 0.";
    };
    CONTEXT: 0x30, ReadWrite, "Which contexts' paths are shown: those whose context is VALUE wherever MASK has ones. Reads 0 without contexts." {
        MASK: 0, 8, "Bits of the context that are compared with VALUE; 0 shows every path. Bits above GEOMETRY3.CONTEXT_BITS read 0.";
        VALUE: 8, 8, "Required value of the bits in MASK. Bits above GEOMETRY3.CONTEXT_BITS read 0.";
    } in context;
    GEOMETRY3: 0x34, ReadOnly, "What the profiler has beyond its sizes." {
        CONTEXT_BITS: 0, 4, "Width of a path's context in bits; it lies above the address in an entry's start.";
        STACK_CHECK: 4, 1, "1: returns are compared with the return addresses that calls and traps left.";
        REPLACEMENT: 5, 2, "What happens to a path that misses in the table." [LFU = 0, SHADOW = 1, RRIP = 2];
        LOG2_DRAIN_DEPTH: 8, 4, "Base-2 logarithm of the entries of the drain, 6 to 12; 0 without one.";
        PROTECT: 12, 2, "What has parity, so that a flipped bit is detected." [NONE = 0, MEMORIES = 1, ALL = 2];
        TRIGGERS: 14, 1, "Whether addresses and events start and stop profiling; 1 if so.";
        ENGINE: 15, 1, "What the profiler is built of. TINY: rows and modes are fixed; there are no events, no extensions, no queue and no lossy mode; an entry has three words." [FULL = 0, TINY = 1];
    } in geometry3;
    REPAIRS: 0x38, ReadOnly, "Returns that did not fit the frame on top of a checked path stack; 0 without one." {
        VALUE: 0, 32, "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.";
    };
    SHADOW: 0x3c, ReadOnly, "State of the policy shadow; 0 with another policy." {
        CHANCE: 0, 27, "State of the linear-feedback shift register, which takes a step for each path.";
        SCALE: 27, 5, "One miss in 2^SCALE is sampled.";
    } in shadow;
}

registers! {
    /// The registers of a profiler with a drain that another has not, in the order of their addresses.
    pub DRAIN_REGISTERS:
    DRAIN_CONTROL: 0x80, ReadWrite, "What happens to evicted entries." {
        HOLD: 0, 1, "What happens when the drain fills up: evicted entries are lost and counted, or no record leaves the queue while fewer than 48 places are free, which stalls the core." [LOSE = 0, HOLD = 1];
        STREAM: 1, 1, "Who takes entries out of the drain: software, by DRAIN_COMMAND.TAKE, or the circuit at the drain_* ports." [SOFTWARE = 0, PORTS = 1];
        WATERMARK: 16, 13, "drain_irq is 1 while at least this many entries wait; 0: never. Bits above those of the drain's depth read 0.";
    } in drain_control;
    DRAIN_STATUS: 0x84, ReadOnly, "How many entries wait in the drain." {
        LEVEL: 0, 13, "Entries that wait, 0 to the drain's depth.";
    } in drain_status;
    DRAIN_COMMAND: 0x88, WriteOnly, "One-off commands to the drain." {
        TAKE: 0, 1, "Write 1: remove the entry at the head. No effect if none waits, or while DRAIN_CONTROL.STREAM is 1.";
        CLEAR: 1, 1, "Write 1: discard the entries that wait. They are not counted as lost.";
    } in drain_command;
    DRAIN_COUNT: 0x8c, ReadOnly, "Accumulator of the entry at the drain's head." {
        VALUE: 0, 32, "The count; 0 if no entry waits.";
    };
    DRAIN_LENGTH: 0x90, ReadOnly, "Length of the path at the drain's head." {
        VALUE: 0, 32, "Its branches; 0 if no entry waits.";
    };
    DRAIN_OUTCOMES_LO: 0x94, ReadOnly, "Outcomes of the path at the drain's head." {
        VALUE: 0, 32, "Low word; 0 if no entry waits.";
    };
    DRAIN_OUTCOMES_HI: 0x98, ReadOnly, "Outcomes of the path at the drain's head, above the low word." {
        VALUE: 0, 32, "High word; 0 if no entry waits.";
    };
    DRAIN_START_LO: 0x9c, ReadOnly, "Start of the path at the drain's head." {
        VALUE: 0, 32, "Low word; 0 if no entry waits.";
    };
    DRAIN_START_HI: 0xa0, ReadOnly, "Start of the path at the drain's head, above the low word." {
        VALUE: 0, 32, "High word; 0 if no entry waits.";
    };
    DRAIN_LOST: 0xa4, ReadOnly, "Evicted entries that found the drain full." {
        VALUE: 0, 32, "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.";
    };
    DRAIN_LOST_COUNT_LO: 0xa8, ReadOnly, "Sum of the accumulators of the entries that were lost, modulo 2^64." {
        VALUE: 0, 32, "Low word; reading it latches the high word.";
    };
    DRAIN_LOST_COUNT_HI: 0xac, ReadOnly, "Sum of the accumulators of the entries that were lost, above the low word." {
        VALUE: 0, 32, "High word, as latched by the last read of the low word.";
    };
}

registers! {
    /// The registers of a profiler with triggers that another has not, in the order of their addresses.
    pub TRIGGER_REGISTERS:
    TRIGGER_CONTROL: 0xc0, ReadWrite, "Whether records are profiled, and what starts and stops that." {
        RUN: 0, 1, "Records are profiled; a start sets it, a stop clears it. 1 after reset. A write of this byte sets it, too.";
        START_ADDRESS: 1, 1, "While RUN is 0, a record whose target is TRIGGER_START starts profiling. It is the first record that is profiled.";
        START_EVENT: 2, 1, "While RUN is 0, a cycle with trigger_start starts profiling, from the next cycle on.";
        STOP_ADDRESS: 3, 1, "While RUN is 1, a record whose target is TRIGGER_STOP stops profiling. It is the last record that is profiled.";
        STOP_EVENT: 4, 1, "While RUN is 1, a cycle with trigger_stop stops profiling, from the next cycle on.";
        AT_RETURN: 5, 1, "Only a call or a trap starts profiling by address, and the address that it leaves to return to becomes TRIGGER_STOP.";
    } in trigger_control;
    TRIGGER_STATUS: 0xc4, WriteOneToClear, "What triggers have found; write 1 to clear." {
        REACHED: 0, 1, "TRIGGER_PATHS has come to 0. The output trigger_irq is this bit.";
    } in trigger_status;
    TRIGGER_START_LO: 0xc8, ReadWrite, "Address at which profiling starts." {
        VALUE: 0, 32, "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).";
    };
    TRIGGER_START_HI: 0xcc, ReadWrite, "Address at which profiling starts, above the low word." {
        VALUE: 0, 32, "High word; bits above those of an address read 0.";
    };
    TRIGGER_STOP_LO: 0xd0, ReadWrite, "Address at which profiling stops." {
        VALUE: 0, 32, "Low word. Address bits that are always 0 read 0 (GEOMETRY2.ALIGN).";
    };
    TRIGGER_STOP_HI: 0xd4, ReadWrite, "Address at which profiling stops, above the low word." {
        VALUE: 0, 32, "High word; bits above those of an address read 0.";
    };
    TRIGGER_PATHS: 0xd8, ReadWrite, "Paths that are still to complete before TRIGGER_STATUS.REACHED is set. Each completed path that PATHS counts takes 1 off." {
        LEFT: 0, 32, "How many; 0: no path sets TRIGGER_STATUS.REACHED.";
    };
    TRIGGER_KEPT_OUT: 0xdc, ReadOnly, "Records that came while the profiler was enabled and TRIGGER_CONTROL.RUN was 0. They are neither in RECORDS nor lost." {
        VALUE: 0, 32, "How many since reset or COMMAND.CLEAR_COUNTERS, modulo 2^32.";
    };
}
