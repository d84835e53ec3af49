//! Bundles of ports that several circuits share.

use hpp_golden::config::Geometry;
use hpp_ingress::RvfiNext;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::bundle;

/// The native ingress port, on which a core offers branch records.
#[bundle(geometry: &Geometry)]
pub struct RecordPort {
    /// A branch record is offered.
    pub valid: Signal<In, Bit>,
    /// The record is taken in this cycle; 0 asks the core to hold retirement.
    pub ready: Signal<Out, Bit>,
    /// 0 forward, 1 backward, 2 indirect, 3 call, 4 return, 5 indirect call, 6 trap, 7 trap return.
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of a conditional branch; 1 for every other kind.
    pub taken: Signal<In, Bit>,
    /// Address of the next instruction that retires.
    #[bits(geometry.pc_bits)]
    pub target: Signal<In, Bits<64>>,
    /// Address of the instruction after the branch in program order, or of the one that trapped; used by a checked stack and triggers alone.
    #[bits(geometry.pc_bits)]
    pub next: Signal<In, Bits<64>>,
    /// Context of the next instruction that retires: hart, privilege, address space.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// Events of the selected type since the previous record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
}

/// The retirements of a core on a RISC-V Formal Interface. With several channels, each port concatenates them, channel
/// 0 lowest.
#[bundle(
    geometry: &Geometry,
    options: &IngressOptions,
    let channels = options.retire_channels,
    let shows_next = options.rvfi_next == RvfiNext::PcWdata
)]
pub struct RvfiPort {
    /// An instruction retires; on channel 0 the earliest.
    #[bits(channels)]
    pub valid: Signal<In, Bits<4>>,
    /// Its encoding; a compressed instruction in the low half.
    #[bits(32 * channels)]
    pub insn: Signal<In, Bits<128>>,
    /// It traps and does not complete.
    #[bits(channels)]
    pub trap: Signal<In, Bits<4>>,
    /// It is the first of a trap handler.
    #[bits(channels)]
    #[present(shows_next)]
    pub intr: Signal<In, Bits<4>>,
    /// Its address.
    #[bits(geometry.pc_bits * channels)]
    pub pc_rdata: Signal<In, Bits<256>>,
    /// Address of the next instruction that retires.
    #[bits(geometry.pc_bits * channels)]
    #[present(shows_next)]
    pub pc_wdata: Signal<In, Bits<256>>,
    /// Context in which it executes: hart, privilege, address space.
    #[bits(geometry.context_bits * channels)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<32>>,
    /// The core must not retire anything; the first such cycle still has room for what retires.
    pub stall: Signal<Out, Bit>,
}

/// The last stage of a core that does not know the next address.
#[bundle(geometry: &Geometry)]
pub struct RetirePort {
    /// An instruction retires, or a trap is taken.
    pub valid: Signal<In, Bit>,
    /// A trap is taken, and no instruction retires.
    pub trap: Signal<In, Bit>,
    /// Encoding of the instruction; a compressed one in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// It takes 2 bytes, though the core shows it expanded to 4; 0 if the core shows what the program has.
    pub expanded: Signal<In, Bit>,
    /// Its address; of a trap, the address it returns to.
    #[bits(geometry.pc_bits)]
    pub pc: Signal<In, Bits<64>>,
    /// Context in which it executes (hart, privilege, address space); of a trap, in which the program would have gone on.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// The core must not retire an instruction; the first such cycle still has room for one.
    pub stall: Signal<Out, Bit>,
}

/// The interface of a RISC-V hart to a trace encoder.
#[bundle(geometry: &Geometry, options: &IngressOptions)]
pub struct TracePort {
    /// Type of the last instruction of the block, or of a trap after it.
    #[bits(options.itype_bits)]
    pub itype: Signal<In, Bits<4>>,
    /// Cause of a trap; not used by this profiler.
    pub cause: Signal<In, Bits<6>>,
    /// Its trap value; not used by this profiler.
    #[bits(geometry.pc_bits)]
    pub tval: Signal<In, Bits<64>>,
    /// Privilege level; not used by this profiler, but may be part of the context.
    pub privilege: Signal<In, Bits<3>>,
    /// Address of the first instruction of the block.
    #[bits(geometry.pc_bits)]
    pub iaddr: Signal<In, Bits<64>>,
    /// Half words that retire; on a single-retirement interface, instructions.
    #[bits(options.iretire_bits)]
    pub iretire: Signal<In, Bits<8>>,
    /// The last instruction has 2 to that power of half words.
    pub ilastsize: Signal<In, Bit>,
    /// Context of the block: hart, privilege, address space.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// The hart must not retire an instruction; the first such cycle still has room for a block.
    pub stall: Signal<Out, Bit>,
}

