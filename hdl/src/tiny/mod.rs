//! The tiny profiler: one memory for entries, stack, counters and constants, and a microprogram.
//!
//! ```text
//!   retire_* ---> [ record ] ---+                          +--- step --- ( microprogram ) <--- answers
//!                               v                          v                                     ^
//!              [ start ] [ outcomes ] ---> ( + word read ) ---> ( memory ) ---> word read --> = <+
//!                   ^           ^                                   ^                |
//!                   +-----------+------ popped ---------------------+----------------+----> wb_dat_o
//! ```
//!
//! One record is held while the previous one is processed; `retire_stall` is 1 meanwhile. Further instructions that
//! retire during the stall, and would make a record, are lost. The counter `LOST` counts each sequence of such losses
//! once, and the stack is then emptied. Bus accesses are served between records. Software therefore reads what the
//! golden model has after the same records: nothing lags, and no entry is torn.
//!
//! The memory has four quarters, each with as many words as there are entries:
//!
//! | quarter | contents |
//! | --- | --- |
//! | 0 | starts of the entries, with bit 0 set |
//! | 1 | outcomes of the entries |
//! | 2 | counts of the entries |
//! | 3, lower half | the registers, at their addresses |
//! | 3, upper half | the stack, two words for each place |
//!
//! - Outcomes enter at the highest bit and shift down. A marker bit, 1, follows the oldest. No length is stored: a path
//!   is full when the marker is in bit 0, and no word of outcomes is 0.
//! - Bit 0 of a start marks an occupied place on the stack, so no occupancy is counted. The top is in registers, and
//!   its place in the memory is empty.
//! - A step that counts writes the word read plus 1. A step that stores a word adds it to a cell that is always 0.
//!
//! Constants are in the memory from power-up: identity, sizes, PPCR rows and the cell that is 0. The microprogram is
//! a ROM. A reset clears everything else.

mod ingress;
mod kernel;
mod memory;
mod program;

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{
    self, ADDRESS_BITS, COMMAND, CONTROL, ERRORS, GEOMETRY0, GEOMETRY3, ID_REGISTER, PPCR_ROWS,
    STATUS, TABLE_DATA, TABLE_INDEX, geometry_words, status,
};
use rust_hdl::prelude::*;

use crate::bus::WishbonePort;
use crate::circuit::{bundle, circuit};
use crate::register::{Delay, Register};
use ingress::FixedRows;
use memory::{Program, SharedMemory};

pub use program::unreached_steps;

/// Registers in the last quarter of the memory.
const REGISTERS: usize = 1 << ADDRESS_BITS;

/// What the registers hold that is never written, by cell.
fn constants(geometry: &Geometry) -> Vec<(usize, u32)> {
    let mut words = [0; REGISTERS];
    let mut put = |offset: u32, word| words[offset as usize / 4] = word;
    let [sizes @ .., beyond] = geometry_words(geometry);
    put(ID_REGISTER.offset, registers::ID);
    for (offset, word) in (GEOMETRY0.offset..).step_by(4).zip(sizes) {
        put(offset, word);
    }
    put(GEOMETRY3.offset, beyond);
    put(PPCR_ROWS.offset, ResetValues::default().rows.to_word());
    put(STATUS.offset, status::ENTRY_VALID.put(1));
    (3 * geometry.entries() as usize..).zip(words).collect()
}

/// Last stage of a core without compressed instructions.
#[bundle()]
pub struct LastStage {
    /// Instruction retires, or trap is taken.
    pub valid: Signal<In, Bit>,
    /// Trap is taken; no instruction retires in this cycle.
    pub trap: Signal<In, Bit>,
    /// Encoding of the instruction.
    pub insn: Signal<In, Bits<32>>,
    /// Address of the instruction; on a trap, the address the handler returns to.
    pub pc: Signal<In, Bits<32>>,
    /// Stall: busy with a record; an instruction that retires now may lose a record.
    pub stall: Signal<Out, Bit>,
}

