//! Rows, splits, empty and full stacks, counters.

use crate::*;
use BranchKind::{Backward, Call, Forward, Indirect, IndirectCall, Return, Trap, TrapReturn};
use Operation::{Pop, Push, Update, UpdateCount};

#[test]
fn a_record_at_an_empty_stack_only_pushes() {
    for kind in BranchKind::ALL {
        let mut stack = PathStack::new(&small(), Ppcr::ball_larus());
        assert_eq!(stack.step(&branch(kind, true, 0x40, 9)), None);
        assert_eq!(entries(&stack), [("0x00000040:".to_owned(), 0, 0)]);
        assert_eq!(stack.take_tally(), Default::default());
    }
}

#[test]
fn an_update_appends_outcome_and_events() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&branch(Forward, true, 0x200, 3));
    stack.step(&branch(Forward, false, 0x204, 4));
    assert_eq!(entries(&stack), [("0x00000100:TN".to_owned(), 7, 0)]);
}

#[test]
fn a_backward_branch_ends_the_path_it_belongs_to() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&branch(Forward, false, 0x104, 0));
    assert_eq!(
        show(stack.step(&taken(Backward, 0x100))),
        "0x00000100:NT x1"
    );
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 0, 0)]);
}

#[test]
fn calls_and_returns_nest() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&taken(Forward, 0x110));
    assert_eq!(stack.step(&taken(Call, 0x200)), None);
    stack.step(&branch(Forward, false, 0x204, 0));
    assert_eq!(show(stack.step(&taken(Return, 0x114))), "0x00000200:N x1");
    stack.step(&taken(Forward, 0x120));
    assert_eq!(
        show(stack.step(&taken(Indirect, 0x180))),
        "0x00000100:TTT x1"
    );
}

#[test]
fn a_trap_sets_the_path_aside_and_its_return_resumes_it() {
    for ppcr in [Ppcr::ball_larus(), Ppcr::whole_program_path()] {
        let mut stack = started(small(), ppcr);
        stack.step(&taken(Forward, 0x110));
        assert_eq!(stack.step(&taken(Trap, 0x8000)), None);
        stack.step(&taken(Forward, 0x8010));
        assert_eq!(
            show(stack.step(&taken(TrapReturn, 0x110))),
            "0x00008000:T x1"
        );
        assert_eq!(entries(&stack), [("0x00000100:T".to_owned(), 0, 0)]);
    }
}

#[test]
fn whole_program_paths_end_at_calls_and_returns() {
    let mut stack = started(small(), Ppcr::whole_program_path());
    stack.step(&taken(Forward, 0x110));
    assert_eq!(show(stack.step(&taken(Call, 0x200))), "0x00000100:T x1");
    assert_eq!(show(stack.step(&taken(Return, 0x114))), "0x00000200: x1");
    assert_eq!(
        show(stack.step(&taken(IndirectCall, 0x300))),
        "0x00000114: x1"
    );
    assert_eq!((stack.len(), stack.take_tally()), (1, Default::default()));
}

#[test]
fn a_backward_branch_not_taken_is_forward_by_default() {
    let mut stack = started(small(), Ppcr::ball_larus());
    assert_eq!(stack.step(&branch(Backward, false, 0x104, 0)), None);
    assert_eq!(entries(&stack), [("0x00000100:N".to_owned(), 0, 0)]);
}

#[test]
fn a_backward_branch_not_taken_can_end_paths() {
    let ppcr = Ppcr {
        backward_not_taken: BackwardNotTaken::AsBackward,
        ..Ppcr::ball_larus()
    };
    let mut stack = started(small(), ppcr);
    let path = stack.step(&branch(Backward, false, 0x104, 0));
    assert_eq!(show(path), "0x00000100:N x1");
    assert_eq!(tops(&stack), [0x104]);
}

#[test]
fn a_path_is_split_at_the_maximum_length() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&taken(Forward, 0x110));
    stack.step(&taken(Forward, 0x120));
    assert_eq!(
        show(stack.step(&branch(Forward, false, 0x130, 5))),
        "0x00000100:TTN x1"
    );
    assert_eq!(entries(&stack), [("0x00000130:".to_owned(), 0, 0)]);
    assert_eq!(stack.take_tally().splits, 1);
}

