//! Hardware and software see the same paths, on random programs with loops, tail calls, jump tables, traps and
//! recursion, run under random geometries.

#[path = "../../../golden-model/riscv/tests/random_code/mod.rs"]
mod random_code;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{BackwardNotTaken, ExactProfile, PathStack};
use hpp_riscv::Program;
use hpp_riscv::{Function, Functions};
use hpp_soc::crosscheck::check_interesting;
use hpp_soc::crosscheck::{
    Disagreement, Mode, ModeAgreement, ModeDisagreement, Paths, check_mode, cross_check,
};
use proptest::prelude::*;
use random_code::{Code, FUNCTIONS, WORDS, code, functions, transfer};

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

fn setting() -> impl Strategy<Value = BackwardNotTaken> {
    prop_oneof![
        Just(BackwardNotTaken::AsForward),
        Just(BackwardNotTaken::AsBackward)
    ]
}

/// Every mode, with extensions across up to three boundaries.
fn mode() -> impl Strategy<Value = Mode> {
    let paths = prop_oneof![
        setting().prop_map(Paths::BallLarus),
        Just(Paths::WholeProgram),
        (1..=3_u8).prop_map(Paths::AcrossLoops),
        (1..=3_u8).prop_map(Paths::AcrossCalls),
    ];
    paths.prop_map(|paths| Mode::of("random", paths))
}

/// The paths that the path stack completes, and what software says to them.
fn modes_agree(
    code: &Code,
    records: &[BranchRecord],
    geometry: &Geometry,
    mode: &Mode,
) -> (ExactProfile, Result<ModeAgreement, ModeDisagreement>) {
    let mut stack = PathStack::new(geometry, mode.reset.ppcr());
    let mut hardware = ExactProfile::new();
    for path in records.iter().filter_map(|record| stack.step(record)) {
        hardware.record(&path);
    }
    let agreement = check_mode(code, records, geometry, mode, &hardware);
    (hardware, agreement)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_programs_have_the_same_paths_on_both_sides(
        code in code(),
        choices in prop::collection::vec(any::<u64>(), 1500),
        max_branches in 1..=64_u32,
        depth in 6..=8_u32,
        setting in setting(),
        share in 0.0..=1.0,
    ) {
        let geometry = Geometry { max_branches, stack_depth: 1 << depth, ..Geometry::default() };
        let records = run(&code, &choices);
        let agreement = cross_check(&code, &functions(), &records, &geometry, setting)
            .map_err(|disagreement| TestCaseError::fail(disagreement.to_string()))?;
        prop_assert!(agreement.executions() <= records.len() as u64);
        check_interesting(&agreement, &records, &agreement.hottest(share))
            .map_err(|disagreement| TestCaseError::fail(disagreement.to_string()))?;
    }

    #[test]
    fn random_programs_have_the_same_paths_in_every_mode(
        code in code(),
        choices in prop::collection::vec(any::<u64>(), 1500),
        max_branches in 1..=64_u32,
        depth in 6..=8_u32,
        mode in mode(),
    ) {
        let geometry = Geometry { max_branches, stack_depth: 1 << depth, ..Geometry::default() };
        let records = run(&code, &choices);
        let (hardware, agreement) = modes_agree(&code, &records, &geometry, &mode);
        let agreement = agreement.map_err(|disagreement| TestCaseError::fail(disagreement.to_string()))?;
        prop_assert!(agreement.numbers >= hardware.len());
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
        let agreement = cross_check(
            &small_loop(),
            &one_function(),
            &small_run(),
            &Geometry::default(),
            setting,
        );
        let paths = agreement.expect("agreement").paths;
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

/// `0: call 16; 4: beq 0; 8: ret; 16: beq 16; 20: ret`, from a call of 0: the callee's loop twice, then around again.
fn caller() -> (Code, Vec<BranchRecord>) {
    use BranchKind::{Backward, Call, Return};
    let code = Code(vec![
        transfer(Call, false, Some(16)),
        transfer(Backward, true, Some(0)),
        transfer(Return, false, None),
        None,
        transfer(Backward, true, Some(16)),
        transfer(Return, false, None),
    ]);
    let round = |again, next| {
        [
            BranchRecord::new(Call, true, 16, 4),
            BranchRecord::new(Backward, true, 16, 20),
            BranchRecord::new(Backward, false, 20, 20),
            BranchRecord::new(Return, true, 4, 24),
            BranchRecord::new(Backward, again, next, 8),
        ]
    };
    let records = [BranchRecord::new(Call, true, 0, 100)]
        .into_iter()
        .chain(round(true, 0))
        .chain(round(false, 8))
        .chain([BranchRecord::new(Return, true, 100, 12)]);
    (code, records.collect())
}

#[test]
fn paths_go_on_across_what_their_mode_says() {
    let (code, records) = caller();
    let paths = |paths| {
        let mode = Mode::of("example", paths);
        let (hardware, agreement) = modes_agree(&code, &records, &Geometry::default(), &mode);
        agreement.expect("agreement");
        let mut paths: Vec<_> = hardware
            .iter()
            .map(|(path, count)| (path.to_string(), count))
            .collect();
        paths.sort();
        paths
    };
    let path = |text: &str, count| (text.to_owned(), count);
    assert_eq!(
        paths(Paths::WholeProgram),
        [
            path("0x00000000:", 2),
            path("0x00000004:N", 1),
            path("0x00000004:T", 1),
            path("0x00000010:N", 2),
            path("0x00000010:T", 2),
        ]
    );
    assert_eq!(
        paths(Paths::AcrossLoops(1)),
        [path("0x00000000:TN", 1), path("0x00000010:TN", 2)]
    );
    // Into the callee up to its back edge; from there out of it and around, or out.
    assert_eq!(
        paths(Paths::AcrossCalls(1)),
        [
            path("0x00000000:T", 2),
            path("0x00000010:NN", 1),
            path("0x00000010:NT", 1),
        ]
    );
}

#[test]
fn a_path_too_many_in_hardware_is_reported() {
    let (code, records) = caller();
    let mode = Mode::of("example", Paths::WholeProgram);
    let (mut hardware, _) = modes_agree(&code, &records, &Geometry::default(), &mode);
    let descriptor = *hardware.iter().next().expect("paths").0;
    hardware.record(&CompletedPath {
        descriptor,
        count: 1,
    });
    let counted = hardware.get(&descriptor);
    assert_eq!(
        check_mode(&code, &records, &Geometry::default(), &mode, &hardware),
        Err(ModeDisagreement::Count {
            descriptor,
            hardware: counted,
            software: counted - 1,
        })
    );
}
