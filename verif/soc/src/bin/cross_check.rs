//! Prints what hardware and software path profiles agree on, program by program.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::metrics::Compactness;
use hpp_soc::crosscheck::{
    Checked, Emitted, HOT_SHARE, HotFunction, Recording, check, check_modes, record,
};
use hpp_soc::{PROGRAMS, Program, Soc};
use verilated::tools::command::ended;

/// How many functions, and numbers of their hot paths, are shown, the hottest first.
const SHOWN: usize = 5;

/// Runs programs on the simulated PicoRV32 system, and compares the paths of hardware and of software profilers.
#[derive(Parser)]
struct Arguments {
    /// Each coremark, dhrystone, bzip2, zlib, an ELF file for the system of docs/soc.md, or a folder of sources.
    #[arg(default_values = PROGRAMS)]
    programs: Vec<Program>,
}

fn main() -> ExitCode {
    ended("cross_check", compare(&Arguments::parse().programs))
}

fn compare(programs: &[Program]) -> Result<()> {
    let soc = Soc::build(None)?;
    for program in programs {
        let recording = record(&soc, program)?;
        for checked in check(&recording).with_context(|| program.to_string())? {
            print(program, &recording, &checked);
        }
        print_modes(&check_modes(&recording).with_context(|| program.to_string())?);
    }
    Ok(())
}

/// What the emitted Verilog and the model counted of the same records.
fn print_modes(modes: &[Emitted]) {
    println!("\nthe emitted Verilog, a record a cycle, and the model: all equal");
    let row = |emitted: &Emitted| {
        vec![
            emitted.mode.name.to_owned(),
            emitted.profile.len().to_string(),
            emitted.profile.total().to_string(),
        ]
    };
    print_table(&["mode", "paths", "run"], modes.iter().map(row));
}

fn print(program: &Program, recording: &Recording, checked: &Checked) {
    let setting = match checked.setting {
        BackwardNotTaken::AsForward => "as forward",
        BackwardNotTaken::AsBackward => "as backward",
    };
    println!(
        "\n{program}, backward not taken {setting}: {} instructions, {} records, {} paths run {} times: all equal",
        recording.retired,
        recording.records.len(),
        checked.agreement.paths.len(),
        checked.agreement.executions()
    );
    println!(
        "hottest functions among the paths that hold {} % of the table; of each numbering the probes, and the delta:",
        HOT_SHARE * 100.0
    );
    let mut hot: Vec<_> = checked.hot.iter().collect();
    hot.sort_by_key(|function| core::cmp::Reverse(function.executions));
    let head = [
        "function",
        "paths",
        "hot",
        "run",
        "Ball-Larus",
        "",
        "preferential",
        "",
        "selective",
        "",
        "hottest numbers",
    ];
    print_table(&head, hot.into_iter().take(SHOWN).map(row));
}

fn row(function: &HotFunction) -> Vec<String> {
    let numbers = function.hot.iter().take(SHOWN).map(ToString::to_string);
    let delta = |compactness: &Compactness| format!("{:.2}", compactness.ratio());
    vec![
        function.name.clone(),
        function.paths.to_string(),
        function.hot.len().to_string(),
        function.executions.to_string(),
        function.ball_larus_probes.to_string(),
        delta(&function.ball_larus),
        function.preferential_probes.to_string(),
        delta(&function.preferential),
        function.selective_probes.to_string(),
        delta(&function.selective),
        numbers.collect::<Vec<_>>().join(","),
    ]
}

/// Numbers to the right; names, and lists of numbers, to the left.
fn print_table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .add_row(head)
        .add_rows(rows);
    for (column, head) in table.column_iter_mut().zip(head) {
        column.set_padding((0, 2));
        column.set_cell_alignment(match *head {
            "function" | "mode" | "hottest numbers" => CellAlignment::Left,
            _ => CellAlignment::Right,
        });
    }
    println!("{}", table.trim_fmt());
}
