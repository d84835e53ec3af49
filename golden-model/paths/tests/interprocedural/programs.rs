//! Random programs with calls, their runs, and the paths of a run found without supergraphs.
use std::collections::BTreeMap;

use hpp_paths::graph::{Acyclic, EdgeId};
use hpp_paths::interprocedural::{
    Event, Inlining, Link, PathProfile, Procedure, ProcedureId, Program, Supergraph, Supergraphs,
    Windows,
};
use proptest::prelude::*;

use crate::random_graphs::graph_of;

pub const START: usize = 0;

/// A run by the choices it makes, which every program can follow.
pub fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..120)
}

pub fn windows() -> impl Strategy<Value = Windows> {
    prop_oneof![Just(Windows::Tiled), Just(Windows::Every)]
}

pub fn program() -> impl Strategy<Value = Program> {
    crate::random_calls::program(2..7)
}

/// A procedure of these edges: `1 2, 2 3` are two.
pub fn procedure_of(name: &str, edges: &str) -> Procedure {
    Procedure::new(name, Acyclic::depth_first(&graph_of(edges)))
}

/// Procedures without calls as a program, and their graphs.
pub fn without_calls<const N: usize>(procedures: [Procedure; N]) -> (Program, Supergraphs) {
    let program = Program::new(procedures.to_vec()).expect("a program");
    let graphs = Supergraphs::build(&program, &inlining(0, None));
    (program, graphs)
}

/// A run over these edges to the end.
pub fn over(edges: impl IntoIterator<Item = usize>) -> Vec<Event> {
    let takes = edges.into_iter().map(|edge| Event::Take(EdgeId::new(edge)));
    takes.chain([Event::Return]).collect()
}

/// The run that makes these choices: where to go, and whom to call.
pub fn run(program: &Program, choices: &[u8]) -> Vec<Event> {
    let start = ProcedureId::new(START);
    let mut active = vec![(start, program.procedure(start).dag().entry())];
    let mut events = Vec::new();
    for &choice in choices {
        let Some((procedure, block)) = active.last_mut() else {
            break;
        };
        let flow = program.procedure(*procedure).dag().flow();
        let choice = usize::from(choice);
        if *block == flow.exit() {
            events.push(Event::Return);
            active.pop();
            continue;
        }
        let out = flow.successors(*block);
        let edge = out[choice % out.len()];
        *block = flow.ends(edge).1;
        let Some(call) = program.procedure(*procedure).call(edge) else {
            events.push(Event::Take(edge));
            continue;
        };
        let callee = match call.open {
            true => ProcedureId::new(choice / out.len() % program.ids().len()),
            false => call.callees[choice / out.len() % call.callees.len()],
        };
        events.push(Event::Call { site: edge, callee });
        active.push((callee, program.procedure(callee).dag().entry()));
    }
    events
}

/// The profile of a run in these graphs.
pub fn profile(
    program: &Program,
    graphs: &Supergraphs,
    windows: Windows,
    run: &[Event],
) -> PathProfile {
    let start = ProcedureId::new(START);
    PathProfile::of(program, graphs, windows, start, run.iter().copied()).expect("a run")
}

pub fn inlining(depth: usize, observed: Option<&[Event]>) -> Inlining {
    let Some(run) = observed else {
        return Inlining::all(depth);
    };
    let mut inlining = Inlining::observed(depth);
    inlining.observe(ProcedureId::new(START), run);
    inlining
}

/// A step of a path: the calls that lead from the graph's procedure to the edge's, and what happens there.
pub type PathStep = (Vec<(EdgeId, ProcedureId)>, What, EdgeId);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Takes,
    Over,
    Enters,
    Leaves,
    /// The path begins after this broken edge.
    Begins,
    /// The path begins after the return of this broken call.
    BeginsBack,
}

impl What {
    fn begins(self) -> Self {
        match self {
            What::Leaves => What::BeginsBack,
            _ => What::Begins,
        }
    }
}

/// Paths as steps, with their counts.
pub type Counted = BTreeMap<(ProcedureId, Vec<PathStep>), u64>;

/// Calls as a tree: what a procedure did, and what its calls did.
enum Did {
    Took(EdgeId),
    Called(EdgeId, Vec<Did>, ProcedureId, bool),
}

/// The paths of a run by its tree of calls.
pub struct Teller<'a> {
    pub program: &'a Program,
    pub depth: usize,
    pub windows: Windows,
    pub chosen: Box<dyn Fn(ProcedureId, EdgeId, ProcedureId) -> bool + 'a>,
    pub counted: Counted,
}

