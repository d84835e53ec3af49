//! Every algorithm on graphs of 100,000 blocks, on a stack too small for a call for each.

#[path = "../examples/scaling/algorithms.rs"]
mod algorithms;
#[path = "../examples/scaling/shapes.rs"]
mod shapes;

use algorithms::ALGORITHMS;
use hpp_paths::graph::{Acyclic, Cfg, EdgeId, Weights};
use hpp_paths::interprocedural::Procedure;
use hpp_paths::trace::Witnesses;
use shapes::SHAPES;

/// Enough for any of them, and for no recursion over blocks.
const STACK: usize = 256 * 1024;

fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    thread.expect("a thread").join().expect("it ends");
}

#[test]
fn nothing_recurses_over_blocks() {
    on_a_small_stack(|| {
        for (shape, graph) in SHAPES {
            for blocks in [1_000, 100_000] {
                let cfg = graph(blocks);
                let algorithms = ALGORITHMS.iter();
                let taken = algorithms.filter(|algorithm| algorithm.takes(shape, blocks));
                taken.for_each(|algorithm| {
                    println!("{} on {shape}, {blocks} blocks", algorithm.name);
                    (algorithm.run)(&cfg);
                });
            }
        }
    });
}

#[test]
fn witnesses_of_a_long_row_do_not_overflow_the_stack() {
    on_a_small_stack(|| {
        let (_, row) = SHAPES[0];
        let cfg = row(60_000);
        let procedure = Procedure::new("row", Acyclic::depth_first(&cfg));
        let weights = Weights::uniform(&cfg);
        for witnesses in [
            Witnesses::optimal(&procedure, &weights),
            Witnesses::unblocked(&procedure, &weights),
            Witnesses::at(&procedure, &[EdgeId::new(7)]).expect("a row has no ways apart"),
        ] {
            assert!(witnesses.edges().count() <= 1);
        }
    });
}

#[test]
fn a_wide_switch_needs_as_many_values_as_it_has_cases() {
    let (_, switch) = SHAPES[2];
    let cases = 8_000;
    let cfg = switch(cases + 2);
    let procedure = Procedure::new("switch", Acyclic::depth_first(&cfg));
    let witnesses = Witnesses::optimal(&procedure, &Weights::uniform(&cfg));
    let witnessed = witnesses.edges().count();
    let few = witnesses.reusing_values();
    assert!(
        few.edges()
            .all(|edge| few.value(edge).expect("a witness") < witnessed as u32)
    );
    assert_eq!(
        few.width(cfg.entry()),
        (witnessed as u32).next_power_of_two().ilog2()
    );
}

#[test]
fn weights_of_many_loops_in_one_another_are_finite() {
    let (_, nest) = SHAPES[5];
    let cfg = nest(2 * 700);
    let weights = Weights::heuristic(&cfg);
    assert!(
        cfg.edges()
            .all(|edge| weights.edge(edge).is_finite() && weights.edge(edge) >= 0.0)
    );
    let dag = Acyclic::depth_first(&cfg);
    let all: f64 = dag.edges().map(|edge| weights.dag_edge(&dag, edge)).sum();
    assert!(all.is_finite());
}

/// Whether an edge leaves the block is not looked up among the ways out of it.
#[test]
fn an_edge_that_does_not_leave_the_block_is_refused() {
    use hpp_paths::interprocedural::{Event, ProcedureId, Program};
    use hpp_paths::trace::ActivationStack;
    let cfg = Cfg::from_edges([("a", "b"), ("b", "c")]).expect("a row");
    let [first, second] = [0, 1].map(EdgeId::new);
    let program = Program::new(vec![Procedure::new("p", Acyclic::depth_first(&cfg))]);
    let program = program.expect("a program");
    let mut stack = ActivationStack::enter(&program, ProcedureId::new(0));
    for refused in [second, EdgeId::new(2)] {
        assert!(stack.apply(Event::Take(refused).into()).is_err());
    }
    assert!(stack.apply(Event::Take(first).into()).is_ok());
}
