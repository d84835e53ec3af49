//! Path numberings as arithmetic coding.
//!
//! An arithmetic coder narrows an interval symbol by symbol, each time to the range its probability
//! model gives the symbol. Let the symbols be the edges of an acyclic form and a message be a
//! path, start with the interval `[0, N)`, and take as code where the last interval begins. Then:
//!
//! - with N the number of paths, and each edge as likely as its share of the paths from its source
//!   ([`Model::ball_larus`]), the code is the Ball-Larus number;
//! - with N the width of the preferential numbering, and edges as likely, given the whole way to
//!   them, as their share of that way's interval ([`Model::preferential`]), the code is the preferential
//!   number.
//!
//! From Vaswani's thesis, chapter 4: figures 4.1 (the model) and 4.3 (the coder), section 4.2.1
//! (the preferential model), section 4.3 (entropy and gamma).
//!
//! # Joins
//!
//! An edge's value is one for all ways to it (the join), so the intervals of some ways have holes.
//! Here the model keeps a context for each way, as the proof of theorem 4.3.1 does, and a hole is a range no
//! edge has. (The thesis's table 4.3 instead merges the models of the two ways to block c into
//! one, and its coder then encodes s a c t as 0, not 1: 1/3 of an interval of length 2 rounds down
//! to nothing.)
use dashu_int::ops::BitTest;
use rustc_hash::FxHashMap;

use super::interesting::Interesting;
use super::preferential::Preferential;
use crate::Number;
use crate::graph::{Acyclic, BlockId, DagEdgeId, DagPath};

/// One symbol in one context.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Symbol {
    edge: DagEdgeId,
    /// Where its range begins, in units of the context's size.
    offset: Number,
    /// How long its range is; not 0.
    size: Number,
    /// The context after the edge; later in the list of contexts.
    next: usize,
}

/// What the coder knows of the past, and the ranges of what may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Context {
    /// The units ranges are measured in: their probabilities are shares of this.
    size: Number,
    symbols: Vec<Symbol>,
}

/// A finite-context probability model of the paths of an [`Acyclic`]. The first context is that of
/// the entry.
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, DagPath};
/// use hpp_paths::numbering::arithmetic::Model;
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// let model = Model::ball_larus(&dag);
/// // Example 4.2.2 of the thesis.
/// let sbcdt = ["s", "b", "c", "d", "t"].map(|n| cfg.find(n).unwrap());
/// let path = DagPath::from_blocks(&dag, &sbcdt)?;
/// assert_eq!(model.encode(&path), Some(4u32.into()));
/// assert_eq!(model.decode(&4u32.into()), Some(path));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    contexts: Vec<Context>,
    /// How many paths the model distinguishes.
    paths: Number,
}

impl Model {
    /// The model under which all paths are equally likely; a context is a block. O(V + E).
    pub fn ball_larus(dag: &Acyclic) -> Self {
        let mut position = vec![0; dag.block_count()];
        for (at, block) in dag.topological().iter().enumerate() {
            position[block.index()] = at;
        }
        let mut contexts: Vec<Context> = vec![Context::end(); dag.topological().len()];
        for (at, &block) in dag.topological().iter().enumerate().rev() {
            if block == dag.exit() {
                continue;
            }
            let mut size = Number::ZERO;
            let mut symbols = Vec::new();
            for &edge in dag.out(block) {
                let next = position[dag.ends(edge).1.index()];
                let offset = size.clone();
                size += &contexts[next].size;
                symbols.push(Symbol {
                    edge,
                    size: contexts[next].size.clone(),
                    offset,
                    next,
                });
            }
            contexts[at] = Context { size, symbols };
        }
        let paths = contexts[0].size.clone();
        Model { contexts, paths }
    }

    /// The model of some interesting paths; a context is the way from the entry to a block, and the edges out of a block stand in the order in which the
    /// preferential numbering [chose](Preferential::ordered) to number them. O(E P).
    pub fn preferential(interesting: &Interesting) -> Self {
        Ways::new(interesting).into_model(interesting)
    }

