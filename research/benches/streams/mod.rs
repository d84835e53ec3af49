//! Record streams to measure with: a structured program's, and ones that hurt.

use hpp_golden::branch::{BranchKind, BranchRecord};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Records in a stream; small enough for the second-level cache, so that the profiler is measured and not memory.
pub const RECORDS: usize = 1 << 14;

/// A statement of the synthetic program; `at` is the address of its branch.
enum Statement {
    /// A forward branch with a body, skipped with probability `skips / 256`.
    If { at: u64, skips: u8, body: Vec<Self> },
    /// A loop closed by a backward branch, of `trips` iterations.
    Loop {
        at: u64,
        trips: u32,
        body: Vec<Self>,
    },
    /// A call of a procedure.
    Call { at: u64, callee: usize },
    /// An indirect jump to one of four places.
    Switch { at: u64 },
}

const PROCEDURES: usize = 24;
const PROCEDURE_BYTES: u64 = 0x1000;

/// Runs the synthetic program, and notes what retires.
struct Machine {
    random: ChaCha8Rng,
    procedures: Vec<Vec<Statement>>,
    records: Vec<BranchRecord>,
}

/// What retires when a program of nested loops, biased branches and calls runs.
pub fn structured(seed: u64) -> Vec<BranchRecord> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let procedures = (0..PROCEDURES)
        .map(|number| {
            body(
                &mut random,
                number,
                &mut (number as u64 * PROCEDURE_BYTES),
                3,
            )
        })
        .collect();
    let mut machine = Machine {
        random,
        procedures,
        records: Vec::with_capacity(2 * RECORDS),
    };
    while machine.records.len() < RECORDS {
        machine.call(0, 0);
    }
    machine.records.truncate(RECORDS);
    machine.records
}

fn body(random: &mut ChaCha8Rng, number: usize, at: &mut u64, depth: u32) -> Vec<Statement> {
    (0..random.random_range(1..4))
        .map(|_| {
            *at += 4 * random.random_range(1..8);
            let (at_branch, choice) = (*at, random.random_range(0..10));
            match choice {
                0..=3 if depth > 0 => Statement::If {
                    at: at_branch,
                    skips: *[4, 16, 128, 240].get(choice).expect("one of four"),
                    body: body(random, number, at, depth - 1),
                },
                4..=6 if depth > 0 => {
                    let body = body(random, number, at, depth - 1);
                    *at += 4;
                    Statement::Loop {
                        at: *at,
                        trips: random.random_range(2..20),
                        body,
                    }
                }
                7 if number + 1 < PROCEDURES => Statement::Call {
                    at: at_branch,
                    callee: random.random_range(number + 1..PROCEDURES),
                },
                8 => Statement::Switch { at: at_branch },
                _ => Statement::If {
                    at: at_branch,
                    skips: 250,
                    body: Vec::new(),
                },
            }
        })
        .collect()
}

impl Machine {
    fn call(&mut self, procedure: usize, return_to: u64) {
        let statements = core::mem::take(&mut self.procedures[procedure]);
        self.run(&statements);
        self.procedures[procedure] = statements;
        self.emit(BranchKind::Return, true, return_to, return_to);
    }

    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            if self.records.len() >= RECORDS {
                return;
            }
            match statement {
                Statement::If { at, skips, body } => {
                    let skip = self.random.random::<u8>() < *skips;
                    let target = if skip { at + 0x40 } else { at + 4 };
                    self.emit(BranchKind::Forward, skip, target, at + 4);
                    if !skip {
                        self.run(body);
                    }
                }
                Statement::Loop { at, trips, body } => {
                    for trip in (0..*trips).rev() {
                        self.run(body);
                        let target = if trip > 0 { at - 0x40 } else { at + 4 };
                        self.emit(BranchKind::Backward, trip > 0, target, at + 4);
                    }
                }
                Statement::Call { at, callee } => {
                    let entry = *callee as u64 * PROCEDURE_BYTES;
                    self.emit(BranchKind::Call, true, entry, at + 4);
                    self.call(*callee, at + 4);
                }
                Statement::Switch { at } => {
                    let target = at + 16 * self.random.random_range(1..5);
                    self.emit(BranchKind::Indirect, true, target, at + 4);
                }
            }
        }
    }

    fn emit(&mut self, kind: BranchKind, taken: bool, target: u64, next: u64) {
        let events = self.random.random_range(1..12);
        self.records.push(BranchRecord {
            kind,
            taken,
            target: 0x8000_0000 + target,
            next: 0x8000_0000 + next,
            events,
        });
    }
}

/// Random kinds, outcomes and targets: nothing can be predicted.
pub fn random(seed: u64) -> Vec<BranchRecord> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..RECORDS)
        .map(|_| BranchRecord {
            kind: BranchKind::from_code(random.next_u32() as u8),
            taken: random.random(),
            target: 4 * u64::from(random.next_u32() >> 16),
            next: 0,
            events: random.next_u32() & 0xff,
        })
        .collect()
}

/// A path for every record, and every one of them new to its set.
pub fn all_misses() -> Vec<BranchRecord> {
    (0..RECORDS as u64)
        .map(|k| BranchRecord {
            kind: BranchKind::Backward,
            taken: true,
            target: 4 * ((k * 0x9e37_79b9) & 0xff_ffff),
            next: 0,
            events: 1,
        })
        .collect()
}

/// Calls and returns in turn: the stack moves with every record.
pub fn call_return() -> Vec<BranchRecord> {
    (0..RECORDS)
        .map(|k| BranchRecord {
            kind: if k % 2 == 0 {
                BranchKind::Call
            } else {
                BranchKind::Return
            },
            taken: true,
            target: if k % 2 == 0 { 0x200 } else { 0x104 },
            next: 0x104,
            events: 1,
        })
        .collect()
}
