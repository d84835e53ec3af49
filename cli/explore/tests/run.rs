//! A profiler given the completed paths holds the same table as one that finds them itself.

use hpp_explore::{Run, Times};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Metric, PathStack, ResetValues};
use proptest::prelude::*;

/// Records of a small program.
fn record() -> impl Strategy<Value = BranchRecord> {
    let kind = prop::sample::select(BranchKind::ALL.to_vec());
    (kind, any::<bool>(), 0..6_u64, 0..9_u32).prop_map(|(kind, taken, to, events)| {
        BranchRecord::new(kind, taken, 0x1000 + 4 * to, 0x2000).with_events(events)
    })
}

fn reset(metric: Metric) -> ResetValues {
    ResetValues {
        metric,
        ..ResetValues::enabled()
    }
}

/// Gives the records to a detector beside the run, some at once, and its paths by number to the run.
fn tell(
    run: &mut Run,
    known: &mut Vec<CompletedPath>,
    detector: &mut PathStack,
    (records, some): (&[BranchRecord], usize),
) {
    for records in records.chunks(some) {
        let mut numbers = Vec::new();
        for path in records.iter().filter_map(|record| detector.step(record)) {
            let number = known.iter().position(|known| *known == path);
            let number = number.unwrap_or_else(|| {
                run.define(&[path]);
                known.push(path);
                known.len() - 1
            });
            numbers.push(number as u32);
        }
        let in_a_row = numbers.chunk_by(|one, next| one == next);
        let paths: Vec<Times> = in_a_row
            .map(|same| Times {
                path: same[0],
                times: same.len() as u32,
            })
            .collect();
        run.complete(records.len() as u64, detector.take_tally(), &paths);
    }
}

proptest! {
    #[test]
    fn paths_by_number_are_profiled_as_their_records_are(
        records in prop::collection::vec(record(), 0..600),
        some in 1..700_usize,
        replacement in prop::sample::select(Replacement::ALL.to_vec()),
        counts_events in any::<bool>(),
    ) {
        let geometry = Geometry { sets: 4, ways: 2, max_branches: 4, stack_depth: 4, replacement, ..Geometry::default() };
        let reset = reset(if counts_events { Metric::Events } else { Metric::Executions });
        let mut alone = Run::new(&geometry, &reset).expect("a legal profiler");
        let mut by_number = alone.clone();
        let mut detector = by_number.detector().expect("of an enabled profiler, unchecked");
        let numbers: Vec<u32> = (0..records.len() as u32).collect();
        // Asked in between, it must not count twice what was there.
        let (first, rest) = records.split_at(records.len() / 2);
        alone.profile(&records, &numbers[..first.len()]);
        let mut known = Vec::new();
        tell(&mut by_number, &mut known, &mut detector, (first, some));
        prop_assert_eq!(alone.held(), by_number.held());
        alone.profile(&records, &numbers[first.len()..]);
        tell(&mut by_number, &mut known, &mut detector, (rest, some));
        prop_assert_eq!(alone.held(), by_number.held());
    }
}

#[test]
fn a_checked_stack_and_a_disabled_profiler_have_no_detector() {
    let checked = Geometry {
        stack_check: true,
        ..Geometry::default()
    };
    let run = |geometry, reset| Run::new(&geometry, &reset).expect("a legal profiler");
    assert!(run(checked, reset(Metric::Executions)).detector().is_none());
    assert!(
        run(Geometry::default(), ResetValues::default())
            .detector()
            .is_none()
    );
}
