//! Streams that each provoke one hazard of the pipeline.

use super::discipline::Discipline;
use super::{Shape, Stream, StreamRng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::set_index;
use rand::{Rng, RngExt};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hazard {
    SamePath,
    /// A path in every cycle, all in one set, with no more different paths than ways.
    SameSetHits,
    /// A path in every cycle, all in one set, with more different paths than ways.
    SameSetMisses,
    /// A path in every cycle, alternating between two sets.
    TwoSets,
    PushPop,
    /// Calls beyond the depth of the stack, then as many returns.
    Recursion,
    /// Returns and trap returns without a call or trap.
    Underflow,
    /// Branches that are recorded and never end a path, so that paths are split.
    Splits,
    /// Backward branches, mostly not taken: paths of all lengths.
    NotTaken,
    /// Calls and returns with few branches between them: extended paths at every depth.
    Extensions,
    /// Every kind with equal probability, targets from a small pool.
    Uniform,
    /// Every kind with equal probability, any target.
    Anywhere,
}

impl Hazard {
    pub const ALL: [Self; 12] = [
        Self::SamePath,
        Self::SameSetHits,
        Self::SameSetMisses,
        Self::TwoSets,
        Self::PushPop,
        Self::Recursion,
        Self::Underflow,
        Self::Splits,
        Self::NotTaken,
        Self::Extensions,
        Self::Uniform,
        Self::Anywhere,
    ];
}

#[derive(Debug)]
pub struct HazardStream {
    hazard: Hazard,
    shape: Shape,
    pool: Vec<u64>,
    stack_depth: u64,
    count: u64,
    discipline: Option<Discipline>,
}

impl HazardStream {
    /// A stream of a hazard. `rng` chooses its targets.
    pub fn new(hazard: Hazard, geometry: &Geometry, rng: &mut StreamRng) -> Self {
        let shape = Shape::new(geometry);
        let ways = geometry.ways as usize;
        let pool = match hazard {
            Hazard::SamePath => targets_in_one_set(geometry, 1, rng),
            Hazard::SameSetHits => targets_in_one_set(geometry, rng.random_range(1..=ways), rng),
            Hazard::SameSetMisses => {
                targets_in_one_set(geometry, ways + rng.random_range(1..=3), rng)
            }
            Hazard::TwoSets => {
                let first = targets_in_one_set(geometry, ways, rng);
                let second = targets_in_one_set(geometry, ways + 1, rng);
                first
                    .iter()
                    .zip(&second)
                    .flat_map(|(a, b)| [*a, *b])
                    .collect()
            }
            _ => (0..rng.random_range(1..12))
                .map(|_| shape.address(rng.next_u64()))
                .collect(),
        };
        Self {
            hazard,
            shape,
            pool,
            stack_depth: geometry.stack_depth.into(),
            count: 0,
            discipline: Discipline::of(geometry),
        }
    }

    fn any_target(&self, rng: &mut StreamRng) -> u64 {
        self.pool[rng.random_range(0..self.pool.len())]
    }

    /// Each target of the pool in turn, so that neighbours meet in the pipeline.
    fn next_target(&self) -> u64 {
        self.pool[self.count as usize % self.pool.len()]
    }

    /// Kind, outcome and target of the next record.
    fn choose(&self, rng: &mut StreamRng) -> (BranchKind, bool, u64) {
        use BranchKind::*;
        let any = self.any_target(rng);
        let conditional = rng.random_bool(0.5);
        match self.hazard {
            Hazard::SamePath => (Backward, true, self.pool[0]),
            Hazard::TwoSets => (Backward, true, self.next_target()),
            Hazard::SameSetHits | Hazard::SameSetMisses => (
                Backward,
                true,
                if conditional { any } else { self.next_target() },
            ),
            Hazard::PushPop => (
                if self.count.is_multiple_of(2) {
                    Call
                } else {
                    Return
                },
                true,
                any,
            ),
            Hazard::Recursion => {
                let rising = (self.count / (self.stack_depth + 3)).is_multiple_of(2);
                (if rising { Call } else { Return }, true, any)
            }
            Hazard::Underflow => (if once_in(4, rng) { TrapReturn } else { Return }, true, any),
            Hazard::Splits => (Forward, conditional, any),
            Hazard::NotTaken => {
                let taken = once_in(6, rng);
                (Backward, taken, any)
            }
            Hazard::Extensions => match rng.random_range(0..6) {
                0 | 1 => (Call, true, any),
                2 | 3 => (Return, true, any),
                4 => (Backward, conditional, any),
                _ => (
                    if once_in(3, rng) {
                        IndirectCall
                    } else {
                        Forward
                    },
                    true,
                    any,
                ),
            },
            Hazard::Uniform | Hazard::Anywhere => {
                let kind = BranchKind::from_code(rng.random_range(0..8));
                let target = match self.hazard {
                    Hazard::Uniform => any,
                    _ => self.shape.address(rng.next_u64()),
                };
                (
                    kind,
                    conditional || !matches!(kind, Forward | Backward),
                    target,
                )
            }
        }
    }
}

impl Stream for HazardStream {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        let (kind, taken, target) = self.choose(rng);
        self.count += 1;
        let mut record = self.shape.record(kind, taken, target, rng);
        if let Some(discipline) = &mut self.discipline {
            discipline.apply(&mut record, rng);
        }
        record
    }
}

/// True with a probability of one in `odds`.
fn once_in(odds: u32, rng: &mut StreamRng) -> bool {
    rng.random_range(0..odds) == 0
}

/// Distinct targets for which the paths of one taken branch fall into the same set of the table.
///
/// The search ends even in a small address space, because one in `sets` tries succeeds.
pub(crate) fn targets_in_one_set(
    geometry: &Geometry,
    count: usize,
    rng: &mut StreamRng,
) -> Vec<u64> {
    let shape = Shape::new(geometry);
    let set_of = |start| {
        set_index(
            geometry,
            &PathDescriptor {
                start,
                length: 1,
                outcomes: 1,
            },
        )
    };
    let first = shape.address(rng.next_u64());
    let set = set_of(first);
    let mut targets = vec![first];
    while targets.len() < count {
        let candidate = shape.address(rng.next_u64());
        if set_of(candidate) == set && !targets.contains(&candidate) {
            targets.push(candidate);
        }
    }
    targets
}
