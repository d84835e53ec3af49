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

use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::Rows;
use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::ingress::InstructionClass;
use crate::register::{Delay, Register};

/// One bit for each kind of record: whether its row has the operation of this bit.
fn kinds(operation: u32) -> u32 {
    let rows = Rows::default().to_word();
    (0..8).fold(0, |kinds, kind| {
        kinds | (rows >> (4 * kind + operation) & 1) << kind
    })
}

/// Ball-Larus operations of the last stage's branch records.
#[circuit()]
pub struct FixedRows {
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

    #[new(true)]
    class: InstructionClass,
    held: Register<Bit>,
    kind: Delay<Bits<3>>,
    conditional: Delay<Bit>,
    before: Delay<Bits<11>>,

    wide: Signal<Local, Bit>,
    differ: Signal<Local, Bits<11>>,
    effective: Signal<Local, Bits<3>>,
    #[number(BranchKind::Trap.code())]
    trap_kind: Constant<Bits<3>>,
    #[number(kinds(0))]
    updating: Constant<Bits<8>>,
    #[number(kinds(2))]
    popping: Constant<Bits<8>>,
    #[number(kinds(3))]
    pushing: Constant<Bits<8>>,
}

impl Logic for FixedRows {
    #[hdl_gen]
    fn update(&mut self) {
        // Hold the last instruction until the next address is known. An encoding whose low bits mean a compressed
        // instruction is no branch.
        self.wide.next = self.insn.val().get_bits::<2>(0) == 3;
        self.class.insn.next = self.insn.val() | 3;
        if self.valid.val() {
            self.held.d.next = self.trap.val() | (self.wide.val() & self.class.transfer.val());
            self.kind.d.next = self.class.kind.val();
            self.conditional.d.next = self.class.conditional.val();
            if self.trap.val() {
                self.kind.d.next = self.trap_kind.val();
                self.conditional.d.next = false;
            }
            self.before.d.next = self.pc.val();
        }

        // An address and its successor differ in bit 0 and in every bit that a carry reaches.
        self.differ.next =
            (self.before.q.val() ^ self.pc.val()) ^ ((self.before.q.val() & !self.pc.val()) << 1);
        self.taken.next = !self.conditional.q.val() | ((self.differ.val() & 0x7ff) != 1);

        // A backward branch that is not taken has the row of forward branches.
        self.effective.next = self.kind.q.val();
        if !self.taken.val() {
            self.effective.next = 0.into();
        }
        self.known.next = self.valid.val() & self.held.q.val();
        self.updates.next = (self.updating.val() >> self.effective.val()).get_bit(0);
        self.pops.next = (self.popping.val() >> self.effective.val()).get_bit(0);
        self.pushes.next = (self.pushing.val() >> self.effective.val()).get_bit(0);
    }
}
