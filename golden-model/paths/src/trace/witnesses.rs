//! Which edges of a procedure write a witness.
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::values::{WitnessSet, reuse};
use crate::graph::depth_first::back_edges;
use crate::graph::{BlockId, EdgeId, Flow, Weights};
use crate::interprocedural::Procedure;
use crate::placement::spanning::maximal_forest;

/// The witnesses of one procedure: which edges write one, with which value, in how many bits.
///
/// The document's figure 14: three witnesses tell every execution.
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
/// use hpp_paths::interprocedural::{Event, Procedure, ProcedureId, Program};
/// use hpp_paths::trace::{Instrumentation, Regeneration, Step, Tracer, Witnesses};
/// let cfg = Cfg::from_edges([
///     ("P", "A"), ("P", "B"), ("A", "C"), ("B", "A"), ("B", "C"), ("C", "P"), ("C", "EXIT"),
/// ])?;
/// let [t, u, v] = [0, 3, 4].map(EdgeId::new);
/// let procedure = Procedure::new("figure 14", Acyclic::depth_first(&cfg));
/// // Without t, both P A C EXIT and P B C EXIT could follow P.
/// let error = Witnesses::at(&procedure, &[u, v]).unwrap_err();
/// assert_eq!(error.to_string(), "what follows block `P` of `figure 14` cannot be determined: witness another way out of it");
/// let witnesses = Witnesses::at(&procedure, &[t, u, v])?;
/// let values = [t, u, v].map(|edge| witnesses.value(edge));
/// assert_eq!(values, [Some(0), Some(1), Some(2)]);
///
/// // P A C P B A C P B C EXIT writes t, u, v and nothing after them.
/// let taken = [0, 2, 5, 1, 3, 2, 5, 1, 4, 6].map(|edge| Event::Take(EdgeId::new(edge)));
/// let execution: Vec<Step> = taken.into_iter().chain([Event::Return]).map(Step::from).collect();
/// let program = Program::new(vec![procedure])?;
/// let instrumentation = Instrumentation::new(&program, vec![witnesses])?;
/// let trace = Tracer::trace(&instrumentation, ProcedureId::new(0), execution.iter().copied())?;
/// assert_eq!((trace.witnesses(), trace.bits()), (3, 6));
/// let regenerated: Vec<Step> = Regeneration::new(&instrumentation, &trace).collect::<Result<_, _>>()?;
/// assert_eq!(regenerated, execution);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Witnesses {
    values: Vec<Option<u32>>,
    /// By block, the bits of a witness on an edge out of it.
    widths: Vec<u32>,
    sets: Vec<WitnessSet>,
    decisions: FxHashMap<(BlockId, u32), EdgeId>,
    unblocked: Option<BlockId>,
}

/// Witnesses that do not tell an execution.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Ambiguous {
    #[error(
        "what follows block `{block}` of `{procedure}` cannot be determined: witness another way out of it"
    )]
    Ways { procedure: String, block: String },
    #[error("a loop of `{procedure}` writes no witness: witness one of its edges")]
    Loop { procedure: String },
}

impl Witnesses {
    /// Blocking witnesses first, then the edges outside of a forest of maximal weight among the other edges. O(E log
    /// E), and for each predicate the edges that can be reached without a witness, in memory too: a row of n loops takes n².
    ///
    /// The cheapest witnesses are hard to find; beside the blocking ones, these are the cheapest that leave a forest.
    pub fn optimal(procedure: &Procedure, weights: &Weights) -> Self {
        let mut witnessed = vec![false; procedure.dag().flow().edges().len()];
        for edge in blockers(procedure) {
            witnessed[edge.index()] = true;
        }
        Self::on_chords(procedure, weights, witnessed)
    }

    /// The same without blocking witnesses, for a program that is one procedure without calls. In one of `if` and `while` alone
    /// they are the cheapest of all. O(E log E), as above.
    pub fn unblocked(procedure: &Procedure, weights: &Weights) -> Self {
        let witnessed = vec![false; procedure.dag().flow().edges().len()];
        Self::on_chords(procedure, weights, witnessed)
    }

    /// The witnessed edges, and those outside of a forest of maximal weight among the others.
    fn on_chords(procedure: &Procedure, weights: &Weights, mut witnessed: Vec<bool>) -> Self {
        let flow = procedure.dag().flow();
        let free: Vec<EdgeId> = flow.edges().filter(|e| !witnessed[e.index()]).collect();
        let weighed = free.iter().map(|&edge| {
            let (from, to) = flow.ends(edge);
            (weights.edge(edge), from.index(), to.index())
        });
        let forest = maximal_forest(flow.blocks().len(), [], weighed);
        for (edge, member) in free.iter().zip(forest) {
            witnessed[edge.index()] = !member;
        }
        Self::distinct(procedure, &witnessed)
            .expect("a forest has neither directed cycles nor diamonds")
    }

