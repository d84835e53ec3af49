//! Two profiles compared: which paths grew, which shrank, and their overlap.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use hpp_golden::path::PathDescriptor;
use hpp_paths::metrics::overlap;
use serde::Serialize;

use crate::numbers::share;
use crate::profile::{Profile, ProfileError};
use crate::program::{Place, Program};
use crate::report::{Report, outcomes};

/// The differences of two profiles.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// The sums of the two, which shares are shares of.
    pub totals: [u64; 2],
    /// How much of their weight they share, from 0 to 1: the sum over all paths of the smaller share (Vaswani's thesis,
    /// section 5.5, after Arnold and Ryder, 2001).
    pub overlap: f64,
    /// The paths whose share differs most first.
    pub paths: Vec<Changed<PathName>>,
    /// The functions in which paths begin, likewise.
    pub functions: Vec<Changed<String>>,
}

/// Something that both profiles count.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Changed<T> {
    /// What.
    pub what: T,
    /// Its counts.
    pub counts: [u64; 2],
    /// Its shares, from 0 to 1.
    pub shares: [f64; 2],
}

/// A path with a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathName {
    /// The path.
    pub descriptor: PathDescriptor,
    /// Its outcomes in order, `T` taken, `N` not.
    pub outcomes: String,
    /// Where it begins.
    pub place: Place,
}

impl<T> Changed<T> {
    /// By how much the share grew, from -1 to 1.
    #[must_use]
    pub fn change(&self) -> f64 {
        self.shares[1] - self.shares[0]
    }
}

impl Diff {
    /// Two profiles of one program.
    ///
    /// # Errors
    ///
    /// If their counts mean different things, or they are of different programs.
    pub fn new(
        profiles: [&Profile; 2],
        program: Option<&Program<'_>>,
    ) -> Result<Self, ProfileError> {
        let [first, second] = profiles;
        first.same_settings(second)?;
        first.same_program(second)?;
        let totals = profiles.map(Profile::total);
        let mut counts: BTreeMap<PathDescriptor, [u64; 2]> = BTreeMap::new();
        for (i, profile) in profiles.iter().enumerate() {
            for (path, count) in &profile.counts {
                counts.entry(*path).or_default()[i] = *count;
            }
        }
        let mut functions: BTreeMap<Option<u64>, (String, [u64; 2])> = BTreeMap::new();
        let mut paths = Vec::new();
        for (path, counts) in counts {
            let place =
                program.map_or(Place::bare(path.start), |program| program.place(path.start));
            if let Some(program) = program {
                let function = program.image().functions().at(path.start);
                let (_, sums) = functions
                    .entry(function.map(|function| function.address))
                    .or_insert_with(|| (name(place.function.as_ref()), [0; 2]));
                for (sum, count) in sums.iter_mut().zip(counts) {
                    *sum = sum.saturating_add(count);
                }
            }
            let name = PathName {
                descriptor: path,
                outcomes: outcomes(&path),
                place,
            };
            paths.push(changed(name, counts, totals));
        }
        let map = |profile: &Profile| {
            profile
                .counts
                .iter()
                .map(|(p, c)| (*p, *c))
                .collect::<HashMap<_, _>>()
        };
        Ok(Self {
            totals,
            overlap: overlap(&map(first), &map(second)),
            paths: sorted(paths),
            functions: sorted(
                distinguished(functions)
                    .into_iter()
                    .map(|(name, counts)| changed(name, counts, totals))
                    .collect(),
            ),
        })
    }

    /// Two profiles of two builds, by function alone: addresses of one mean nothing in the other.
    #[must_use]
    pub fn of_builds(reports: [&Report; 2]) -> Self {
        let mut functions: BTreeMap<String, [u64; 2]> = BTreeMap::new();
        for (i, report) in reports.iter().enumerate() {
            for total in &report.functions {
                let sums = functions.entry(name(total.function.as_ref())).or_default();
                sums[i] = sums[i].saturating_add(total.weight);
            }
        }
        let totals = reports.map(|report| report.total);
        let map = |i: usize| {
            functions
                .iter()
                .map(|(name, c)| (name.clone(), c[i]))
                .collect::<HashMap<_, _>>()
        };
        Self {
            totals,
            overlap: overlap(&map(0), &map(1)),
            paths: Vec::new(),
            functions: sorted(
                functions
                    .into_iter()
                    .map(|(name, counts)| changed(name, counts, totals))
                    .collect(),
            ),
        }
    }
}

/// What a function is called, or what is in none.
fn name(function: Option<&String>) -> String {
    function.map_or_else(|| "(in no function)".into(), Clone::clone)
}

/// Functions by name, those that share one with their addresses.
fn distinguished(functions: BTreeMap<Option<u64>, (String, [u64; 2])>) -> Vec<(String, [u64; 2])> {
    let mut called: HashMap<String, usize> = HashMap::new();
    for (name, _) in functions.values() {
        *called.entry(name.clone()).or_default() += 1;
    }
    let named = |(address, (name, counts)): (Option<u64>, (String, _))| match address {
        Some(address) if called[&name] > 1 => (format!("{name} at {address:#x}"), counts),
        _ => (name, counts),
    };
    functions.into_iter().map(named).collect()
}

fn changed<T>(what: T, counts: [u64; 2], totals: [u64; 2]) -> Changed<T> {
    let shares = [share(counts[0], totals[0]), share(counts[1], totals[1])];
    Changed {
        what,
        counts,
        shares,
    }
}

/// What changed most first.
fn sorted<T>(mut all: Vec<Changed<T>>) -> Vec<Changed<T>> {
    let key = |changed: &Changed<T>| (changed.change().abs() * 1e12) as u64;
    all.sort_by_key(|changed| (Reverse(key(changed)), Reverse(changed.counts)));
    all
}
