//! Profiles whose paths are of several contexts.

use crate::folder::{Folder, profiler};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::registers;

/// A loop at one address: two rounds in context 0, one in context 3; and a return that leads elsewhere.
fn dump(filter: u32) -> String {
    let geometry = Geometry {
        context_bits: 2,
        stack_check: true,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    profiler.write(registers::CONTEXT.offset, filter);
    let mut run = |kind, context| {
        let record =
            BranchRecord::new(kind, true, geometry.in_context(0x1_0000, context), 0x1_0000);
        profiler.profile(&record);
    };
    for context in [0, 0, 0, 3, 3] {
        run(BranchKind::Backward, context);
    }
    run(BranchKind::Call, 0);
    run(BranchKind::TrapReturn, 0);
    Dump::of(&profiler).to_string()
}

fn report(filter: u32, arguments: &[&str]) -> (i32, String, String) {
    let arguments = [&["report", "serial.txt"], arguments].concat();
    let done = Folder::new(dump(filter)).hpp(&arguments);
    (done.status, done.out, done.error)
}

#[test]
fn contexts_are_added_up_by_address_or_shown_one_by_one() {
    let (status, all, _) = report(0, &[]);
    assert_eq!(status, 0);
    all.must_contain("paths of contexts 0 (75.0 %), 3 (25.0 %)");
    all.must_contain("1 return not to the caller");
    all.must_contain("4 of 4 completed paths");
    let row = |text: &str, count: &str| {
        text.lines().any(|line| {
            line.split_whitespace()
                .eq(["1", count, "100.0", "%", "100.0", "%", "0x10000", "T"])
        })
    };
    assert!(row(&all, "4"), "{all}");
    let (_, one, _) = report(0, &["--context", "3"]);
    assert!(row(&one, "1"), "{one}");
    assert!(!one.contains("completed paths,"), "{one}");
}

#[test]
fn a_filter_is_reported() {
    let (_, text, _) = report(0x0003, &[]);
    text.must_contain("only the paths of contexts that are 0x0 in the bits 0x3 were counted");
    text.must_contain("3 of 3 completed paths");
}

#[test]
fn a_context_that_is_not_there_is_refused() {
    let (status, _, error) = report(0, &["--context", "4"]);
    assert_eq!(status, 1);
    error.must_contain("there is no context 4: contexts of this profiler are 2 bits wide");
}

/// Merged, one would have been taken for the other's contexts.
#[test]
fn profiles_of_other_contexts_are_not_added_up() {
    let folder = Folder::new(dump(0));
    folder.write("users.txt", dump(0x0003).as_bytes());
    let done = folder.run("merge serial.txt users.txt");
    assert_eq!(done.status, 1, "{}", done.out);
    done.error
        .must_contain("they differ in whose paths are shown (CONTEXT): 0x0 and 0x3");
}
