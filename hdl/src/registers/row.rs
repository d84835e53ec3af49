//! One row of the Path Profiler Control Register (PPCR).

use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Register;

/// One PPCR row; bits: update, update_count, pop, push from bit 0.
///
/// A row with both update and update_count is illegal. Its write is refused.
#[circuit(reset: u32)]
pub struct PpcrRow {
    /// Write of the row in this cycle.
    pub write: Signal<In, Bit>,
    /// Row to write.
    pub new_row: Signal<In, Bits<4>>,
    /// Current PPCR row.
    #[bits(4)]
    pub row: Signal<Out, Bits<32>>,
    /// Pulse: the row to write is illegal and refused.
    pub refused: Signal<Out, Bit>,
    #[reset(reset)]
    operations: Register<Bits<4>>,
    illegal: Signal<Local, Bit>,
}

impl Logic for PpcrRow {
    #[hdl_gen]
    fn update(&mut self) {
        self.illegal.next = self.new_row.val().get_bit(0) & self.new_row.val().get_bit(1);
        self.refused.next = self.write.val() & self.illegal.val();
        if self.write.val() & !self.illegal.val() {
            self.operations.d.next = self.new_row.val();
        }
        self.row.next = bit_cast::<32, 4>(self.operations.q.val());
    }
}
