//! What a deployed program reports, against exact profiles of tests and field.
use hpp_paths::interprocedural::{PathProfile, ProcedureId, Program, Supergraphs, Windows};
use hpp_paths::residual::{Limits, ResidualProfiler, ResidualReport, Summary, Suspects, Tested};
use proptest::prelude::*;

use super::programs::{START, choices, inlining, profile, program, run};

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
    let exact = profile(program, &graphs, windows, &tests);
    let tested = Tested::new(&graphs, &exact, limits).ok()?;
    let mut profiler = ResidualProfiler::new(&tested);
    let start = ProcedureId::new(START);
    profiler
        .run(program, windows, start, events.iter().copied())
        .expect("a run");
    let graphs = tested.graphs().clone();
    Some(Deployed {
        tests: profile(program, &graphs, windows, &tests),
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

fn windows() -> impl Strategy<Value = Windows> {
    prop_oneof![Just(Windows::Tiled), Just(Windows::Every)]
}

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
        let ranked = suspects.ranked();
        for path in 0..12 {
            let runs = failing.iter().filter(|run| run.contains(&path)).count();
            let alone = runs > 0 && !passing.iter().any(|run| run.contains(&path));
            let found = ranked.iter().find(|suspect| suspect.path == path);
            prop_assert_eq!(found.map(|suspect| suspect.runs), alone.then_some(runs));
        }
        prop_assert!(ranked.is_sorted_by(|a, b| a.runs > b.runs || (a.runs == b.runs && a.mean_rank <= b.mean_rank)));
    }
}
