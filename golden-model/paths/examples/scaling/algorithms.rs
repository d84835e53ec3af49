//! The algorithms that are measured, each by what it does with a graph.
use hpp_paths::counters::{BlockCounters, EdgeCounters, PrunedEdgeCounters};
use hpp_paths::graph::{Acyclic, Cfg, EdgeId, Weights};
use hpp_paths::interprocedural::{Event, Inlining, Procedure, ProcedureId, Program, Supergraphs};
use hpp_paths::numbering::{Interesting, Preferential, Pushing, Selective, truncate};
use hpp_paths::placement::Probes;
use hpp_paths::trace::{Instrumentation, Regeneration, Step, Tracer, Witnesses};
use hpp_paths::wpp::{HotLimits, Sequitur, hot_subpaths};

/// An algorithm, and the shapes on which it takes longer than near linear time, as its documentation says, with the most blocks that are tried there.
pub struct Algorithm {
    pub name: &'static str,
    pub run: fn(&Cfg),
    pub slow: &'static [&'static str],
    pub most: usize,
}

impl Algorithm {
    /// Whether it is tried on a graph of this shape and size.
    pub fn takes(&self, shape: &str, blocks: usize) -> bool {
        !self.slow.contains(&shape) || blocks <= self.most
    }
}

const fn linear(name: &'static str, run: fn(&Cfg)) -> Algorithm {
    Algorithm {
        name,
        run,
        slow: &[],
        most: usize::MAX,
    }
}

/// How many paths the numberings of a few paths distinguish.
const PATHS: u64 = 8;

pub const ALGORITHMS: [Algorithm; 13] = [
    linear("acyclic form", |cfg| {
        assert!(!Acyclic::depth_first(cfg).topological().is_empty());
    }),
    Algorithm {
        name: "heuristic weights",
        run: |cfg| {
            let weights = Weights::heuristic(cfg);
            assert!(cfg.edges().all(|edge| weights.edge(edge).is_finite()));
        },
        slow: &["nest"],
        most: 10_000,
    },
    linear("truncation to 2^32 paths", |cfg| {
        let dag = Acyclic::depth_first(cfg);
        let cut = truncate(&dag, 1 << 32).expect("it can be cut");
        assert!(cut.numbering.paths() > 0u32.into());
    }),
    linear("selective", |cfg| {
        let interesting = interesting(cfg);
        let selective = Selective::new(&interesting, Pushing::Restricted).expect("they fit");
        assert_eq!(selective.sums().len(), interesting.count());
    }),
    linear("preferential", |cfg| {
        let interesting = interesting(cfg);
        let numbering = Preferential::new(&interesting);
        assert_eq!(numbering.numbers().len(), interesting.count());
    }),
    linear("probes", |cfg| {
        let interesting = interesting(cfg);
        let numbering = Preferential::new(&interesting);
        let probes = Probes::optimised(numbering.values(), &Weights::uniform(cfg));
        assert!(probes.count() > 0);
    }),
    linear("edge counters", |cfg| {
        let counters = EdgeCounters::optimal(cfg, &Weights::uniform(cfg));
        let counts = counters.places().counters();
        assert_eq!(counters.profile(&counts).expect("nothing ran").calls(), 0);
    }),
    linear("block counters", |cfg| {
        let counters = BlockCounters::optimal(cfg, &Weights::uniform(cfg));
        let counts = counters.places().counters();
        assert_eq!(counters.profile(&counts).expect("nothing ran").calls(), 0);
    }),
    Algorithm {
        name: "pruned edge counters",
        run: |cfg| {
            let counters = PrunedEdgeCounters::heuristic(cfg, &Weights::uniform(cfg));
            let counts = counters.places().counters();
            assert_eq!(counters.profile(&counts).expect("nothing ran").calls(), 0);
        },
        slow: &["ladder", "loops", "exits", "nest"],
        most: 10_000,
    },
    Algorithm {
        name: "witnesses, few values",
        run: |cfg| {
            let procedure = procedure(cfg);
            let witnesses = Witnesses::optimal(&procedure, &Weights::uniform(cfg));
            let edges: Vec<EdgeId> = witnesses.reusing_values().edges().collect();
            Witnesses::at(&procedure, &edges).expect("they distinguished all");
        },
        slow: &["loops", "exits", "nest", "ladder"],
        most: 2_000,
    },
    linear("trace and regeneration", |cfg| {
        let steps = execution(cfg);
        let program = Program::new(vec![procedure(cfg)]).expect("a program");
        let instrumentation = Instrumentation::every_outcome(&program);
        let trace = Tracer::trace(&instrumentation, ProcedureId::new(0), steps.iter().copied());
        let trace = trace.expect("an execution");
        let regenerated: Result<Vec<Step>, _> =
            Regeneration::new(&instrumentation, &trace).collect();
        assert_eq!(regenerated.expect("its trace"), steps);
    }),
    linear("supergraphs", |cfg| {
        let program = Program::new(vec![procedure(cfg)]).expect("a program");
        let graphs = Supergraphs::build(&program, &Inlining::none());
        assert_eq!(graphs.iter().len(), 1);
    }),
    linear("grammar, hot subpaths", |cfg| {
        let mut sequitur = Sequitur::new();
        sequitur.extend(cfg.edges().map(|edge| edge.index() % 97));
        let limits = HotLimits {
            lengths: 2..=8,
            cost: cfg.edges().len() as u64 / 10,
        };
        let grammar = sequitur.grammar();
        hot_subpaths(&grammar, &limits, |_| 1).expect("short ones");
    }),
];

fn procedure(cfg: &Cfg) -> Procedure {
    Procedure::new("p", Acyclic::depth_first(cfg))
}

/// The first few paths of the truncated graph.
fn interesting(cfg: &Cfg) -> Interesting {
    let dag = Acyclic::depth_first(cfg);
    let numbering = truncate(&dag, 1 << 32).expect("it can be cut").numbering;
    let paths = u64::try_from(numbering.paths()).expect("they were cut");
    let most = paths.min(PATHS);
    let numbers: Vec<_> = (0..most).map(Into::into).collect();
    Interesting::from_numbers(&numbering, &numbers).expect("there are so many")
}

/// Once through the graph, with the last way out of each block.
fn execution(cfg: &Cfg) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut block = cfg.entry();
    while block != cfg.exit() {
        let edge = *cfg.successors(block).last().expect("it goes on");
        steps.push(Event::Take(edge).into());
        block = cfg.ends(edge).1;
    }
    steps.push(Event::Return.into());
    steps
}
