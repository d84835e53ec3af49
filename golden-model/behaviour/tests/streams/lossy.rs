//! Lossy mode never reports a path that did not happen.

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{Offer, PathStack, Ppcr, Profiler, ResetValues, Rows};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::strategies;

/// The path that really began with the record at `position`: what an unbounded profiler that begins there sees.
fn happened(records: &[BranchRecord], position: usize, rows: Rows) -> Option<PathDescriptor> {
    let geometry = Geometry {
        stack_depth: 256,
        ..Geometry::default()
    };
    let ppcr = Ppcr {
        rows,
        ..Ppcr::ball_larus()
    };
    let mut stack = PathStack::new(&geometry, ppcr);
    let start = records[position].target;
    let paths = records[position..]
        .iter()
        .filter_map(|record| stack.step(record));
    paths
        .map(|path| path.descriptor)
        .find(|path| path.start == start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_reported_path_happened(
        mut records in vec(strategies::record(), 1..200),
        steps in vec(0..4_u32, 200),
        rows in prop_oneof![Just(Rows::BALL_LARUS), Just(Rows::WHOLE_PROGRAM_PATH)],
    ) {
        // A target tells which record it belongs to.
        for (k, record) in records.iter_mut().enumerate() {
            record.target = 4 * k as u64;
        }
        let geometry = Geometry { queue_depth: 2, stack_depth: 8, ..Geometry::default() };
        let reset = ResetValues { lossy: true, rows, ..ResetValues::enabled() };
        let mut profiler = Profiler::new(&geometry, &reset).expect("a legal profiler");
        let mut reported = Vec::new();
        for (record, steps) in records.iter().zip(steps) {
            prop_assert!(profiler.queue().ready());
            prop_assert_ne!(profiler.offer(0, record), Offer::Stalled);
            reported.extend((0..steps).filter_map(|_| profiler.step(0)));
        }
        for path in reported {
            let position = (path.descriptor.start / 4) as usize;
            prop_assert_eq!(Some(path.descriptor), happened(&records, position, rows));
        }
    }
}

/// Without the purge, the return after the lost call would complete the caller's path too early.
#[test]
fn a_lost_call_does_not_confuse_caller_and_callee() {
    use hpp_golden::branch::BranchKind::{Backward, Call, Forward, Return};
    let record = |kind, target| BranchRecord::new(kind, true, target, 0);
    let geometry = Geometry {
        queue_depth: 2,
        ..Geometry::default()
    };
    let reset = ResetValues {
        lossy: true,
        ..ResetValues::enabled()
    };
    let mut profiler = Profiler::new(&geometry, &reset).expect("a legal profiler");
    assert_eq!(profiler.offer(0, &record(Backward, 0x100)), Offer::Accepted);
    assert_eq!(profiler.offer(0, &record(Forward, 0x110)), Offer::Accepted);
    assert_eq!(profiler.offer(0, &record(Call, 0x200)), Offer::Lost);
    assert_eq!((profiler.step(0), profiler.step(0)), (None, None));
    assert_eq!(profiler.profile(&record(Return, 0x114)), None);
    let path = profiler.profile(&record(Backward, 0x100)).expect("a path");
    assert_eq!(path.descriptor.to_string(), "0x00000114:T");
}
