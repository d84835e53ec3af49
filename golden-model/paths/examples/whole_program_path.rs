//! A run as a grammar: its rules, its size and its minimal hot subpaths.

use hpp_paths::wpp::{HotLimits, Sequitur, hot_subpaths};

fn main() -> Result<(), hpp_paths::wpp::SearchTooLong> {
    // Acyclic paths of a run: setup, a loop whose body alternates, and a rare case every hundredth time.
    let mut sequitur = Sequitur::new();
    sequitur.push("setup");
    for iteration in 1..=1000 {
        let body = if iteration % 2 == 0 { "even" } else { "odd" };
        sequitur.extend(["head", body]);
        if iteration % 100 == 0 {
            sequitur.push("flush");
        }
    }
    let grammar = sequitur.grammar();
    print!("{grammar}");
    println!(
        "{} paths in {} symbols, {} bits",
        sequitur.stream_length(),
        grammar.symbols(),
        grammar.bits()
    );
    // Instructions of each path; sequences of two to four paths that hold a quarter of all of them.
    let instructions = |path: &&str| path.len() as u64;
    let total: u64 = grammar.expand().map(instructions).sum();
    for hot in hot_subpaths(
        &grammar,
        &HotLimits {
            lengths: 2..=4,
            cost: total / 4,
        },
        instructions,
    )? {
        println!(
            "{:5.1} %  {:?}",
            100.0 * hot.cost as f64 / total as f64,
            hot.symbols
        );
    }
    Ok(())
}