/// One of the records of a cycle.
#[bundle(geometry: &Geometry, mirror = SlotSource)]
pub struct SlotSink {
    /// There is one.
    pub valid: Signal<In, Bit>,
    /// Something before it is missing.
    pub after_loss: Signal<In, Bit>,
    /// Its kind.
    pub kind: Signal<In, Bits<3>>,
    /// Its outcome.
    pub taken: Signal<In, Bit>,
    /// Its target, the context above the address.
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// The address after it.
    #[bits(geometry.pc_bits)]
    #[present(geometry.takes_next())]
    pub next_address: Signal<In, Bits<64>>,
    /// Its events.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
}

/// Branch records from an ingress to the queue.
#[bundle(geometry: &Geometry, mirror = RecordSource)]
pub struct RecordSink {
    /// A record is offered.
    pub valid: Signal<In, Bit>,
    /// The record is taken.
    pub ready: Signal<Out, Bit>,
    /// Its kind.
    pub kind: Signal<In, Bits<3>>,
    /// Its outcome.
    pub taken: Signal<In, Bit>,
    /// Address of the next instruction that retires, and above it its context.
    #[bits(geometry.start_bits())]
    pub target: Signal<In, Bits<64>>,
    /// Address of the instruction after the branch in program order, or of the one that trapped.
    #[bits(geometry.pc_bits)]
    #[present(geometry.takes_next())]
    pub next_address: Signal<In, Bits<64>>,
    /// Events since the record before.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
    /// A record between this one and the one before is missing.
    pub after_loss: Signal<In, Bit>,
    /// The ingress loses a record in this cycle (statistics).
    pub lost: Signal<In, Bit>,
}

/// A record that has left the queue.
#[bundle(geometry: &Geometry, mirror = QueuedSource)]
pub struct QueuedSink {
    /// There is a record.
    pub valid: Signal<In, Bit>,
    /// Its kind.
    pub kind: Signal<In, Bits<3>>,
    /// Its outcome.
    pub taken: Signal<In, Bit>,
    /// Its target with its context, without the constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<In, Bits<64>>,
    /// The address after it, without the constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    #[present(geometry.stack_check)]
    pub next_address: Signal<In, Bits<64>>,
    /// Its events.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
    /// The stack is emptied first.
    pub purge_first: Signal<In, Bit>,
}

/// The fields of the PPCR that the detector uses.
#[bundle(geometry: &Geometry, mirror = ControlSource)]
pub struct ControlSink {
    /// The eight rows, four bits each (update, update_count, pop, push from bit 0), row 0 lowest.
    pub rows: Signal<In, Bits<32>>,
    /// A path counts its events rather than 1.
    pub metric_events: Signal<In, Bit>,
    /// A backward branch that is not taken uses the row of backward branches.
    pub not_taken_as_backward: Signal<In, Bit>,
    /// What paths extend across: 0 nothing, 1 loops, 2 procedures.
    pub extension: Signal<In, Bits<2>>,
    /// How often a path may extend.
    #[bits(geometry.extension_bits)]
    pub max_extension: Signal<In, Bits<8>>,
    /// Bits of a path's context that decide whether it is shown.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_mask: Signal<In, Bits<8>>,
    /// What they have to be.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_value: Signal<In, Bits<8>>,
}

