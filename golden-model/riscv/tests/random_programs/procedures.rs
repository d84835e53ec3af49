//! Procedures with calls as edges: on random programs the events of a run go through the code that the run executed.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_paths::interprocedural::{Event, Inlining, PathProfile, ProcedureId, Supergraphs, Windows};
use hpp_riscv::{Function, Functions, Procedures, ProgramCode, Targets};
use proptest::prelude::*;

use crate::random_code::{Code, WORDS, code, functions, transfer};

/// The records and the addresses of a run from address 0; each choice decides one instruction. It stops where the first
/// procedure returns.
fn run(code: &Code, choices: &[u64]) -> (Vec<BranchRecord>, Vec<u64>) {
    let (mut records, mut addresses) = (Vec::new(), Vec::new());
    let (mut pc, mut returns) = (0, Vec::new());
    for &choice in choices {
        addresses.push(pc);
        let instruction = code.instruction(pc).expect("control stays in the code");
        let next = instruction.next;
        let Some(transfer) = instruction.transfer else {
            pc = next;
            continue;
        };
        let taken = !transfer.conditional || choice % 2 == 0;
        let target = match transfer.kind {
            _ if !taken => next,
            BranchKind::Return | BranchKind::TrapReturn => returns.pop().unwrap_or(u64::MAX),
            BranchKind::Indirect => 4 * (next / 4 / WORDS * WORDS + choice % WORDS),
            BranchKind::IndirectCall => 4 * WORDS * (choice % 4),
            _ => transfer.target.expect("a direct transfer"),
        };
        if matches!(transfer.kind, BranchKind::Call | BranchKind::IndirectCall) {
            returns.push(next);
        }
        let kind = transfer.kind;
        records.push(BranchRecord::new(kind, taken, target, next).with_events(1));
        if target == u64::MAX {
            break;
        }
        pc = target;
    }
    (records, addresses)
}

/// The addresses that events go through, as far as their blocks were left.
fn walked(procedures: &Procedures, events: &[Event]) -> Vec<u64> {
    let entry = |procedure| (procedure, procedures.body(procedure).cfg.entry());
    let mut active = vec![entry(procedures.at(0).expect("a procedure"))];
    let mut addresses = Vec::new();
    for event in events {
        let edge = match *event {
            Event::Return => {
                active.pop();
                continue;
            }
            Event::Take(edge) | Event::Call { site: edge, .. } => edge,
        };
        let (procedure, block): &mut (ProcedureId, _) = active.last_mut().expect("under way");
        let cfg = &procedures.body(*procedure).cfg;
        let (from, to) = cfg.ends(edge);
        assert_eq!(from, *block);
        let part = cfg.block(from).expect("code");
        addresses.extend((part.start..part.end).step_by(4));
        *block = to;
        if let Event::Call { callee, .. } = *event {
            active.push(entry(callee));
        }
    }
    addresses
}

proptest! {
    #[test]
    fn events_go_through_what_was_executed(
        code in code(), choices in prop::collection::vec(any::<u64>(), 1..300),
    ) {
        let (records, addresses) = run(&code, &choices);
        let mut targets = Targets::default();
        targets.observe(&records);
        let procedures = Procedures::recover(&code, &functions(), &targets).expect("graphs");
        let events = procedures.events(0, &records).expect("the program's own records");
        let walked = walked(&procedures, &events);
        let left = addresses.len() - walked.len();
        prop_assert_eq!(&walked[..], &addresses[..walked.len()]);
        // What is left lies after the last record, or is the block that a return out of the first procedure ends.
        prop_assert!(left <= addresses.len() && addresses[walked.len()..].windows(2).all(|w| w[1] == w[0] + 4));
        let program = procedures.program();
        let start = procedures.at(0).expect("a procedure");
        for depth in 0..3 {
            let graphs = Supergraphs::build(program, &Inlining::all(depth));
            let events = events.iter().copied();
            let profile = PathProfile::of(program, &graphs, Windows::Tiled, start, events);
            prop_assert!(profile.is_ok(), "{:?}", profile.err());
        }
    }

    #[test]
    fn records_of_another_program_are_refused(
        code in code(), choices in prop::collection::vec(any::<u64>(), 1..100), at in any::<prop::sample::Index>(),
    ) {
        let (mut records, _) = run(&code, &choices);
        if records.is_empty() {
            return Ok(());
        }
        let at = at.index(records.len());
        records[at].next += 2;
        let mut targets = Targets::default();
        targets.observe(&records);
        let procedures = Procedures::recover(&code, &functions(), &targets).expect("graphs");
        let begin = format!("record {at} (from 0)");
        let lost = procedures.events(0, &records).expect_err("no branch ends there");
        prop_assert!(lost.to_string().starts_with(&begin));
    }
}

/// Code that a program writes while it runs, or that of a ROM.
#[test]
fn a_computed_call_of_what_is_no_code_may_go_anywhere() {
    let code = Code(vec![
        transfer(BranchKind::IndirectCall, false, None),
        transfer(BranchKind::Return, false, None),
    ]);
    let call = BranchRecord::new(BranchKind::IndirectCall, true, 0x8000, 4).with_events(1);
    let mut targets = Targets::default();
    targets.observe([&call]);
    let functions = Functions::new(vec![Function::new("f", 0, 8)]);
    let procedures = Procedures::recover(&code, &functions, &targets).expect("graphs");
    let f = procedures.at(0).expect("a procedure");
    let f = procedures.program().procedure(f);
    let calls: Vec<_> = f.dag().flow().edges().filter_map(|e| f.call(e)).collect();
    assert_eq!(calls.len(), 1);
    assert!(calls[0].open && calls[0].callees.is_empty());
    assert!(procedures.events(0, &[call]).is_err());
}
