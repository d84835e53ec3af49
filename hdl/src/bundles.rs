//! Bundles of ports that several circuits share.

use hpp_golden::config::Geometry;
use hpp_golden::ingress::RvfiNext;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::bundle;

/// The native ingress port, on which a core offers branch records.
#[bundle(geometry: &Geometry)]
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
    #[bits(geometry.pc_bits)]
    pub target: Signal<In, Bits<64>>,
    /// Address after the branch, or of the trapped instruction; read by stack check and triggers only.
    #[bits(geometry.pc_bits)]
    pub next: Signal<In, Bits<64>>,
    /// Context of the next instruction to retire: hart, privilege, address space.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// Events of the selected type since the previous record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
}

/// Retirements on a RISC-V Formal Interface (RVFI). Multiple channels are concatenated, channel 0 in the
/// low bits.
#[bundle(
    geometry: &Geometry,
    options: &IngressOptions,
    let channels = options.retire_channels,
    let shows_next = options.rvfi_next == RvfiNext::PcWdata
)]
pub struct RvfiPort {
    /// Instruction retires; channel 0 is the oldest.
    #[bits(channels)]
    pub valid: Signal<In, Bits<4>>,
    /// Encoding of the instruction; if compressed, in the low half.
    #[bits(32 * channels)]
    pub insn: Signal<In, Bits<128>>,
    /// Instruction traps and does not complete.
    #[bits(channels)]
    pub trap: Signal<In, Bits<4>>,
    /// Instruction is the first of a trap handler.
    #[bits(channels)]
    #[present(shows_next)]
    pub intr: Signal<In, Bits<4>>,
    /// Address of the instruction.
    #[bits(geometry.pc_bits * channels)]
    pub pc_rdata: Signal<In, Bits<256>>,
    /// Address of the next instruction of the program, not of an interrupt handler that comes first.
    #[bits(geometry.pc_bits * channels)]
    #[present(shows_next)]
    pub pc_wdata: Signal<In, Bits<256>>,
    /// Context of the instruction: hart, privilege, address space.
    #[bits(geometry.context_bits * channels)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<32>>,
    /// Stall: the core must not retire; retirements of the first stall cycle are still accepted.
    pub stall: Signal<Out, Bit>,
}

/// Last stage of a core that does not output the next address.
#[bundle(geometry: &Geometry)]
pub struct RetirePort {
    /// Instruction retires, or trap is taken.
    pub valid: Signal<In, Bit>,
    /// Trap is taken; no instruction retires in this cycle.
    pub trap: Signal<In, Bit>,
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// retire_insn shows a compressed instruction expanded to 32 bits; 0 if it shows the original.
    pub expanded: Signal<In, Bit>,
    /// Address of the instruction; on a trap, the address the handler returns to.
    #[bits(geometry.pc_bits)]
    pub pc: Signal<In, Bits<64>>,
    /// Context of the instruction (hart, privilege, address space); on a trap, of the interrupted program.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// Stall: the core must not retire; one instruction in the first stall cycle is still accepted.
    pub stall: Signal<Out, Bit>,
}

/// Interface of a RISC-V hart to a trace encoder (E-Trace).
#[bundle(geometry: &Geometry, options: &IngressOptions)]
pub struct TracePort {
    /// Type of the block's last instruction, or of a trap after it.
    #[bits(options.itype_bits)]
    pub itype: Signal<In, Bits<4>>,
    /// Trap cause; not used by this profiler.
    pub cause: Signal<In, Bits<6>>,
    /// Trap value; not used by this profiler.
    #[bits(geometry.pc_bits)]
    pub tval: Signal<In, Bits<64>>,
    /// Privilege level; read only as part of the context.
    pub privilege: Signal<In, Bits<3>>,
    /// Address of the first instruction of the block.
    #[bits(geometry.pc_bits)]
    pub iaddr: Signal<In, Bits<64>>,
    /// Halfwords retired in the block; instructions on a single-retirement interface.
    #[bits(options.iretire_bits)]
    pub iretire: Signal<In, Bits<8>>,
    /// Size of the block's last instruction: 2^ilastsize halfwords.
    pub ilastsize: Signal<In, Bit>,
    /// Context of the block: hart, privilege, address space.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
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
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// Address after the branch, or of the trapped instruction.
    #[bits(geometry.pc_bits)]
    #[present(geometry.takes_next())]
    pub next_address: Signal<In, Bits<64>>,
    /// Events of the record: those of the selected type since the previous record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
}

