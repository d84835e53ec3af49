//! How long the algorithms take on graphs of 2,000, 10,000 and 100,000 blocks, in seconds.
//!
//! `cargo run --release -p hpp-paths --example scaling`
//!
//! A dash stands where the documentation of an algorithm says that it takes longer than near linear time on that shape, and the graph is too large for that.
//! All runs on a stack of 256 KiB.
mod algorithms;
mod shapes;

use std::time::Instant;

use algorithms::{ALGORITHMS, Algorithm};
use hpp_paths::graph::Cfg;
use shapes::SHAPES;

const SIZES: [usize; 3] = [2_000, 10_000, 100_000];

const STACK: usize = 256 * 1024;

fn main() {
    let all = std::thread::Builder::new().stack_size(STACK).spawn(table);
    all.expect("a thread").join().expect("every algorithm ends");
}

fn table() {
    println!(
        "| algorithm | blocks | {} |",
        SHAPES.map(|(name, _)| name).join(" | ")
    );
    println!("| --- | ---: |{}", " ---: |".repeat(SHAPES.len()));
    for algorithm in &ALGORITHMS {
        for blocks in SIZES {
            let cells = SHAPES.map(|(shape, graph)| {
                let takes = algorithm.takes(shape, blocks);
                match takes {
                    true => seconds(algorithm, &graph(blocks)),
                    false => "–".into(),
                }
            });
            println!("| {} | {blocks} | {} |", algorithm.name, cells.join(" | "));
        }
    }
}

fn seconds(algorithm: &Algorithm, cfg: &Cfg) -> String {
    let begin = Instant::now();
    (algorithm.run)(cfg);
    format!("{:.3}", begin.elapsed().as_secs_f64())
}
