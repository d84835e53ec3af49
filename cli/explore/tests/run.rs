//! A profiler given the completed paths holds the same table as one that finds them itself.

use hpp_explore::{Held, Run, Times, accuracy};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::dump::Dump;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{ExactProfile, Metric, PathStack, Profiler, ResetValues};
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
                known.push(path);
                run.define(&*known);
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

/// What the profiler that is shown every record holds, without the fast stack.
fn plain(geometry: &Geometry, reset: &ResetValues, records: &[BranchRecord]) -> Held {
    let mut profiler = Profiler::new(geometry, reset).expect("a legal profiler");
    let mut exact = ExactProfile::new();
    let paths = records.iter().filter_map(|record| profiler.profile(record));
    paths.for_each(|path| exact.record(&path));
    let entries = profiler.table().entries().map(|(_, entry)| entry);
    Held {
        records: records.len() as u64,
        different: exact.len(),
        accuracy: accuracy(entries, geometry.entries() as usize, &exact),
        dump: Dump::of(&profiler).to_string(),
    }
}

fn geometry() -> impl Strategy<Value = Geometry> {
    let replacement = prop::sample::select(Replacement::ALL.to_vec());
    (1..4_u32, any::<bool>(), replacement, any::<bool>()).prop_map(
        |(depth, stack_check, replacement, triggers)| Geometry {
            sets: 4,
            ways: 2,
            max_branches: 4,
            stack_depth: 1 << depth,
            stack_check,
            replacement,
            triggers,
            ..Geometry::default()
        },
    )
}

proptest! {
    /// However they come: as records, some at once, or as the paths that a detector beside the run finds.
    #[test]
    fn records_by_number_are_profiled_as_one_by_one(
        geometry in geometry(),
        defined in prop::collection::vec(record(), 1..30),
        chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..900),
        some in 1..700_usize,
        counts_events in any::<bool>(),
    ) {
        let reset = reset(if counts_events { Metric::Events } else { Metric::Executions });
        let numbers: Vec<u32> = chosen.iter().map(|n| n.index(defined.len()) as u32).collect();
        let records: Vec<_> = numbers.iter().map(|&n| defined[n as usize]).collect();
        let mut run = Run::new(&geometry, &reset).expect("a legal profiler");
        let mut told = run.clone();
        let detector = told.detector();
        prop_assert_eq!(detector.is_some(), !geometry.triggers);
        let (mut detector, mut known) = (detector, Vec::new());
        // Asked in between, it must not count twice what was there.
        let half = numbers.len() / 2;
        for part in [0..half, half..numbers.len()] {
            for numbers in numbers[part.clone()].chunks(some) {
                run.profile(&defined, numbers);
            }
            prop_assert_eq!(run.held(), plain(&geometry, &reset, &records[..part.end]));
            if let Some(detector) = &mut detector {
                tell(&mut told, &mut known, detector, (&records[part], some));
                prop_assert_eq!(told.held(), run.held());
            }
        }
    }
}

#[test]
fn a_disabled_profiler_has_no_detector_and_profiles_nothing() {
    let mut run =
        Run::new(&Geometry::default(), &ResetValues::default()).expect("a legal profiler");
    assert!(run.detector().is_none());
    let latch = BranchRecord::new(BranchKind::Backward, true, 0x1000, 0x1010);
    run.profile(&[latch], &[0; 9]);
    assert_eq!((run.records(), run.exact().len()), (9, 0));
}
