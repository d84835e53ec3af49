//! `hpp profile` as people run it: what it writes, and what it says about nonsense.

#[path = "../../golden-model/riscv/tests/riscv_program/mod.rs"]
mod riscv_program;

use std::fs;
use std::path::Path;
use std::process::Command;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::printout::Printout;
use hpp_golden::profiler::{Profiler, ResetValues};
use riscv_program::{JR, NOP, RET, beq, jal, program};

/// What a profiler prints after `f` of [`elf`] was called three times, its branch taken twice.
fn printout() -> String {
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let mut profiler = Profiler::new(&Geometry::default(), &reset).expect("the default profiler");
    for taken in [true, false, true] {
        for (kind, taken, target) in [
            (BranchKind::Call, true, 0x10000),
            (BranchKind::Forward, taken, 0x10008 - 4 * u64::from(!taken)),
            (BranchKind::Return, true, 0x20000),
        ] {
            profiler.profile(&BranchRecord {
                kind,
                taken,
                target,
                next: 0,
                events: 1,
            });
        }
    }
    Printout::of(&profiler).to_string()
}

fn elf() -> Vec<u8> {
    program(&[beq(8), NOP, RET], &[("f", 0, 3)])
}

/// Runs the command on these files in a folder; its success, standard output and standard error.
fn run(serial: &str, elf: &[u8]) -> (bool, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, content: &[u8]| {
        fs::write(folder.path().join(name), content).expect("a file in it");
    };
    write("serial.txt", serial.as_bytes());
    write("f.elf", elf);
    let output = Command::new(Path::new(env!("CARGO_BIN_EXE_hpp")))
        .args(["profile", "serial.txt", "--elf", "f.elf"])
        .current_dir(folder.path())
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.success(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn paths_are_named_and_walked() {
    let serial = format!("boot: ok\r\n{}$ ", printout().replace('\n', "\r\n"));
    let (success, out, error) = run(&serial, &elf());
    assert!(success, "{error}");
    let lines: Vec<&str> = out.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "2  66.7 %  f                            T",
            "10000-10004  10008-1000c",
            "1  33.3 %  f                            N",
            "10000-10004  10004-1000c",
            "2 paths in the table, 3 completed",
        ]
    );
}

#[test]
fn nonsense_is_refused_with_its_place_and_a_remedy() {
    let refusal = |serial: &str, elf: &[u8]| {
        let (success, out, error) = run(serial, elf);
        assert!(!success && out.is_empty(), "{out}");
        error
    };
    let error = refusal("boot: ok\n", &elf());
    assert!(
        error.starts_with("hpp: serial.txt: the text has no line `HPP profile begins`"),
        "{error}"
    );
    let error = refusal(&printout().replace("errors 0", "errors"), &elf());
    assert!(
        error.starts_with("hpp: serial.txt: line 4: `errors` should be"),
        "{error}"
    );
    let error = refusal(&printout(), b"text");
    assert!(error.starts_with("hpp: f.elf: "), "{error}");
    let other = program(&[jal(0, 8), JR, RET], &[("g", 0, 3)]);
    let error = refusal(&printout(), &other);
    assert!(
        error.starts_with("hpp: is f.elf the program that printed this?: path 0x00010000:"),
        "{error}"
    );
}
