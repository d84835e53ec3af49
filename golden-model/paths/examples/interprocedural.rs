//! Paths across calls: `parse` calls `digit` in a loop, and a path says what `digit` found.

use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
use hpp_paths::interprocedural::{
    Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
};
use hpp_paths::numbering::BallLarus;

/// The procedure with these edges, `from to`, with `, ` between them.
fn procedure(name: &str, edges: &str) -> Procedure {
    let edges = edges.split(", ").filter_map(|edge| edge.split_once(' '));
    let cfg = Cfg::from_edges(edges).expect("a graph");
    Procedure::new(name, Acyclic::depth_first(&cfg))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [parse, digit] = [0, 1].map(ProcedureId::new);
    let site = EdgeId::new(1);
    let program = Program::new(vec![
        procedure(
            "parse",
            "start loop, loop test, test add, add loop, test end",
        )
        .calling(site, digit),
        procedure("digit", "d low, d yes, d high, low r, yes r, high r"),
    ])?;
    // The text "42 ": twice a digit, then something lower.
    let take = |edge| Event::Take(EdgeId::new(edge));
    let mut run = vec![take(0)];
    for (found, then) in [
        (1, [take(2), take(3)]),
        (1, [take(2), take(3)]),
        (0, [take(4), Event::Return]),
    ] {
        run.push(Event::Call {
            site,
            callee: digit,
        });
        run.extend([take(found), take(found + 3), Event::Return]);
        run.extend(then);
    }
    for depth in [0, 1] {
        let graphs = Supergraphs::build(&program, &Inlining::all(depth));
        let paths = BallLarus::new(graphs.of(parse).dag())?.paths();
        println!("calls inlined {depth} deep, `parse` has {paths} paths:");
        let run = run.iter().copied();
        let profile = PathProfile::of(&program, &graphs, Windows::Tiled, parse, run)?;
        for (graph, path, count) in profile.iter() {
            println!("  {count} x {}", path.text(graphs.of(graph).dag()));
        }
    }
    Ok(())
}
