//! Table 4.1: how many subpaths there are, and how many of them an encoding tells apart.

use anyhow::Result;
use hpp_paths::subpath::{CountedSubpath, Encoding, count_subpaths, encoded_counts};
use rustc_hash::FxHashMap;
use verilated::tools::figures::thousands;

use super::{LENGTHS, name};
use crate::document::{Document, percent};
use crate::streams::Stream;

/// Lengths of the longer run that the thesis made of JLex.
const LONG: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// How many of the hottest identities are looked into.
const HOTTEST: usize = 50;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let mut sizes = Vec::new();
    let mut told_apart = Vec::new();
    for stream in streams {
        let blocks = stream.blocks();
        for lengths in [&LENGTHS[..], &LONG[..]] {
            let counts = count_subpaths(&blocks, lengths.iter().copied());
            let total = counts.iter().map(|subpath| subpath.count).sum();
            sizes.push(vec![
                format!("{} ({})", stream.name, lengths[lengths.len() - 1]),
                thousands(blocks.len() as u64),
                thousands(total),
                thousands(counts.len() as u64),
            ]);
            if lengths.len() == LENGTHS.len() {
                let distinct = |encoding| encoded_counts(&counts, encoding).len() as u64;
                let mut row = vec![stream.name.to_owned(), thousands(counts.len() as u64)];
                row.extend(Encoding::ALL.map(|encoding| thousands(distinct(encoding))));
                let pure = purity(&counts);
                row.push(percent(pure.iter().sum::<f64>() / pure.len() as f64));
                row.push(percent(pure.into_iter().fold(1.0, f64::min)));
                told_apart.push(row);
            }
        }
    }
    let head = "program (longest) | blocks | subpaths | distinct";
    document.table("subpath-sizes", head, &sizes)?;
    let names = Encoding::ALL.map(name).join(" | ");
    let head = format!("program | distinct | {names} | purity of the hottest | the least");
    document.table("subpath-encodings", &head, &told_apart)
}

/// Of each of the hottest identities under exclusive or: the share of its executions that are of the same blocks, each as often.
fn purity(counts: &[CountedSubpath<'_>]) -> Vec<f64> {
    let mut parts: FxHashMap<_, FxHashMap<_, u64>> = FxHashMap::default();
    for subpath in counts {
        let [id, blocks] =
            [Encoding::Xor, Encoding::SortedLinear].map(|encoding| encoding.number(subpath.blocks));
        let part = parts.entry((subpath.blocks.len(), id)).or_default();
        *part.entry(blocks).or_default() += subpath.count;
    }
    let mut all: Vec<(u64, u64)> = parts
        .values()
        .map(|part| {
            (
                part.values().sum(),
                part.values().copied().max().unwrap_or(0),
            )
        })
        .collect();
    all.sort_unstable_by_key(|&(sum, _)| core::cmp::Reverse(sum));
    all.into_iter()
        .take(HOTTEST)
        .map(|(sum, greatest)| greatest as f64 / sum as f64)
        .collect()
}
