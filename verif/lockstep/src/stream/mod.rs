//! Streams of branch records to drive a profiler with.
//!
//! There are four families: executions of synthetic programs ([`SyntheticProgram`]), streams for one hazard of the pipeline
//! ([`Hazard`]), loops of which some are hot ([`Loops`]), and [`Mixture`], which changes between the others at random
//! moments. All are infinite and determined by their seed. They respect the geometry: addresses are aligned and within
//! `pc-bits`, events within `event-bits`.

mod discipline;
mod hazard;
mod loops;
mod program;

pub(crate) use hazard::targets_in_one_set;
pub use hazard::{Hazard, HazardStream};
pub use loops::Loops;
pub use program::SyntheticProgram;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub type StreamRng = ChaCha8Rng;

pub trait Stream {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord;
}

impl<F: FnMut(&mut StreamRng) -> BranchRecord> Stream for F {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        self(rng)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Shape {
    align: u32,
    pc_mask: u64,
    event_mask: u32,
}

impl Shape {
    /// The shape of the records of a geometry.
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            align: geometry.align,
            pc_mask: Geometry::mask(geometry.pc_bits),
            event_mask: Geometry::mask(geometry.event_bits) as u32,
        }
    }

    /// The address of the `index`-th instruction slot, modulo the address space.
    pub fn address(&self, index: u64) -> u64 {
        (index << self.align) & self.pc_mask
    }

    /// A record with these properties. The number of events is often an extreme value. `next`, which only a checked
    /// stack uses, is any address.
    pub fn record(
        &self,
        kind: BranchKind,
        taken: bool,
        target: u64,
        rng: &mut StreamRng,
    ) -> BranchRecord {
        let events = match rng.random_range(0..8) {
            0 => 0,
            1 => self.event_mask,
            2 => rng.next_u32() & self.event_mask,
            few => few & self.event_mask,
        };
        BranchRecord::new(kind, taken, target, self.address(rng.next_u64())).with_events(events)
    }
}

/// Changes from stream to stream at random moments, so that the end of one meets the start of the next.
#[derive(Debug)]
pub struct Mixture {
    geometry: Geometry,
    current: Part,
    left: u32,
}

#[derive(Debug)]
enum Part {
    SyntheticProgram(SyntheticProgram),
    Hazard(HazardStream),
}

impl Mixture {
    pub fn new(geometry: &Geometry, rng: &mut StreamRng) -> Self {
        let current = Part::SyntheticProgram(SyntheticProgram::new(geometry, rng));
        Self {
            geometry: *geometry,
            current,
            left: 256,
        }
    }

    fn change(&mut self, rng: &mut StreamRng) {
        self.current = match rng.random_range(0..Hazard::ALL.len() + 3) {
            index if index < Hazard::ALL.len() => {
                Part::Hazard(HazardStream::new(Hazard::ALL[index], &self.geometry, rng))
            }
            _ => Part::SyntheticProgram(SyntheticProgram::new(&self.geometry, rng)),
        };
        self.left = match rng.random_range(0..4) {
            0 => rng.random_range(1..8),
            1 => rng.random_range(8..64),
            _ => rng.random_range(64..1024),
        };
    }
}

impl Stream for Mixture {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        if self.left == 0 {
            self.change(rng);
        }
        self.left -= 1;
        match &mut self.current {
            Part::SyntheticProgram(program) => program.record(rng),
            Part::Hazard(hazard) => hazard.record(rng),
        }
    }
}

pub fn rng(seed: u64) -> StreamRng {
    StreamRng::seed_from_u64(seed)
}