/// The operations of a record on the stack.
#[bundle(geometry: &Geometry, mirror = StepSource)]
pub struct StepSink {
    /// Update, (update_count), pop, push from bit 0. Without a record it is 0.
    pub row: Signal<In, Bits<4>>,
    /// The path extends if its counter is below the limit.
    pub extends: Signal<In, Bit>,
    /// The path takes an extension back if its counter is above 0.
    pub retracts: Signal<In, Bit>,
    /// A pop together with a push keeps the extension counter.
    pub keeps: Signal<In, Bit>,
    /// A path counts its events rather than 1.
    pub counts_events: Signal<In, Bit>,
    /// The greatest extension counter, for the record of the next cycle.
    #[bits(geometry.extension_bits)]
    pub next_limit: Signal<In, Bits<8>>,
    /// The outcome to append is taken; 0 if none is appended.
    pub taken: Signal<In, Bit>,
    /// Start of a new entry, without its constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<In, Bits<64>>,
    /// The address after the record, without its constant low bits.
    #[bits(geometry.pc_bits - geometry.align)]
    #[present(geometry.stack_check)]
    pub next_address: Signal<In, Bits<64>>,
    /// There is a record.
    #[present(geometry.stack_check)]
    pub valid: Signal<In, Bit>,
    /// It is a trap.
    #[present(geometry.stack_check)]
    pub is_trap: Signal<In, Bit>,
    /// It is a return.
    #[present(geometry.stack_check)]
    pub is_return: Signal<In, Bit>,
    /// It is a return from a trap.
    #[present(geometry.stack_check)]
    pub is_trap_return: Signal<In, Bit>,
    /// Bits of a path's context that decide whether it is shown.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_mask: Signal<In, Bits<8>>,
    /// What they have to be.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context_value: Signal<In, Bits<8>>,
    /// Events to add; 0 if none are counted.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
    /// Empty the stack: its only entry is a path that begins at the target. The row is 0, and the path neither extends
    /// nor takes an extension back. The first record after reset must say so.
    pub purge: Signal<In, Bit>,
}

/// Completed paths.
#[bundle(geometry: &Geometry, mirror = PathSink)]
pub struct PathSource {
    /// A path is complete.
    pub valid: Signal<Out, Bit>,
    /// Address of its first instruction, and above it its context if there are contexts.
    #[bits(geometry.start_bits())]
    pub start: Signal<Out, Bits<64>>,
    /// Branches recorded along it.
    #[bits(geometry.length_bits())]
    pub length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    #[bits(geometry.max_branches)]
    pub outcomes: Signal<Out, Bits<64>>,
    /// What it adds to its accumulator.
    #[bits(geometry.event_counter_bits)]
    pub count: Signal<Out, Bits<32>>,
}

/// An evicted entry.
#[bundle(geometry: &Geometry, mirror = LeftSink, wires = LeftWires)]
pub struct LeftSource {
    /// An entry has left.
    #[present(geometry.has_drain())]
    pub valid: Signal<Out, Bit>,
    /// Start of its path, without the constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    #[present(geometry.has_drain())]
    pub start: Signal<Out, Bits<64>>,
    /// Its outcomes.
    #[bits(geometry.max_branches)]
    #[present(geometry.has_drain())]
    pub outcomes: Signal<Out, Bits<64>>,
    /// Its length.
    #[bits(geometry.length_bits())]
    #[present(geometry.has_drain())]
    pub length: Signal<Out, Bits<7>>,
    /// Its accumulator.
    #[bits(geometry.accumulator_bits)]
    #[present(geometry.has_drain())]
    pub count: Signal<Out, Bits<32>>,
}

/// The streaming ports of the drain.
#[bundle(geometry: &Geometry, mirror = DrainSink)]
pub struct DrainPort {
    /// An entry is there.
    #[present(geometry.has_drain())]
    pub valid: Signal<Out, Bit>,
    /// It is taken in this cycle.
    #[present(geometry.has_drain())]
    pub ready: Signal<In, Bit>,
    /// Address of the path's first instruction, and above it its context if there are contexts.
    #[bits(geometry.start_bits())]
    #[present(geometry.has_drain())]
    pub start: Signal<Out, Bits<64>>,
    /// Branches recorded along the path.
    #[bits(geometry.length_bits())]
    #[present(geometry.has_drain())]
    pub length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    #[bits(geometry.max_branches)]
    #[present(geometry.has_drain())]
    pub outcomes: Signal<Out, Bits<64>>,
    /// What the path had counted.
    #[bits(geometry.accumulator_bits)]
    #[present(geometry.has_drain())]
    pub count: Signal<Out, Bits<32>>,
}
