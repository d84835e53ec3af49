//! Paths that extend across loops and procedures.

use crate::*;
use BranchKind::{Backward, Call, Forward, Indirect, IndirectCall, Return};
use Operation::{Pop, Push, Update, UpdateCount};

fn extended(extension: Extension, max_extension: u8) -> Ppcr {
    Ppcr {
        extension,
        max_extension,
        ..Ppcr::ball_larus()
    }
}

fn roomy() -> Geometry {
    Geometry {
        stack_depth: 4,
        ..Geometry::default()
    }
}

#[test]
fn a_loop_path_spans_as_many_backward_branches_as_allowed() {
    let mut stack = started(roomy(), extended(Extension::Loop, 2));
    assert_eq!(stack.step(&taken(Backward, 0x100)), None);
    assert_eq!(stack.step(&taken(Backward, 0x100)), None);
    assert_eq!(entries(&stack), [("0x00000100:TT".to_owned(), 0, 2)]);
    assert_eq!(
        show(stack.step(&taken(Backward, 0x100))),
        "0x00000100:TTT x1"
    );
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 0, 0)]);
}

#[test]
fn a_loop_extension_records_the_outcome_of_a_branch_that_falls_through() {
    let ppcr = Ppcr {
        backward_not_taken: BackwardNotTaken::AsBackward,
        ..extended(Extension::Loop, 1)
    };
    let mut stack = started(roomy(), ppcr);
    assert_eq!(stack.step(&branch(Backward, false, 0x104, 0)), None);
    assert_eq!(entries(&stack), [("0x00000100:N".to_owned(), 0, 1)]);
}

#[test]
fn a_backward_branch_treated_as_forward_extends_nothing() {
    let mut stack = started(roomy(), extended(Extension::Loop, 1));
    assert_eq!(stack.step(&branch(Backward, false, 0x104, 0)), None);
    assert_eq!(entries(&stack), [("0x00000100:N".to_owned(), 0, 0)]);
}

#[test]
fn loop_extension_leaves_calls_and_indirect_jumps_alone() {
    let mut stack = started(roomy(), extended(Extension::Loop, 2));
    stack.step(&taken(Backward, 0x100));
    stack.step(&taken(Call, 0x200));
    assert_eq!(entries(&stack)[0].2, 0);
    assert_eq!(show(stack.step(&taken(Return, 0x104))), "0x00000200: x1");
    assert_eq!(
        show(stack.step(&taken(Indirect, 0x300))),
        "0x00000100:TT x1"
    );
    assert_eq!(entries(&stack)[0].2, 0);
}

#[test]
fn a_procedure_path_spans_a_call_and_its_return() {
    let mut stack = started(roomy(), extended(Extension::Procedure, 1));
    stack.step(&taken(Forward, 0x110));
    assert_eq!(stack.step(&branch(Call, true, 0x200, 3)), None);
    stack.step(&branch(Forward, false, 0x204, 0));
    assert_eq!(entries(&stack), [("0x00000100:TN".to_owned(), 3, 1)]);
    assert_eq!(stack.step(&branch(Return, true, 0x114, 2)), None);
    assert_eq!(entries(&stack), [("0x00000100:TN".to_owned(), 5, 0)]);
    assert_eq!(show(stack.step(&taken(Return, 0x900))), "0x00000100:TN x1");
}

#[test]
fn a_call_beyond_the_maximum_extension_starts_a_path_of_its_own() {
    let mut stack = started(roomy(), extended(Extension::Procedure, 1));
    stack.step(&taken(Call, 0x200));
    stack.step(&taken(Call, 0x300));
    assert_eq!(tops(&stack), [0x300, 0x100]);
    assert_eq!(entries(&stack)[0].2, 0);
    assert_eq!(show(stack.step(&taken(Return, 0x204))), "0x00000300: x1");
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 0, 1)]);
}

#[test]
fn an_indirect_call_extends_nothing() {
    let mut stack = started(roomy(), extended(Extension::Procedure, 3));
    stack.step(&taken(IndirectCall, 0x200));
    assert_eq!(tops(&stack), [0x200, 0x100]);
    assert_eq!(show(stack.step(&taken(Return, 0x104))), "0x00000200: x1");
}

#[test]
fn a_path_that_ends_inside_a_call_hands_its_depth_on() {
    let mut stack = started(roomy(), extended(Extension::Procedure, 1));
    stack.step(&taken(Call, 0x200));
    assert_eq!(show(stack.step(&taken(Backward, 0x200))), "0x00000100:T x1");
    assert_eq!(entries(&stack), [("0x00000200:".to_owned(), 0, 1)]);
    assert_eq!(stack.step(&taken(Return, 0x104)), None);
    assert_eq!(entries(&stack), [("0x00000200:".to_owned(), 0, 0)]);
}

#[test]
fn a_split_hands_the_depth_of_calls_on_and_forgets_loops() {
    for (extension, left) in [(Extension::Procedure, 1), (Extension::Loop, 0)] {
        let mut ppcr = extended(extension, 1);
        ppcr.rows[Call] = Row::try_from(vec![Update, Push]).expect("a legal row");
        let mut stack = started(small(), ppcr);
        let extender = match extension {
            Extension::Loop => Backward,
            _ => Call,
        };
        stack.step(&taken(Forward, 0x110));
        stack.step(&taken(Forward, 0x120));
        // The extending record itself fills the path: counted first, split afterwards.
        assert_eq!(
            show(stack.step(&taken(extender, 0x200))),
            "0x00000100:TTT x1"
        );
        assert_eq!(entries(&stack), [("0x00000200:".to_owned(), 0, left)]);
    }
}

#[test]
fn a_restart_after_underflow_is_inside_no_call() {
    let mut ppcr = extended(Extension::Procedure, 2);
    ppcr.rows[Indirect] = Row::try_from(vec![Pop]).expect("a legal row");
    let mut stack = started(roomy(), ppcr);
    stack.step(&taken(Call, 0x200));
    assert_eq!(show(stack.step(&taken(Indirect, 0x300))), "0x00000100: x1");
    assert_eq!(entries(&stack), [("0x00000300:".to_owned(), 0, 0)]);
    assert_eq!(stack.take_tally().underflows, 1);
}

#[test]
fn a_maximum_of_zero_extends_nothing() {
    let mut stack = started(roomy(), extended(Extension::Loop, 0));
    assert_eq!(show(stack.step(&taken(Backward, 0x100))), "0x00000100:T x1");
}

#[test]
fn a_lowered_maximum_ends_a_path_that_is_beyond_it() {
    let mut stack = started(roomy(), extended(Extension::Loop, 3));
    stack.step(&taken(Backward, 0x100));
    stack.step(&taken(Backward, 0x100));
    stack.set_ppcr(extended(Extension::Loop, 1));
    assert_eq!(
        show(stack.step(&taken(Backward, 0x100))),
        "0x00000100:TTT x1"
    );
}

#[test]
fn an_extension_counts_whatever_its_row_does() {
    let mut ppcr = extended(Extension::Loop, 1);
    ppcr.rows[Backward] = Row::try_from(vec![UpdateCount, Pop, Push]).expect("a legal row");
    let mut stack = started(roomy(), ppcr);
    assert_eq!(stack.step(&branch(Backward, true, 0x200, 4)), None);
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 4, 1)]);
    assert_eq!(show(stack.step(&taken(Backward, 0x200))), "0x00000100: x1");
}
