//! Executions of synthetic programs: procedures of basic blocks with loops, biased branches, calls, recursion, computed
//! jumps and interrupts. They are the only streams in which paths repeat as in real code.

use super::discipline::Discipline;
use super::{Shape, Stream, StreamRng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use rand::{Rng, RngExt};

/// The end of a block. Blocks are numbered within their procedure, which occupies consecutive blocks.
#[derive(Debug, Clone)]
enum Terminator {
    /// A branch over some blocks, taken with a probability of `odds`/256.
    Forward {
        to: usize,
        odds: u8,
    },
    /// A loop's branch, taken until the body has run `trips` times.
    Backward {
        to: usize,
        trips: u32,
    },
    /// A computed jump to one of these blocks.
    Indirect {
        targets: Vec<usize>,
    },
    Call {
        procedure: usize,
    },
    /// A call through a pointer to one of these.
    IndirectCall {
        procedures: Vec<usize>,
    },
    Return,
}

#[derive(Debug, Clone)]
struct Block {
    address: u64,
    terminator: Terminator,
    /// Times the loop's branch was taken since it was last left.
    trips_done: u32,
}

/// A position in the execution: a block of a procedure.
#[derive(Debug, Clone, Copy)]
struct Place {
    procedure: usize,
    block: usize,
}

#[derive(Debug)]
pub struct SyntheticProgram {
    shape: Shape,
    procedures: Vec<Vec<Block>>,
    at: Place,
    callers: Vec<Place>,
    /// The block at which an interrupted program continues, and the remaining branches of the handler.
    handler: Option<(u64, u32)>,
    call_limit: usize,
    interrupt_odds: u32,
    discipline: Option<Discipline>,
}

/// Instruction slot of the handler of every interrupt.
const VECTOR: u64 = 0x40;

impl SyntheticProgram {
    /// A random program of up to 8 procedures of up to 12 blocks each.
    pub fn new(geometry: &Geometry, rng: &mut StreamRng) -> Self {
        let shape = Shape::new(geometry);
        let count = rng.random_range(2..=8);
        let mut slot = rng.next_u64();
        let procedures = (0..count)
            .map(|_| procedure(&shape, count, &mut slot, rng))
            .collect();
        Self {
            shape,
            procedures,
            at: Place {
                procedure: 0,
                block: 0,
            },
            callers: Vec::new(),
            handler: None,
            call_limit: 2 * geometry.stack_depth as usize,
            interrupt_odds: rng.random_range(50..2000),
            discipline: Discipline::of(geometry),
        }
    }

    fn address(&self, place: Place) -> u64 {
        self.procedures[place.procedure][place.block].address
    }

    /// The block after `place`. It exists, because the last block of a procedure is a return.
    fn after(place: Place) -> Place {
        Place {
            block: place.block + 1,
            ..place
        }
    }

    /// Kind, outcome and destination of the current block's end.
    fn finish_block(&mut self, rng: &mut StreamRng) -> (BranchKind, bool, Place) {
        let at = self.at;
        let block = &mut self.procedures[at.procedure][at.block];
        match &block.terminator {
            Terminator::Forward { to, odds } => {
                let taken = rng.random_range(0..256) < i32::from(*odds);
                let to = Place { block: *to, ..at };
                (
                    BranchKind::Forward,
                    taken,
                    if taken { to } else { Self::after(at) },
                )
            }
            Terminator::Backward { to, trips } => {
                let taken = block.trips_done < *trips;
                block.trips_done = if taken { block.trips_done + 1 } else { 0 };
                let to = Place { block: *to, ..at };
                (
                    BranchKind::Backward,
                    taken,
                    if taken { to } else { Self::after(at) },
                )
            }
            Terminator::Indirect { targets } => {
                let to = targets[rng.random_range(0..targets.len())];
                (BranchKind::Indirect, true, Place { block: to, ..at })
            }
            Terminator::Call { procedure } => {
                let procedure = *procedure;
                self.call(BranchKind::Call, procedure)
            }
            Terminator::IndirectCall { procedures } => {
                let procedure = procedures[rng.random_range(0..procedures.len())];
                self.call(BranchKind::IndirectCall, procedure)
            }
            Terminator::Return => match self.callers.pop() {
                Some(caller) => (BranchKind::Return, true, caller),
                // The program restarts by a computed jump.
                None => (
                    BranchKind::Indirect,
                    true,
                    Place {
                        procedure: 0,
                        block: 0,
                    },
                ),
            },
        }
    }

    /// Calls a procedure. At the maximum depth the call becomes a jump over it.
    fn call(&mut self, kind: BranchKind, procedure: usize) -> (BranchKind, bool, Place) {
        let back = Self::after(self.at);
        if self.callers.len() >= self.call_limit {
            return (BranchKind::Forward, true, back);
        }
        self.callers.push(back);
        (
            kind,
            true,
            Place {
                procedure,
                block: 0,
            },
        )
    }

    fn handle(&mut self, resume: u64, left: u32, rng: &mut StreamRng) -> BranchRecord {
        if left == 0 {
            self.handler = None;
            return self.shape.record(BranchKind::TrapReturn, true, resume, rng);
        }
        self.handler = Some((resume, left - 1));
        let taken = rng.random();
        let target = self
            .shape
            .address(VECTOR + u64::from(left) * 4 + u64::from(taken));
        self.shape.record(BranchKind::Forward, taken, target, rng)
    }
}

impl Stream for SyntheticProgram {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        let mut record = self.transfer(rng);
        if let Some(discipline) = &mut self.discipline {
            discipline.apply(&mut record, rng);
        }
        record
    }
}

