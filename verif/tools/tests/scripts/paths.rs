//! `tool-paths`: a variable that names a tool is obeyed, or it is an error.

use std::process::Command;

use crate::folder::{Ended, Folder, run};

fn found(folder: &Folder, arguments: &[&str], compiler: &str) -> Ended {
    let mut command = Command::new(folder.path("scripts/tool-paths"));
    run(command.args(arguments).env("HPP_RISCV_GCC", compiler))
}

#[test]
fn a_variable_that_names_no_program_is_an_error_and_not_another_program() {
    let folder = Folder::with(&["tool-paths"]);
    folder.program(".tools/usr/bin/riscv64-unknown-elf-gcc", "");
    let ours = folder.program("ours/gcc", "");
    let ended = found(&folder, &["riscv-gcc"], &ours.display().to_string());
    assert_eq!(ended.output.trim(), ours.display().to_string());
    let ended = found(&folder, &["riscv-gcc"], "/nowhere/gcc");
    assert_eq!((ended.status, ended.output.as_str()), (Some(1), ""));
    assert_eq!(
        ended.errors,
        "tool-paths: HPP_RISCV_GCC=/nowhere/gcc: there is no such program; remedy: unset HPP_RISCV_GCC, or name one\n"
    );
    // The list has the other tools all the same.
    let ended = found(&folder, &[], "/nowhere/gcc");
    assert_eq!(ended.status, Some(0));
    assert!(ended.output.contains("riscv-gcc=\n") && ended.output.contains("zlib=\n"));
}
