//! Minimal hot subpaths: the shortest sequences in which a program spends itself.
//!
//! A *subpath* is a sequence of consecutive symbols of the stream. Its *frequency* is the number of places where it occurs,
//! overlapping ones included; its *cost* is the frequency times the sum of its symbols' costs, instructions for instance. It is
//! *hot* if its length lies within limits and its cost reaches a threshold, and *minimal* if no other hot subpath is part of it:
//! longer ones would only say the same again.
//!
//! The grammar is not expanded. A subpath that occurs in the stream crosses, in exactly one rule of its derivation, from one symbol of the
//! body to the next. So it is counted where it crosses, as often as that rule occurs. Of a long
//! symbol only the ends can be part of such a crossing:
//!
//! ```text
//!   R0 ->    a      R1             b          longest subpath 3
//!            a    c d .. e f       b          windows: a c d, a c, .. f b, e f b; not d .. e
//! ```
//!
//! Larus, "Whole Program Paths" (1999), section 4.

use core::ops::RangeInclusive;

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::grammar::{Grammar, GrammarSymbol};

/// Which subpaths are hot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotLimits {
    /// The lengths considered, in symbols. Length 0 does not exist.
    pub lengths: RangeInclusive<usize>,
    /// The least cost of a hot subpath.
    pub cost: u64,
}

/// A minimal hot subpath.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct HotSubpath<T> {
    /// Its symbols, in order.
    pub symbols: Vec<T>,
    /// Places where it occurs.
    pub frequency: u64,
    /// Frequency times the sum of its symbols' costs, at most 2^64 - 1.
    pub cost: u64,
}

/// The most steps of a search: positions in the shortened bodies, for each length.
pub const MOST_STEPS: u64 = 1 << 29;

/// The search would take too long.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "subpaths of up to {length} symbols in a grammar of {symbols} take more than {MOST_STEPS} steps; \
     ask for a smaller greatest length, or for a higher cost, which ends the search sooner"
)]
pub struct SearchTooLong {
    /// The length at which the search ended.
    pub length: usize,
    /// Symbols in the grammar.
    pub symbols: usize,
}

/// The minimal hot subpaths of a stream, dearest first, of equals the shorter ones first. What is left of their order the grammar
/// decides.
///
/// `cost` is what one execution of a symbol costs. With g symbols in the grammar and subpaths of up to l symbols, the ends of
/// symbols make at most 2 g l positions: O(g l^2) time on average, O(g l) memory. The search ends with the length at which every subpath contains a hot one or
/// is the last of the stream.
///
/// # Errors
///
/// If that takes more than 2^29 steps.
pub fn hot_subpaths<'g, T>(
    grammar: &'g Grammar<T>,
    limits: &HotLimits,
    cost: impl Fn(&T) -> u64,
) -> Result<Vec<HotSubpath<&'g T>>, SearchTooLong> {
    search(grammar, limits, cost, MOST_STEPS)
}

/// [`hot_subpaths`] in so many steps at most.
fn search<'g, T>(
    grammar: &'g Grammar<T>,
    limits: &HotLimits,
    cost: impl Fn(&T) -> u64,
    most: u64,
) -> Result<Vec<HotSubpath<&'g T>>, SearchTooLong> {
    let symbols = grammar.rules().iter().map(Vec::len).sum();
    let too_long = |length| SearchTooLong { length, symbols };
    let costs: Vec<u64> = grammar.terminals().iter().map(cost).collect();
    let longest = *limits.lengths.end();
    let mut search = Search::new(grammar, longest).ok_or(too_long(longest))?;
    let (mut hot, mut steps) = (Vec::new(), 0);
    for length in 1..=longest {
        steps += search.positions.len() as u64;
        if steps > most {
            return Err(too_long(length));
        }
        if !search.lengthen(length, &costs) {
            break;
        }
        if *limits.lengths.start() <= length {
            hot.extend(search.take_hot(length, limits.cost));
        }
    }
    hot.sort_by_key(|path| core::cmp::Reverse(path.cost));
    let names = |symbols: Vec<u32>| {
        let terminals = symbols.into_iter();
        terminals
            .map(|t| &grammar.terminals()[t as usize])
            .collect()
    };
    let named = hot.into_iter().map(|path| HotSubpath {
        symbols: names(path.symbols),
        frequency: path.frequency,
        cost: path.cost,
    });
    Ok(named.collect())
}

/// A position in the shortened bodies of the rules.
#[derive(Clone, Copy, Debug)]
struct Position {
    /// `None` where the middle of a long symbol is left out, and after each body.
    terminal: Option<u32>,
    /// The symbol of the body it belongs to, counted over all bodies.
    symbol: usize,
    /// Whether it is that symbol, not part of what it derives.
    own: bool,
    /// How often the body occurs.
    frequency: u64,
}

/// No subpath of this length begins at the position that is worth lengthening.
const DEAD: u32 = u32::MAX;

/// The subpaths of one length: of each what it is and costs.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Where it first begins.
    position: usize,
    frequency: u64,
    cost: u64,
}

struct Search {
    positions: Vec<Position>,
    /// For each position, which of `windows` begins there, or [`DEAD`].
    window_at: Vec<u32>,
    windows: Vec<Window>,
}

impl Search {
    /// `None` if there are more positions than steps.
    fn new<T>(grammar: &Grammar<T>, longest: usize) -> Option<Self> {
        let positions = positions(grammar, longest.saturating_sub(1))?;
        Some(Self {
            window_at: vec![0; positions.len()],
            positions,
            windows: Vec::new(),
        })
    }