/// Hardware path profiler: ingress of a core's last stage, one memory and a microprogram, Wishbone port.
#[circuit(
    geometry: &Geometry,
    let entry_bits = geometry.entries().trailing_zeros(),
    let way_bits = geometry.ways.trailing_zeros(),
    let place_bits = geometry.stack_depth.trailing_zeros(),
    const no_answers: Bits<16> = 0,
    const no_step: Bits<7> = 0,
    const entry_bits: Bits<8> = entry_bits,
    const way_bits: Bits<8> = way_bits,
    const set_bits: Bits<8> = geometry.set_bits(),
    const last_outcomes: Bits<8> = geometry.max_branches + 1 - geometry.set_bits(),
    const outcomes_before: Bits<8> = geometry.max_branches + 1 - 2 * geometry.set_bits(),
    const newest: Bits<8> = geometry.max_branches,
    const set_mask: Bits<32> = geometry.sets - 1,
    const last_way: Bits<3> = geometry.ways - 1,
    // The last quarter of the memory.
    const first_register: Bits<10> = 3 * geometry.entries(),
    const mark: Bits<32> = 1_u32 << geometry.max_branches,
    const place_mask: Bits<6> = geometry.stack_depth - 1,
    const last_entry: Bits<8> = geometry.entries() - 1,
    const first_place: Bits<10> = 3 * geometry.entries() + geometry.entries() / 2,
    const first_counter: Bits<10> = 3 * geometry.entries() + REGISTERS as u32 / 2,
    const control_address: Bits<6> = CONTROL.offset / 4,
    const command_address: Bits<6> = COMMAND.offset / 4,
    const status_address: Bits<6> = STATUS.offset / 4,
    const errors_address: Bits<6> = ERRORS.offset / 4,
    const index_address: Bits<6> = TABLE_INDEX.offset / 4,
    const data_address: Bits<6> = TABLE_DATA.offset / 4
)]
pub struct TinyProfiler {
    /// Last stage of the core.
    pub retire: LastStage,
    /// Disabled, and nothing is in flight: but for accesses, the clock may stand still.
    pub idle: Signal<Out, Bit>,
    /// Registers and table.
    pub wb: WishbonePort<ADDRESS_BITS>,

    #[connect(valid = retire.valid, trap = retire.trap, insn = retire.insn)]
    rows: FixedRows,
    program: Program,
    #[connect(word = word, write = writes)]
    memory: SharedMemory<{ 4 * geometry.entries() }, { &constants(geometry) }>,

    /// A record waits or is being processed.
    #[connect(q = retire.stall)]
    waits: Register<Bit>,
    updates: Delay<Bit>,
    pops: Delay<Bit>,
    pushes: Delay<Bit>,
    taken: Delay<Bit>,
    target: Delay<Bits<30>>,
    /// Records were lost after the one in process.
    gap: Register<Bit>,
    /// Empty the stack before the next record.
    purge: Register<Bit, true>,

    /// Start of the path at the top of the stack.
    start: Delay<Bits<30>>,
    /// Outcomes of the top path, newest at the highest bit, above a marker bit.
    outcomes: Delay<Bits<32, { geometry.max_branches + 1 }>>,
    /// Address of the top on the stack.
    top: Register<Bits<6, place_bits>>,
    /// Way that is compared.
    way: Delay<Bits<3, way_bits>>,
    /// Smallest count so far.
    least: Delay<Bits<32>>,
    /// Way of the smallest count so far.
    least_way: Delay<Bits<3, way_bits>>,

    enable: Register<Bit>,
    freeze: Register<Bit>,
    saturated: Register<Bit>,
    lost: Register<Bit>,
    /// The table is being cleared.
    clearing: Register<Bit, true>,
    /// The stack is being cleared, after reset.
    starting: Register<Bit, true>,
    /// The counters are to be cleared in the next step.
    zeroing: Register<Bit, true>,
    /// Number of the entry to read out or clear.
    entry: Register<Bits<8, entry_bits>>,
    /// Word of the entry to read out or clear.
    quarter: Register<Bits<2>>,

    /// Word read last from memory.
    word: Signal<Local, Bits<32>>,
    writes: Signal<Local, Bit>,
    wraps: Signal<Local, Bit>,
}