    /// Witnesses on edges that the caller chooses, each with its own value. As long as it takes to check them: for each
    /// predicate the edges that can be reached without a witness.
    ///
    /// # Errors
    ///
    /// If they do not distinguish all executions.
    pub fn at(procedure: &Procedure, edges: &[EdgeId]) -> Result<Self, Ambiguous> {
        let mut witnessed = vec![false; procedure.dag().flow().edges().len()];
        edges.iter().for_each(|edge| witnessed[edge.index()] = true);
        Self::distinct(procedure, &witnessed)
    }

    /// Bit tracing: every way out of a predicate is witnessed by its position, in as few bits as tell this
    /// predicate's ways apart. A loop without a predicate, which is never left, writes witnesses of no bits. O(V +
    /// E).
    pub fn every_outcome(procedure: &Procedure) -> Self {
        let flow = procedure.dag().flow();
        let mut witnesses = Witnesses {
            values: vec![None; flow.edges().len()],
            widths: vec![0; flow.blocks().len()],
            sets: Vec::new(),
            decisions: FxHashMap::default(),
            unblocked: None,
        };
        for predicate in flow.blocks().filter(|&block| is_predicate(flow, block)) {
            let ways = flow.successors(predicate);
            witnesses.widths[predicate.index()] = bits_of(ways.len());
            for (value, &edge) in (0..).zip(ways) {
                witnesses.values[edge.index()] = Some(value);
                witnesses.decisions.insert((predicate, value), edge);
            }
        }
        let plain = |edge: EdgeId| !is_predicate(flow, flow.ends(edge).0);
        for edge in back_edges(flow, &vec![true; flow.blocks().len()], plain) {
            witnesses.values[edge.index()] = Some(0);
        }
        witnesses
    }

    fn distinct(procedure: &Procedure, witnessed: &[bool]) -> Result<Self, Ambiguous> {
        let flow = procedure.dag().flow();
        let name = || procedure.name().to_owned();
        let mut number = 0..;
        let values = witnessed
            .iter()
            .map(|has| has.then(|| number.next()).flatten());
        let values: Vec<Option<u32>> = values.collect();
        let count = values.iter().flatten().count();
        let mut witnesses = Witnesses {
            widths: vec![bits_of(count); flow.blocks().len()],
            values,
            sets: Vec::new(),
            decisions: FxHashMap::default(),
            unblocked: None,
        };
        for predicate in flow.blocks().filter(|&block| is_predicate(flow, block)) {
            if !witnesses.look_ahead(procedure, predicate) {
                return Err(Ambiguous::Ways {
                    procedure: name(),
                    block: flow.name(predicate).into(),
                });
            }
        }
        match witnesses.leave_a_loop(flow) {
            true => Err(Ambiguous::Loop { procedure: name() }),
            false => {
                witnesses.decide();
                Ok(witnesses)
            }
        }
    }

    /// Whether a loop writes no witness.
    fn leave_a_loop(&self, flow: &Flow) -> bool {
        let mut bare = DiGraph::<(), ()>::new();
        let blocks: Vec<_> = flow.blocks().map(|_| bare.add_node(())).collect();
        for edge in flow.edges().filter(|&edge| self.value(edge).is_none()) {
            let (from, to) = flow.ends(edge);
            bare.add_edge(blocks[from.index()], blocks[to.index()], ());
        }
        // Petgraph's `is_cyclic_directed` recurses, once for each block of a row.
        toposort(&bare, None).is_err()
    }

    /// Finds the witness sets of a predicate; whether they are disjoint and at most one way leads to the exit without
    /// a witness.
    fn look_ahead(&mut self, procedure: &Procedure, predicate: BlockId) -> bool {
        let flow = procedure.dag().flow();
        let mut found = vec![false; flow.edges().len()];
        let mut ways_out = 0;
        for &edge in flow.successors(predicate) {
            let mut witnesses = Vec::new();
            let mut leaves = false;
            for reached in self.without_witness(flow, edge) {
                match reached {
                    Reached::Witness(witness) => witnesses.push(witness),
                    Reached::Over(edge) => {
                        let out = flow.ends(edge).1 == flow.exit();
                        leaves |= out;
                        if out || procedure.call(edge).is_some() {
                            self.unblocked = Some(predicate);
                        }
                    }
                }
            }
            ways_out += usize::from(leaves);
            let disjoint = witnesses
                .iter()
                .all(|witness| !std::mem::replace(&mut found[witness.index()], true));
            if !disjoint {
                return false;
            }
            self.sets.push(WitnessSet {
                predicate,
                edge,
                witnesses,
            });
        }
        ways_out <= 1
    }

