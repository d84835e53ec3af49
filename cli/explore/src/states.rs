//! States of a machine that is followed step by step, and the transitions between them.
//!
//! What a step does is decided by the state and by what comes next, a number: a branch record, or a block of code. It is worked out once, and
//! kept beside the state:
//!
//! ```text
//!          edges, the two taken last               edges, if there are more
//!            ┌──────────┬──────────┐             ┌─────────────────────┐
//!   state ──►│ to, next │ to, next │── neither ─►│ (state, to) ─► next │── not there ─► worked out
//!            └──────────┴──────────┘             └─────────────────────┘
//! ```
//!
//! Most states are met once or twice, in paths that hardly run. An edge is therefore kept when it is taken for the second time; until then its state has
//! [no number](States::UNNUMBERED). Once there are too many states, all are forgotten.

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// No number.
pub const NONE: u32 = u32::MAX;

/// An edge from a state.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// What comes next, by number.
    to: u32,
    /// The state it leads to.
    pub next: u32,
    /// The number of its effect, or [`Edge::BRANCH`], or [`Edge::NO_BRANCH`].
    pub effect: u32,
}

impl Edge {
    /// A branch record that changes only the state.
    pub const BRANCH: u32 = u32::MAX - 1;
    /// There was no branch record.
    pub const NO_BRANCH: u32 = u32::MAX;

    const UNKNOWN: Self = Self {
        to: NONE,
        next: NONE,
        effect: Self::NO_BRANCH,
    };

    /// One that is taken when `to` comes next.
    #[must_use]
    pub const fn new(to: u32, next: u32, effect: u32) -> Self {
        Self { to, next, effect }
    }
}

/// What each step reads, in half a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct State {
    /// The edges taken last, the last first.
    last: [Edge; 2],
    /// How many are kept.
    repeats: u32,
}

impl State {
    const NEW: Self = Self {
        last: [Edge::UNKNOWN; 2],
        repeats: 0,
    };
}

/// Places of the table in front of the edges of states that have more than two; a power of two.
const RECENT: usize = 1 << 14;

/// All states, and what is known in each.
#[derive(Clone, Debug)]
pub struct States<K> {
    states: Vec<State>,
    known: IndexSet<K, FxBuildHasher>,
    recent: Box<[(u32, Edge)]>,
    /// Further edges of states that have more than two.
    edges: FxHashMap<(u32, u32), Edge>,
}

impl<K: Copy + Eq + Hash> Default for States<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Copy + Eq + Hash> States<K> {
    /// Stands for a state that has no number yet; it has no edges.
    pub const UNNUMBERED: u32 = 0;

    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self {
            states: vec![State::NEW],
            known: IndexSet::default(),
            recent: vec![(NONE, Edge::UNKNOWN); RECENT].into(),
            edges: FxHashMap::default(),
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.states.len()
    }

    /// The number of a state, a new one if it was not met before. Constant time on average.
    pub fn number(&mut self, known: K) -> u32 {
        let (before, is_new) = self.known.insert_full(known);
        if is_new {
            self.states.push(State::NEW);
        }
        u32::try_from(before + 1).expect("they are forgotten before there are 2^32")
    }

    /// What is known in a state.
    ///
    /// # Panics
    ///
    /// If there is no such state, or it is [`UNNUMBERED`](Self::UNNUMBERED).
    #[must_use]
    pub fn known(&self, state: u32) -> K {
        self.known[state as usize - 1]
    }

    /// Forgets all states and edges but the states of these numbers. Each of them gets its new number.
    pub fn forget_all_but<'a>(&mut self, numbers: impl Iterator<Item = &'a mut u32>) {
        let old = core::mem::take(self);
        for number in numbers.filter(|number| **number != Self::UNNUMBERED) {
            *number = self.number(old.known(*number));
        }
    }

    /// The edge from a state to `to`, if it is one of the two taken last.
    #[inline(always)]
    #[must_use]
    pub fn taken_last(&self, state: u32, to: u32) -> Option<&Edge> {
        let edges = &self.states[state as usize].last;
        edges.iter().find(|edge| edge.to == to)
    }

    /// The edge from a state to `to`, if it is kept but not one of the two taken last.
    pub fn edge(&mut self, state: u32, to: u32) -> Option<Edge> {
        if self.states[state as usize].repeats <= 2 {
            return None;
        }
        let recent = place::<RECENT>(state, to);
        let (from, edge) = self.recent[recent];
        let edge = if from == state && edge.to == to {
            edge
        } else {
            *self.edges.get(&(state, to))?
        };
        self.recent[recent] = (state, edge);
        self.take(state, edge);
        Some(edge)
    }

    /// Keeps an edge from a state.
    pub fn keep(&mut self, state: u32, edge: Edge) {
        let State { last, repeats } = &mut self.states[state as usize];
        *repeats += 1;
        if *repeats == 3 {
            let both = last.iter().map(|edge| ((state, edge.to), *edge));
            self.edges.extend(both);
        }
        if *repeats > 2 {
            self.edges.insert((state, edge.to), edge);
        }
        self.take(state, edge);
    }

    /// Makes an edge the one taken last.
    fn take(&mut self, state: u32, edge: Edge) {
        let last = &mut self.states[state as usize].last;
        *last = [edge, last[0]];
    }
}

/// Where in a table of so many places, a power of two, an edge is.
const fn place<const PLACES: usize>(state: u32, to: u32) -> usize {
    let mixed = ((to as u64) << 32 | state as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - PLACES.ilog2())) as usize
}

/// Places of the edges taken once; a power of two.
const ONCE: usize = 1 << 16;

/// Remembers which edges were taken once, as far as there is room.
#[derive(Clone, Debug)]
pub struct Once(Box<[(u32, u32)]>);

impl Default for Once {
    fn default() -> Self {
        Self::new()
    }
}

impl Once {
    /// None was taken.
    #[must_use]
    pub fn new() -> Self {
        Self(vec![(NONE, NONE); ONCE].into())
    }

    /// Notes that an edge is taken; returns whether this is the first time, as far as is remembered.
    pub fn is_first(&mut self, state: u32, to: u32) -> bool {
        let place = &mut self.0[place::<ONCE>(state, to)];
        core::mem::replace(place, (state, to)) != (state, to)
    }
}
