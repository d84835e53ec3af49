//! Profiles and reports that serde writes and reads.
use hpp_paths::counters::EdgeCounters;
use hpp_paths::graph::{Acyclic, EdgeId, Weights};
use hpp_paths::interprocedural::{
    Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use crate::graphs::{execute, graph};

fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

proptest! {
    #[test]
    fn profiles_come_back(cfg in graph(2..10), choices in prop::collection::vec(any::<u8>(), 1..60)) {
        let execution: Vec<EdgeId> = execute(&cfg, &choices);
        let counters = EdgeCounters::optimal(&cfg, &Weights::uniform(&cfg));
        let mut counts = counters.places().counters();
        counts.call(&execution).expect("an execution");
        let profile = counters.profile(&counts).expect("its counts");
        prop_assert_eq!(&again(&profile), &profile);

        let start = ProcedureId::new(0);
        let program = Program::new(vec![Procedure::new("f", Acyclic::depth_first(&cfg))]).expect("no calls");
        let graphs = Supergraphs::build(&program, &Inlining::all(0));
        let run = execution.into_iter().map(Event::Take);
        let paths = PathProfile::of(&program, &graphs, Windows::Tiled, start, run).expect("a run");
        prop_assert_eq!(&again(&paths), &paths);
    }
}
