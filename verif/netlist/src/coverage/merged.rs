//! The coverage of all profilers together.

use super::place::{At, Place};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Reached in some profiler.
    Reached,
    /// Proved never to be reached, in every profiler that has it.
    Unreachable,
    /// Neither.
    Open,
}

/// The places of all profilers. A profiler is called by a number.
#[derive(Debug, Clone, Default)]
pub struct Merged {
    reached: BTreeSet<Place>,
    /// What no profiler reaches: where it is in each that has it and is not known to hold it.
    missed: BTreeMap<Place, BTreeMap<usize, At>>,
}

impl Merged {
    /// Adds what a profiler reached; and what it did not, if it is asked about.
    pub fn add(&mut self, profiler: usize, places: BTreeMap<Place, (At, bool)>, asked: bool) {
        for (place, (at, reached)) in places {
            if reached {
                self.missed.remove(&place);
                self.reached.insert(place);
            } else if asked && !self.reached.contains(&place) {
                self.missed.entry(place).or_default().insert(profiler, at);
            }
        }
    }

    /// What is open in a profiler, and where it is there.
    pub fn open_in(&self, profiler: usize) -> Vec<(Place, At)> {
        let at = |(place, profilers): (&Place, &BTreeMap<usize, At>)| {
            profilers.get(&profiler).map(|at| (place.clone(), *at))
        };
        self.missed.iter().filter_map(at).collect()
    }

    /// A place was proved never to be reached in a profiler.
    pub fn hold(&mut self, profiler: usize, place: &Place) {
        if let Some(profilers) = self.missed.get_mut(place) {
            profilers.remove(&profiler);
        }
    }

    /// What is neither reached nor proved, and a profiler each in which it is not.
    pub fn open(&self) -> impl Iterator<Item = (&Place, usize)> {
        let open = |(place, profilers)| {
            let profilers: &BTreeMap<usize, At> = profilers;
            let (first, _) = profilers.first_key_value()?;
            Some((place, *first))
        };
        self.missed.iter().filter_map(open)
    }

    /// Every place, and what is known of it.
    pub fn all(&self) -> impl Iterator<Item = (&Place, Standing)> {
        let missed = self
            .missed
            .iter()
            .map(|(place, profilers)| match profilers.is_empty() {
                true => (place, Standing::Unreachable),
                false => (place, Standing::Open),
            });
        let reached = self.reached.iter().map(|place| (place, Standing::Reached));
        reached.chain(missed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::place::{Edge, What};
    use super::*;

    fn place(signal: &str) -> Place {
        Place {
            module: "hpp".into(),
            instance: "hpp".into(),
            what: What::Toggle {
                signal: signal.into(),
                bit: None,
                edge: Edge::Rise,
            },
        }
    }

    fn profiler(signals: &[(&str, bool)]) -> BTreeMap<Place, (At, bool)> {
        let of = |(signal, reached): &(&str, bool)| (place(signal), ((1, 1), *reached));
        signals.iter().map(of).collect()
    }

    #[test]
    fn a_place_is_reached_anywhere_or_held_everywhere() {
        let mut merged = Merged::default();
        merged.add(
            0,
            profiler(&[("a", true), ("b", false), ("c", false)]),
            true,
        );
        let second = [("a", false), ("b", true), ("c", false), ("d", false)];
        merged.add(1, profiler(&second), true);
        merged.add(2, profiler(&[("e", false)]), false);
        assert_eq!(merged.open_in(0), [(place("c"), (1, 1))]);
        merged.hold(0, &place("c"));
        let standing = |merged: &Merged, signal| {
            let all: BTreeMap<_, _> = merged.all().collect();
            all[&place(signal)]
        };
        assert_eq!(standing(&merged, "a"), Standing::Reached);
        assert_eq!(standing(&merged, "b"), Standing::Reached);
        assert_eq!(standing(&merged, "c"), Standing::Open);
        merged.hold(1, &place("c"));
        assert_eq!(standing(&merged, "c"), Standing::Unreachable);
        assert_eq!(merged.open().collect::<Vec<_>>(), [(&place("d"), 1)]);
    }
}
