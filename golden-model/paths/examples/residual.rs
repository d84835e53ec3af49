//! What the field does and tests never did; and of that, what failing runs alone do.

use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
use hpp_paths::interprocedural::{
    Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
};
use hpp_paths::residual::{Limits, ResidualProfiler, Suspects, Tested};

/// Three questions in a row.
const EDGES: &str =
    "1? 1y, 1? 1n, 1y 2?, 1n 2?, 2? 2y, 2? 2n, 2y 3?, 2n 3?, 3? 3y, 3? 3n, 3y end, 3n end";

/// The run that answers them so.
fn run(answers: &str) -> impl Iterator<Item = Event> {
    let answer = |(at, answer)| 4 * at + usize::from(answer != 'y');
    let edges = answers
        .chars()
        .enumerate()
        .map(answer)
        .flat_map(|edge| [edge, edge + 2]);
    edges
        .map(|edge| Event::Take(EdgeId::new(edge)))
        .chain([Event::Return])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cfg = Cfg::from_edges(EDGES.split(", ").filter_map(|edge| edge.split_once(' ')))?;
    let program = Program::new(vec![Procedure::new("ask", Acyclic::depth_first(&cfg))])?;
    let (graphs, ask) = (
        Supergraphs::build(&program, &Inlining::none()),
        ProcedureId::new(0),
    );
    let mut tests = PathProfile::default();
    for answers in ["yyy", "nnn"] {
        tests.add(&PathProfile::of(
            &program,
            &graphs,
            Windows::Tiled,
            ask,
            run(answers),
        )?);
    }
    let tested = Tested::new(&graphs, &tests, Limits::default())?;
    println!("{} of 8 paths are tested", tests.len());
    let mut suspects = Suspects::default();
    // Whether the run fails: to say no and then yes at last is what the program does not stand.
    let field = [
        ("yyy", false),
        ("yny", true),
        ("nyn", false),
        ("nny", true),
        ("yny", true),
    ];
    for (answers, fails) in field {
        let mut profiler = ResidualProfiler::new(&tested);
        profiler.run(&program, Windows::Tiled, ask, run(answers))?;
        let untested = profiler.report().untested;
        let paths = untested.iter().map(|u| u.path.text(graphs.of(ask).dag()));
        match fails {
            true => suspects.failing(paths),
            false => suspects.passing(paths),
        }
    }
    for suspect in suspects.ranked() {
        println!("{} failing: {}", suspect.runs, suspect.path);
    }
    Ok(())
}
