//! Supergraphs: a procedure with the procedures it calls inlined, so that paths across calls are paths of one graph.
//!
//! A call `v -> w` of procedure `f` becomes two edges around a copy of `f`: `v -> f.entry` (*enter*) and
//! `f.exit -> w` (*leave*). Each call site has its own copy, so a path shows by which call a procedure was entered.
//! If a call is not inlined (too deep, recursive, not chosen) or may go elsewhere, the edge `v -> w` remains
//! (*over*). The callee is then profiled by its own supergraph, and the path of the caller continues when it
//! returns.
//!
//! Paths break where those of the procedures do, in each copy; where a call's edge is broken, at its *leave*. So
//! no path goes around a loop, and one that begins at a loop in a callee goes on to the caller when the callee returns.
//!
//! From Vaswani's thesis, section 3.4.3 and figure 3.12.
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

use super::inlining::Inlining;
use super::program::{Procedure, ProcedureId, Program};
use crate::graph::{Acyclic, BlockId, Cfg, EdgeId, Leftover};
use crate::numbering::{LimitTooSmall, truncate_keeping};

/// One copy of a procedure in a supergraph, by how it is called. The first is the procedure itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The procedure.
    pub procedure: ProcedureId,
    /// The position of the calling copy, and the call's edge; `None` for the first.
    pub caller: Option<(usize, EdgeId)>,
    /// How many calls deep it lies.
    pub depth: usize,
}

/// What an edge of a supergraph stands for. Positions are those of copies, edges those of their procedures; those of a call lie in
/// the calling copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Link {
    /// An edge that is not a call.
    Inside(usize, EdgeId),
    /// A call that is not inlined, there and back.
    Over(usize, EdgeId),
    /// A call that is: on to the callee's entry.
    Enter(usize, EdgeId),
    /// And back from the callee's exit.
    Leave(usize, EdgeId),
}

/// Where an inlined call leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inlined {
    pub copy: usize,
    pub enter: EdgeId,
    pub leave: EdgeId,
}

/// A procedure with its callees inlined.
///
/// Two procedures call a third, as in figure 3.14 of the thesis; in `both`, which calls them in turn, two calls deep
/// there are two copies of it:
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
/// use hpp_paths::interprocedural::{Inlining, Procedure, ProcedureId, Program, Supergraph};
/// use hpp_paths::numbering::BallLarus;
/// let procedure = |name: &str, edges: &[(&'static str, &'static str)]| {
///     let cfg = Cfg::from_edges(edges.iter().copied()).unwrap();
///     Procedure::new(name, Acyclic::depth_first(&cfg))
/// };
/// let [foo1, foo2, bar] = [1, 2, 3].map(ProcedureId::new);
/// let program = Program::new(vec![
///     procedure("both", &[("a", "b"), ("b", "c")])
///         .calling(EdgeId::new(0), foo1)
///         .calling(EdgeId::new(1), foo2),
///     procedure("foo1", &[("a", "b")]).calling(EdgeId::new(0), bar),
///     procedure("foo2", &[("a", "b")]).calling(EdgeId::new(0), bar),
///     procedure("bar", &[("p", "q"), ("p", "r"), ("q", "s"), ("r", "s")]),
/// ])?;
/// let paths = |depth| -> Result<_, Box<dyn std::error::Error>> {
///     let graph = Supergraph::build(&program, ProcedureId::new(0), &Inlining::all(depth));
///     Ok((graph.contexts().len(), BallLarus::new(graph.dag())?.paths()))
/// };
/// assert_eq!(paths(0)?, (1, 1.into()));
/// assert_eq!(paths(1)?, (3, 1.into()));
/// // Each copy of `bar` has two ways.
/// assert_eq!(paths(2)?, (5, 4.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Supergraph {
    cfg: Cfg<(usize, BlockId), Link>,
    dag: Acyclic,
    contexts: Vec<Context>,
    /// The edges that are *inside* or *over*, by copy and edge.
    own: Vec<Vec<Option<EdgeId>>>,
    inlined: FxHashMap<(usize, EdgeId, ProcedureId), Inlined>,
    removed: Vec<EdgeId>,
}

impl Supergraph {
    /// The supergraph of a procedure. O(V + E) of all copies, and for each call of a copy how deep this lies.
    pub fn build(program: &Program, root: ProcedureId, inlining: &Inlining) -> Self {
        let mut assembly = Assembly {
            program,
            inlining,
            graph: DiGraph::new(),
            bases: Vec::new(),
            contexts: Vec::new(),
            own: Vec::new(),
            inlined: FxHashMap::default(),
        };
        assembly.copy(root, None);
        let mut copy = 0;
        while copy < assembly.contexts.len() {
            assembly.link(copy);
            copy += 1;
        }
        assembly.finish()
    }

    /// The supergraph with more edges broken, so that it has at most `limit` paths, but none of those to be kept: paths over
    /// kept edges alone are [paths](crate::graph::DagPath::carried) of the result.
    ///
    /// # Errors
    ///
    /// If no other edges are found that do it.
    pub fn truncated(
        &self,
        limit: u64,
        kept: impl Fn(EdgeId) -> bool,
    ) -> Result<Self, LimitTooSmall> {
        let cut = truncate_keeping(&self.dag, limit, kept)?;
        Ok(Supergraph {
            dag: cut.numbering.dag().clone(),
            removed: [&self.removed[..], &cut.removed].concat(),
            ..self.clone()
        })
    }

    /// The procedure it is the supergraph of.
    pub fn root(&self) -> ProcedureId {
        self.contexts[0].procedure
    }

