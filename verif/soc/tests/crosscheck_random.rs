//! Hardware and software see the same paths, on random programs with loops, tail calls, jump tables, traps and
//! recursion, run under random geometries.

#[path = "../../../golden-model/riscv/tests/random_code/mod.rs"]
mod random_code;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_riscv::ProgramCode;
use hpp_riscv::{Function, Functions};
use hpp_soc::crosscheck::{Disagreement, cross_check};
use proptest::prelude::*;
use random_code::{Code, FUNCTIONS, WORDS, backward_not_taken, code, functions, transfer};

/// The records of a run from address 0. Profiling starts at the first record; each choice decides one instruction.
fn run(code: &Code, choices: &[u64]) -> Vec<BranchRecord> {
    let mut records = Vec::new();
    let mut record = |kind, taken, target, next| {
        records.push(BranchRecord::new(kind, taken, target, next).with_events(1));
    };
    let (mut pc, mut returns) = (0, Vec::new());
    for &choice in choices {
        if choice.is_multiple_of(61) {
            returns.push(pc);
            record(BranchKind::Trap, true, 4 * WORDS * (FUNCTIONS - 1), pc);
            pc = 4 * WORDS * (FUNCTIONS - 1);
        }
        let instruction = code.instruction(pc).expect("control stays in the code");
        let next = instruction.next;
        let Some(transfer) = instruction.transfer else {
            pc = next;
            continue;
        };
        let taken = !transfer.conditional || choice & 1 == 1;
        let function = pc / 4 / WORDS;
        pc = match transfer.kind {
            _ if !taken => next,
            // A handler without a trap, or a function that a handler called by jumping: either comes back.
            BranchKind::Return | BranchKind::TrapReturn => returns.pop().unwrap_or(0),
            BranchKind::Indirect => 4 * (function * WORDS + (choice >> 1) % WORDS),
            BranchKind::IndirectCall => 4 * WORDS * ((choice >> 1) % (FUNCTIONS - 1)),
            _ => transfer.target.expect("direct"),
        };
        if matches!(transfer.kind, BranchKind::Call | BranchKind::IndirectCall) {
            returns.push(next);
        }
        record(transfer.kind, taken, pc, next);
    }
    records
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_programs_have_the_same_paths_on_both_sides(
        code in code(),
        choices in prop::collection::vec(any::<u64>(), 1500),
        max_branches in 1..=64_u32,
        depth in 6..=8_u32,
        setting in backward_not_taken(),
    ) {
        let geometry = Geometry { max_branches, stack_depth: 1 << depth, ..Geometry::default() };
        let records = run(&code, &choices);
        cross_check(&code, &functions(), &records, &geometry, setting)
            .map_err(|disagreement| TestCaseError::fail(disagreement.to_string()))?;
    }
}

/// One loop: `0: nop; 4: beq 4; 8: ret`.
fn small_loop() -> Code {
    Code(vec![
        None,
        transfer(BranchKind::Backward, true, Some(4)),
        transfer(BranchKind::Return, false, None),
    ])
}

/// A call, two times around the loop, out of it, and back.
fn small_run() -> Vec<BranchRecord> {
    use BranchKind::{Backward, Call, Return};
    vec![
        BranchRecord::new(Call, true, 0, 100),
        BranchRecord::new(Backward, true, 4, 8),
        BranchRecord::new(Backward, true, 4, 8),
        BranchRecord::new(Backward, false, 8, 8),
        BranchRecord::new(Return, true, 0, 12),
    ]
}

fn one_function() -> Functions {
    Functions::new(vec![Function::new("f", 0, 12)])
}

#[test]
fn a_loop_has_its_entering_its_going_around_and_its_leaving_path() {
    let check = |setting| {
        let paths = cross_check(
            &small_loop(),
            &one_function(),
            &small_run(),
            &Geometry::default(),
            setting,
        );
        let paths = paths.expect("agreement");
        let mut paths: Vec<_> = paths
            .iter()
            .map(|p| (p.descriptor.to_string(), p.count))
            .collect();
        paths.sort();
        paths
    };
    let path = |text: &str, count| (text.to_owned(), count);
    assert_eq!(
        check(BackwardNotTaken::AsForward),
        [
            path("0x00000000:T", 1),
            path("0x00000004:N", 1),
            path("0x00000004:T", 1),
        ]
    );
    assert_eq!(
        check(BackwardNotTaken::AsBackward),
        [
            path("0x00000000:T", 1),
            path("0x00000004:N", 1),
            path("0x00000004:T", 1),
            path("0x00000008:", 1),
        ]
    );
}

#[test]
fn records_of_another_program_are_distinguished() {
    let mut records = small_run();
    records[2] = BranchRecord::new(BranchKind::Forward, true, 4, 8);
    let result = cross_check(
        &small_loop(),
        &one_function(),
        &records,
        &Geometry::default(),
        BackwardNotTaken::AsForward,
    );
    let disagreement = result.expect_err("no such branch");
    assert!(matches!(disagreement, Disagreement::Lost { index: 2, .. }));
    assert_eq!(
        disagreement.to_string(),
        "record 2: a forward record to 0x4 arrives in block 0x4 of `f`, which ends with a backward branch to 0x4"
    );
}
