//! Graphs that are there, and why some are none.
use hpp_paths::graph::{Cfg, CfgError};
use proptest::prelude::*;

use crate::graphs::graph;

/// Of blocks that could all be the exit five are named, and it is said when there are more.
#[test]
fn the_first_few_of_many_exits_are_named() {
    let error = |exits: usize| {
        let names: Vec<String> = (0..exits).map(|exit| exit.to_string()).collect();
        let edges = names.iter().map(|name| ("entry", name.as_str()));
        let error = Cfg::from_edges(edges).expect_err("several exits");
        assert_eq!(error, CfgError::ManyExits(names.clone()));
        error.to_string()
    };
    let remedy = "; name one as the exit and lead the others to it";
    for (exits, named) in [
        (5, "(`0`, `1`, `2`, `3`, `4`)"),
        (6, "(`0`, `1`, `2`, `3`, `4`, ...)"),
        (7, "(`0`, `1`, `2`, `3`, `4`, ...)"),
    ] {
        assert_eq!(
            error(exits),
            format!("{exits} blocks have no successor {named}{remedy}")
        );
    }
}

proptest! {
    /// A graph is checked and not changed: what went in comes out, and makes the same graph again.
    #[test]
    fn a_checked_graph_is_the_one_that_was_given(cfg in graph(2..14)) {
        let (entry, exit, text) = (cfg.entry(), cfg.exit(), format!("{cfg:?}"));
        let names: Vec<String> = cfg.blocks().map(|block| cfg.name(block).into()).collect();
        let again = Cfg::named(cfg.into_graph(), entry, exit, |block, _| names[block.index()].clone());
        prop_assert_eq!(format!("{:?}", again.expect("it was a graph")), text);
    }
}
