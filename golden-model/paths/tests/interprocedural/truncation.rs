//! Truncation that keeps what matters.
use hpp_paths::interprocedural::{Supergraph, Supergraphs, Windows};
use hpp_paths::numbering::BallLarus;
use proptest::prelude::*;

use super::programs::{choices, inlining, profile, program, run};

proptest! {
    /// Where no edge of the runs is broken their paths are the same ones in a truncated graph, with the same counts, and told apart
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
