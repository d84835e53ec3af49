//! The execution is what is regenerated.
use hpp_paths::graph::{Acyclic, EdgeId, Weights};
use hpp_paths::interprocedural::{Event, Procedure, ProcedureId, Program};
use hpp_paths::trace::{
    Instrumentation, Note, Regeneration, Step, Trace, TraceError, Tracer, Witnesses,
};
use proptest::prelude::*;

use crate::programs::{execute, program, start, weights};
use crate::random_graphs::graph_of;

fn regenerated(instrumentation: &Instrumentation, trace: &Trace) -> Result<Vec<Step>, TraceError> {
    Regeneration::new(instrumentation, trace).collect()
}

fn runs() -> impl Strategy<Value = (Program, Vec<f64>, Vec<Step>)> {
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
        let distinct = Instrumentation::new(&program, program.ids().map(of_each).collect());
        let distinct = distinct.expect("blocked");
        let bytes = distinct.clone().map(Witnesses::in_bytes);
        let traces = [&reused, &distinct, &bytes].map(|instrumentation| {
            let trace = Tracer::trace(instrumentation, start(), execution.iter().copied());
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
        let trace = Tracer::trace(&instrumentation, start(), execution.iter().copied());
        prop_assert_eq!(regenerated(&instrumentation, &trace.expect("an execution")), Ok(execution));
    }

    #[test]
    fn whatever_witnesses_are_accepted_tell_the_execution(
        (program, _, execution) in runs(),
        without in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let without: Vec<usize> = without.iter().map(|edge| edge.index(20)).collect();
        let at = |id| {
            let edges = program.procedure(id).dag().flow().edges();
            let witnessed: Vec<EdgeId> = edges.filter(|edge| !without.contains(&edge.index())).collect();
            Witnesses::at(program.procedure(id), &witnessed)
        };
        let witnesses: Result<Vec<_>, _> = program.ids().map(at).collect();
        let Some(instrumentation) = witnesses.ok().and_then(|w| Instrumentation::new(&program, w).ok()) else {
            return Ok(());
        };
        let trace = Tracer::trace(&instrumentation, start(), execution.iter().copied());
        let trace = trace.expect("an execution");
        let steps = Regeneration::new(&instrumentation, &trace);
        let steps: Result<Vec<Step>, _> = steps.take(execution.len() + 1).collect();
        prop_assert_eq!(steps, Ok(execution));
    }

    #[test]
    fn a_trace_of_another_program_is_no_panic((one, values, execution) in runs(), (other, _, _) in runs()) {
        let optimal = Instrumentation::optimal(&one, weights(&one, &values));
        let trace = Tracer::trace(&optimal, start(), execution);
        let trace = trace.expect("an execution");
        for instrumentation in [Instrumentation::every_outcome(&other), Instrumentation::optimal(&other, weights(&other, &values))] {
            // A trace that says nothing leaves recursion without branches going on for ever.
            let events = Regeneration::new(&instrumentation, &trace).take(1000);
            prop_assert!(events.filter(Result::is_err).count() <= 1);
        }
    }
}

/// A procedure that branches, and the leaf it calls twice in a row.
fn two_procedures() -> Program {
    let main = graph_of("test one, test exit, one two, two exit");
    let [main, leaf] = [main, graph_of("only exit")].map(|cfg| Acyclic::depth_first(&cfg));
    let call = |p: Procedure, site| p.calling(EdgeId::new(site), ProcedureId::new(1));
    let main = call(call(Procedure::new("main", main), 2), 3);
    Program::new(vec![main, Procedure::new("leaf", leaf)]).expect("callees are there")
}

fn take(edge: usize) -> Step {
    Event::Take(EdgeId::new(edge)).into()
}

fn call(site: usize) -> Step {
    let (site, callee) = (EdgeId::new(site), ProcedureId::new(1));
    Event::Call { site, callee }.into()
}

const RETURN: Step = Step::Go(Event::Return);

/// Where a call can go to one procedure alone the program tells which; else the trace does.
#[test]
fn only_callees_that_the_program_leaves_open_are_noted() {
    let closed = two_procedures();
    let [main, leaf] = [0, 1].map(|id| closed.procedure(ProcedureId::new(id)).clone());
    let open = main.calling_others(EdgeId::new(3));
    let open = Program::new(vec![open, leaf]).expect("callees are there");
    let execution = [
        take(0),
        call(2),
        take(0),
        RETURN,
        call(3),
        take(0),
        RETURN,
        RETURN,
    ];
    let callee = Note::Callee(ProcedureId::new(1));
    for (program, notes) in [(closed, vec![]), (open, vec![callee])] {
        let instrumentation = Instrumentation::every_outcome(&program);
        let trace = Tracer::trace(&instrumentation, start(), execution).expect("an execution");
        assert_eq!(trace.notes(), notes);
        let steps = regenerated(&instrumentation, &trace);
        assert_eq!(steps, Ok(execution.to_vec()));
    }
}

#[test]
fn an_early_exit_in_the_second_call_is_not_taken_for_one_in_the_first() {
    let program = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let execution = [take(0), call(2), take(0), RETURN, call(3), Step::Stop];
    let trace = Tracer::trace(&instrumentation, start(), execution).expect("an execution");
    assert_eq!(
        regenerated(&instrumentation, &trace),
        Ok(execution.to_vec())
    );
}

#[test]
fn a_program_that_ends_with_procedures_under_way_stops() {
    let program = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let trace = Tracer::trace(&instrumentation, start(), [take(0)]).expect("an execution");
    let steps = regenerated(&instrumentation, &trace).expect("the trace of it");
    assert_eq!(steps, [take(0), Step::Stop]);
}

#[test]
fn a_step_that_cannot_be_is_an_error() {
    let program = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let (inside, outside) = ("in block `one` of `main`", "out of the program");
    for (steps, step, control) in [
        (&[take(0), RETURN][..], "1 (from 0) is Go(Return)", inside),
        (
            &[take(0), take(2)],
            "1 (from 0) is Go(Take(EdgeIndex(2)))",
            inside,
        ),
        (&[Step::Stop, Step::Stop], "1 (from 0) is Stop", outside),
        (
            &[take(1), RETURN, RETURN],
            "2 (from 0) is Go(Return)",
            outside,
        ),
    ] {
        let error = Tracer::trace(&instrumentation, start(), steps.iter().copied());
        let error = error.expect_err("no execution").to_string();
        assert_eq!(error, format!("step {step}, but control is {control}"));
    }
}

#[test]
fn witnesses_without_the_blocking_property_are_refused_where_there_are_calls() {
    let program = two_procedures();
    let unblocked = |id: ProcedureId| {
        let procedure = program.procedure(id);
        Witnesses::unblocked(procedure, &Weights::uniform(procedure.dag().flow()))
    };
    let error = Instrumentation::new(&program, program.ids().map(unblocked).collect());
    assert_eq!(
        error.expect_err("main calls").to_string(),
        "from block `test` of `main` control comes to a call or to the exit without a witness; \
         block this way, or trace every outcome"
    );
}

#[test]
fn a_trace_that_begins_in_no_procedure_is_an_error() {
    let program = two_procedures();
    let leaf = ProcedureId::new(1);
    let instrumentation = Instrumentation::every_outcome(&program);
    let trace = Tracer::trace(&instrumentation, leaf, [take(0), RETURN]).expect("an execution");
    let other = Program::new(vec![program.procedure(leaf).clone()]).expect("one procedure");
    let error = regenerated(&Instrumentation::every_outcome(&other), &trace);
    assert_eq!(
        error.expect_err("no such procedure").to_string(),
        "the trace begins in procedure 1 (from 0), but there are 1; is this the program that was traced?"
    );
}

#[test]
fn a_trace_that_goes_on_is_an_error() {
    let program = two_procedures();
    let instrumentation = Instrumentation::every_outcome(&program);
    let trace = Tracer::trace(&instrumentation, start(), [take(1), RETURN]).expect("an execution");
    let leaf = program.procedure(ProcedureId::new(1)).clone();
    let leaf = Program::new(vec![leaf]).expect("one procedure");
    let error = regenerated(&Instrumentation::every_outcome(&leaf), &trace);
    assert_eq!(
        error.expect_err("no witness").to_string(),
        "the execution ends after 0 witnesses and 0 notes, the trace does not; is this the program that was traced?"
    );
}