    /// The edges control can take from this one on without writing a witness, and the witnesses that end this.
    fn without_witness(&self, flow: &Flow, edge: EdgeId) -> Vec<Reached> {
        let mut reached = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![edge];
        while let Some(edge) = open.pop() {
            if self.value(edge).is_some() {
                reached.push(Reached::Witness(edge));
                continue;
            }
            reached.push(Reached::Over(edge));
            let block = flow.ends(edge).1;
            if seen.insert(block) {
                open.extend(flow.successors(block));
            }
        }
        reached
    }

    fn decide(&mut self) {
        self.decisions.clear();
        for set in &self.sets {
            for witness in &set.witnesses {
                let value = self.values[witness.index()].expect("a witness has a value");
                self.decisions.insert((set.predicate, value), set.edge);
            }
        }
    }

    /// The same witnesses with few values: two share one unless they distinguish ways out of one predicate. Without
    /// effect on bit tracing. No fewer than a predicate has ways to witnesses; where that many do, near linear in the sizes of the witness sets, else with
    /// petgraph's DSATUR as long as there are not too many pairs to distinguish.
    #[must_use]
    pub fn reusing_values(mut self) -> Self {
        if self.sets.is_empty() {
            return self;
        }
        let (values, count) = reuse(self.values.len(), &self.sets);
        // No predicate leads to the others, so any value will do.
        let some = |(old, new): (&Option<u32>, Option<u32>)| old.map(|_| new.unwrap_or(0));
        self.values = self.values.iter().zip(values).map(some).collect();
        self.widths.fill(bits_of(count as usize));
        self.decide();
        self
    }

    /// The same witnesses in whole bytes each.
    #[must_use]
    pub fn in_bytes(mut self) -> Self {
        for width in &mut self.widths {
            *width = (*width).max(1).next_multiple_of(8);
        }
        self
    }

    /// The value of the witness that an edge writes, if it does.
    pub fn value(&self, edge: EdgeId) -> Option<u32> {
        self.values[edge.index()]
    }

    /// The bits of a witness on an edge out of this block.
    pub fn width(&self, block: BlockId) -> u32 {
        self.widths[block.index()]
    }

    /// The edges that write one, in order.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> {
        let positions = self.values.iter().enumerate();
        positions.filter_map(|(edge, value)| value.map(|_| EdgeId::new(edge)))
    }

    /// How many witnesses are written under these frequencies. O(E).
    pub fn cost(&self, weights: &Weights) -> f64 {
        self.edges().map(|edge| weights.edge(edge)).sum()
    }

    /// A predicate from which control comes to a call or to the exit without writing a witness; none if the witnesses
    /// have the blocking property.
    pub fn unblocked_predicate(&self) -> Option<BlockId> {
        self.unblocked
    }

    /// The way out of a predicate that leads to a witness with this value.
    pub(super) fn way(&self, predicate: BlockId, value: u32) -> Option<EdgeId> {
        self.decisions.get(&(predicate, value)).copied()
    }

    /// The way out of a predicate that leads to this block without a witness.
    pub(super) fn way_to(&self, flow: &Flow, predicate: BlockId, block: BlockId) -> Option<EdgeId> {
        let arrives = |&reached: &Reached| match reached {
            Reached::Over(edge) => flow.ends(edge).1 == block,
            Reached::Witness(_) => false,
        };
        let leads = |&edge: &EdgeId| self.without_witness(flow, edge).iter().any(arrives);
        flow.successors(predicate).iter().copied().find(leads)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    Witness(EdgeId),
    Over(EdgeId),
}

/// The bits that distinguish so many things.
fn bits_of(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// Whether a block has several ways out.
fn is_predicate(flow: &Flow, block: BlockId) -> bool {
    flow.successors(block).len() > 1
}

/// The edges out of predicates over which control comes to the exit or through a call without meeting another
/// predicate: backwards from each of these through blocks with one way out, up to predicates. O(V + E).
fn blockers(procedure: &Procedure) -> Vec<EdgeId> {
    let flow = procedure.dag().flow();
    let calls = flow.edges().filter(|&edge| procedure.call(edge).is_some());
    let mut open: Vec<EdgeId> = flow.predecessors(flow.exit()).to_vec();
    open.extend(calls);
    let mut seen = vec![false; flow.edges().len()];
    let mut found = Vec::new();
    while let Some(edge) = open.pop() {
        if std::mem::replace(&mut seen[edge.index()], true) {
            continue;
        }
        let from = flow.ends(edge).0;
        match is_predicate(flow, from) {
            true => found.push(edge),
            false => open.extend(flow.predecessors(from)),
        }
    }
    found
}
