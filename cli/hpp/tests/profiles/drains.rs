//! Profiles of tables with a drain: table and what left it are one profile, and what is missing is said.

use crate::folder::{Folder, profiler};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;

/// 240 rounds of twelve loops, with a table of four entries. What left is taken out of the drain, `taken` entries at most.
fn dump(taken: usize) -> Dump {
    let geometry = Geometry {
        sets: 2,
        ways: 2,
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    let mut left = Vec::new();
    for round in 0..=240 {
        profiler.profile(&BranchRecord::new(
            BranchKind::Backward,
            true,
            0x1_0000 + 4 * (round % 12),
            0,
        ));
        if left.len() < taken {
            left.extend(profiler.take_left());
        }
    }
    let mut dump = Dump::of(&profiler);
    let drained = dump.drained.as_mut().expect("it has a drain");
    for entry in left {
        *drained.left.entry(entry.descriptor).or_default() += u64::from(entry.count);
    }
    dump
}

fn report(dump: &Dump) -> (i32, String) {
    let done = Folder::new(dump).run("report serial.txt");
    (done.status, done.out)
}

#[test]
fn table_and_drain_are_an_exact_profile() {
    let (status, text) = report(&dump(usize::MAX));
    assert_eq!(status, 0, "{text}");
    text.must_contain("the profile is exact: it has all 240 completed paths");
    text.must_contain("went into the drain with their counts");
    text.must_contain(
        "12 paths in a table of 4, and what left it; they count 240 of 240 completed paths",
    );
}

#[test]
fn what_was_lost_or_still_waits_is_said() {
    let dump = dump(10);
    let drained = dump.drained.as_ref().expect("it has a drain");
    assert!(drained.waiting == 64 && drained.lost > 0);
    let (status, text) = report(&dump);
    assert_eq!(status, 3, "{text}");
    let lost = format!(
        "{} entries lost because the drain was full, with counts of",
        drained.lost
    );
    text.must_contain(&lost);
    text.must_contain("64 entries still waited in the drain");
    assert!(!text.contains("exact"), "{text}");
}

/// Merged profiles keep what is missing of each.
#[test]
fn what_is_missing_is_added_up() {
    let folder = Folder::new(dump(10).to_string());
    let merged = folder.succeeds("merge serial.txt serial.txt");
    folder.write("both.json", merged.out.as_bytes());
    let done = folder.run("report both.json");
    assert_eq!(done.status, 3, "{}", done.error);
    done.out.must_contain("128 entries still waited");
    let exact = Folder::new(dump(usize::MAX).to_string());
    let merged = exact.succeeds("merge serial.txt serial.txt");
    exact.write("both.json", merged.out.as_bytes());
    let done = exact.run("report both.json");
    done.out.must_contain("it has all 480 completed paths");
}
