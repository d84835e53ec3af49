//! Paths and counts of runs, against the tree of calls.
use std::collections::HashSet;

use hpp_paths::interprocedural::{Event, Link, PathProfile, ProcedureId, Supergraphs, Windows};
use proptest::prelude::*;

use super::programs::{START, Teller, choices, counted, inlining, profile, program, run, windows};

proptest! {
    #[test]
    fn the_paths_of_a_run_are_those_of_its_tree_of_calls(
        program in program(), choices in choices(), seen in choices(), depth in 0..4usize,
        windows in windows(), observed in any::<bool>(),
    ) {
        let (events, seen) = (run(&program, &choices), run(&program, &seen));
        let seen = observed.then_some(&seen[..]);
        let graphs = Supergraphs::build(&program, &inlining(depth, seen));
        let calls = seen.map(calls);
        let teller = Teller {
            program: &program,
            depth,
            windows,
            chosen: Box::new(move |caller, site, callee| {
                calls.as_ref().is_none_or(|calls| calls.contains(&(caller, site, callee)))
            }),
            counted: Default::default(),
        };
        let profile = profile(&program, &graphs, windows, &events);
        prop_assert_eq!(counted(&graphs, &profile), teller.tell(&events));
    }

    #[test]
    fn each_step_of_a_tiled_run_lies_in_one_path(
        program in program(), choices in choices(), depth in 0..4usize,
    ) {
        let mut events = run(&program, &choices);
        // A run that comes home, so that no path is unfinished.
        let open = events.iter().map(|event| match event {
            Event::Call { .. } => 1,
            Event::Return => -1,
            Event::Take(_) => 0,
        });
        if open.sum::<i32>() != -1 {
            return Ok(());
        }
        let graphs = Supergraphs::build(&program, &inlining(depth, None));
        let profile = profile(&program, &graphs, Windows::Tiled, &events);
        prop_assert_eq!(profile.unfinished(), 0);
        let steps: u64 = profile.iter().map(|(graph, path, count)| {
            let graph = graphs.of(graph);
            let real = path.edges().iter().filter(|&&edge| {
                let edge = match graph.dag().kind(edge) {
                    hpp_paths::graph::DagEdge::Real(edge) => *edge,
                    hpp_paths::graph::DagEdge::Stop { breaks, .. } => breaks[0],
                    hpp_paths::graph::DagEdge::Start { .. } => return false,
                };
                !matches!(graph.cfg().edge(edge), Link::Enter(..))
            });
            count * real.count() as u64
        }).sum();
        events.retain(|event| !matches!(event, Event::Return));
        prop_assert_eq!(steps, events.len() as u64);
    }

    #[test]
    fn profiles_add_up(program in program(), one in choices(), other in choices()) {
        let graphs = Supergraphs::build(&program, &inlining(1, None));
        let [one, other] = [one, other].map(|choices| {
            profile(&program, &graphs, Windows::Tiled, &run(&program, &choices))
        });
        let mut sum = one.clone();
        sum.add(&other);
        for (graph, path, count) in sum.iter() {
            prop_assert_eq!(count, one.get(graph, path) + other.get(graph, path));
        }
        prop_assert_eq!(sum.executions(), one.executions() + other.executions());
        prop_assert_eq!(sum.unfinished(), one.unfinished() + other.unfinished());
        let different: HashSet<_> = one.iter().chain(other.iter()).map(|(graph, path, _)| (graph, path)).collect();
        prop_assert_eq!(sum.len(), different.len());
        prop_assert_eq!(sum.is_empty(), different.is_empty());
    }

    /// The paths of each graph, one graph after the other, are all paths.
    #[test]
    fn each_path_is_one_of_its_graph(program in program(), choices in choices(), depth in 0..3usize) {
        let graphs = Supergraphs::build(&program, &inlining(depth, None));
        let profile = profile(&program, &graphs, Windows::Tiled, &run(&program, &choices));
        let by_graph = program.ids().flat_map(|graph| profile.paths(graph).into_iter().map(move |path| (graph, path)));
        let mut all: Vec<_> = profile.iter().map(|(graph, path, _)| (graph, path.clone())).collect();
        all.sort_by_key(|&(graph, _)| graph);
        prop_assert_eq!(by_graph.collect::<Vec<_>>(), all);
    }

    #[test]
    fn procedures_are_found_by_their_names(program in program()) {
        for id in program.ids() {
            prop_assert_eq!(program.find(program.procedure(id).name()), Some(id));
        }
        prop_assert_eq!(program.find("none"), None);
    }
}

fn calls(events: &[Event]) -> Vec<(ProcedureId, hpp_paths::graph::EdgeId, ProcedureId)> {
    let mut active = vec![ProcedureId::new(START)];
    let mut calls = Vec::new();
    for event in events {
        match *event {
            Event::Take(_) => {}
            Event::Return => drop(active.pop()),
            Event::Call { site, callee } => {
                calls.extend(active.last().map(|&caller| (caller, site, callee)));
                active.push(callee);
            }
        }
    }
    calls
}

#[test]
fn a_profile_of_nothing_is_empty() {
    assert!(PathProfile::default().is_empty());
}
