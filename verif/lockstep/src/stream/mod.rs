//! Streams of branch records to drive a profiler with.
//!
//! There are four families: executions of synthetic programs ([`Program`]), streams for one hazard of the pipeline
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
pub use program::Program;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The random generator of every stream.
pub type StreamRng = ChaCha8Rng;

/// An infinite source of records.
pub trait Stream {
    /// The next record.
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord;
}

impl<F: FnMut(&mut StreamRng) -> BranchRecord> Stream for F {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        self(rng)
    }
}

/// Makes records that fit a geometry.
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
    Program(Program),
    Hazard(HazardStream),
}

impl Mixture {
    /// A mixture for a geometry.
    pub fn new(geometry: &Geometry, rng: &mut StreamRng) -> Self {
        let current = Part::Program(Program::new(geometry, rng));
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
            _ => Part::Program(Program::new(&self.geometry, rng)),
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
            Part::Program(program) => program.record(rng),
            Part::Hazard(hazard) => hazard.record(rng),
        }
    }
}

/// The random generator of a seed.
pub fn rng(seed: u64) -> StreamRng {
    StreamRng::seed_from_u64(seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The narrowest address, the widest, and both alignments.
    fn geometries() -> [Geometry; 3] {
        let base = Geometry::default();
        [
            Geometry {
                event_bits: 1,
                event_counter_bits: 1,
                max_branches: 1,
                ..base
            },
            Geometry {
                pc_bits: 64,
                align: 1,
                event_bits: 32,
                sets: 4096,
                ways: 1,
                ..base
            },
            Geometry {
                pc_bits: 39,
                sets: 2,
                ways: 32,
                ..base
            },
        ]
    }

    #[test]
    fn records_fit_the_geometry_and_keep_the_ports_promise() {
        for geometry in geometries() {
            let shape = Shape::new(&geometry);
            let mut rng = rng(1);
            let mut stream = Mixture::new(&geometry, &mut rng);
            for _ in 0..20_000 {
                let record = stream.record(&mut rng);
                let (target, _) = geometry.address_and_context(record.target);
                for address in [target, record.next] {
                    assert_eq!(address & shape.pc_mask, address);
                    assert_eq!(address & Geometry::mask(geometry.align), 0);
                }
                assert_eq!(record.events & shape.event_mask, record.events);
                let conditional = matches!(record.kind, BranchKind::Forward | BranchKind::Backward);
                assert!(record.taken || conditional, "{record:?}");
            }
        }
    }

    #[test]
    fn a_seed_makes_the_same_stream_again() {
        let run = |seed| {
            let mut rng = rng(seed);
            let mut stream = Mixture::new(&Geometry::default(), &mut rng);
            (0..5000)
                .map(|_| stream.record(&mut rng))
                .collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn a_mixture_shows_every_kind_of_branch() {
        let mut rng = rng(3);
        let mut stream = Mixture::new(&Geometry::default(), &mut rng);
        let mut seen = [0; BranchKind::COUNT];
        for _ in 0..50_000 {
            seen[usize::from(stream.record(&mut rng).kind.code())] += 1;
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }
}
