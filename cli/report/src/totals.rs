//! Totals of functions, and of what was inlined in them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use crate::numbers::share;
use crate::path::PathReport;
use crate::program::{Program, SourceLine};

/// All paths that begin in one function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FunctionTotal {
    /// Its name; `None` for paths that begin in no function.
    pub function: Option<String>,
    /// Where it begins, if it is one.
    pub address: Option<u64>,
    /// The sum of the weights.
    pub weight: u64,
    /// Its share of the total, from 0 to 1.
    pub share: f64,
    /// How many paths.
    pub paths: usize,
    /// Of these, those that begin in the code of a function that was inlined there, hottest first.
    pub inlined: Vec<InlinedTotal>,
    /// The source line of its first instruction, of its own where another function was inlined.
    pub source: Option<SourceLine>,
}

/// All paths of a function that begin in the code of one that was inlined there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InlinedTotal {
    /// Its name.
    pub function: String,
    /// The sum of the weights.
    pub weight: u64,
    /// Its share of the total, from 0 to 1.
    pub share: f64,
    /// How many paths.
    pub paths: usize,
}

/// The totals, hottest first. Linear in the paths, but for sorting.
pub(crate) fn totals(
    program: Option<&Program<'_>>,
    paths: &[PathReport],
    total: u64,
) -> Vec<FunctionTotal> {
    let Some(program) = program else {
        return Vec::new();
    };
    let mut found: BTreeMap<Option<u64>, Vec<&PathReport>> = BTreeMap::new();
    for path in paths {
        let function = program.image().functions().at(path.descriptor.start);
        let address = function.map(|function| function.address);
        found.entry(address).or_default().push(path);
    }
    let of = |(address, paths): (Option<u64>, Vec<&PathReport>)| {
        let weight = weight(&paths);
        FunctionTotal {
            function: paths.first().and_then(|path| path.place.function.clone()),
            address,
            weight,
            share: share(weight, total),
            paths: paths.len(),
            inlined: inlined(&paths, total),
            source: address.and_then(|address| program.own_source(address)),
        }
    };
    let mut totals: Vec<FunctionTotal> = found.into_iter().map(of).collect();
    totals.sort_by_key(|entry| (Reverse(entry.weight), entry.address));
    totals
}

fn inlined(paths: &[&PathReport], total: u64) -> Vec<InlinedTotal> {
    let mut found: BTreeMap<&str, Vec<&PathReport>> = BTreeMap::new();
    for path in paths {
        if let Some(function) = &path.place.inlined {
            found.entry(function).or_default().push(path);
        }
    }
    let of = |(function, paths): (&str, Vec<&PathReport>)| {
        let weight = weight(&paths);
        InlinedTotal {
            function: function.to_owned(),
            weight,
            share: share(weight, total),
            paths: paths.len(),
        }
    };
    let mut totals: Vec<InlinedTotal> = found.into_iter().map(of).collect();
    totals.sort_by_key(|entry| Reverse(entry.weight));
    totals
}

fn weight(paths: &[&PathReport]) -> u64 {
    let add = |sum: u64, path: &&PathReport| sum.saturating_add(path.weight);
    paths.iter().fold(0, add)
}
