//! `fpga-flow`: bitstreams for boards, and figures of size and speed. Run from the project's folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Parser, Subcommand};
use hpp_fpga::board::{BOARDS, Board, Parts, system};
use hpp_fpga::flow::Flow;
use hpp_fpga::image::memory_image;
use hpp_fpga::measure::{Seeds, Timing, time};
use hpp_fpga::table::{markdown, thousands};
use hpp_fpga::tool::{Toolchain, project_tool};
use indicatif::ProgressBar;

/// Bitstreams for boards, and figures of size and speed.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The project's folder.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Bitstreams of boards: the best of several seeds, under build/fpga.
    Board {
        /// The boards (ulx3s, icebreaker, hx8k, tangnano9k); all without one.
        boards: Vec<String>,
        /// Seeds of place and route that are tried.
        #[arg(long, default_value_t = 3)]
        seeds: u32,
        /// The system without the profiler, for comparison.
        #[arg(long)]
        without_profiler: bool,
    },
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fpga-flow: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let root = arguments
        .root
        .canonicalize()
        .with_context(|| format!("{}", arguments.root.display()))?;
    ensure!(
        root.join("fpga/boards").is_dir(),
        "{} is not the project's folder; remedy: --root FOLDER",
        root.display()
    );
    let flow = Flow {
        tools: Toolchain::of_project(&root),
        build: root.join("build/fpga"),
    };
    match &arguments.command {
        Task::Board {
            boards,
            seeds,
            without_profiler,
        } => build_boards(&root, &flow, &chosen(boards)?, *seeds, !without_profiler),
    }
}

fn chosen(keys: &[String]) -> Result<Vec<Board>> {
    if keys.is_empty() {
        return Ok(BOARDS.to_vec());
    }
    keys.iter()
        .map(|key| {
            let known = BOARDS.map(|board| board.key).join(", ");
            Board::by_key(key).with_context(|| format!("no board `{key}`; known: {known}"))
        })
        .collect()
}

fn build_boards(
    root: &Path,
    flow: &Flow,
    boards: &[Board],
    seeds: u32,
    with_profiler: bool,
) -> Result<()> {
    let progress = spinner();
    let mut rows = Vec::new();
    for board in boards {
        rows.push(build_board(
            root,
            flow,
            board,
            seeds,
            with_profiler,
            &progress,
        )?);
    }
    progress.finish_and_clear();
    print!(
        "{}",
        markdown(
            &[
                "board",
                "LUT",
                "FF",
                "RAM",
                "MHz (best seed)",
                "clock",
                "bitstream"
            ],
            &rows
        )
    );
    Ok(())
}

fn build_board(
    root: &Path,
    flow: &Flow,
    board: &Board,
    seeds: u32,
    with_profiler: bool,
    progress: &ProgressBar,
) -> Result<Vec<String>> {
    ensure!(!with_profiler, "only --without-profiler so far");
    progress.set_message(format!("{}: program", board.name));
    let program = demonstration(root, board)?;
    let core = project_tool(root, "picorv32")?.join("picorv32.v");
    let parts = Parts {
        root,
        core: &core,
        profiler: None,
        program: &program,
    };
    progress.set_message(format!("{}: synthesis", board.name));
    let netlist = flow.synthesise(&system(board, &parts)?, board.device)?;
    let pins = fs::read_to_string(root.join("fpga/boards").join(board.pins))
        .with_context(|| board.pins.to_string())?;
    let request = Seeds {
        count: seeds,
        target_mhz: board.clock_mhz(),
        constraints: Some(&pins),
    };
    let timing = time(flow, &netlist, &request, &mut |seed| {
        progress.set_message(format!(
            "{}: place and route, seed {seed} of {seeds}",
            board.name
        ));
    })?;
    let Some(best) = timing.best() else {
        let Timing::DoesNotFit(reason) = timing else {
            bail!("{}: no seed was placed", board.name)
        };
        bail!("{}: the system does not fit: {reason}", board.name);
    };
    progress.set_message(format!("{}: bitstream", board.name));
    let bitstream = flow.pack(&netlist, best.seed, board.key)?;
    ensure!(
        best.mhz >= board.clock_mhz(),
        "{}: reaches {:.1} MHz of the board's {:.1} MHz; remedy: more --seeds",
        board.name,
        best.mhz,
        board.clock_mhz()
    );
    let shown = bitstream.strip_prefix(root).unwrap_or(&bitstream);
    Ok(vec![
        board.name.to_string(),
        thousands(netlist.usage.luts),
        thousands(netlist.usage.flip_flops),
        netlist.usage.block_rams.to_string(),
        format!("{:.1}", best.mhz),
        format!("{:.0}", board.clock_mhz()),
        shown.display().to_string(),
    ])
}

/// The demonstration program, built for the board's memory.
fn demonstration(root: &Path, board: &Board) -> Result<String> {
    let out = root.join("build/fpga").join(board.key).join("demo");
    let output = Command::new("make")
        .arg("-C")
        .arg(root.join("fpga/boards/demo"))
        .arg(format!("OUT={}", out.display()))
        .arg(format!("RAM_BYTES={}", board.memory_words * 4))
        .output()
        .context("make")?;
    ensure!(
        output.status.success(),
        "the demonstration was not built:\n{}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let elf = out.join("demo.elf");
    let bytes = fs::read(&elf).with_context(|| elf.display().to_string())?;
    memory_image(&bytes, board.memory_words).with_context(|| elf.display().to_string())
}

fn spinner() -> ProgressBar {
    let progress = ProgressBar::new_spinner();
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}
