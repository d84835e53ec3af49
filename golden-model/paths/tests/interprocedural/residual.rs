//! What a deployed program reports, against exact profiles of tests and field.
use std::collections::HashSet;

use hpp_paths::interprocedural::{PathProfile, ProcedureId, Program, Supergraphs, Windows};
use hpp_paths::residual::{
    Limits, ResidualProfiler, ResidualReport, Summary, Suspect, Suspects, Tested,
};
use proptest::prelude::*;

use super::programs::{
    START, choices, inlining, over, procedure_of, profile, program, run, windows, without_calls,
};

/// A report with the exact profiles of tests and field in the same graphs.
struct Deployed {
    tests: PathProfile,
    field: PathProfile,
    report: ResidualReport,
    graphs: Supergraphs,
}

fn deploy(
    program: &Program,
    [tests, field]: [&[u8]; 2],
    depth: usize,
    windows: Windows,
    limits: Limits,
) -> Option<Deployed> {
    let (tests, events) = (run(program, tests), run(program, field));
    let graphs = Supergraphs::build(program, &inlining(depth, Some(&tests)));
    let taken = profile(program, &graphs, windows, &tests);
    let graphs = graphs.truncated(limits.paths, &taken).ok()?;
    let exact = profile(program, &graphs, windows, &tests);
    let tested = Tested::new(&graphs, &exact, limits).expect("it fits");
    let mut profiler = ResidualProfiler::new(&tested);
    let start = ProcedureId::new(START);
    profiler
        .run(program, windows, start, events.iter().copied())
        .expect("a run");
    Some(Deployed {
        tests: exact,
        field: profile(program, &graphs, windows, &events),
        report: profiler.report(),
        graphs,
    })
}

const ENOUGH: Limits = Limits {
    paths: 1 << 40,
    counters: 1 << 20,
    untested: 1 << 20,
};

proptest! {
    /// With room enough the report is exactly what the field took and the tests did not.
    #[test]
    fn the_report_is_the_difference_of_exact_profiles(
        program in program(), tests in choices(), field in choices(), depth in 0..3usize,
        windows in windows(),
    ) {
        let found = deploy(&program, [&tests, &field], depth, windows, ENOUGH);
        let Deployed { tests, field, report, .. } = found.expect("few paths");
        let reported: Vec<_> = report.untested.iter().map(|u| (u.graph, &u.path, u.count)).collect();
        let untested = field.iter().filter(|(graph, path, _)| tests.get(*graph, path) == 0);
        prop_assert_eq!(reported, untested.collect::<Vec<_>>());
        prop_assert_eq!((report.beyond, report.weeded.len()), (0, 0));
        prop_assert_eq!(report.executions(), field.executions());
        prop_assert_eq!(report.unfinished, field.unfinished());
    }

    /// With little room nothing tested is reported, what is reported is counted exactly, and no execution is lost in silence.
    #[test]
    fn little_memory_is_said(
        program in program(), tests in choices(), field in choices(), depth in 0..3usize,
        counters in 0..4usize, untested in 0..4usize, paths in 2..60u64,
    ) {
        let limits = Limits { paths, counters, untested };
        let found = deploy(&program, [&tests, &field], depth, Windows::Tiled, limits);
        let Some(Deployed { tests, field, report, .. }) = found else { return Ok(()) };
        for seen in &report.untested {
            prop_assert_eq!(tests.get(seen.graph, &seen.path), 0);
            prop_assert_eq!(field.get(seen.graph, &seen.path), seen.count);
        }
        for seen in &report.weeded {
            prop_assert!(tests.get(seen.graph, &seen.path) > 0);
        }
        prop_assert!(report.untested.len() + report.weeded.len() <= untested);
        prop_assert_eq!(report.executions(), field.executions());
    }

    /// What the tests themselves do is never untested.
    #[test]
    fn tests_in_the_field_leave_nothing(program in program(), tests in choices(), depth in 0..3usize) {
        let found = deploy(&program, [&tests, &tests], depth, Windows::Tiled, ENOUGH);
        prop_assert_eq!(found.expect("few paths").report.untested, []);
    }

    /// An untested edge lies on an untested path, so graphs with untested edges have untested paths.
    #[test]
    fn untested_edges_lie_on_untested_paths(
        program in program(), tests in choices(), field in choices(), depth in 0..3usize,
    ) {
        let found = deploy(&program, [&tests, &field], depth, Windows::Tiled, ENOUGH);
        let Deployed { tests, field, report, graphs } = found.expect("few paths");
        let summary = Summary::of(&graphs, &tests, &field);
        prop_assert_eq!(summary.untested_paths, report.untested.len());
        let count = report.untested.iter().map(|u| u.count).sum::<u64>();
        prop_assert_eq!(summary.untested_executions, count);
        // An edge may also lie on a path that did not end.
        if field.unfinished() == 0 {
            prop_assert!(summary.graphs_with_edges <= summary.graphs_with_paths);
            prop_assert!(summary.untested_edges == 0 || summary.untested_paths > 0);
        }
        prop_assert!(summary.paths_without_edges <= summary.untested_paths);
    }

    /// A path is suspect exactly if a failing run takes it and no passing run does, and more failing runs come first.
    #[test]
    fn suspects_are_what_failing_runs_alone_take(
        passing in prop::collection::vec(prop::collection::vec(0..12u8, 0..8), 0..4),
        failing in prop::collection::vec(prop::collection::vec(0..12u8, 0..8), 0..4),
    ) {
        let mut suspects = Suspects::default();
        passing.iter().for_each(|run| suspects.passing(run.iter().copied()));
        failing.iter().for_each(|run| suspects.failing(run.iter().copied()));
        let count = |runs: &[Vec<u8>], path| runs.iter().filter(|run| run.contains(&path)).count();
        let (ranked, associated) = (suspects.ranked(), suspects.associated());
        for path in 0..12 {
            let (runs, passed) = (count(&failing, path), count(&passing, path));
            let found = |among: &[Suspect<u8>]| {
                let found = among.iter().find(|suspect| suspect.path == path);
                found.map(|suspect| (suspect.runs, suspect.passing))
            };
            let alone = runs > 0 && passed == 0;
            prop_assert_eq!(found(&ranked), alone.then_some((runs, 0)));
            // Of no passing runs none takes it.
            let more = runs * passing.len().max(1) > passed * failing.len();
            prop_assert_eq!(found(&associated), more.then_some((runs, passed)));
            prop_assert!(!alone || more);
        }
        for among in [&ranked, &associated] {
            for suspect in among {
                prop_assert_eq!(suspect.mean_rank, mean_rank(&failing, among, suspect.path));
            }
        }
        let share = |suspect: &Suspect<u8>| suspect.runs as f64 / (suspect.runs + suspect.passing) as f64;
        prop_assert!(ranked.is_sorted_by(|a, b| a.runs > b.runs || (a.runs == b.runs && a.mean_rank <= b.mean_rank)));
        prop_assert!(associated.is_sorted_by(|a, b| share(a) >= share(b) - 1e-9));
    }
}