#[test]
fn a_row_that_pops_at_the_maximum_length_is_no_split() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&taken(Forward, 0x110));
    stack.step(&taken(Forward, 0x120));
    assert_eq!(
        show(stack.step(&taken(Backward, 0x100))),
        "0x00000100:TTT x1"
    );
    assert_eq!((stack.len(), stack.take_tally().splits), (1, 0));
}

#[test]
fn a_split_comes_before_the_push_of_the_row() {
    let mut stack = started(small(), with_row(Call, &[Update, Push]));
    stack.step(&taken(Forward, 0x110));
    stack.step(&taken(Forward, 0x120));
    assert_eq!(show(stack.step(&taken(Call, 0x200))), "0x00000100:TTT x1");
    assert_eq!(tops(&stack), [0x200, 0x200]);
    assert_eq!(stack.take_tally().splits, 1);
}

#[test]
fn a_split_and_an_overflow_can_come_from_one_record() {
    let mut ppcr = with_row(Call, &[Update, Push]);
    ppcr.rows[Indirect] = Row::try_from(vec![Push]).expect("a legal row");
    let mut stack = started(small(), ppcr);
    for target in [0x200, 0x300, 0x400] {
        stack.step(&taken(Indirect, target));
    }
    stack.step(&taken(Forward, 0x410));
    stack.step(&taken(Forward, 0x420));
    assert_eq!(show(stack.step(&taken(Call, 0x500))), "0x00000400:TTT x1");
    assert_eq!(tops(&stack), [0x500, 0x500, 0x300, 0x200]);
    let tally = stack.take_tally();
    assert_eq!((tally.splits, tally.overflows), (1, 1));
}

#[test]
fn with_one_branch_every_update_completes_a_path() {
    let geometry = Geometry {
        max_branches: 1,
        ..small()
    };
    let mut stack = started(geometry, Ppcr::ball_larus());
    assert_eq!(show(stack.step(&taken(Forward, 0x200))), "0x00000100:T x1");
    assert_eq!(show(stack.step(&taken(Backward, 0x180))), "0x00000200:T x1");
    assert_eq!(stack.step(&taken(Call, 0x400)), None);
    assert_eq!(show(stack.step(&taken(Return, 0x184))), "0x00000400: x1");
    assert_eq!(stack.take_tally().splits, 1);
}

#[test]
fn sixty_four_branches_fill_a_descriptor() {
    let geometry = Geometry {
        max_branches: 64,
        ..small()
    };
    let mut stack = started(geometry, Ppcr::ball_larus());
    for _ in 0..63 {
        assert_eq!(stack.step(&taken(Forward, 0x200)), None);
    }
    let path = stack.step(&taken(Forward, 0x200)).expect("a split");
    assert_eq!(
        (path.descriptor.length, path.descriptor.outcomes),
        (64, u64::MAX)
    );
}

#[test]
fn an_emptied_stack_starts_again_at_the_target() {
    let mut stack = started(small(), Ppcr::ball_larus());
    assert_eq!(
        show(stack.step(&branch(Return, true, 0x900, 7))),
        "0x00000100: x1"
    );
    assert_eq!(entries(&stack), [("0x00000900:".to_owned(), 0, 0)]);
    assert_eq!(stack.take_tally().underflows, 1);
}

#[test]
fn a_pop_with_a_push_never_underflows() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&taken(Indirect, 0x900));
    assert_eq!(
        (tops(&stack), stack.take_tally()),
        (vec![0x900], Default::default())
    );
}

#[test]
fn a_push_onto_a_full_stack_drops_the_oldest_entry() {
    let mut stack = started(small(), Ppcr::ball_larus());
    for target in [0x200, 0x300, 0x400, 0x500, 0x600] {
        stack.step(&taken(Call, target));
    }
    assert_eq!(tops(&stack), [0x600, 0x500, 0x400, 0x300]);
    assert_eq!(stack.take_tally().overflows, 2);
    for start in [0x600, 0x500, 0x400, 0x300] {
        let path = stack.step(&taken(Return, 0x700)).expect("a pop");
        assert_eq!(path.descriptor, PathDescriptor::new(start));
    }
    assert_eq!(tops(&stack), [0x700]);
    assert_eq!(stack.take_tally().underflows, 1);
}

