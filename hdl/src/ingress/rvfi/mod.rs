//! The RVFI ingress: branch records from the retirements on a RISC-V Formal Interface.
//!
//! ```text
//!   rvfi_* ---> instruction class ---> [ held ] ---> record of the one before ---+---> [ buffer ] ---> records_*
//!      |                                              ^                          |
//!      +--- address of a trap return's target --------+     trap's record -------+
//!      +--> events since the last record
//! ```
//!
//! The record of an instruction is made when the next one retires, because only that reveals the target of a trap
//! return. `rvfi_pc_wdata` of some cores does not. All other transfers use `rvfi_pc_wdata`. The first instruction of a
//! trap handler retires with `rvfi_intr`, or right after an instruction with `rvfi_trap`. It also makes the record of
//! the trap. An instruction with `rvfi_trap` makes no record of its own.
//!
//! A handler right after a trap return hides the target of the return. The return then uses `rvfi_pc_wdata` as well,
//! unless that is the fall-through address; if it is, the trap's record carries `after_loss`. Some cores report the
//! handler's address as `rvfi_pc_wdata` of an interrupted instruction. The trap's record then carries `after_loss` too,
//! and the record of a conditional branch is dropped.
//!
//! With `rvfi_next = retirement` the ports `rvfi_intr` and `rvfi_pc_wdata` do not exist. The address of the next
//! retirement is the target of every transfer. If the last instruction cannot lead there, the next one is the first of
//! an interrupt handler. The target of a direct jump is still known then, and that of every other transfer is hidden. A
//! computed jump or a trap return can lead anywhere. It counts as interrupted if the handler of the last interrupt
//! follows.
//!
//! A core that retires several instructions in a cycle presents the earliest on channel 0. Each channel starts from the
//! state after the previous channel, so the records come in program order.
//!
//! A retirement makes at most two records: one for a transfer and one for a trap. The buffer drains during retirements
//! that make none. `rvfi_stall` rises when only one row of the buffer is free.
//!
//! Timing: a record is offered one cycle after the next retirement, at the earliest. `rvfi_stall` depends on registers
//! alone.

mod channel;
mod direct;
mod state;

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::{EventChoice, RecordBuffer};
use crate::IngressOptions;
use crate::bundles::{RecordSource, RvfiPort};
use crate::circuit::{circuit, kernel};

pub use channel::RvfiChannel;
pub use direct::DirectTarget;
pub use state::RvfiState;

use state::StateWires;

/// Branch records from the retirements on a RISC-V Formal Interface (RVFI).
/// The core has as many address bits as the profiler; more than 32 select RV64.
#[circuit(
    geometry: &Geometry,
    options: &IngressOptions,
    let channels = options.retire_channels,
    const context_mask: Bits<8> = Geometry::mask(geometry.context_bits),
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits),
    const _pc_lsbs: Vec<u32> = (0..channels).map(|channel| geometry.pc_bits * channel).collect(),
    const _context_lsbs: Vec<u32> = (0..channels).map(|channel| geometry.context_bits * channel).collect()
)]
pub struct RvfiIngress {
    /// Retirements of the core.
    pub rvfi: RvfiPort<geometry, options>,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    pub event_in: Signal<In, Bits<64, { geometry.event_bits * options.event_inputs }>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// 1: records are made; 0: the ingress rests, and the next record is that of an instruction that retires later.
    pub enable: Signal<In, Bit>,
    /// Records to the profiler.
    pub records: RecordSource<geometry>,

    #[connect(event_in, event_select)]
    choice: EventChoice<geometry, options>,
    #[connect(
        before = states[i], after = states[i + 1], own = buffer.slot[2 * i],
        entry = buffer.slot[2 * i + 1]
    )]
    channels: Vec<RvfiChannel<geometry, options>, channels>,
    /// The state passes from channel to channel, and from the last channel to the next cycle.
    states: Vec<StateWires<geometry, options>, { channels + 1 }>,
    #[connect(enable, q = states[0], d = states[self.channels.len()])]
    state: RvfiState<geometry, options>,
    #[connect(enable, stall = rvfi.stall, records)]
    buffer: RecordBuffer<geometry, { 2 * channels }, 1>,
}

#[kernel]
impl RvfiIngress {
    /// What each channel retires.
    fn channels(&mut self) {
        for i in 0..self.channels.len() {
            self.channels[i].valid.next = self.rvfi.valid.get_bit(i) & self.enable;
            self.channels[i].trap.next = self.rvfi.trap.get_bit(i);
            self.channels[i].intr.next = self.rvfi.intr.get_bit(i);
            self.channels[i].loop_end.next = self.rvfi.loop_end.get_bit(i);
            self.channels[i].insn.next = self.rvfi.insn.get_bits::<32>(32 * i);
            self.channels[i].pc_rdata.next =
                (self.rvfi.pc_rdata >> self._pc_lsbs[i]).get_bits::<64>(0) & self.pc_mask;
            self.channels[i].pc_wdata.next =
                (self.rvfi.pc_wdata >> self._pc_lsbs[i]).get_bits::<64>(0) & self.pc_mask;
            self.channels[i].context.next =
                (self.rvfi.context >> self._context_lsbs[i]).get_bits::<8>(0) & self.context_mask;

            // Channel 0 counts the events that do not depend on a retirement.
            self.channels[i].step.next = self.choice.step;
            self.channels[i].counts.next = self.rvfi.valid.get_bit(i) | !self.choice.instructions;
            if i.to_bits::<4>() != 0 {
                self.channels[i].step.next = 0.into();
                if self.choice.instructions {
                    self.channels[i].step.next = 1.into();
                }
            }
        }

        self.buffer.write.next = self.rvfi.valid.any();
    }
}
