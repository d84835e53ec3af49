//! Wrong programs and wrong runs are refused, with what would have been right.
use hpp_paths::graph::EdgeId;
use hpp_paths::interprocedural::{
    Event, PathProfile, ProcedureId, Program, ProgramError, Supergraphs, Windows,
};
use proptest::prelude::*;

use super::programs::{START, choices, inlining, procedure_of, program, run};

/// `a` calls `b` between two edges of its own; `b` has two.
fn two() -> Program {
    let [a, b] = ["a", "b"].map(|name| procedure_of(name, "1 2, 2 3"));
    let a = a.calling(EdgeId::new(1), ProcedureId::new(1));
    Program::new(vec![a, b]).expect("a program")
}

fn take(edge: usize) -> Event {
    Event::Take(EdgeId::new(edge))
}

fn call(site: usize) -> Event {
    let (site, callee) = (EdgeId::new(site), ProcedureId::new(1));
    Event::Call { site, callee }
}

#[test]
fn a_run_goes_where_edges_and_calls_lead_and_ends_with_its_first_procedure() {
    use Event::Return;
    let program = two();
    let graphs = Supergraphs::build(&program, &inlining(1, None));
    let start = ProcedureId::new(START);
    let whole = [take(0), call(1), take(0), take(1), Return, Return];
    let beyond = [&whole[..], &[take(0)]].concat();
    for (run, expected) in [
        (
            &[take(0), take(0)][..],
            "event 1, in `a`: edge 1 of the sequence leaves `1`, but control is in `2`",
        ),
        (
            &[take(0), take(1)],
            "event 1, in `a`: edge 1 (from 0) is a call; give its callee",
        ),
        (
            &[call(0)],
            "event 0, in `a`: edge 0 (from 0) does not call the procedure that the event names",
        ),
        (
            &[take(0), call(1), take(0), Return],
            "event 3: `b` returns from a block that is not its exit",
        ),
        (
            &[take(7)],
            "event 0, in `a`: edge 7 (from 0) does not exist",
        ),
        (
            &beyond,
            "event 6: the run has ended; the procedure it began in has returned",
        ),
    ] {
        let run = run.iter().copied();
        let profile = PathProfile::of(&program, &graphs, Windows::Tiled, start, run);
        assert_eq!(profile.expect_err("no run").to_string(), expected);
    }
}

/// An open call may go to a procedure that is not listed, but to none that the program does not have.
#[test]
fn open_calls_go_to_procedures_too() {
    let site = EdgeId::new(0);
    let open = procedure_of("a", "1 2").calling_others(site);
    let program = Program::new(vec![open]).expect("a program");
    let graphs = Supergraphs::build(&program, &inlining(1, None));
    let run = |callee| {
        let call = Event::Call {
            site,
            callee: ProcedureId::new(callee),
        };
        let start = ProcedureId::new(START);
        PathProfile::of(&program, &graphs, Windows::Tiled, start, [call])
    };
    assert!(run(0).is_ok());
    let error = run(1).expect_err("no such procedure").to_string();
    assert!(error.ends_with("does not call the procedure that the event names"));
}

#[test]
fn calls_lie_on_edges_and_lead_to_procedures() {
    let calling = |edge, callee| {
        let procedure = procedure_of("a", "1 2");
        let procedure = procedure.calling(EdgeId::new(edge), ProcedureId::new(callee));
        Program::new(vec![procedure]).expect_err("no program")
    };
    let (procedure, edges, procedures) = ("a".to_owned(), 1, 1);
    let (edge, callee) = (5, 3);
    let name = procedure.clone();
    let no_edge = ProgramError::NoSuchEdge {
        procedure: name,
        edge,
        edges,
    };
    let no_callee = ProgramError::NoSuchProcedure {
        procedure,
        callee,
        procedures,
    };
    assert_eq!([calling(edge, 0), calling(0, callee)], [no_edge, no_callee]);
}

proptest! {
    /// Events in any order are a run or an error, never a panic.
    #[test]
    fn nonsense_is_refused(
        program in program(), choices in choices(), at in any::<prop::sample::Index>(),
        edge in 0..12usize, callee in 0..4usize, kind in 0..3,
    ) {
        let mut events = run(&program, &choices);
        let (edge, count) = (EdgeId::new(edge), program.ids().len());
        let nonsense = match kind {
            0 => Event::Take(edge),
            1 => Event::Call { site: edge, callee: ProcedureId::new(callee % count) },
            _ => Event::Return,
        };
        events.insert(at.index(events.len() + 1), nonsense);
        let graphs = Supergraphs::build(&program, &inlining(2, None));
        let start = ProcedureId::new(START);
        for windows in [Windows::Tiled, Windows::Every] {
            let _ = PathProfile::of(&program, &graphs, windows, start, events.iter().copied());
        }
    }
}
