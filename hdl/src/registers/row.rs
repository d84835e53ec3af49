//! One row of the Path Profiler Control Register.

use rust_hdl::prelude::*;

use crate::annotate::comment;
use crate::constant::number;
use crate::register::Register;

/// Four bits: update, update_count, pop, push. A row that asks for update and update_count is refused.
#[derive(LogicBlock)]
pub struct PpcrRow {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// All rows are written.
    pub write: Signal<In, Bit>,
    /// Byte lanes that count.
    pub lanes: Signal<In, Bits<4>>,
    /// The word of all rows.
    pub word: Signal<In, Bits<32>>,
    /// This row in its place, 0 elsewhere.
    pub row: Signal<Out, Bits<32>>,
    /// The row in `word` is illegal, and kept out.
    pub refused: Signal<Out, Bit>,
    bits: Register<Bits<4>>,
    writes: Signal<Local, Bit>,
    new_bits: Signal<Local, Bits<4>>,
    lane: Constant<Bits<4>>,
    lsb: Constant<Bits<8>>,
}

impl PpcrRow {
    /// The row at bits `lsb` + 3 to `lsb`, which resets to `reset`.
    #[must_use]
    pub fn new(lsb: u32, reset: u8) -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            write: Signal::default(),
            lanes: Signal::default(),
            word: Signal::default(),
            row: Signal::default(),
            refused: Signal::default(),
            bits: Register::new(4, u64::from(reset).into()),
            writes: Signal::default(),
            new_bits: Signal::default(),
            lane: number(1 << (lsb / 8)),
            lsb: number(lsb),
        }
    }
}

impl Logic for PpcrRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("ppcr_row: one row of the Path Profiler Control Register.");
        self.bits.clk.next = self.clk.val();
        self.bits.rst.next = self.rst.val();
        self.new_bits.next = bit_cast::<4, 32>(self.word.val() >> self.lsb.val());
        self.writes.next = self.write.val() & (self.lanes.val() & self.lane.val()).any();
        self.refused.next =
            self.writes.val() & self.new_bits.val().get_bit(0) & self.new_bits.val().get_bit(1);
        self.bits.d.next = self.bits.q.val();
        if self.writes.val() & !(self.new_bits.val().get_bit(0) & self.new_bits.val().get_bit(1)) {
            self.bits.d.next = self.new_bits.val();
        }
        self.row.next = bit_cast::<32, 4>(self.bits.q.val()) << self.lsb.val();
    }
}
