//! What is no program and no run is refused, with what would have been right.
use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
use hpp_paths::interprocedural::{
    Event, PathProfile, Procedure, ProcedureId, Program, ProgramError, Supergraphs, Windows,
};
use proptest::prelude::*;

use super::programs::{START, choices, inlining, program, run};

/// `a` calls `b` between two edges of its own; `b` has two.
fn two() -> Program {
    let procedure = |name: &str| {
        let cfg = Cfg::from_edges([("1", "2"), ("2", "3")]).expect("a graph");
        Procedure::new(name, Acyclic::depth_first(&cfg))
    };
    let a = procedure("a").calling(EdgeId::new(1), ProcedureId::new(1));
    Program::new(vec![a, procedure("b")]).expect("a program")
}

fn error(run: &[Event]) -> String {
    let program = two();
    let graphs = Supergraphs::build(&program, &inlining(1, None));
    let start = ProcedureId::new(START);
    let run = run.iter().copied();
    PathProfile::of(&program, &graphs, Windows::Tiled, start, run)
        .expect_err("no run")
        .to_string()
}

#[test]
fn a_run_goes_where_edges_and_calls_lead() {
    let [take, call] = [
        Event::Take(EdgeId::new(0)),
        Event::Call {
            site: EdgeId::new(1),
            callee: ProcedureId::new(1),
        },
    ];
    assert_eq!(
        error(&[take, take]),
        "event 1, in `a`: edge 1 of the sequence leaves `1`, but control is in `2`"
    );
    assert_eq!(
        error(&[take, Event::Take(EdgeId::new(1))]),
        "event 1, in `a`: edge 1 (from 0) is a call; give its callee"
    );
    assert_eq!(
        error(&[Event::Call {
            site: EdgeId::new(0),
            callee: ProcedureId::new(1)
        }]),
        "event 0, in `a`: edge 0 (from 0) does not call the procedure that the event names"
    );
    assert_eq!(
        error(&[take, call, take, Event::Return]),
        "event 3: `b` returns from a block that is not its exit"
    );
    assert_eq!(
        error(&[Event::Take(EdgeId::new(7))]),
        "event 0, in `a`: edge 7 (from 0) does not exist"
    );
}

#[test]
fn a_run_ends_with_its_first_procedure() {
    let take = |edge| Event::Take(EdgeId::new(edge));
    let call = Event::Call {
        site: EdgeId::new(1),
        callee: ProcedureId::new(1),
    };
    let whole = [
        take(0),
        call,
        take(0),
        take(1),
        Event::Return,
        Event::Return,
    ];
    assert_eq!(
        error(&[&whole[..], &[take(0)]].concat()),
        "event 6: the run has ended; the procedure it began in has returned"
    );
}

/// An open call may go to a procedure that is not listed, but to none that the program does not have.
#[test]
fn open_calls_go_to_procedures_too() {
    let cfg = Cfg::from_edges([("1", "2")]).expect("a graph");
    let site = EdgeId::new(0);
    let open = Procedure::new("a", Acyclic::depth_first(&cfg)).calling_others(site);
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
    let cfg = Cfg::from_edges([("1", "2")]).expect("a graph");
    let alone = || Procedure::new("a", Acyclic::depth_first(&cfg));
    let calling = |edge, callee| {
        let procedure = alone().calling(EdgeId::new(edge), ProcedureId::new(callee));
        Program::new(vec![procedure]).expect_err("no program")
    };
    let (procedure, edges, procedures) = ("a".to_owned(), 1, 1);
    assert_eq!(
        calling(5, 0),
        ProgramError::NoSuchEdge {
            procedure: procedure.clone(),
            edge: 5,
            edges
        }
    );
    assert_eq!(
        calling(0, 3),
        ProgramError::NoSuchProcedure {
            procedure,
            callee: 3,
            procedures
        }
    );
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
