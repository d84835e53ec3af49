//! Short scenarios of single steps, which property tests generate and shrink, and directed tests write out.

use super::bench::{Bench, Disagreement};
use super::pins::{Device, Request};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Offers a record until it is accepted, or for one cycle.
    Record {
        /// The record is offered until it is accepted.
        held: bool,
        kind: BranchKind,
        /// Outcome; unconditional kinds count as taken.
        taken: bool,
        /// Instruction slot of the target; addresses wrap around.
        target: u64,
        /// Events, truncated to the port's width.
        events: u32,
    },
    Idle(u8),
    /// Queues a bus request; the steps continue meanwhile.
    Request(Request),
    Check,
}

/// Performs the steps on an enabled profiler and reads everything back at the end.
pub fn play<D: Device>(bench: &mut Bench<D>, steps: &[Step]) -> Result<(), Disagreement> {
    bench.enable()?;
    for step in steps {
        match *step {
            Step::Record {
                held,
                kind,
                taken,
                target,
                events,
            } => {
                let record = record(bench.geometry(), kind, taken, target, events);
                while !bench.cycle(Some(&record))? && held {}
            }
            Step::Idle(cycles) => bench.idle(cycles.into())?,
            Step::Request(request) => bench.request(request),
            Step::Check => bench.check_everything()?,
        }
    }
    bench.check_everything()
}

fn record(
    geometry: &Geometry,
    kind: BranchKind,
    taken: bool,
    target: u64,
    events: u32,
) -> BranchRecord {
    let conditional = matches!(kind, BranchKind::Forward | BranchKind::Backward);
    let target = (target << geometry.align) & Geometry::mask(geometry.pc_bits);
    BranchRecord::new(kind, taken || !conditional, target, target)
        .with_events(events & Geometry::mask(geometry.event_bits) as u32)
}
