//! Selective path profiling: the paper's example number for number, then properties.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, Cfg, DagEdgeId};
use hpp_paths::numbering::{BallLarus, EdgeValues, Interesting, Pushing, Selective};
use hpp_paths::placement::Probes;
use proptest::prelude::*;

use crate::graphs::{all_paths, forms, graph, graph_of, interesting, pick, small, with_picks};

/// Figure 1 of the paper: a loop from block 7 to block 4.
fn figure_1() -> Cfg {
    graph_of("1 3, 1 2, 2 4, 3 4, 4 5, 4 8, 5 6, 5 7, 6 7, 7 4")
}

/// The edges with a value other than 0, as text.
fn values(dag: &Acyclic, values: &EdgeValues) -> Vec<String> {
    let text = |e: DagEdgeId| format!("{}: {}", dag.edge_name(e), values.get(e));
    dag.edges()
        .filter(|&e| *values.get(e) != Number::ZERO)
        .map(text)
        .collect()
}

#[test]
fn the_papers_example_number_for_number() {
    let cfg = figure_1();
    let dag = Acyclic::depth_first(&cfg);
    assert_eq!(BallLarus::exact(&dag).paths(), 9u32.into());
    let paths = interesting(&cfg, &dag, &["1 2 4 5 7 8", "1 4 5 7 8"]);
    for pushing in [Pushing::Restricted, Pushing::AsPrinted] {
        let numbering = Selective::exact(&paths, pushing);
        // Figure 5 (a): the values.
        assert_eq!(
            values(&dag, &numbering.assigned),
            ["1 -> 2: 3", "4 -> 5: 1", "5 -> 7: 1", "1 -> 4 (start): 6"]
        );
        // Figure 5 (b): pushed.
        assert_eq!(
            values(&dag, &numbering.pushed),
            ["2 -> 4: 3", "5 -> 7: 2", "6 -> 7: 1", "1 -> 4 (start): 6"]
        );
        // Figure 5 (c): removed.
        assert_eq!(
            values(&dag, &numbering.values),
            ["2 -> 4: 3", "5 -> 7: 2", "1 -> 4 (start): 6"]
        );
        assert_eq!(numbering.sums(), [5.into(), 8.into()]);
        // Ball and Larus need a probe more.
        assert_eq!(numbering.values.probes(), 3);
        assert_eq!(BallLarus::exact(&dag).values().probes(), 4);
    }
}

/// Where they stand, the values of the paper's example need two probes inside of paths, beside a register that is set and
/// counted where paths begin and end.
#[test]
fn few_values_are_few_probes_where_they_stand() {
    let cfg = figure_1();
    let dag = Acyclic::depth_first(&cfg);
    let paths = interesting(&cfg, &dag, &["1 2 4 5 7 8", "1 4 5 7 8"]);
    let values = Selective::exact(&paths, Pushing::Restricted).values;
    let kept = Probes::kept(&values);
    let probes = dag
        .edges()
        .filter_map(|e| Some((dag.edge_name(e), kept.on(e)?.to_string())));
    let probes: Vec<String> = probes
        .map(|(edge, probe)| format!("{edge}: {probe}"))
        .collect();
    assert_eq!(
        probes,
        [
            "2 -> 4: r += 3",
            "5 -> 7: r += 2",
            "7 -> 8 (stop): count[r]++",
            "1 -> 4 (start): r = 6",
        ]
    );
    let ends = [kept.at_entry(), kept.at_exit()].map(|probe| probe.map(ToString::to_string));
    assert_eq!(ends, [Some("r = 0".into()), Some("count[r]++".into())]);
}

/// The paths whose sum belongs to another path of interest.
fn clashes(dag: &Acyclic, paths: &Interesting, pushing: Pushing) -> Vec<String> {
    let numbering = Selective::exact(paths, pushing);
    all_paths(dag)
        .iter()
        .filter(|p| {
            let own = paths.paths().iter().position(|i| i == *p);
            numbering.position(&numbering.values.sum(p)) != own
        })
        .map(|p| p.text(dag))
        .collect()
}

/// The value 2 that keeps `u v x z` above the paths through `u w` is dropped on `v -> x`, as printed.
#[test]
fn as_printed_a_path_can_meet_a_sum_of_interest() {
    let cfg = graph_of("u w, u v, w x, v x, v y, x z, x y, y z");
    let dag = Acyclic::depth_first(&cfg);
    let paths = interesting(&cfg, &dag, &["u w x z", "u v y z"]);
    let printed = clashes(&dag, &paths, Pushing::AsPrinted);
    assert_eq!(printed, ["u v x z"]);
    let restricted = clashes(&dag, &paths, Pushing::Restricted);
    assert_eq!(restricted, [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Every path of interest has a sum no other path has, of interest or not.
    #[test]
    fn sums_of_interest_are_unique((cfg, picks) in with_picks(2..12, 1..6)) {
        for dag in forms(&cfg) {
            prop_assume!(small(&BallLarus::exact(&dag)));
            let paths = pick(&dag, &all_paths(&dag), &picks);
            prop_assert_eq!(clashes(&dag, &paths, Pushing::Restricted), [""; 0]);
        }
    }

    /// Pushing changes no sum, and all paths of interest together are numbered as by Ball-Larus.
    #[test]
    fn all_paths_of_interest_keep_ball_larus_numbers(cfg in graph(2..10)) {
        for dag in forms(&cfg) {
            let numbering = BallLarus::exact(&dag);
            prop_assume!(small(&numbering));
            let paths = Interesting::new(&dag, all_paths(&dag)).expect("distinct");
            let selective = Selective::exact(&paths, Pushing::Restricted);
            for (path, sum) in paths.paths().iter().zip(selective.sums()) {
                prop_assert_eq!(&numbering.number(path), sum);
                prop_assert_eq!(&selective.assigned.sum(path), sum);
                prop_assert_eq!(&selective.pushed.sum(path), sum);
            }
        }
    }
}
