//! The descriptor walk, against the path stack: random programs run, and every path that leaves the stack must walk
//! back to the instructions that were executed while it was the top entry.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{BackwardNotTaken, Extension, PathStack, Ppcr};
use hpp_riscv::{AddressRange, End, Walk, WalkError, walk};
use hpp_riscv::{ProgramCode, Transfer};
use proptest::prelude::*;

use crate::random_code::{Code, FUNCTIONS, WORDS, backward_not_taken, code, transfer};

/// A control register that the walk can follow exactly.
fn ppcr() -> impl Strategy<Value = Ppcr> {
    let rows = prop_oneof![Just(Ppcr::ball_larus()), Just(Ppcr::whole_program_path())];
    let extension = prop_oneof![Just(Extension::None), Just(Extension::Loop)];
    (rows, backward_not_taken(), extension, 0..4_u8).prop_map(
        |(ppcr, backward_not_taken, extension, max_extension)| Ppcr {
            backward_not_taken,
            extension,
            max_extension,
            ..ppcr
        },
    )
}

/// A run of a program: the path stack beside the addresses executed under each of its entries.
struct Run<'a> {
    code: &'a Code,
    stack: PathStack,
    executed: Vec<Vec<u64>>,
    returns: Vec<u64>,
    pc: u64,
}

impl<'a> Run<'a> {
    fn new(code: &'a Code, geometry: &Geometry, ppcr: Ppcr) -> Self {
        Self {
            code,
            stack: PathStack::new(geometry, ppcr),
            executed: Vec::new(),
            returns: Vec::new(),
            pc: 0,
        }
    }

    /// Runs one instruction; the path it completes, with the addresses executed on it.
    fn step(&mut self, choice: u64) -> Option<(PathDescriptor, Vec<u64>)> {
        let at = self.pc;
        let instruction = self.code.instruction(at);
        let instruction = instruction.expect("control stays in the code");
        if let Some(top) = self.executed.last_mut() {
            top.push(at);
        }
        self.pc = instruction.next;
        let transfer = instruction.transfer?;
        let taken = !transfer.conditional || choice & 1 == 1;
        if taken {
            self.pc = self.target(at, transfer, choice >> 1);
        }
        if matches!(transfer.kind, BranchKind::Call | BranchKind::IndirectCall) {
            self.returns.push(instruction.next);
        }
        let record = BranchRecord::new(transfer.kind, taken, self.pc, instruction.next);
        let path = self.stack.step(&record);
        let executed = path.map(|_| self.executed.pop().expect("a path had an entry"));
        self.executed.resize(self.stack.len(), Vec::new());
        path.map(|path| path.descriptor).zip(executed)
    }

    fn target(&mut self, at: u64, transfer: Transfer, choice: u64) -> u64 {
        let function = at / 4 / WORDS;
        match transfer.kind {
            BranchKind::Return | BranchKind::TrapReturn => self.returns.pop().unwrap_or(0),
            BranchKind::IndirectCall => 4 * WORDS * (choice % (FUNCTIONS - 1)),
            BranchKind::Indirect => 4 * (function * WORDS + choice % WORDS),
            _ => transfer.target.expect("direct"),
        }
    }
}

/// Every address in the ranges, calls stepped over.
fn addresses(blocks: &[AddressRange]) -> Vec<u64> {
    blocks
        .iter()
        .flat_map(|b| (b.start..b.end).step_by(4))
        .collect()
}

