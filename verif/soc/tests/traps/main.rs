//! Cores with interrupts and exceptions behind the retire ingress: what the last stage shows is an execution of the program,
//! and the profiler behind it sees the paths of the model.
//!
//! The program makes every kind of transfer; interrupts and waits of the memory come at random moments, from a seed
//! that a failure prints.

mod logs;
mod ports;
mod run;

use hpp_fpga::core::Core;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{PathStack, Ppcr};
use hpp_riscv::{Ingress, LastStage, Retire, Retirement, Xlen, decode};
use run::{Bench, Run, Step, Which, geometry};

/// Paths that may be between the core and the end of the profiler when the program ends: a path a stage.
const PATHS_UNDER_WAY: usize = 16;

/// Retirements as the steps of the last stage mean them: what follows an instruction is the address of the next, or the
/// one that a trap returns to; what follows a trap is the first instruction of its handler.
fn retirements(steps: &[Step]) -> Vec<Retirement> {
    let mut retirements = Vec::new();
    let mut intr = false;
    for pair in steps.windows(2) {
        match pair[0] {
            Step::Fires { pc, insn, .. } => retirements.push(Retirement {
                pc,
                insn,
                next_pc: pair[1].address(),
                intr: std::mem::take(&mut intr),
                ..Retirement::default()
            }),
            Step::Traps { .. } => intr = true,
        }
    }
    retirements
}

fn records(retirements: &[Retirement], xlen: Xlen) -> Vec<BranchRecord> {
    let mut ingress = Ingress::new(xlen, 8);
    let all = retirements.iter();
    all.flat_map(|retirement| ingress.step(retirement, 1))
        .collect()
}

/// The branch records that the model of the last stage's ingress makes of the steps.
fn last_stage_records(steps: &[Step], xlen: Xlen) -> Vec<BranchRecord> {
    let mut ingress = Retire::new(xlen, 8);
    let all = steps.iter().map(|step| match *step {
        Step::Fires { pc, insn, shown } => (
            LastStage {
                pc,
                insn: shown,
                expanded: shown != insn,
                ..LastStage::default()
            },
            1,
        ),
        Step::Traps { pc, .. } => (
            LastStage {
                pc,
                trap: true,
                ..LastStage::default()
            },
            0,
        ),
    });
    all.filter_map(|(stage, events)| ingress.step(&stage, events))
        .collect()
}

fn paths(records: &[BranchRecord], geometry: &Geometry) -> Vec<PathDescriptor> {
    let mut stack = PathStack::new(geometry, Ppcr::ball_larus());
    let completed = records.iter().filter_map(|record| stack.step(record));
    completed.map(|path| path.descriptor).collect()
}

/// The steps are an execution of the program's instructions: each goes where it can go.
fn check_execution(retirements: &[Retirement], xlen: Xlen) {
    for retirement in retirements {
        let instruction = decode(retirement.insn, retirement.pc, xlen);
        let next = Some(retirement.next_pc);
        let possible = match instruction.transfer {
            None => next == Some(instruction.next),
            Some(transfer) => {
                transfer.target.is_none()
                    || next == transfer.target
                    || (transfer.conditional && next == Some(instruction.next))
            }
        };
        assert!(possible, "{retirement:x?} cannot go there");
    }
}

/// The first difference, if there is one: two long lists are no message.
fn assert_same<T: PartialEq + std::fmt::Debug>(what: &str, seen: &[T], expected: &[T]) {
    for (index, (seen, expected)) in seen.iter().zip(expected).enumerate() {
        assert_eq!(seen, expected, "{what} {index}");
    }
    assert_eq!(seen.len(), expected.len(), "{what}: how many");
}

fn check(run: &Run, which: Which) {
    let xlen = which.xlen();
    let architecture = retirements(&run.steps);
    check_execution(&architecture, xlen);
    let expected = records(&architecture, xlen);
    let by_stage = last_stage_records(&run.steps, xlen);
    assert_same("record", &by_stage, &expected);
    let paths = paths(&expected, &geometry(which));
    let under_way = paths.len() - run.paths.len();
    assert!(
        under_way <= PATHS_UNDER_WAY,
        "{under_way} paths are missing"
    );
    assert_same("path", &run.paths, &paths[..run.paths.len()]);
    for kind in BranchKind::ALL {
        let seen = expected.iter().any(|record| record.kind == kind);
        assert!(seen, "the program makes no {kind:?}");
    }
    // Nothing can hold this core.
    assert_eq!(run.stalls, 0);
}

/// Undisturbed and disturbed the program comes to the same result.
fn each_run(which: Which, look: impl Fn(&Bench, u64, &Run)) {
    let core = Bench::build(which).expect("the core's bench");
    let result = |seed| {
        println!("{which:?}, seed {seed}");
        let run = core.run(seed).expect("the program ends");
        look(&core, seed, &run);
        run.result
    };
    let results = [0, 1, 2, 3].map(result);
    assert_eq!(results, [results[0]; 4]);
}

/// The paths of each run are the model's.
fn profile(which: Which) {
    each_run(which, |_, _, run| check(run, which));
}

verilated::tests! {
    the_smallest_vexriscv_without_caches: profile(Which::VexRiscv("VexRiscv_Min"));
    /// By a generated `bind` directive.
    a_vexriscv_whose_text_stays_as_it_is: profile(Which::Bound("VexRiscv_Min"));
    the_vexriscv_that_litex_takes: profile(Which::VexRiscv("VexRiscv"));
    the_vexriscv_with_compressed_instructions: profile(Which::VexRiscv("VexRiscv_IMAC"));
    the_full_vexriscv_with_branch_prediction: profile(Which::VexRiscv("VexRiscv_Full"));
    cv32e40p: profile(Which::OfSoc(Core::Cv32e40p));
    cv32e40x: profile(Which::OfSoc(Core::Cv32e40x));
}
