//! The execution of a program with calls, regenerated from a few bits, in three encodings.

use hpp_paths::graph::{Cfg, Weights};
use hpp_paths::trace::{
    ActivationStack, Callee, Event, Instrumentation, Next, Procedure, ProcedureId, Program,
    Regeneration, Tracer, Witnesses,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // main calls f in a loop; f branches, and now and then calls itself.
    let main = Cfg::from_edges([("entry", "loop"), ("loop", "loop"), ("loop", "exit")])?;
    let f = Cfg::from_edges([
        ("test", "even"),
        ("test", "odd"),
        ("even", "join"),
        ("odd", "join"),
        ("join", "again"),
        ("join", "exit"),
        ("again", "exit"),
    ])?;
    let block = |cfg: &Cfg, name| cfg.find(name).ok_or("no such block");
    let call_f = Callee::Direct(ProcedureId::new(1));
    let procedures = vec![
        Procedure::new("main", &main).calling(block(&main, "loop")?, call_f),
        Procedure::new("f", &f).calling(block(&f, "again")?, call_f),
    ];
    let program = Program::new(procedures, ProcedureId::new(0))?;

    // An execution: the second way out of a block is taken every third time.
    let mut stack = ActivationStack::new(&program);
    let mut execution = Vec::new();
    while execution.len() < 2000 {
        let event = match stack.next() {
            Next::Call(Callee::Direct(callee)) => Event::Call(callee),
            Next::Take(ways) => {
                Event::Take(ways[usize::from(execution.len() % 3 == 2) % ways.len()])
            }
            Next::Return => Event::Return,
            _ => break,
        };
        stack.apply(event)?;
        execution.push(event);
    }
    execution.push(Event::Stop);

    let weights = |id| Weights::heuristic(program.procedure(id).flow());
    let optimal = Instrumentation::optimal(&program, weights);
    for (name, instrumentation) in [
        ("witnesses", &optimal),
        (
            "witnesses, a byte each",
            &optimal.clone().map(Witnesses::in_bytes),
        ),
        ("every outcome", &Instrumentation::every_outcome(&program)),
    ] {
        let trace = Tracer::trace(instrumentation, execution.iter().copied())?;
        let regenerated: Vec<Event> =
            Regeneration::new(instrumentation, &trace).collect::<Result<_, _>>()?;
        assert_eq!(regenerated, execution);
        println!(
            "{:>5} events, {:>4} witnesses, {:>5} bits: {name}",
            execution.len(),
            trace.witnesses(),
            trace.bits()
        );
    }
    Ok(())
}
