//! Sizes of grammars, their growth with the stream, and the time a symbol takes.

use std::time::Instant;

use anyhow::Result;
use hpp_paths::wpp::Sequitur;
use verilated::tools::figures::thousands;

use super::Tiled;
use crate::document::Document;
use crate::streams::Stream;

/// How often a time is measured; the shortest counts.
const RUNS: usize = 5;

pub fn fill(document: &Document, streams: &[Stream], tiled: &[Tiled]) -> Result<()> {
    let mut rows = Vec::new();
    for (stream, tiled) in streams.iter().zip(tiled) {
        let blocks = stream.blocks();
        rows.push(row(stream, "paths", &tiled.numbers, tiled.paths.len()));
        let distinct = blocks.iter().collect::<rustc_hash::FxHashSet<_>>().len();
        rows.push(row(stream, "blocks", &blocks, distinct));
    }
    let head = "program | symbols are | stream | distinct | rules | grammar | stream, bytes | \
        grammar, bytes | ratio | bits an instruction";
    document.table("grammar-size", head, &rows)?;
    document.table(
        "grammar-time",
        "program | paths | ns a path | half as many | a quarter",
        &tiled.iter().map(times).collect::<Vec<_>>(),
    )
}

fn row<T: Clone + Eq + core::hash::Hash>(
    stream: &Stream,
    kind: &str,
    symbols: &[T],
    distinct: usize,
) -> Vec<String> {
    let mut sequitur = Sequitur::new();
    sequitur.extend(symbols.iter().cloned());
    let grammar = sequitur.grammar();
    // Each symbol in as many bits as tell all of them apart.
    let width = u64::from(distinct.next_power_of_two().ilog2());
    let [plain, small] = [symbols.len() as u64 * width, grammar.bits()];
    vec![
        stream.name.to_owned(),
        kind.to_owned(),
        thousands(symbols.len() as u64),
        thousands(distinct as u64),
        thousands(grammar.rules().len() as u64),
        thousands(grammar.symbols() as u64),
        thousands(plain.div_ceil(8)),
        thousands(small.div_ceil(8)),
        format!("{:.1}", plain as f64 / small as f64),
        format!("{:.4}", small as f64 / stream.retired as f64),
    ]
}

/// Nanoseconds a symbol on the whole stream, its first half and its first quarter: linear if they are alike.
fn times(tiled: &Tiled) -> Vec<String> {
    let time = |part: usize| {
        let numbers = &tiled.numbers[..tiled.numbers.len() / part];
        let once = || {
            let start = Instant::now();
            let mut sequitur = Sequitur::new();
            sequitur.extend(numbers.iter().copied());
            let time = start.elapsed().as_secs_f64();
            assert_eq!(sequitur.stream_length(), numbers.len() as u64);
            1e9 * time / numbers.len() as f64
        };
        (0..RUNS).map(|_| once()).fold(f64::MAX, f64::min)
    };
    let mut row = vec![tiled.name.to_owned(), thousands(tiled.numbers.len() as u64)];
    row.extend([1, 2, 4].map(|part| format!("{:.0}", time(part))));
    row
}
