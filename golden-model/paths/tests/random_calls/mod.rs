use std::ops::Range;

use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
use hpp_paths::interprocedural::{Procedure, ProcedureId, Program};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::random_graphs::graph;

/// Calls of a procedure: the edge, a callee, and whether there may be others.
type Calls = Vec<(Index, Index, bool)>;

fn calls() -> impl Strategy<Value = Calls> {
    let call = (any::<Index>(), any::<Index>(), prop::bool::weighted(0.3));
    prop::collection::vec(call, 0..5)
}

/// Programs of several procedures of so many blocks; each may call any, itself too, on any edge.
pub fn program(blocks: Range<usize>) -> impl Strategy<Value = Program> {
    prop::collection::vec((graph(blocks), calls()), 1..5).prop_map(|procedures| {
        let count = procedures.len();
        let procedure = |(name, (cfg, calls)): (usize, (Cfg, Calls))| {
            let mut procedure = Procedure::new(name.to_string(), Acyclic::depth_first(&cfg));
            let edges = cfg.edges().len();
            for (edge, callee, open) in calls.into_iter().filter(|_| edges > 0) {
                let site = EdgeId::new(edge.index(edges));
                procedure = procedure.calling(site, ProcedureId::new(callee.index(count)));
                if open {
                    procedure = procedure.calling_others(site);
                }
            }
            procedure
        };
        let procedures = procedures.into_iter().enumerate().map(procedure);
        Program::new(procedures.collect()).expect("all callees are there")
    })
}