/// The mean over the failing runs that take a path of how many other suspects they take before it.
fn mean_rank(failing: &[Vec<u8>], suspects: &[Suspect<u8>], path: u8) -> f64 {
    let is_suspect = |other: &&u8| suspects.iter().any(|suspect| suspect.path == **other);
    let rank = |run: &Vec<u8>| {
        let at = run.iter().position(|&other| other == path)?;
        let before: HashSet<_> = run[..at].iter().filter(is_suspect).collect();
        Some(before.len())
    };
    let ranks: Vec<usize> = failing.iter().filter_map(rank).collect();
    ranks.iter().sum::<usize>() as f64 / ranks.len() as f64
}

/// Two forks in a row, tested left, left and right, right: all edges. Left, right and right, left are paths that edges alone do not
/// show. Of a single fork one way is tested: what goes the other has an untested edge.
#[test]
fn edges_show_some_untested_paths_and_not_others() {
    let two = procedure_of("two", "1 l, 1 r, l 2, r 2, 2 m, 2 s, m 3, s 3");
    let one = procedure_of("one", "1 l, 1 r, l 2, r 2");
    let (program, graphs) = without_calls([two, one]);
    let of = |runs: &[(usize, &[usize])]| {
        let mut profile = PathProfile::default();
        for &(start, edges) in runs {
            let (start, run) = (ProcedureId::new(start), over(edges.iter().copied()));
            let run = PathProfile::of(&program, &graphs, Windows::Tiled, start, run);
            profile.add(&run.expect("a run"));
        }
        profile
    };
    let tests = of(&[(0, &[0, 2, 4, 6]), (0, &[1, 3, 5, 7]), (1, &[0, 2])]);
    let field = of(&[
        (0, &[0, 2, 5, 7]),
        (0, &[0, 2, 5, 7]),
        (0, &[1, 3, 4, 6]),
        (0, &[0, 2, 4, 6]),
        (1, &[1, 3]),
    ]);
    let summary = Summary {
        paths: 4,
        untested_paths: 3,
        executions: 5,
        untested_executions: 4,
        graphs_with_paths: 2,
        untested_edges: 2,
        graphs_with_edges: 1,
        paths_without_edges: 2,
    };
    assert_eq!(Summary::of(&graphs, &tests, &field), summary);
}

#[test]
fn tests_on_other_graphs_are_refused() {
    let (program, graphs) = without_calls([procedure_of("f", "1 2, 1 3, 2 4, 3 4")]);
    let tests = profile(&program, &graphs, Windows::Tiled, &over([0, 2]));
    let (_, others) = without_calls([procedure_of("f", "1 2")]);
    let error = Tested::new(&others, &tests, ENOUGH).expect_err("other graphs");
    assert_eq!(
        error.to_string(),
        "a tested path of graph 0 (from 0) is none of it; profile the tests on these graphs"
    );
}

#[test]
fn a_list_without_an_end_takes_all_memory() {
    let (_, graphs) = without_calls([procedure_of("f", "1 2")]);
    let bytes = |untested| {
        let limits = Limits { untested, ..ENOUGH };
        let tested = Tested::new(&graphs, &PathProfile::default(), limits);
        tested.expect("it fits").bytes()
    };
    assert_eq!((bytes(10), bytes(usize::MAX)), (180, usize::MAX));
}
