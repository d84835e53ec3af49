//! Bundles of ports that several circuits share.

use hpp_golden::config::Geometry;
use hpp_golden::ingress::RvfiNext;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::bundle;

/// The native ingress port, on which a core offers branch records.
#[bundle(geometry: &Geometry, present = geometry.harts == 1)]
pub struct RecordPort {
    /// Record valid: the core offers a branch record.
    pub valid: Signal<In, Bit>,
    /// Ready: the record need not be held; 0 stalls retirement. Always 1 in lossy mode, which drops a record if the queue is full.
    pub ready: Signal<Out, Bit>,
    /// Kind: 0 forward, 1 backward, 2 indirect, 3 call, 4 return, 5 indirect call, 6 trap, 7 trap return.
    pub kind: Signal<In, Bits<3>>,
    /// Outcome: 0 for a conditional branch not taken, else 1.
    pub taken: Signal<In, Bit>,
    /// Address at which the program continues, even if an interrupt is taken first; of a trap, the handler's.
    pub target: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Address after the branch, or of the trapped instruction; read by stack check and triggers only.
    pub next: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Context of the next instruction to retire: hart, privilege, address space.
    pub context: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Events of the selected type since the previous record.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
}

/// Retirements on a RISC-V Formal Interface (RVFI). Multiple channels are concatenated, channel 0 in the
/// low bits.
#[bundle(
    geometry: &Geometry,
    options: &IngressOptions,
    let channels = options.retire_channels,
    let shows_next = options.rvfi_next == RvfiNext::PcWdata,
    present = geometry.harts == 1
)]
pub struct RvfiPort {
    /// Instruction retires; channel 0 is the oldest.
    pub valid: Signal<In, Bits<4, channels>>,
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<128, { 32 * channels }>>,
    /// Instruction traps and does not complete.
    pub trap: Signal<In, Bits<4, channels>>,
    /// Instruction is the first of a trap handler.
    pub intr: Signal<In, Bits<4, channels>, shows_next>,
    /// Address of the instruction.
    pub pc_rdata: Signal<In, Bits<256, { geometry.pc_bits * channels }>>,
    /// Address of the next instruction of the program, not of an interrupt handler that comes first.
    pub pc_wdata: Signal<In, Bits<256, { geometry.pc_bits * channels }>, shows_next>,
    /// Instruction is the last of a hardware loop's body: its address plus 4 is lpend0 or lpend1.
    pub loop_end: Signal<In, Bits<4, channels>, { options.has_loops() }>,
    /// Context of the instruction: hart, privilege, address space.
    pub context:
        Signal<In, Bits<32, { geometry.context_bits * channels }>, { geometry.context_bits > 0 }>,
    /// Stall: the core must not retire; retirements of the first stall cycle are still accepted.
    pub stall: Signal<Out, Bit>,
}

/// Last stage of a core that does not output the next address.
#[bundle(geometry: &Geometry, options: &IngressOptions, present = geometry.harts == 1)]
pub struct RetirePort {
    /// Instruction retires, or trap is taken.
    pub valid: Signal<In, Bit>,
    /// Trap is taken; no instruction retires in this cycle.
    pub trap: Signal<In, Bit>,
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// retire_insn shows a compressed instruction expanded to 32 bits; 0 if it shows the original.
    pub expanded: Signal<In, Bit>,
    /// Instruction is the last of a hardware loop's body: its address plus 4 is lpend0 or lpend1.
    pub loop_end: Signal<In, Bit, { options.has_loops() }>,
    /// Address of the instruction; on a trap, the address the handler returns to.
    pub pc: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Context of the instruction (hart, privilege, address space); on a trap, of the interrupted program.
    pub context: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Stall: the core must not retire; one instruction in the first stall cycle is still accepted.
    pub stall: Signal<Out, Bit>,
}

/// Interface of a RISC-V hart to a trace encoder (E-Trace).
#[bundle(geometry: &Geometry, options: &IngressOptions, present = geometry.harts == 1)]
pub struct TracePort {
    /// Type of the block's last instruction, or of a trap after it.
    pub itype: Signal<In, Bits<4, { options.itype_bits }>>,
    /// Trap cause; not used by this profiler.
    pub cause: Signal<In, Bits<6>>,
    /// Trap value; not used by this profiler.
    pub tval: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Privilege level; read only as part of the context.
    pub privilege: Signal<In, Bits<3>>,
    /// Address of the first instruction of the block.
    pub iaddr: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Halfwords retired in the block; instructions on a single-retirement interface.
    pub iretire: Signal<In, Bits<8, { options.iretire_bits }>>,
    /// Size of the block's last instruction: 2^ilastsize halfwords.
    pub ilastsize: Signal<In, Bit>,
    /// Context of the block: hart, privilege, address space.
    pub context: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Stall: the hart must not retire; one block in the first stall cycle is still accepted.
    pub stall: Signal<Out, Bit>,
}

