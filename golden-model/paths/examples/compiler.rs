//! What a compiler does with the library: its own graph goes in, code and a place for each edge come out, and the counters of
//! a run become paths again.

use hpp_paths::graph::{Acyclic, Cfg, Crossing, EdgeId, Weights};
use hpp_paths::numbering::BallLarus;
use hpp_paths::petgraph::graph::DiGraph;
use hpp_paths::placement::{Probe, Probes, Site};
use hpp_paths::runtime::{Instrumented, PathCounters, Storage};

/// The code of an edge. One that ends a path and begins another has two pieces.
fn code(probes: &Probes, edge: EdgeId) -> String {
    let pieces = match probes.dag().crossing(edge) {
        Some(Crossing::Inside(edge)) => [Some(edge), None],
        Some(Crossing::Break { stop, start }) => [Some(stop), start],
        None => [None, None],
    };
    let pieces = pieces.into_iter().flatten();
    let pieces: Vec<String> = pieces
        .filter_map(|edge| probes.on(edge).map(Probe::to_string))
        .collect();
    pieces.join("; ")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The compiler's graph: a loop around an `if`. Blocks 0 to 4.
    let mut blocks = DiGraph::<&str, ()>::new();
    let [entry, test, then, join, done] =
        ["entry", "test", "then", "join", "done"].map(|block| blocks.add_node(block));
    blocks.extend_with_edges([
        (entry, test),
        (test, then),
        (test, join),
        (then, join),
        (join, test),
        (join, done),
    ]);
    let cfg = Cfg::import(&blocks, entry, |_| 0)?;
    let dag = Acyclic::depth_first(&cfg);
    // Refused if a path's number may not fit into a 32-bit register.
    let numbering = BallLarus::limited(&dag, u64::from(u32::MAX))?;
    let probes = Probes::optimised(&numbering.values(), &Weights::heuristic(&cfg));

    println!("{} paths", numbering.paths());
    for edge in cfg.edges() {
        let code = code(&probes, edge);
        if !code.is_empty() {
            let site = match Site::of(&cfg, edge) {
                Site::Source => "at the end of its source",
                Site::Target => "at the head of its target",
                Site::Split => "in a block of its own",
            };
            println!("{:<10} {code:<20} {site}", cfg.edge_name(edge));
        }
    }

    // The program runs: in every third round the condition holds. A compiler's program would leave the counters in its memory.
    let round = |i| if i % 3 == 0 { [1, 3].as_slice() } else { &[2] };
    let mut run = vec![0];
    for i in 0..9 {
        run.extend(round(i));
        // Back to the test or, at last, out.
        run.extend(if i < 8 { [4].as_slice() } else { &[5] });
    }
    // To the exit that the import added.
    run.push(cfg.edges().count() - 1);
    let run: Vec<EdgeId> = run.into_iter().map(EdgeId::new).collect();
    let storage = Storage::choose(&numbering.paths(), Storage::THRESHOLD);
    let mut counters = PathCounters::new(storage);
    Instrumented::new(&probes).call(&run, |number| counters.count(number))?;
    for (number, count) in counters.counted() {
        let path = numbering.path(&number)?;
        println!("{count} times path {number}: {}", path.text(&dag));
    }
    Ok(())
}