    /// The length of the interval coding begins with: how many codes there are.
    pub fn codes(&self) -> Number {
        self.length().clone()
    }

    fn length(&self) -> &Number {
        &self.contexts[0].size
    }

    /// The probability of an edge after the edges already taken, as a share and the whole; `None` if these are not a
    /// beginning of a path of the model. O(length).
    pub fn probability(&self, taken: &[DagEdgeId], edge: DagEdgeId) -> Option<(Number, Number)> {
        let mut context = &self.contexts[0];
        for &edge in taken {
            context = &self.contexts[context.find(edge)?.next];
        }
        let size = context.find(edge).map(|s| s.size.clone());
        Some((size.unwrap_or_default(), context.size.clone()))
    }

    /// The code of a path: figure 4.3. `None` for a path the model has no range for. A step looks through the symbols of
    /// a context and multiplies and divides numbers as long as the count of codes: O(length x (branches + M)) for M the
    /// cost of such a multiplication.
    pub fn encode(&self, path: &DagPath) -> Option<Number> {
        let mut low = Number::ZERO;
        let mut length = self.length().clone();
        let mut context = &self.contexts[0];
        for &edge in path.edges() {
            let symbol = context.find(edge)?;
            let (offset, narrowed) = context.narrow(symbol, &length);
            low += offset;
            length = narrowed;
            context = &self.contexts[symbol.next];
        }
        Some(low)
    }

    /// The path of a code, by narrowing around it. `None` for a code in a hole, or beyond all.
    pub fn decode(&self, code: &Number) -> Option<DagPath> {
        let mut rest = code.clone();
        let mut length = self.length().clone();
        let mut context = &self.contexts[0];
        let mut edges = Vec::new();
        if rest < Number::ZERO || rest >= length {
            return None;
        }
        while !context.symbols.is_empty() {
            let around = |symbol: &&Symbol| {
                let (offset, length) = context.narrow(symbol, &length);
                offset <= rest && rest < offset + length
            };
            let symbol = context.symbols.iter().find(around)?;
            let (offset, narrowed) = context.narrow(symbol, &length);
            rest -= offset;
            length = narrowed;
            edges.push(symbol.edge);
            context = &self.contexts[symbol.next];
        }
        Some(DagPath::from_trusted(edges))
    }

    /// The entropy of the model in bits: how long the code of a path is on average. Each code in a
    /// hole counts as one more, equally likely path. O(size of the model).
    pub fn entropy(&self) -> f64 {
        let mut reached = vec![0.0; self.contexts.len()];
        reached[0] = 1.0;
        let mut entropy = 0.0;
        for (at, context) in self.contexts.iter().enumerate() {
            let bits = log2(&context.size);
            let mut used = Number::ZERO;
            for symbol in &context.symbols {
                let surprise = bits - log2(&symbol.size);
                let share = reached[at] * (-surprise).exp2();
                reached[symbol.next] += share;
                entropy += share * surprise;
                used += &symbol.size;
            }
            let holes = &context.size - used;
            entropy += reached[at] * (log2(&holes) - bits).exp2() * bits;
        }
        entropy
    }

    /// The measure gamma of the thesis (section 4.3, problem B): 2 to the entropy, divided by how
    /// many paths are distinguished. 1 at best.
    pub fn gamma(&self) -> f64 {
        (self.entropy() - log2(&self.paths)).exp2()
    }
}

impl Context {
    /// The context at the exit, where nothing follows.
    fn end() -> Self {
        Context {
            size: Number::ONE,
            symbols: Vec::new(),
        }
    }

    fn find(&self, edge: DagEdgeId) -> Option<&Symbol> {
        self.symbols.iter().find(|s| s.edge == edge)
    }

    /// The part of an interval of some length that a symbol's range is: where it begins, rounded
    /// down, and how long it is, its end rounded up.
    fn narrow(&self, symbol: &Symbol, length: &Number) -> (Number, Number) {
        let low = &symbol.offset * length / &self.size;
        let end = (&symbol.offset + &symbol.size) * length;
        let high = (end + &self.size - 1u32) / &self.size;
        let length = high - &low;
        (low, length)
    }
}