    /// Goes from windows of the length before to those of this length; `false` if there are none.
    ///
    /// A window is the one that begins at its place and is shorter by one, with one more symbol, so the pair of them names it.
    fn lengthen(&mut self, length: usize, costs: &[u64]) -> bool {
        let mut names: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut windows: Vec<Window> = Vec::new();
        for position in 0..self.positions.len() {
            // What begins after is still the shorter window's: a part of this one that is dead makes it dead.
            let tail = self.window_at.get(position + 1);
            let tail_dead = tail.is_none_or(|&tail| tail == DEAD);
            let shorter = self.window_at[position];
            let last = self.positions.get(position + length - 1);
            let Some((last, terminal)) = last.and_then(|last| Some((last, last.terminal?))) else {
                self.window_at[position] = DEAD;
                continue;
            };
            if tail_dead || shorter == DEAD {
                self.window_at[position] = DEAD;
                continue;
            }
            let name = *names.entry((shorter, terminal)).or_insert_with(|| {
                let before = match length {
                    1 => 0,
                    _ => self.windows[shorter as usize].cost,
                };
                windows.push(Window {
                    position,
                    frequency: 0,
                    cost: before.saturating_add(costs[terminal as usize]),
                });
                windows.len() as u32 - 1
            });
            self.window_at[position] = name;
            // Inside of one symbol it is counted in that rule.
            let first = self.positions[position];
            if first.own || first.symbol != last.symbol {
                windows[name as usize].frequency += first.frequency;
            }
        }
        self.windows = windows;
        !self.windows.is_empty()
    }

    /// The hot windows; no window that contains one of them is looked at again.
    fn take_hot(&mut self, length: usize, threshold: u64) -> Vec<HotSubpath<u32>> {
        let total = |window: &Window| window.cost.saturating_mul(window.frequency);
        let hot = |window: &Window| total(window) >= threshold;
        for window in &mut self.window_at {
            if *window != DEAD && hot(&self.windows[*window as usize]) {
                *window = DEAD;
            }
        }
        let symbols = |window: &Window| {
            let places = self.positions[window.position..].iter().take(length);
            places.filter_map(|place| place.terminal).collect()
        };
        self.windows
            .iter()
            .filter(|window| hot(window))
            .map(|window| HotSubpath {
                symbols: symbols(window),
                frequency: window.frequency,
                cost: total(window),
            })
            .collect()
    }
}

/// The most positions kept: a gigabyte.
const MOST_POSITIONS: usize = 1 << 25;

/// The bodies of all rules, each symbol replaced by what it derives; of what is longer than twice `end` only the ends of that
/// length. `None` if there are more than [`MOST_POSITIONS`].
fn positions<T>(grammar: &Grammar<T>, end: usize) -> Option<Vec<Position>> {
    let frequencies = grammar.frequencies();
    let mut derived: Vec<Vec<Option<u32>>> = vec![Vec::new(); grammar.rules().len()];
    let mut bodies = Vec::new();
    let (mut symbols, mut kept) = (0, 0);
    for (rule, body) in grammar.rules().iter().enumerate().rev() {
        let begin = bodies.len();
        for &symbol in body {
            let (terminals, own) = match symbol {
                GrammarSymbol::Terminal(ref terminal) => (&[Some(*terminal)][..], true),
                GrammarSymbol::Rule(used) => (&derived[used as usize][..], false),
            };
            if bodies.len() + kept + terminals.len() > MOST_POSITIONS {
                return None;
            }
            bodies.extend(terminals.iter().map(|&terminal| Position {
                terminal,
                symbol: symbols,
                own,
                frequency: frequencies[rule],
            }));
            symbols += 1;
        }
        derived[rule] = ends(&bodies[begin..], end);
        kept += derived[rule].len();
        bodies.push(Position {
            terminal: None,
            symbol: symbols,
            own: false,
            frequency: 0,
        });
    }
    Some(bodies)
}

/// A body's terminals, or, if there are more than twice `end`, that many from either side with a gap between.
fn ends(body: &[Position], end: usize) -> Vec<Option<u32>> {
    let terminals = |part: &[Position]| part.iter().map(|p| p.terminal).collect::<Vec<_>>();
    // What has a gap already is longer.
    if body.len() <= end.saturating_mul(2) {
        return terminals(body);
    }
    let mut shortened = terminals(&body[..end]);
    shortened.push(None);
    shortened.extend(terminals(&body[body.len() - end..]));
    shortened
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wpp::Sequitur;

    #[test]
    fn a_search_for_subpaths_of_any_length_ends_with_an_error() {
        let mut sequitur = Sequitur::new();
        // No two places are alike, so no length ends the search.
        sequitur.extend((0..4_000_u32).map(|at| at.wrapping_mul(2_654_435_761)));
        let limits = HotLimits {
            lengths: 1..=usize::MAX,
            cost: u64::MAX,
        };
        let grammar = sequitur.grammar();
        let error = search(&grammar, &limits, |_| 1, 1 << 20).expect_err("it is too long");
        assert_eq!(error.symbols, 4_000);
        assert!(
            error
                .to_string()
                .contains("ask for a smaller greatest length")
        );
        let short = HotLimits {
            lengths: 1..=4,
            cost: u64::MAX,
        };
        assert_eq!(search(&grammar, &short, |_| 1, 1 << 20), Ok(Vec::new()));
    }
}
