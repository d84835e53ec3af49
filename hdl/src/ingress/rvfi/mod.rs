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
use crate::bundles::{RecordSource, RvfiPort, SlotSource};
use crate::circuit::circuit;

pub use channel::RvfiChannel;
pub use direct::DirectTarget;
pub use state::RvfiState;

use state::StateSource;

/// Branch records from the retirements on a RISC-V Formal Interface (RVFI).
/// The core has as many address bits as the profiler; more than 32 select RV64.
#[circuit(
    geometry: &Geometry,
    options: &IngressOptions,
    let channels = options.retire_channels
)]
pub struct RvfiIngress {
    /// Retirements of the core.
    #[bundle(geometry, options)]
    pub rvfi: RvfiPort,
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    #[bits(geometry.event_bits * options.event_inputs)]
    pub event_in: Signal<In, Bits<64>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// Records to the profiler.
    #[bundle(geometry)]
    pub records: RecordSource,

    #[new(geometry, options)]
    #[connect(event_in, event_select)]
    choice: EventChoice,
    #[each(i in channels)]
    #[new(geometry, options)]
    channels: Vec<RvfiChannel>,
    #[new(geometry, options)]
    state: RvfiState,
    #[new(geometry, 2 * channels, 1)]
    #[connect(stall = rvfi.stall, records)]
    buffer: RecordBuffer,

    #[each(i in channels)]
    #[number(geometry.pc_bits * i)]
    pc_lsbs: Vec<Constant<Bits<8>>>,
    #[each(i in channels)]
    #[number(geometry.context_bits * i)]
    context_lsbs: Vec<Constant<Bits<8>>>,
    #[number(Geometry::mask(geometry.context_bits))]
    context_mask: Constant<Bits<8>>,
    #[number(Geometry::mask(geometry.pc_bits))]
    pc_mask: Constant<Bits<64>>,
    #[value(channels as usize)]
    _channels: usize,
}

impl Logic for RvfiIngress {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self._channels {
            self.channels[i].valid.next = self.rvfi.valid.val().get_bit(i);
            self.channels[i].trap.next = self.rvfi.trap.val().get_bit(i);
            self.channels[i].intr.next = self.rvfi.intr.val().get_bit(i);
            self.channels[i].insn.next = self.rvfi.insn.val().get_bits::<32>(32 * i);
            self.channels[i].pc_rdata.next = (self.rvfi.pc_rdata.val() >> self.pc_lsbs[i].val())
                .get_bits::<64>(0)
                & self.pc_mask.val();
            self.channels[i].pc_wdata.next = (self.rvfi.pc_wdata.val() >> self.pc_lsbs[i].val())
                .get_bits::<64>(0)
                & self.pc_mask.val();
            self.channels[i].context.next = (self.rvfi.context.val() >> self.context_lsbs[i].val())
                .get_bits::<8>(0)
                & self.context_mask.val();

            // Channel 0 counts the events that do not depend on a retirement.
            self.channels[i].step.next = self.choice.step.val();
            self.channels[i].counts.next =
                self.rvfi.valid.val().get_bit(i) | !self.choice.instructions.val();
            if i.to_bits::<4>() != 0 {
                self.channels[i].step.next = 0.into();
                if self.choice.instructions.val() {
                    self.channels[i].step.next = 1.into();
                }
            }

            SlotSource::join(&mut self.channels[i].own, &mut self.buffer.slot[2 * i]);
            SlotSource::join(
                &mut self.channels[i].entry,
                &mut self.buffer.slot[2 * i + 1],
            );
        }

        // State passes from channel to channel, and from the last channel to the next cycle.
        StateSource::join(&mut self.state.q, &mut self.channels[0].before);
        for i in 1..self._channels {
            self.channels[i].before.trapped.next = self.channels[i - 1].after.trapped.val();
            self.channels[i].before.held.next = self.channels[i - 1].after.held.val();
            self.channels[i].before.departs.next = self.channels[i - 1].after.departs.val();
            self.channels[i].before.kind.next = self.channels[i - 1].after.kind.val();
            self.channels[i].before.conditional.next = self.channels[i - 1].after.conditional.val();
            self.channels[i].before.anywhere.next = self.channels[i - 1].after.anywhere.val();
            self.channels[i].before.interrupted.next = self.channels[i - 1].after.interrupted.val();
            self.channels[i].before.handler.next = self.channels[i - 1].after.handler.val();
            self.channels[i].before.target.next = self.channels[i - 1].after.target.val();
            self.channels[i].before.context.next = self.channels[i - 1].after.context.val();
            self.channels[i].before.next_address.next =
                self.channels[i - 1].after.next_address.val();
            self.channels[i].before.events.next = self.channels[i - 1].after.events.val();
            self.channels[i].before.count.next = self.channels[i - 1].after.count.val();
        }
        for i in 0..self._channels {
            StateSource::join(&mut self.channels[i].after, &mut self.state.d);
        }
        self.buffer.write.next = self.rvfi.valid.val().any();
    }
}