    /// The graph: for each block the position of its copy and the block there, for each edge what it stands for.
    pub fn cfg(&self) -> &Cfg<(usize, BlockId), Link> {
        &self.cfg
    }

    /// Its acyclic form.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
    }

    /// The copies, each after its caller.
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// The edges that [`truncated`](Self::truncated) broke.
    pub fn removed(&self) -> &[EdgeId] {
        &self.removed
    }

    /// The edge that stands for an edge of a copy, or goes over a call of it.
    pub(super) fn own(&self, copy: usize, edge: EdgeId) -> Option<EdgeId> {
        self.own[copy].get(edge.index()).copied().flatten()
    }

    /// Where a call of a copy leads, if it is inlined.
    pub(super) fn inlined(&self, copy: usize, site: EdgeId, to: ProcedureId) -> Option<Inlined> {
        self.inlined.get(&(copy, site, to)).copied()
    }
}

/// A supergraph being put together.
struct Assembly<'a> {
    program: &'a Program,
    inlining: &'a Inlining,
    graph: DiGraph<(usize, BlockId), Link, u32>,
    /// The first block of each copy.
    bases: Vec<usize>,
    contexts: Vec<Context>,
    own: Vec<Vec<Option<EdgeId>>>,
    inlined: FxHashMap<(usize, EdgeId, ProcedureId), Inlined>,
}

impl<'a> Assembly<'a> {
    fn procedure(&self, copy: usize) -> &'a Procedure {
        self.program.procedure(self.contexts[copy].procedure)
    }

    fn copy(&mut self, procedure: ProcedureId, caller: Option<(usize, EdgeId)>) -> usize {
        let copy = self.contexts.len();
        let depth = caller.map_or(0, |(caller, _)| self.contexts[caller].depth + 1);
        self.contexts.push(Context {
            procedure,
            caller,
            depth,
        });
        let flow = self.procedure(copy).dag().flow();
        self.bases.push(self.graph.node_count());
        for block in flow.blocks() {
            self.graph.add_node((copy, block));
        }
        self.own.push(vec![None; flow.edges().len()]);
        copy
    }

    fn block(&self, copy: usize, block: BlockId) -> BlockId {
        BlockId::new(self.bases[copy] + block.index())
    }

    /// Adds the edges of a copy, and the copies that it calls.
    fn link(&mut self, copy: usize) {
        let procedure = self.procedure(copy);
        let flow = procedure.dag().flow();
        for edge in flow.edges() {
            let (from, to) = flow.ends(edge);
            let [from, to] = [from, to].map(|block| self.block(copy, block));
            let link = match procedure.call(edge) {
                None => Some(Link::Inside(copy, edge)),
                Some(call) => {
                    let mut over = call.open || call.callees.is_empty();
                    for &callee in &call.callees {
                        if self.inlines(copy, edge, callee) {
                            self.inline(copy, edge, callee, from, to);
                        } else {
                            over = true;
                        }
                    }
                    over.then_some(Link::Over(copy, edge))
                }
            };
            self.own[copy][edge.index()] = link.map(|link| self.graph.add_edge(from, to, link));
        }
    }

    fn inline(&mut self, copy: usize, site: EdgeId, to: ProcedureId, from: BlockId, back: BlockId) {
        let callee = self.copy(to, Some((copy, site)));
        let flow = self.procedure(callee).dag().flow();
        let [entry, exit] = [flow.entry(), flow.exit()].map(|block| self.block(callee, block));
        let inlined = Inlined {
            copy: callee,
            enter: self.graph.add_edge(from, entry, Link::Enter(copy, site)),
            leave: self.graph.add_edge(exit, back, Link::Leave(copy, site)),
        };
        self.inlined.insert((copy, site, to), inlined);
    }

    /// Whether a call is inlined: it is chosen, not too deep, not recursive, and control can reach it.
    fn inlines(&self, copy: usize, site: EdgeId, callee: ProcedureId) -> bool {
        let context = self.contexts[copy];
        let mut callers = std::iter::successors(Some(copy), |&c| Some(self.contexts[c].caller?.0));
        context.depth < self.inlining.depth()
            && self.inlining.takes(context.procedure, site, callee)
            && self.procedure(copy).dag().crossing(site).is_some()
            && !callers.any(|caller| self.contexts[caller].procedure == callee)
    }

    fn finish(self) -> Supergraph {
        let Assembly {
            program, contexts, ..
        } = self;
        let flow = program.procedure(contexts[0].procedure).dag().flow();
        let name = |_, &(copy, block): &(usize, BlockId)| {
            let procedure = program.procedure(contexts[copy].procedure);
            let block = procedure.dag().flow().name(block);
            match copy {
                0 => block.into(),
                _ => format!("{}#{copy}.{block}", procedure.name()),
            }
        };
        let cfg = Cfg::named(self.graph, flow.entry(), flow.exit(), name);
        let cfg = cfg.expect("an exit of a copy leads back, all else is as in its procedure");
        let breaks = |edge: EdgeId| match *cfg.edge(edge) {
            Link::Inside(copy, edge) | Link::Over(copy, edge) | Link::Leave(copy, edge) => {
                let dag = program.procedure(contexts[copy].procedure).dag();
                dag.broken().binary_search(&edge).is_ok()
            }
            Link::Enter(..) => false,
        };
        let dag = Acyclic::with_breaks(&cfg, breaks, Leftover::Refuse);
        let dag = dag.expect("a cycle through copies is one of a procedure, which is broken");
        Supergraph {
            cfg,
            dag,
            contexts,
            own: self.own,
            inlined: self.inlined,
            removed: Vec::new(),
        }
    }
}
