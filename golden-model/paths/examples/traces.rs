//! The execution of a program with calls, regenerated from a few bits, in three encodings.

use hpp_paths::graph::{Acyclic, Cfg, EdgeId, Weights};
use hpp_paths::interprocedural::{Event, Procedure, ProcedureId, Program};
use hpp_paths::trace::{
    ActivationStack, Instrumentation, Next, Regeneration, Step, Tracer, Witnesses,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // main calls f in a loop; f branches, and now and then calls itself.
    let main = Cfg::from_edges([
        ("entry", "call"),
        ("call", "test"),
        ("test", "call"),
        ("test", "exit"),
    ])?;
    let f = Cfg::from_edges([
        ("test", "even"),
        ("test", "odd"),
        ("even", "join"),
        ("odd", "join"),
        ("join", "again"),
        ("join", "exit"),
        ("again", "exit"),
    ])?;
    let [start, callee] = [0, 1].map(ProcedureId::new);
    let procedure = |name, cfg: &Cfg, site| {
        Procedure::new(name, Acyclic::depth_first(cfg)).calling(EdgeId::new(site), callee)
    };
    let program = Program::new(vec![procedure("main", &main, 1), procedure("f", &f, 6)])?;

    // An execution in which main loops, and f takes the second way out of a block every third time.
    let mut stack = ActivationStack::enter(&program, start);
    let mut execution = Vec::new();
    while let (Some(top), true) = (stack.top(), execution.len() < 2000) {
        let event = match stack.next() {
            Next::Edge(ways) => {
                let second = top.procedure == callee && execution.len() % 3 == 2;
                let site = ways[usize::from(second) % ways.len()];
                match program.procedure(top.procedure).call(site) {
                    Some(_) => Event::Call { site, callee },
                    None => Event::Take(site),
                }
            }
            _ => Event::Return,
        };
        stack.apply(event.into())?;
        execution.push(Step::Go(event));
    }
    execution.push(Step::Stop);

    let weights = |id| Weights::heuristic(program.procedure(id).dag().flow());
    let optimal = Instrumentation::optimal(&program, weights);
    for (name, instrumentation) in [
        ("witnesses", &optimal),
        (
            "witnesses, a byte each",
            &optimal.clone().map(Witnesses::in_bytes),
        ),
        ("every outcome", &Instrumentation::every_outcome(&program)),
    ] {
        let trace = Tracer::trace(instrumentation, start, execution.iter().copied())?;
        let regenerated: Vec<Step> =
            Regeneration::new(instrumentation, &trace).collect::<Result<_, _>>()?;
        assert_eq!(regenerated, execution);
        println!(
            "{:>5} steps, {:>4} witnesses, {:>5} bits: {name}",
            execution.len(),
            trace.witnesses(),
            trace.bits()
        );
    }
    Ok(())
}
