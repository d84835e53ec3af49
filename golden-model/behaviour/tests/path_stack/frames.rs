//! Checked stacks: returns that go elsewhere, and contexts.

use crate::*;
use BranchKind::{Backward, Call, Forward, Return, Trap, TrapReturn};
use hpp_golden::profiler::ContextFilter;

fn checked() -> Geometry {
    Geometry {
        stack_depth: 8,
        stack_check: true,
        drain_depth: 0,
        ..Geometry::default()
    }
}

/// The same with contexts, and an address in one.
fn contexts(geometry: Geometry) -> (Geometry, impl Fn(u64, u8) -> u64) {
    let geometry = Geometry {
        context_bits: 2,
        ..geometry
    };
    let at = move |address, context| geometry.in_context(address, context);
    (geometry, at)
}

/// A transfer at `next` - 4.
fn transfer(kind: BranchKind, target: u64, next: u64) -> BranchRecord {
    BranchRecord {
        next,
        ..taken(kind, target)
    }
}

fn repairs(stack: &mut PathStack) -> u64 {
    stack.take_tally().repairs
}

/// Whoever called `setjmp` gets control back where nobody on the stack is to return to: `setjmp` itself has returned long ago.
#[test]
fn longjmp_leaves_no_path() {
    let mut stack = started(checked(), Ppcr::ball_larus());
    stack.step(&transfer(Call, 0x800, 0x108)); // setjmp
    assert_eq!(show(stack.step(&taken(Return, 0x108))), "0x00000800: x1");
    stack.step(&transfer(Call, 0x200, 0x120)); // work
    stack.step(&transfer(Call, 0x900, 0x210)); // longjmp
    assert_eq!(stack.step(&taken(Return, 0x108)), None);
    assert_eq!((tops(&stack), repairs(&mut stack)), (vec![0x108], 1));
    // What goes on from there is a path from there; the return of the procedure around it is an underflow.
    stack.step(&taken(Forward, 0x140));
    assert_eq!(show(stack.step(&taken(Return, 0x40))), "0x00000108:T x1");
    assert_eq!(stack.take_tally().underflows, 1);
}

/// A context that changes without a transfer, as where a kernel switches address spaces, is known with the next record: a path under way goes on in it,
/// and a call right after the change is taken to have executed in the context before.
#[test]
fn a_context_that_changes_without_a_trap_or_a_return_is_within_a_path() {
    let (geometry, at) = contexts(checked());
    let mut stack = started(geometry, Ppcr::ball_larus());
    let other = |address| at(address, 1);
    stack.step(&taken(Forward, other(0x140)));
    let path = stack.step(&taken(Backward, other(0x100))).expect("a path");
    assert_eq!(path.descriptor.to_string(), "0x00000100:TT");
    // In the new context calls return as everywhere.
    stack.step(&transfer(Call, other(0x200), 0x148));
    assert!(stack.step(&taken(Return, other(0x148))).is_some());
    assert_eq!(repairs(&mut stack), 0);
    // Back in the first context. No record came between the change and the call, so the call counts as one of the second.
    stack.step(&transfer(Call, 0x200, 0x150));
    assert_eq!(stack.step(&taken(Return, 0x150)), None);
    assert_eq!((tops(&stack), repairs(&mut stack)), (vec![0x150], 1));
}

#[test]
fn a_handler_may_return_to_the_instruction_or_past_it() {
    for (skip, fits) in [(0, true), (2, true), (4, true), (6, false), (8, false)] {
        let geometry = Geometry {
            align: 1,
            ..checked()
        };
        let mut stack = started(geometry, Ppcr::ball_larus());
        stack.step(&transfer(Trap, 0x800, 0x110));
        let path = stack.step(&taken(TrapReturn, 0x110 + skip));
        let expected = if fits { "0x00000800: x1" } else { "-" };
        assert_eq!(show(path), expected, "{skip} bytes on");
        assert_eq!(repairs(&mut stack), u64::from(!fits));
    }
}

/// Two threads stop at the same instruction; the handler returns to the other one.
#[test]
fn a_switch_to_another_context_is_no_return() {
    let (geometry, at) = contexts(checked());
    let mut stack = PathStack::new(&geometry, Ppcr::ball_larus());
    stack.step(&taken(Forward, at(0x100, 1)));
    stack.step(&transfer(Trap, at(0x800, 3), 0x110));
    assert_eq!(stack.step(&taken(TrapReturn, at(0x110, 2))), None);
    assert_eq!((tops(&stack), repairs(&mut stack)), (vec![at(0x110, 2)], 1));
    stack.step(&transfer(Trap, at(0x800, 3), 0x120));
    let path = stack.step(&taken(TrapReturn, at(0x120, 2)));
    assert_eq!(show(path), "0x300000800: x1");
}

/// The last instruction of the address space traps; 2 or 4 bytes on it begins again, in the same context. The carry out of the address went
/// into the context above it.
#[test]
fn a_handler_that_returns_past_the_end_of_the_address_space_stays_in_its_context() {
    let (geometry, at) = contexts(Geometry {
        align: 1,
        ..checked()
    });
    for (last, context, fits) in [
        (0xffff_fffc, 1, true),
        (0xffff_fffc, 2, false),
        (0xffff_fffe, 1, true),
        (0xffff_fffe, 2, false),
    ] {
        let mut stack = PathStack::new(&geometry, Ppcr::ball_larus());
        stack.step(&taken(Forward, at(0x100, 1)));
        stack.step(&transfer(Trap, at(0x800, 3), last));
        let path = stack.step(&taken(TrapReturn, at(0, context)));
        let expected = if fits { "0x300000800: x1" } else { "-" };
        assert_eq!(show(path), expected, "from {last:#x} to context {context}");
        assert_eq!(repairs(&mut stack), u64::from(!fits));
    }
}

#[test]
fn paths_of_other_contexts_are_followed_and_not_shown() {
    let (geometry, at) = contexts(small());
    let mut stack = PathStack::new(&geometry, Ppcr::ball_larus());
    stack.set_filter(ContextFilter { mask: 2, value: 0 });
    stack.step(&taken(Forward, at(0x100, 0)));
    stack.step(&taken(Trap, at(0x800, 3)));
    assert_eq!(stack.step(&taken(TrapReturn, at(0x110, 0))), None);
    let path = stack.step(&taken(BranchKind::Backward, at(0x100, 0)));
    assert_eq!(show(path), "0x00000100:T x1");
}