/// The logarithm of an integer, however large; minus infinity of 0.
fn log2(number: &Number) -> f64 {
    let shift = number.bit_len().saturating_sub(64);
    let top = (number >> shift).to_f64().value();
    top.log2() + shift as f64
}

/// The ways from the entry that interesting paths take: a tree with blocks for nodes.
struct Ways {
    /// For each way the block it leads to, and the ways one edge longer.
    nodes: Vec<(BlockId, Vec<(DagEdgeId, usize)>)>,
}

/// What numbering finds at a way: the interval of the partial numbers after it, and where in that
/// interval those of each longer way lie.
#[derive(Clone, Default)]
struct Interval {
    low: Number,
    high: Number,
    /// `None` while no edge has been visited.
    parts: Option<Vec<(DagEdgeId, usize, Number, Number)>>,
}

impl Ways {
    fn new(interesting: &Interesting) -> Self {
        let dag = interesting.dag();
        let mut nodes = vec![(dag.entry(), Vec::new())];
        let mut successors: FxHashMap<(usize, DagEdgeId), usize> = FxHashMap::default();
        for path in interesting.paths() {
            let mut node = 0;
            for &edge in path.edges() {
                node = *successors.entry((node, edge)).or_insert_with(|| {
                    let next = nodes.len();
                    nodes.push((dag.ends(edge).1, Vec::new()));
                    nodes[node].1.push((edge, next));
                    next
                });
            }
        }
        Ways { nodes }
    }

    fn into_model(self, interesting: &Interesting) -> Model {
        let (dag, order) = (interesting.dag(), Preferential::new(interesting));
        let mut at_block: Vec<Vec<usize>> = vec![Vec::new(); dag.block_count()];
        for (way, (block, _)) in self.nodes.iter().enumerate() {
            at_block[block.index()].push(way);
        }
        let mut intervals = vec![Interval::default(); self.nodes.len()];
        for &block in dag.topological().iter().rev() {
            let ways = &at_block[block.index()];
            if block == dag.exit() {
                ways.iter().for_each(|&w| intervals[w].high = Number::ONE);
            }
            for edge in order.ordered(dag, block) {
                self.visit(edge, ways, &mut intervals);
            }
        }
        let contexts = intervals.into_iter().map(Interval::into_context).collect();
        Model {
            contexts,
            paths: interesting.count().into(),
        }
    }

    /// Places the intervals after one edge, for all ways to it.
    fn visit(&self, edge: DagEdgeId, ways: &[usize], intervals: &mut [Interval]) {
        let longer = |way: usize| {
            let mut parts = self.nodes[way].1.iter();
            parts
                .find(|(e, _)| *e == edge)
                .map(|&(_, next)| (way, next))
        };
        let pairs: Vec<(usize, usize)> = ways.iter().filter_map(|&w| longer(w)).collect();
        let asked = |&(way, next): &(usize, usize)| &intervals[way].high - &intervals[next].low;
        let Some(value) = pairs.iter().map(asked).max() else {
            return;
        };
        for (way, next) in pairs {
            let low = &intervals[next].low + &value;
            let high = &intervals[next].high + &value;
            let interval = &mut intervals[way];
            if interval.parts.is_none() {
                interval.low = low.clone();
            }
            interval.high = high.clone();
            let parts = interval.parts.get_or_insert_default();
            parts.push((edge, next, low, high));
        }
    }
}

impl Interval {
    fn into_context(self) -> Context {
        let parts = self.parts.unwrap_or_default().into_iter();
        let symbol = |(edge, next, low, high): (DagEdgeId, usize, Number, Number)| Symbol {
            edge,
            next,
            offset: &low - &self.low,
            size: high - low,
        };
        Context {
            symbols: parts.map(symbol).collect(),
            size: self.high - self.low,
        }
    }
}
