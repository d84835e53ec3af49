//! What the project's commands have in common: how they end, call others, and print columns.

use anyhow::{Context, Result, ensure};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use std::path::Path;
use std::process::{Command, ExitCode};

/// The status of a command of this name. An error is told.
pub fn ended(name: &str, outcome: Result<()>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Make in a folder. A make above this process lends it neither its job server nor its flags.
pub fn make(folder: &Path) -> Command {
    let mut command = Command::new("make");
    command.arg("--silent").arg("-C").arg(folder);
    command.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    command
}

/// What a command writes to its standard output.
///
/// # Errors
///
/// If it cannot be run, or fails; the message has all that it wrote.
pub fn said(command: &mut Command) -> Result<String> {
    let output = command.output();
    let program = command.get_program().display();
    let output = output.with_context(|| format!("cannot run {program}"))?;
    let [said, errors] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let failed = format!("{said}{errors}");
    ensure!(
        output.status.success(),
        "{command:?} failed:\n{}",
        failed.trim()
    );
    Ok(said)
}

/// Rows below a head, whose cells are set off by ` | `. So many columns are aligned left, the others right.
pub fn columns(head: &str, left: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head.split(" | "));
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}