fn geometry(max_branches: u32) -> Geometry {
    Geometry {
        max_branches,
        stack_depth: 256,
        ..Geometry::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn paths_walk_back_to_what_was_executed(
        code in code(),
        ppcr in ppcr(),
        max_branches in 1..=64_u32,
        choices in prop::collection::vec(any::<u64>(), 2000),
    ) {
        let mut run = Run::new(&code, &geometry(max_branches), ppcr);
        for choice in choices {
            // Runs that recurse past the stack would lose track of what was executed under which entry.
            if run.returns.len() > 200 {
                break;
            }
            let Some((path, executed)) = run.step(choice) else { continue };
            let walk = walk(&code, &ppcr, max_branches, &path)
                .map_err(|error| TestCaseError::fail(format!("{path}: {error}")))?;
            prop_assert_eq!(addresses(&walk.blocks), executed, "{}", path);
            prop_assert!(walk.end != End::Split || path.length == max_branches);
        }
    }

    #[test]
    fn any_descriptor_walks_or_is_refused(
        code in code(),
        ppcr in ppcr(),
        start in 0..FUNCTIONS * WORDS + 4,
        length in 0..=64_u32,
        outcomes: u64,
    ) {
        let path = PathDescriptor {
            start: 4 * start,
            length,
            outcomes: outcomes & u64::MAX.checked_shr(64 - length).unwrap_or(0),
        };
        if let Ok(walk) = walk(&code, &ppcr, 64, &path) {
            prop_assert_eq!(walk.blocks[0].start, path.start);
            prop_assert_eq!(walk.blocks.last().map(|b| b.end), Some(walk.last + 4));
        }
    }
}

/// `f`: a branch over a call, then a loop around a branch, then a return. `g` at 32: a branch, then a return.
fn example() -> Code {
    Code(vec![
        transfer(BranchKind::Forward, true, Some(8)),
        transfer(BranchKind::Call, false, Some(32)),
        None,
        transfer(BranchKind::Forward, true, Some(20)),
        None,
        transfer(BranchKind::Backward, true, Some(8)),
        None,
        transfer(BranchKind::Return, false, None),
        transfer(BranchKind::Forward, true, Some(36)),
        transfer(BranchKind::Return, false, None),
    ])
}

fn path(start: u64, outcomes: &[bool]) -> PathDescriptor {
    let mut path = PathDescriptor::new(start);
    outcomes.iter().for_each(|&taken| path.record(taken));
    path
}

/// The last instruction, and the kind that pops the path there.
fn popped(walk: &Walk) -> (u64, Option<BranchKind>) {
    let kind = match walk.end {
        End::Popped(kind) => Some(kind),
        _ => None,
    };
    (walk.last, kind)
}

fn ranges(walk: &Walk) -> Vec<(u64, u64)> {
    walk.blocks.iter().map(|b| (b.start, b.end)).collect()
}

#[test]
fn calls_are_stepped_over_and_back_edges_end_paths() {
    let ppcr = Ppcr::ball_larus();
    let walk = walk(&example(), &ppcr, 32, &path(0, &[false, true, true])).expect("a path");
    assert_eq!(ranges(&walk), [(0, 4), (4, 16), (20, 24)]);
    assert_eq!(popped(&walk), (20, Some(BranchKind::Backward)));
}

#[test]
fn a_backward_branch_not_taken_ends_the_path_only_if_configured() {
    let as_forward = Ppcr::ball_larus();
    let as_backward = Ppcr {
        backward_not_taken: BackwardNotTaken::AsBackward,
        ..as_forward
    };
    let path = path(8, &[true, false]);
    let walked = walk(&example(), &as_forward, 32, &path).expect("a path");
    assert_eq!(popped(&walked), (28, Some(BranchKind::Return)));
    let walked = walk(&example(), &as_backward, 32, &path).expect("a path");
    assert_eq!(popped(&walked), (20, Some(BranchKind::Backward)));
}

#[test]
fn procedure_extension_is_followed_into_the_callee_and_back() {
    let ppcr = Ppcr {
        extension: Extension::Procedure,
        max_extension: 1,
        ..Ppcr::ball_larus()
    };
    let walk = walk(&example(), &ppcr, 32, &path(0, &[false, true, true, true])).expect("a path");
    assert_eq!(
        ranges(&walk),
        [(0, 4), (4, 8), (32, 36), (36, 40), (8, 16), (20, 24)]
    );
}

#[test]
fn loop_extension_goes_around() {
    let ppcr = Ppcr {
        extension: Extension::Loop,
        max_extension: 1,
        ..Ppcr::ball_larus()
    };
    let around = path(8, &[true, true, false, true]);
    let walk = walk(&example(), &ppcr, 32, &around).expect("a path");
    assert_eq!(ranges(&walk), [(8, 16), (20, 24), (8, 16), (16, 24)]);
}

#[test]
fn whole_program_paths_end_at_calls() {
    let ppcr = Ppcr::whole_program_path();
    let walk = walk(&example(), &ppcr, 32, &path(0, &[false])).expect("a path");
    assert_eq!(popped(&walk), (4, Some(BranchKind::Call)));
}

#[test]
fn the_longest_path_is_split() {
    let walk = walk(&example(), &Ppcr::ball_larus(), 2, &path(0, &[true, false])).expect("a path");
    assert_eq!((walk.last, walk.end), (12, End::Split));
}

#[test]
fn errors_name_the_place_and_what_may_be_wrong() {
    let refused =
        |ppcr: &Ppcr, path: &PathDescriptor| walk(&example(), ppcr, 32, path).expect_err("refused");
    let ppcr = Ppcr::ball_larus();
    assert_eq!(
        refused(&ppcr, &path(400, &[])),
        WalkError::NoCode { at: 400, used: 0 }
    );
    assert_eq!(
        refused(&ppcr, &path(0, &[true])).to_string(),
        "the branch at 0xc (forward) is recorded, but the path already has its length, 1; \
         was it recorded from this program and under this control register?"
    );
    assert_eq!(
        refused(&ppcr, &path(24, &[true])).to_string(),
        "the branch at 0x1c (return) ends the path, but only 0 of 1 outcomes are used; \
         was it recorded from this program and under this control register?"
    );
}
