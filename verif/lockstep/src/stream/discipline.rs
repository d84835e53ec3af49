//! Returns that mostly match their calls, and contexts: stimulus for a checked stack and a context filter.

use super::{Shape, StreamRng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use rand::RngExt;

/// Maximum number of calls that are remembered.
const LONGEST: usize = 300;

/// Follows the calls and traps of a stream, and changes the targets of its records.
#[derive(Debug)]
pub struct Discipline {
    geometry: Geometry,
    shape: Shape,
    /// Return addresses of calls and traps, with their contexts.
    frames: Vec<u64>,
    context: u8,
}

impl Discipline {
    /// For a geometry with a checked stack or contexts; `None` for others.
    pub fn of(geometry: &Geometry) -> Option<Self> {
        let matters = geometry.stack_check || geometry.context_bits > 0;
        matters.then(|| Self {
            geometry: *geometry,
            shape: Shape::new(geometry),
            frames: Vec::new(),
            context: 0,
        })
    }

    /// Sets the context of a record. It gives some calls a return address that others share, and sets the targets of
    /// most returns to the last return address.
    pub fn apply(&mut self, record: &mut BranchRecord, rng: &mut StreamRng) {
        if rng.random_range(0..3) == 0 {
            record.next = self.shape.address(rng.random_range(0..4));
        }
        let returns_to = match record.kind {
            BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap => {
                let from = self.geometry.in_context(record.next, self.context);
                self.frames.push(from);
                self.frames
                    .drain(..self.frames.len().saturating_sub(LONGEST));
                None
            }
            BranchKind::Return | BranchKind::TrapReturn => self.leave(record.kind, rng),
            _ => None,
        };
        let changes = match record.kind {
            BranchKind::Trap | BranchKind::TrapReturn => 2,
            _ => 100,
        };
        match returns_to {
            Some(start) => {
                self.context = self.geometry.address_and_context(start).1;
                record.target = start;
            }
            None => {
                if rng.random_range(0..changes) == 0 {
                    self.context = rng.random();
                }
                record.target = self.geometry.in_context(record.target, self.context);
            }
        }
    }

    /// The target of a return; `None` if it is to be wrong.
    fn leave(&mut self, kind: BranchKind, rng: &mut StreamRng) -> Option<u64> {
        match rng.random_range(0..24) {
            0 => return None,
            1 => {
                let left = rng.random_range(0..=self.frames.len());
                self.frames.truncate(left);
            }
            _ => {}
        }
        let frame = self.frames.pop()?;
        let unit = 1 << self.geometry.align;
        let skip = match kind {
            BranchKind::TrapReturn => [0, 0, 2, 4, 6][rng.random_range(0..5)] / unit * unit,
            _ => 0,
        };
        let (address, context) = self.geometry.address_and_context(frame);
        let address = address.wrapping_add(skip) & Geometry::mask(self.geometry.pc_bits);
        Some(self.geometry.in_context(address, context))
    }
}
