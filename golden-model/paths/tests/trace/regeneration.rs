//! The execution is what is regenerated.
use hpp_paths::graph::{BlockId, Cfg, EdgeId, Weights};
use hpp_paths::trace::{
    Callee, Event, Instrumentation, Procedure, ProcedureId, Program, Regeneration, Trace,
    TraceError, Tracer, Witnesses,
};
use proptest::prelude::*;

use crate::programs::{execute, program, weights};

fn regenerated(instrumentation: &Instrumentation, trace: &Trace) -> Result<Vec<Event>, TraceError> {
    Regeneration::new(instrumentation, trace).collect()
}

/// A program, weights and an execution.
fn runs() -> impl Strategy<Value = (Program, Vec<f64>, Vec<Event>)> {
    let choices = prop::collection::vec(any::<u8>(), 0..300);
    let weights = prop::collection::vec(0.0..9.0, 20);
    (program(), weights, choices).prop_map(|(program, weights, choices)| {
        let execution = execute(&program, &choices);
        (program, weights, execution)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn witnesses_tell_the_execution((program, values, execution) in runs()) {
        let reused = Instrumentation::optimal(&program, weights(&program, &values));
        let of_each = |id| Witnesses::optimal(program.procedure(id), &weights(&program, &values)(id));
        let ids = (0..program.procedures().len()).map(ProcedureId::new);
        let distinct = Instrumentation::new(&program, ids.map(of_each).collect()).expect("blocked");
        let bytes = distinct.clone().map(Witnesses::in_bytes);
        let traces = [&reused, &distinct, &bytes].map(|instrumentation| {
            let trace = Tracer::trace(instrumentation, execution.iter().copied());
            (instrumentation, trace.expect("an execution"))
        });
        for (instrumentation, trace) in &traces {
            prop_assert_eq!(&regenerated(instrumentation, trace), &Ok(execution.clone()));
        }
        let [reused, distinct, bytes] = traces.map(|(_, trace)| (trace.witnesses(), trace.bits()));
        prop_assert_eq!([reused.0, bytes.0], [distinct.0; 2]);
        prop_assert!(reused.1 <= distinct.1 && distinct.1 <= bytes.1);
    }

    #[test]
    fn bits_tell_the_execution((program, _, execution) in runs()) {
        let instrumentation = Instrumentation::every_outcome(&program);
        let trace = Tracer::trace(&instrumentation, execution.iter().copied());
        prop_assert_eq!(regenerated(&instrumentation, &trace.expect("an execution")), Ok(execution));
    }

    #[test]
    fn a_trace_of_another_program_is_no_panic((one, values, execution) in runs(), (other, _, _) in runs()) {
        let trace = Tracer::trace(&Instrumentation::optimal(&one, weights(&one, &values)), execution);
        let trace = trace.expect("an execution");
        for instrumentation in [Instrumentation::every_outcome(&other), Instrumentation::optimal(&other, weights(&other, &values))] {
            // A trace that says nothing leaves recursion without branches going on for ever.
            let events = Regeneration::new(&instrumentation, &trace).take(1000);
            prop_assert!(events.filter(Result::is_err).count() <= 1);
        }
    }
}

/// A procedure that branches, and what it calls.
fn two_procedures() -> (Program, [Cfg; 2]) {
    let main = Cfg::from_edges([("test", "then"), ("test", "exit"), ("then", "exit")]);
    let leaf = Cfg::from_edges([("only", "exit")]);
    let [main, leaf] = [main, leaf].map(|cfg| cfg.expect("a graph"));
    let then = main.find("then").expect("a block");
    let callee = Callee::Direct(ProcedureId::new(1));
    let procedures = vec![
        Procedure::new("main", &main)
            .calling(then, callee)
            .calling(then, callee),
        Procedure::new("leaf", &leaf),
    ];
    let program = Program::new(procedures, ProcedureId::new(0)).expect("callees are there");
    (program, [main, leaf])
}

#[test]
fn an_early_exit_in_the_second_call_is_not_taken_for_one_in_the_first() {
    let (program, _) = two_procedures();
    let [main, leaf] = [0, 1].map(ProcedureId::new);
    let instrumentation = Instrumentation::every_outcome(&program);
    let execution = [
        Event::Call(main),
        Event::Take(EdgeId::new(0)),
        Event::Call(leaf),
        Event::Take(EdgeId::new(0)),
        Event::Return,
        Event::Call(leaf),
        Event::Stop,
    ];
    let trace = Tracer::trace(&instrumentation, execution).expect("an execution");
    assert_eq!(
        regenerated(&instrumentation, &trace),
        Ok(execution.to_vec())
    );
}

#[test]
fn a_program_that_ends_with_procedures_under_way_stops() {
    let (program, _) = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let begun = [
        Event::Call(ProcedureId::new(0)),
        Event::Take(EdgeId::new(0)),
    ];
    let trace = Tracer::trace(&instrumentation, begun).expect("an execution");
    let events = regenerated(&instrumentation, &trace).expect("the trace of it");
    assert_eq!(events, [begun[0], begun[1], Event::Stop]);
}

#[test]
fn an_event_that_cannot_be_is_an_error() {
    let (program, _) = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let events = [
        Event::Call(ProcedureId::new(0)),
        Event::Take(EdgeId::new(0)),
        Event::Return,
    ];
    let error = Tracer::trace(&instrumentation, events).expect_err("two calls come first");
    assert_eq!(
        error.to_string(),
        "event 2 is Return, but control is in block `then` of `main` with 0 of 2 calls begun"
    );
}

#[test]
fn witnesses_without_the_blocking_property_are_refused_where_there_are_calls() {
    let (program, [main, leaf]) = two_procedures();
    let unblocked = |cfg: &Cfg, id: usize| {
        Witnesses::unblocked(&program.procedures()[id], &Weights::uniform(cfg))
    };
    let error = Instrumentation::new(&program, vec![unblocked(&main, 0), unblocked(&leaf, 1)])
        .expect_err("main calls");
    assert_eq!(
        error.to_string(),
        "from block `test` of `main` control comes to a call or to the exit without a witness; \
         block this way, or trace every outcome"
    );
}

#[test]
fn a_trace_that_goes_on_is_an_error() {
    let (program, _) = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let main = ProcedureId::new(0);
    let long = [
        Event::Call(main),
        Event::Take(EdgeId::new(1)),
        Event::Return,
    ];
    let trace = Tracer::trace(&instrumentation, long).expect("an execution");
    let leaf = Program::new(program.procedures()[1..].to_vec(), main).expect("one procedure");
    let error =
        regenerated(&Instrumentation::every_outcome(&leaf), &trace).expect_err("no witness");
    assert_eq!(
        error.to_string(),
        "the execution ends behind 0 witnesses and 0 notes, the trace does not; is this the program that was traced?"
    );
    assert_eq!(program.procedure(main).flow().entry(), BlockId::new(0));
}
