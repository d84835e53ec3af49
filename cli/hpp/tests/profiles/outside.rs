//! Profiles whose paths do not fit the program: a few lines, with the likely reason.

use crate::folder::{Done, Folder, profiler};
use crate::riscv_program::{NOP, RET, beq, program};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;

/// A program for RV64 that is linked with a shared library; its function `call` begins at 0x390.
const DYNAMIC: &[u8] = include_bytes!("../../../report/tests/stubs/dynamic.elf");

/// What a profiler holds after procedures at these addresses were called, each of which has a taken branch if it is said so.
fn calls(addresses: impl Iterator<Item = u64>, branches: bool) -> Dump {
    let mut profiler = profiler(&Geometry::default());
    for address in addresses {
        let mut run = |kind, target| {
            profiler.profile(&BranchRecord::new(kind, true, target, 0).with_events(1));
        };
        run(BranchKind::Call, address);
        if branches {
            run(BranchKind::Forward, address + 8);
        }
        run(BranchKind::Return, 0x20000);
    }
    Dump::of(&profiler)
}

/// A report of five paths, which must be short.
fn report(folder: &Folder) -> Done {
    let done = folder.run("report serial.txt --elf f.elf --top 5");
    assert!(done.out.lines().count() < 50, "{}", done.out);
    done
}

#[test]
fn paths_in_shared_libraries_are_one_line_and_no_fault() {
    let libraries = (0..300).map(|i| 0x4000_0000 + 8 * i);
    let folder = Folder::new(calls(libraries.chain([0x390; 100]), false));
    folder.write("f.elf", DYNAMIC);
    let done = report(&folder);
    assert_eq!(done.status, 0, "{}{}", done.out, done.error);
    done.out.must_contain("walk      1 of 1 walk");
    done.out.must_contain("- 75.0 % of the profile, 300 paths, begins outside of the ELF file: in shared libraries (link with -static to");
    done.out
        .must_contain("\nand 300 paths, 75.0 % of all counts, outside of the program's code\n");
    assert!(!done.out.contains("does not walk"), "{}", done.out);
}

#[test]
fn a_static_program_is_not_advised_to_be_linked_statically() {
    let outside = (0..300).map(|i| 0x4000_0000 + 8 * i);
    let folder = Folder::new(calls(outside.chain([0x10008; 100]), false));
    let done = report(&folder);
    assert_eq!(done.status, 3, "{}", done.out);
    done.out.must_contain("! 75.0 % of the profile, 300 paths, begins outside of the ELF file: in code made at run time, of the system");
    assert!(!done.out.contains("-static"), "{}", done.out);
}

#[test]
fn another_program_is_named_as_the_reason_in_a_few_lines() {
    let folder = Folder::new(calls((0..300).map(|i| 0x10000 + 4 * i), true));
    folder.write("f.elf", program(&[RET; 400], &[("f", 0, 400)]));
    let done = report(&folder);
    assert_eq!(done.status, 3, "{}", done.out);
    done.out.must_contain(
        "only 0 of 300 paths walk through the program's code; 100.0 % of the profile does not",
    );
    done.out
        .must_contain("the ELF file is another program's, most likely");
    let folder = Folder::new(calls([0x4000_0000].into_iter(), false));
    let done = report(&folder);
    assert_eq!(done.status, 3, "{}", done.out);
    done.out
        .must_contain("no path begins in the code of the ELF file: give the program that ran");
}

/// Go's run-time system switches stacks by jumps, and its linker marks functions in assembly.
#[test]
fn what_leaves_procedures_without_a_return_is_named() {
    for name in [
        "longjmp",
        "_Unwind_Resume",
        "runtime.gogo.abi0",
        "runtime.mcall.abi0",
        "caml_raise_exn",
    ] {
        let folder = Folder::new(calls([0x10000; 50].into_iter().chain([0x1000c]), true));
        let code = [beq(8), NOP, RET, RET, RET];
        folder.write("f.elf", program(&code, &[("f", 0, 4), (name, 4, 1)]));
        let done = report(&folder);
        let way = name.trim_end_matches(".abi0");
        done.out.must_contain(&format!(
            "the program can leave a procedure without returning ({way})"
        ));
    }
}

#[test]
fn frames_that_exceptions_left_are_named_where_the_stack_overflowed() {
    let overflows = |name| {
        let mut dump = calls([0x10000].into_iter(), true);
        dump.counters[Counter::Overflows as usize] = 4310;
        let folder = Folder::new(dump);
        folder.write(
            "f.elf",
            program(&[beq(8), NOP, RET, RET], &[("f", 0, 3), (name, 3, 1)]),
        );
        report(&folder).out
    };
    overflows("_Unwind_Resume").must_contain(
        "4,310 overflows: calls went deeper than the path stack, or procedures were left without a return (_Unwind_Resume)",
    );
    assert!(!overflows("g").contains("without a return"));
}

/// The function in which the profiler was started returns.
#[test]
fn one_return_of_what_was_entered_before_is_no_finding() {
    for (underflows, is_said) in [(1, false), (2, true)] {
        let mut dump = calls([0x10000].into_iter(), true);
        dump.counters[Counter::Underflows as usize] = underflows;
        let out = report(&Folder::new(dump)).out;
        assert_eq!(out.contains("underflow"), is_said, "{out}");
    }
}
