//! Minimal hot subpaths: how many there are, and how much of the run they hold.

use anyhow::Result;
use hpp_paths::wpp::{HotLimits, HotSubpath, hot_subpaths};
use rustc_hash::FxHashSet;
use verilated::tools::figures::thousands;

use super::Tiled;
use crate::document::{Document, percent};

/// The least cost of a hot subpath, as a share of all instructions.
const SHARES: [f64; 2] = [0.01, 0.001];

/// The greatest lengths, in paths.
const LONGEST: [usize; 3] = [4, 16, 64];

/// How many of the hottest are shown.
const SHOWN: usize = 8;

pub fn fill(document: &Document, tiled: &[Tiled]) -> Result<()> {
    let mut rows = Vec::new();
    for (number, tiled) in tiled.iter().enumerate() {
        let grammar = tiled.sequitur().grammar();
        for share in SHARES {
            for longest in LONGEST {
                let limits = HotLimits {
                    lengths: 2..=longest,
                    cost: (tiled.instructions as f64 * share).ceil() as u64,
                };
                let hot = hot_subpaths(&grammar, &limits, |&path| tiled.paths[path as usize].1)?;
                rows.push(row(tiled, share, longest, &hot));
                if number == 0 && share == SHARES[0] && longest == LONGEST[1] {
                    shown(document, tiled, &hot)?;
                }
            }
        }
    }
    let head = "program | threshold | longest | minimal hot subpaths | of mean length | \
        different paths in them | instructions in them";
    document.table("grammar-hot", head, &rows)
}

fn row(tiled: &Tiled, share: f64, longest: usize, hot: &[HotSubpath<&u32>]) -> Vec<String> {
    let length: usize = hot.iter().map(|path| path.symbols.len()).sum();
    let distinct: FxHashSet<u32> = hot
        .iter()
        .flat_map(|path| &path.symbols)
        .map(|&&p| p)
        .collect();
    vec![
        tiled.name.to_owned(),
        format!("{} %", 100.0 * share),
        longest.to_string(),
        thousands(hot.len() as u64),
        format!("{:.1}", length as f64 / hot.len().max(1) as f64),
        distinct.len().to_string(),
        percent(covered(tiled, hot)),
    ]
}

/// The share of the run's instructions that lie in an occurrence of at least one of the subpaths.
fn covered(tiled: &Tiled, hot: &[HotSubpath<&u32>]) -> f64 {
    let sequences: FxHashSet<Vec<u32>> = hot
        .iter()
        .map(|path| path.symbols.iter().map(|&&symbol| symbol).collect())
        .collect();
    let lengths: FxHashSet<usize> = sequences.iter().map(Vec::len).collect();
    let mut end_of = vec![0; tiled.numbers.len()];
    for length in lengths {
        for (begin, window) in tiled.numbers.windows(length).enumerate() {
            if sequences.contains(window) {
                end_of[begin] = end_of[begin].max(begin + length);
            }
        }
    }
    let (mut end, mut instructions) = (0, 0);
    for (place, &path) in tiled.numbers.iter().enumerate() {
        end = end.max(end_of[place]);
        if place < end {
            instructions += tiled.paths[path as usize].1;
        }
    }
    instructions as f64 / tiled.instructions as f64
}

/// The dearest ones, path by path.
fn shown(document: &Document, tiled: &Tiled, hot: &[HotSubpath<&u32>]) -> Result<()> {
    let path = |symbol: &&u32| format!("`{}`", tiled.paths[**symbol as usize].0);
    let row = |hot: &HotSubpath<&u32>| {
        vec![
            hot.symbols.iter().map(path).collect::<Vec<_>>().join(" "),
            thousands(hot.frequency),
            percent(hot.cost as f64 / tiled.instructions as f64),
        ]
    };
    let rows: Vec<_> = hot.iter().take(SHOWN).map(row).collect();
    document.table("grammar-hottest", "subpath | frequency | cost", &rows)
}