/// One of the branch records of a cycle.
#[bundle(geometry: &Geometry, mirror = SlotSource)]
pub struct SlotSink {
    /// Slot holds a branch record.
    pub valid: Signal<In, Bit>,
    /// A record before this one was lost.
    pub after_loss: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of the record: 1 taken.
    pub taken: Signal<In, Bit>,
    /// Target address of the record; context in the bits above.
    pub target: Signal<In, Bits<64, { geometry.start_bits() }>>,
    /// Address after the branch, or of the trapped instruction.
    pub next_address: Signal<In, Bits<64, { geometry.pc_bits }>, { geometry.takes_next() }>,
    /// Events of the record: those of the selected type since the previous record.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
}

/// Branch records from an ingress to the queue.
#[bundle(geometry: &Geometry, mirror = RecordSource, present = geometry.harts == 1)]
pub struct RecordSink {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Branch record is accepted in this cycle.
    pub ready: Signal<Out, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of the record: 1 taken.
    pub taken: Signal<In, Bit>,
    /// Target address of the record; context in the bits above.
    pub target: Signal<In, Bits<64, { geometry.start_bits() }>>,
    /// Address after the branch, or of the trapped instruction.
    pub next_address: Signal<In, Bits<64, { geometry.pc_bits }>, { geometry.takes_next() }>,
    /// Events of the record: those of the selected type since the previous record.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// A record before this one was lost.
    pub after_loss: Signal<In, Bit>,
    /// Pulse: the ingress lost a record (statistics).
    pub lost: Signal<In, Bit>,
}