impl SyntheticProgram {
    /// The next transfer, regardless of where returns go.
    fn transfer(&mut self, rng: &mut StreamRng) -> BranchRecord {
        if let Some((resume, left)) = self.handler {
            return self.handle(resume, left, rng);
        }
        if rng.random_range(0..self.interrupt_odds) == 0 {
            self.handler = Some((self.address(self.at), rng.random_range(0..5)));
            let target = self.shape.address(VECTOR);
            return self.shape.record(BranchKind::Trap, true, target, rng);
        }
        let (kind, taken, to) = self.finish_block(rng);
        self.at = to;
        self.shape.record(kind, taken, self.address(to), rng)
    }
}

/// A random procedure from instruction slot `slot` on, which is advanced behind it.
fn procedure(shape: &Shape, procedures: usize, slot: &mut u64, rng: &mut StreamRng) -> Vec<Block> {
    let blocks = rng.random_range(2..=12);
    (0..blocks)
        .map(|index| {
            let address = shape.address(*slot);
            *slot = slot.wrapping_add(rng.random_range(1..20));
            let terminator = terminator(index, blocks, procedures, rng);
            Block {
                address,
                terminator,
                trips_done: 0,
            }
        })
        .collect()
}

fn terminator(index: usize, blocks: usize, procedures: usize, rng: &mut StreamRng) -> Terminator {
    let last = blocks - 1;
    if index == last {
        return Terminator::Return;
    }
    match rng.random_range(0..16) {
        0..6 => Terminator::Forward {
            to: rng.random_range(index + 1..=last),
            odds: rng.random(),
        },
        6..9 => Terminator::Backward {
            to: rng.random_range(0..=index),
            trips: [1, 2, 3, 7, 40][rng.random_range(0..5)],
        },
        9..11 => Terminator::Indirect {
            targets: (0..3).map(|_| rng.random_range(index + 1..=last)).collect(),
        },
        11..14 => Terminator::Call {
            procedure: rng.random_range(0..procedures),
        },
        _ => Terminator::IndirectCall {
            procedures: (0..2).map(|_| rng.random_range(0..procedures)).collect(),
        },
    }
}