impl Teller<'_> {
    pub fn tell(mut self, run: &[Event]) -> Counted {
        let start = ProcedureId::new(START);
        let (did, returned) = tree(&mut run.iter());
        self.root(start, &did, returned);
        self.counted
    }

    fn root(&mut self, procedure: ProcedureId, did: &[Did], returned: bool) {
        let mut path = Vec::new();
        self.walk(procedure, (procedure, did), &mut Vec::new(), &mut path);
        if returned {
            self.end(procedure, &mut path);
        }
    }

    fn end(&mut self, root: ProcedureId, path: &mut Vec<PathStep>) {
        let path = (root, std::mem::take(path));
        *self.counted.entry(path).or_default() += 1;
    }

    fn walk(
        &mut self,
        root: ProcedureId,
        (procedure, did): (ProcedureId, &[Did]),
        chain: &mut Vec<(EdgeId, ProcedureId)>,
        path: &mut Vec<PathStep>,
    ) {
        for step in did {
            // A leave lies in the callee that is left.
            let mut place = chain.clone();
            let (what, edge) = match step {
                Did::Took(edge) => (What::Takes, *edge),
                Did::Called(site, inner, callee, returned) => {
                    let recursive = *callee == root || chain.iter().any(|(_, p)| p == callee);
                    let inlined = chain.len() < self.depth
                        && !recursive
                        && self.known(procedure, *site, *callee)
                        && (self.chosen)(procedure, *site, *callee);
                    if inlined {
                        path.push((chain.clone(), What::Enters, *site));
                        chain.push((*site, *callee));
                        self.walk(root, (*callee, inner), chain, path);
                        chain.pop();
                    }
                    // With every window each call is a root once: when its own caller is walked as one.
                    let own = match self.windows {
                        Windows::Tiled => !inlined,
                        Windows::Every => chain.is_empty(),
                    };
                    if own {
                        self.root(*callee, inner, *returned);
                    }
                    if !returned {
                        return;
                    }
                    place.extend(inlined.then_some((*site, *callee)));
                    (if inlined { What::Leaves } else { What::Over }, *site)
                }
            };
            path.push((place.clone(), what, edge));
            let dag = self.program.procedure(procedure).dag();
            if dag.broken().contains(&edge) {
                self.end(root, path);
                let flow = self.program.procedure(root).dag().flow();
                let to_root_entry = chain.is_empty() && flow.ends(edge).1 == flow.entry();
                if !to_root_entry {
                    path.push((place, what.begins(), edge));
                }
            }
        }
    }

    fn known(&self, caller: ProcedureId, site: EdgeId, callee: ProcedureId) -> bool {
        let call = self.program.procedure(caller).call(site);
        call.is_some_and(|call| call.callees.contains(&callee))
    }
}

/// The steps of a procedure until it returns, and whether it does.
fn tree<'a>(events: &mut impl Iterator<Item = &'a Event>) -> (Vec<Did>, bool) {
    let mut did = Vec::new();
    while let Some(event) = events.next() {
        match *event {
            Event::Take(edge) => did.push(Did::Took(edge)),
            Event::Return => return (did, true),
            Event::Call { site, callee } => {
                let (inner, returned) = tree(events);
                did.push(Did::Called(site, inner, callee, returned));
            }
        }
    }
    (did, false)
}

/// A profile in the same words.
pub fn counted(graphs: &Supergraphs, profile: &PathProfile) -> Counted {
    let mut counted = Counted::new();
    for (graph, path, count) in profile.iter() {
        let before = counted.insert((graph, steps(graphs.of(graph), path)), count);
        assert_eq!(before, None, "two paths of a graph have the same steps");
    }
    counted
}

fn steps(graph: &Supergraph, path: &hpp_paths::graph::DagPath) -> Vec<PathStep> {
    use hpp_paths::graph::DagEdge;
    let step = |edge: EdgeId, begins: bool| {
        let &(from, _) = graph.cfg().block(graph.cfg().ends(edge).0);
        let (copy, what, edge) = match *graph.cfg().edge(edge) {
            Link::Inside(copy, edge) => (copy, What::Takes, edge),
            Link::Over(copy, edge) => (copy, What::Over, edge),
            Link::Enter(copy, edge) => (copy, What::Enters, edge),
            Link::Leave(_, edge) => (from, What::Leaves, edge),
        };
        let what = if begins { what.begins() } else { what };
        (chain(graph, copy), what, edge)
    };
    let edges = path.edges().iter();
    let steps = edges.map(|&edge| match graph.dag().kind(edge) {
        DagEdge::Real(edge) => step(*edge, false),
        DagEdge::Stop { breaks, .. } => step(breaks[0], false),
        DagEdge::Start { breaks } => step(breaks[0], true),
    });
    steps.collect()
}

fn chain(graph: &Supergraph, copy: usize) -> Vec<(EdgeId, ProcedureId)> {
    let contexts = graph.contexts();
    let callers = std::iter::successors(contexts[copy].caller.map(|c| (copy, c)), |(_, (c, _))| {
        contexts[*c].caller.map(|caller| (*c, caller))
    });
    let mut chain: Vec<_> = callers
        .map(|(copy, (_, site))| (site, contexts[copy].procedure))
        .collect();
    chain.reverse();
    chain
}