/// A branch record from the output of the queue.
#[bundle(geometry: &Geometry, mirror = QueuedSource)]
pub struct QueuedSink {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Branch kind of the record (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of the record: 1 taken.
    pub taken: Signal<In, Bit>,
    /// Target address and context of the record, without constant low bits.
    pub target: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Address after the record, without constant low bits.
    pub next_address:
        Signal<In, Bits<64, { geometry.pc_bits - geometry.align }>, { geometry.stack_check }>,
    /// Events of the record: those of the selected type since the previous record.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Empty the stack before this record.
    pub purge_first: Signal<In, Bit>,
}

/// The PPCR fields that the detector uses.
#[bundle(geometry: &Geometry, mirror = ControlSource)]
pub struct ControlSink {
    /// The eight PPCR rows, row 0 lowest; bits of a row: update, update_count, pop, push from bit 0.
    pub rows: Signal<In, Bits<32>>,
    /// Metric: 1 a path counts its events, 0 a path counts 1.
    pub metric_events: Signal<In, Bit>,
    /// Backward branches that are not taken use the row of backward branches.
    pub not_taken_as_backward: Signal<In, Bit>,
    /// Paths extend across: 0 nothing, 1 loops, 2 procedures.
    pub extension: Signal<In, Bits<2>>,
    /// Maximum number of extensions of a path.
    pub max_extension: Signal<In, Bits<8, { geometry.extension_bits }>>,
    /// Context filter: mask of the context bits that are compared.
    pub context_mask: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Context filter: value of the compared bits; other paths are dropped.
    pub context_value:
        Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
}

/// The operations of a record on the path stack.
#[bundle(geometry: &Geometry, mirror = StepSource)]
pub struct StepSink {
    /// Operations: update, update_count, pop, push from bit 0; 0 without a record.
    pub row: Signal<In, Bits<4>>,
    /// The path extends if its extension counter is below the limit.
    pub extends: Signal<In, Bit>,
    /// The path takes an extension back if its extension counter is above 0.
    pub retracts: Signal<In, Bit>,
    /// A pop with a push, or a split, keeps the extension counter.
    pub keeps: Signal<In, Bit>,
    /// Metric: 1 a path counts its events, 0 a path counts 1.
    pub counts_events: Signal<In, Bit>,
    /// Limit of the extension counter for the next record; one cycle early.
    pub next_limit: Signal<In, Bits<8, { geometry.extension_bits }>>,
    /// Outcome to append: 1 taken; 0 if none is appended.
    pub taken: Signal<In, Bit>,
    /// Start of a new path, without constant low bits.
    pub target: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Address after the record, without constant low bits.
    pub next_address:
        Signal<In, Bits<64, { geometry.pc_bits - geometry.align }>, { geometry.stack_check }>,
    /// Branch record is valid.
    pub valid: Signal<In, Bit, { geometry.stack_check }>,
    /// Record is a trap.
    pub is_trap: Signal<In, Bit, { geometry.stack_check }>,
    /// Record is a return.
    pub is_return: Signal<In, Bit, { geometry.stack_check }>,
    /// Record is a return from a trap.
    pub is_trap_return: Signal<In, Bit, { geometry.stack_check }>,
    /// Context filter: mask of the context bits that are compared.
    pub context_mask: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Context filter: value of the compared bits; other paths are dropped.
    pub context_value:
        Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Events to add to the path; 0 if none are counted.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Empty the stack and begin a path at target; row, extends and retracts are then 0.
    ///
    /// The first record after reset must set it.
    pub purge: Signal<In, Bit>,
}

/// What happens to the path stack.
#[bundle(geometry: &Geometry)]
pub struct StackEvents {
    /// Pulse: a path was split at the maximum length (statistics).
    pub split: Signal<Out, Bit>,
    /// Pulse: a pop left the stack empty (statistics).
    pub underflow: Signal<Out, Bit>,
    /// Pulse: a push dropped the oldest stack entry (statistics).
    pub overflow: Signal<Out, Bit>,
    /// Pulse: an event counter saturated (sets a sticky error).
    pub saturated: Signal<Out, Bit>,
    /// Pulse: a return did not match the top frame and the stack was repaired (statistics).
    pub repaired: Signal<Out, Bit, { geometry.stack_check }>,
}

/// Completed paths.
#[bundle(geometry: &Geometry, mirror = PathSink)]
pub struct PathSource {
    /// Completed path is valid; 1 for one cycle per path.
    pub valid: Signal<Out, Bit>,
    /// Address of the path's first instruction; context, if any, in the bits above.
    pub start: Signal<Out, Bits<64, { geometry.start_bits() }>>,
    /// Number of branches recorded along the path.
    pub length: Signal<Out, Bits<7, { geometry.length_bits() }>>,
    /// Outcomes of the path's branches: 1 taken, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { geometry.max_branches }>>,
    /// Count of the path, added to its accumulator: 1 or its events.
    pub count: Signal<Out, Bits<32, { geometry.event_counter_bits }>>,
}

/// An evicted path.
#[bundle(geometry: &Geometry, mirror = LeftSink, wires = LeftWires, present = geometry.has_drain())]
pub struct LeftSource {
    /// Pulse: a path is evicted from the table.
    pub valid: Signal<Out, Bit>,
    /// Start of the evicted path, without constant low bits.
    pub start: Signal<Out, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Outcomes of the evicted path, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { geometry.max_branches }>>,
    /// Length of the evicted path in branches.
    pub length: Signal<Out, Bits<7, { geometry.length_bits() }>>,
    /// Accumulator of the evicted path.
    pub count: Signal<Out, Bits<32, { geometry.accumulator_bits }>>,
}

/// Streaming ports of the drain, a valid/ready handshake.
#[bundle(geometry: &Geometry, mirror = DrainSink, present = geometry.has_drain())]
pub struct DrainPort {
    /// Valid: an evicted path is offered.
    pub valid: Signal<Out, Bit>,
    /// Ready: the offered path is accepted in this cycle.
    pub ready: Signal<In, Bit>,
    /// Address of the path's first instruction; context, if any, in the bits above.
    pub start: Signal<Out, Bits<64, { geometry.start_bits() }>>,
    /// Number of branches recorded along the path.
    pub length: Signal<Out, Bits<7, { geometry.length_bits() }>>,
    /// Outcomes of the path's branches: 1 taken, first branch in bit 0.
    pub outcomes: Signal<Out, Bits<64, { geometry.max_branches }>>,
    /// Accumulator of the path at its eviction.
    pub count: Signal<Out, Bits<32, { geometry.accumulator_bits }>>,
}
