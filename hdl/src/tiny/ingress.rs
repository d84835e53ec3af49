//! Makes branch records of the last stage of a core. A record is complete when the next instruction retires, or a trap
//! is taken.
//!
//! ```text
//!   retire_* ---> instruction class ---> [ held ] ---> fixed rows ---> updates, pops, pushes, taken
//!      +---- address that follows -----------^--------------------------------> target
//! ```
//!
//! A branch has an offset of 13 bits, so 11 bits of two addresses suffice to see whether it was taken: the next address
//! is 4 more unless it was. That needs no carry chain. Compressed instructions are not supported.

use hpp_golden::profiler::Rows;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::{circuit, kernel};
use crate::ingress::InstructionClass;
use crate::kinds;
use crate::register::{Delay, Register};

/// One bit for each kind of record: whether its row has the operation of this bit.
fn kinds(operation: u32) -> u32 {
    let rows = Rows::default().to_word();
    (0..8).fold(0, |kinds, kind| {
        kinds | (rows >> (4 * kind + operation) & 1) << kind
    })
}

/// Ball-Larus operations of the last stage's branch records.
#[circuit(
    const updating: Bits<8> = kinds(0),
    const popping: Bits<8> = kinds(2),
    const pushing: Bits<8> = kinds(3)
)]
pub struct FixedRows {
    /// 1: records are made; 0: the ingress rests.
    pub enable: Signal<In, Bit>,
    /// Instruction retires, or trap is taken.
    pub valid: Signal<In, Bit>,
    /// Trap is taken; no instruction retires in this cycle.
    pub trap: Signal<In, Bit>,
    /// Encoding of the instruction.
    pub insn: Signal<In, Bits<32>>,
    /// Low bits of the instruction's address, without the lowest two.
    pub pc: Signal<In, Bits<11>>,
    /// Branch record of the previous instruction or trap is complete.
    pub known: Signal<Out, Bit>,
    /// Record appends an outcome.
    pub updates: Signal<Out, Bit>,
    /// Record completes a path: pop.
    pub pops: Signal<Out, Bit>,
    /// Record begins a path: push.
    pub pushes: Signal<Out, Bit>,
    /// Outcome of the record: 1 taken.
    pub taken: Signal<Out, Bit>,

    class: InstructionClass<true, { &IngressOptions::default() }>,
    held: Register<Bit>,
    kind: Delay<Bits<3>>,
    conditional: Delay<Bit>,
    before: Delay<Bits<11>>,
}

#[kernel]
impl FixedRows {
    /// The record of the last instruction, and its operations.
    fn record(&mut self) {
        // Hold the last instruction until the next address is known. An encoding whose low bits mean a compressed
        // instruction is no branch.
        let wide = self.insn.get_bits::<2>(0) == 3;
        self.class.insn.next = self.insn | 3;
        if self.enable & self.valid {
            self.held.d.next = self.trap | (wide & self.class.transfer);
            self.kind.d.next = self.class.kind;
            self.conditional.d.next = self.class.conditional;
            if self.trap {
                self.kind.d.next = kinds::TRAP.into();
                self.conditional.d.next = false;
            }
            self.before.d.next = self.pc;
        }
        if !self.enable {
            self.held.d.next = false;
        }

        // An address and its successor differ in bit 0 and in every bit that a carry reaches.
        let differ = (self.before ^ self.pc) ^ ((self.before & !self.pc) << 1);
        self.taken.next = !self.conditional | ((differ & 0x7ff) != 1);

        // A backward branch that is not taken has the row of forward branches.
        let effective: Bits<3> = if !self.taken { 0.into() } else { self.kind };
        self.known.next = self.valid & self.held;
        self.updates.next = (self.updating >> effective).get_bit(0);
        self.pops.next = (self.popping >> effective).get_bit(0);
        self.pushes.next = (self.pushing >> effective).get_bit(0);
    }
}
