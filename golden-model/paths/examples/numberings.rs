//! The paths of a loop numbered three ways, and the probes that each numbering needs.

use hpp_paths::graph::{Acyclic, Cfg, Weights};
use hpp_paths::numbering::{BallLarus, Interesting, Preferential, Pushing, Selective};
use hpp_paths::placement::Probes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cfg = Cfg::from_edges([
        ("entry", "head"),
        ("head", "even"),
        ("head", "odd"),
        ("even", "join"),
        ("odd", "join"),
        ("join", "more"),
        ("join", "exit"),
        ("more", "head"),
    ])?;
    // Loops are broken at their back edges, and a path begins at each head.
    let dag = Acyclic::depth_first(&cfg);
    let all = BallLarus::new(&dag)?;
    let count = all.paths().to_u64().ok_or("too many paths to print")?;
    for number in 0..count {
        println!("{number}: {}", all.path(&number.into())?.text(&dag));
    }
    // Of all paths the two through the loop's body are of interest.
    let hot = [4_u64, 6].map(|number| all.path(&number.into()));
    let hot: Vec<_> = hot.into_iter().collect::<Result<_, _>>()?;
    let interesting = Interesting::new(&dag, hot)?;
    let preferential = Preferential::new(&interesting)?;
    let selective = Selective::new(&interesting, Pushing::Restricted)?;
    println!("preferential {:?}", preferential.numbers());
    println!("selective    {:?}", selective.sums());
    let weights = Weights::heuristic(&cfg);
    for edge in dag.edges() {
        if let Some(probe) = Probes::optimised(&all.values(), &weights).on(edge) {
            println!("{}: {probe}", dag.edge_name(edge));
        }
    }
    Ok(())
}
