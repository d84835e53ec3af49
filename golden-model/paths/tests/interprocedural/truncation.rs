//! Truncation that keeps what matters.
use hpp_paths::interprocedural::{PathProfile, ProcedureId, Supergraph, Supergraphs, Windows};
use hpp_paths::numbering::BallLarus;
use proptest::prelude::*;

use super::programs::{
    START, choices, inlining, over, procedure_of, profile, program, run, without_calls,
};

/// Eight forks in a row have 256 paths, and the limit is 100. Of two paths that have no edge in common the one that ran more often stays whole.
#[test]
fn of_paths_that_cannot_all_be_kept_the_hottest_are() {
    let forks = "0 1, 0 1, 1 2, 1 2, 2 3, 2 3, 3 4, 3 4, 4 5, 4 5, 5 6, 5 6, 6 7, 6 7, 7 8, 7 8";
    let (program, graphs) = without_calls([procedure_of("forks", forks)]);
    for hottest in [0, 1] {
        let mut runs = PathProfile::default();
        for way in [1 - hottest, hottest, hottest] {
            let run = over((0..8).map(|fork| 2 * fork + way));
            runs.add(&profile(&program, &graphs, Windows::Tiled, &run));
        }
        let cut = graphs.truncated(100, &runs).expect("one path can be kept");
        let removed = cut.of(ProcedureId::new(START)).removed();
        assert!(!removed.is_empty());
        assert!(removed.iter().all(|edge| edge.index() % 2 != hottest));
    }
}

proptest! {
    /// Where no edge of the runs is broken their paths are the same ones in a truncated graph, with the same counts, and distinguished
    /// within the limit. Everywhere each run still ends at the limit's paths.
    #[test]
    fn kept_paths_stay_whole(
        program in program(), choices in choices(), depth in 0..3usize, limit in 1..40u64,
    ) {
        let events = run(&program, &choices);
        let graphs = Supergraphs::build(&program, &inlining(depth, None));
        let kept = profile(&program, &graphs, Windows::Tiled, &events);
        let Ok(cut) = graphs.truncated(limit, &kept) else {
            return Ok(());
        };
        for graph in cut.iter() {
            let numbering = BallLarus::new(graph.dag()).expect("few paths");
            prop_assert!(numbering.paths() <= limit.into());
        }
        let ran = kept.edges(&graphs);
        let broken = |graph: &Supergraph| {
            graph.removed().iter().any(|&edge| ran.contains(&(graph.root(), edge)))
        };
        if cut.iter().any(broken) {
            return Ok(());
        }
        let carried = kept.iter().map(|(graph, path, count)| {
            let [from, to] = [&graphs, &cut].map(|graphs| graphs.of(graph).dag());
            (graph, path.carried(from, to).expect("a whole path"), count)
        });
        let again = profile(&program, &cut, Windows::Tiled, &events);
        let again = again.iter().map(|(graph, path, count)| (graph, path.clone(), count));
        prop_assert_eq!(carried.collect::<Vec<_>>(), again.collect::<Vec<_>>());
    }

    /// Runs are broken only where all that they take cannot be kept.
    #[test]
    fn runs_are_kept_if_they_can_be(
        program in program(), choices in choices(), depth in 0..3usize, limit in 1..40u64,
    ) {
        let graphs = Supergraphs::build(&program, &inlining(depth, None));
        let kept = profile(&program, &graphs, Windows::Tiled, &run(&program, &choices));
        let Ok(cut) = graphs.truncated(limit, &kept) else { return Ok(()) };
        let ran = kept.edges(&graphs);
        for (graph, cut) in graphs.iter().zip(cut.iter()) {
            let takes = |edge| ran.contains(&(graph.root(), edge));
            let whole = graph.truncated(limit, takes).is_ok();
            prop_assert!(!whole || !cut.removed().iter().any(|&edge| takes(edge)));
        }
    }

    /// With nothing to keep every limit that plain truncation can keep to is kept to.
    #[test]
    fn keeping_nothing_is_plain_truncation(program in program(), limit in 1..40u64) {
        for graph in Supergraphs::build(&program, &inlining(2, None)).iter() {
            let plain = hpp_paths::numbering::truncate(graph.dag(), limit).map(|cut| cut.removed);
            let kept = graph.truncated(limit, |_| false).map(|cut| cut.removed().to_vec());
            prop_assert_eq!(plain, kept);
        }
    }
}