/// Branch records from an ingress to the queue.
#[bundle(geometry: &Geometry, mirror = RecordSource)]
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
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// Address after the branch, or of the trapped instruction.
    #[bits(geometry.pc_bits)]
    #[present(geometry.takes_next())]
    pub next_address: Signal<In, Bits<64>>,
    /// Events of the record: those of the selected type since the previous record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
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
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<In, Bits<64>>,
    /// Address after the record, without constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    #[present(geometry.stack_check)]
    pub next_address: Signal<In, Bits<64>>,
    /// Events of the record: those of the selected type since the previous record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
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
    #[bits(geometry.extension_bits)]
    pub max_extension: Signal<In, Bits<8>>,
    /// Context filter: mask of the context bits that are compared.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_mask: Signal<In, Bits<8>>,
    /// Context filter: value of the compared bits; other paths are dropped.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_value: Signal<In, Bits<8>>,
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
    #[bits(geometry.extension_bits)]
    pub next_limit: Signal<In, Bits<8>>,
    /// Outcome to append: 1 taken; 0 if none is appended.
    pub taken: Signal<In, Bit>,
    /// Start of a new path, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<In, Bits<64>>,
    /// Address after the record, without constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    #[present(geometry.stack_check)]
    pub next_address: Signal<In, Bits<64>>,
    /// Branch record is valid.
    #[present(geometry.stack_check)]
    pub valid: Signal<In, Bit>,
    /// Record is a trap.
    #[present(geometry.stack_check)]
    pub is_trap: Signal<In, Bit>,
    /// Record is a return.
    #[present(geometry.stack_check)]
    pub is_return: Signal<In, Bit>,
    /// Record is a return from a trap.
    #[present(geometry.stack_check)]
    pub is_trap_return: Signal<In, Bit>,
    /// Context filter: mask of the context bits that are compared.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_mask: Signal<In, Bits<8>>,
    /// Context filter: value of the compared bits; other paths are dropped.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_value: Signal<In, Bits<8>>,
    /// Events to add to the path; 0 if none are counted.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
    /// Empty the stack and begin a path at target; row, extends and retracts are then 0.
    ///
    /// The first record after reset must set it.
    pub purge: Signal<In, Bit>,
}

/// Completed paths.
#[bundle(geometry: &Geometry, mirror = PathSink)]
pub struct PathSource {
    /// Completed path is valid; 1 for one cycle per path.
    pub valid: Signal<Out, Bit>,
    /// Address of the path's first instruction; context, if any, in the bits above.
    #[bits(geometry.start_bits())]
    pub start: Signal<Out, Bits<64>>,
    /// Number of branches recorded along the path.
    #[bits(geometry.length_bits())]
    pub length: Signal<Out, Bits<7>>,
    /// Outcomes of the path's branches: 1 taken, first branch in bit 0.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Count of the path, added to its accumulator: 1 or its events.
    #[bits(geometry.event_counter_bits)]
    pub count: Signal<Out, Bits<32>>,
}

/// An evicted path.
#[bundle(geometry: &Geometry, mirror = LeftSink, wires = LeftWires)]
pub struct LeftSource {
    /// Pulse: a path is evicted from the table.
    #[present(geometry.has_drain())]
    pub valid: Signal<Out, Bit>,
    /// Start of the evicted path, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    #[present(geometry.has_drain())]
    pub start: Signal<Out, Bits<64>>,
    /// Outcomes of the evicted path, first branch in bit 0.
    #[bits(geometry.max_branches)]
    #[present(geometry.has_drain())]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Length of the evicted path in branches.
    #[bits(geometry.length_bits())]
    #[present(geometry.has_drain())]
    pub length: Signal<Out, Bits<7>>,
    /// Accumulator of the evicted path.
    #[bits(geometry.accumulator_bits)]
    #[present(geometry.has_drain())]
    pub count: Signal<Out, Bits<32>>,
}

/// Streaming ports of the drain, a valid/ready handshake.
#[bundle(geometry: &Geometry, mirror = DrainSink)]
pub struct DrainPort {
    /// Valid: an evicted path is offered.
    #[present(geometry.has_drain())]
    pub valid: Signal<Out, Bit>,
    /// Ready: the offered path is accepted in this cycle.
    #[present(geometry.has_drain())]
    pub ready: Signal<In, Bit>,
    /// Address of the path's first instruction; context, if any, in the bits above.
    #[bits(geometry.start_bits())]
    #[present(geometry.has_drain())]
    pub start: Signal<Out, Bits<64>>,
    /// Number of branches recorded along the path.
    #[bits(geometry.length_bits())]
    #[present(geometry.has_drain())]
    pub length: Signal<Out, Bits<7>>,
    /// Outcomes of the path's branches: 1 taken, first branch in bit 0.
    #[bits(geometry.max_branches)]
    #[present(geometry.has_drain())]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Accumulator of the path at its eviction.
    #[bits(geometry.accumulator_bits)]
    #[present(geometry.has_drain())]
    pub count: Signal<Out, Bits<32>>,
}
