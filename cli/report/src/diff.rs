//! Two profiles compared: which paths grew, which shrank, and their overlap.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use hpp_golden::path::PathDescriptor;
use hpp_paths::metrics::overlap;
use serde::Serialize;

use crate::numbers::{grow, share};
use crate::profile::{Profile, ProfileError};
use crate::program::{Place, Program};
use crate::report::{Report, outcomes};
use crate::totals::FunctionTotal;

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
    /// The functions in whose own code paths begin, inlined ones among them, likewise.
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
    pub fn change(&self) -> f64 {
        self.shares[1] - self.shares[0]
    }
}

impl Diff {
    /// Two profiles of one program, with their reports.
    ///
    /// # Errors
    ///
    /// If their counts mean different things, or they are of different programs.
    pub fn new(
        profiles: [&Profile; 2],
        reports: [&Report; 2],
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
        let map = |profile: &Profile| -> HashMap<PathDescriptor, u64> {
            profile.counts.iter().map(|(p, c)| (*p, *c)).collect()
        };
        let overlap = overlap(&map(first), &map(second));
        let path = |(path, counts): (PathDescriptor, [u64; 2])| {
            let name = PathName {
                descriptor: path,
                outcomes: outcomes(&path),
                place: program.map_or(Place::bare(path.start), |program| program.place(path.start)),
            };
            changed(name, counts, totals)
        };
        let functions = functions(reports, |total| (name(total), total.address));
        let mut called: HashMap<String, usize> = HashMap::new();
        for (name, _) in functions.keys() {
            *called.entry(name.clone()).or_default() += 1;
        }
        // Those that share a name are told apart by their addresses.
        let function = |((name, address), counts): ((String, Option<u64>), [u64; 2])| {
            let named = match address.filter(|_| called[&name] > 1) {
                Some(address) => format!("{name} at {address:#x}"),
                None => name,
            };
            changed(named, counts, totals)
        };
        Ok(Self {
            totals,
            overlap,
            paths: sorted(counts.into_iter().map(path)),
            functions: sorted(functions.into_iter().map(function)),
        })
    }

    /// Two profiles of two builds, by function alone: addresses of one mean nothing in the other.
    pub fn of_builds(reports: [&Report; 2]) -> Self {
        let functions = functions(reports, name);
        let totals = reports.map(|report| report.total);
        let map = |i: usize| -> HashMap<String, u64> {
            let of_one = functions.iter().map(|(name, c)| (name.clone(), c[i]));
            of_one.collect()
        };
        let overlap = overlap(&map(0), &map(1));
        let functions = functions.into_iter();
        let functions = functions.map(|(name, counts)| changed(name, counts, totals));
        Self {
            totals,
            overlap,
            paths: Vec::new(),
            functions: sorted(functions),
        }
    }
}

/// What a function is called, or what is in none.
fn name(total: &FunctionTotal) -> String {
    let name = total.function.as_deref();
    name.unwrap_or("(in no function)").into()
}

/// What two profiles count in functions' own code.
fn functions<K: Ord>(
    reports: [&Report; 2],
    key: impl Fn(&FunctionTotal) -> K,
) -> BTreeMap<K, [u64; 2]> {
    let mut functions: BTreeMap<K, [u64; 2]> = BTreeMap::new();
    for (i, report) in reports.iter().enumerate() {
        for total in &report.functions {
            let sums = functions.entry(key(total)).or_default();
            grow(&mut sums[i], total.own);
        }
    }
    functions
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
fn sorted<T>(all: impl Iterator<Item = Changed<T>>) -> Vec<Changed<T>> {
    let mut all: Vec<Changed<T>> = all.collect();
    let key = |changed: &Changed<T>| (changed.change().abs() * 1e12) as u64;
    all.sort_by_key(|changed| (Reverse(key(changed)), Reverse(changed.counts)));
    all
}