#[test]
fn a_pop_with_a_push_never_overflows() {
    let mut stack = started(small(), Ppcr::ball_larus());
    for target in [0x200, 0x300, 0x400] {
        stack.step(&taken(Call, target));
    }
    stack.step(&taken(Backward, 0x404));
    assert_eq!(tops(&stack), [0x404, 0x300, 0x200, 0x100]);
    assert_eq!(stack.take_tally(), Default::default());
}

#[test]
fn a_purge_completes_no_path() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&taken(Call, 0x200));
    stack.purge();
    assert!(stack.is_empty() && stack.entries().next().is_none());
    assert_eq!(stack.step(&taken(Return, 0x300)), None);
    assert_eq!(entries(&stack), [("0x00000300:".to_owned(), 0, 0)]);
}

#[test]
fn events_are_the_count_under_the_metric_events() {
    let ppcr = Ppcr {
        metric: Metric::Events,
        ..Ppcr::ball_larus()
    };
    let mut stack = started(small(), ppcr);
    stack.step(&branch(Call, true, 0x200, 2));
    stack.step(&branch(Forward, true, 0x210, 3));
    assert_eq!(
        show(stack.step(&branch(Return, true, 0x104, 4))),
        "0x00000200:T x7"
    );
    assert_eq!(
        show(stack.step(&branch(Backward, true, 0x100, 1))),
        "0x00000100:T x3"
    );
    assert_eq!(
        show(stack.step(&branch(Backward, true, 0x100, 0))),
        "0x00000100:T x0"
    );
}

#[test]
fn a_row_without_update_ignores_events() {
    let mut stack = started(small(), with_row(Indirect, &[Push]));
    stack.step(&branch(Indirect, true, 0x200, 9));
    assert!(stack.entries().all(|e| e.events == 0));
}

#[test]
fn an_empty_row_does_nothing() {
    let mut stack = started(small(), with_row(Indirect, &[]));
    assert_eq!(stack.step(&branch(Indirect, true, 0x200, 9)), None);
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 0, 0)]);
}

#[test]
fn a_pop_alone_takes_the_path_as_it_is() {
    let mut stack = started(small(), with_row(Indirect, &[Pop]));
    stack.step(&branch(Call, true, 0x200, 1));
    assert_eq!(
        show(stack.step(&branch(Indirect, true, 0x300, 9))),
        "0x00000200: x1"
    );
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 1, 0)]);
}

#[test]
fn an_event_counter_stays_at_its_maximum_and_says_so() {
    let mut stack = started(small(), with_row(Indirect, &[UpdateCount]));
    stack.step(&branch(Indirect, true, 0, 255));
    assert!(!stack.take_tally().event_counter_saturated);
    stack.step(&branch(Indirect, true, 0, 1));
    assert!(stack.take_tally().event_counter_saturated);
    stack.step(&branch(Indirect, true, 0, 0));
    assert!(!stack.take_tally().event_counter_saturated);
    assert_eq!(entries(&stack), [("0x00000100:".to_owned(), 255, 0)]);
}

#[test]
fn wide_events_saturate_a_narrow_counter() {
    let geometry = Geometry {
        event_bits: 32,
        event_counter_bits: 1,
        ..small()
    };
    let mut stack = started(geometry, Ppcr::ball_larus());
    stack.step(&branch(Forward, true, 0x110, u32::MAX));
    assert_eq!(entries(&stack)[0].1, 1);
    assert!(stack.take_tally().event_counter_saturated);
}

#[test]
fn addresses_and_events_are_cut_to_their_widths() {
    let mut stack = started(small(), Ppcr::ball_larus());
    stack.step(&branch(Forward, true, 0, 0x1ff));
    assert_eq!(entries(&stack)[0].1, 0xff);
    stack.step(&taken(Backward, 0xffff_ffff_8000_0003));
    assert_eq!(tops(&stack), [0x8000_0000]);
}
