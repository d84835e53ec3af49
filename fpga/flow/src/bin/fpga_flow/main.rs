//! `fpga-flow`: bitstreams for boards, and figures of size and speed. Run from the project's folder.

mod boards;
mod figures;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use hpp_fpga::flow::Flow;
use hpp_fpga::tool::Toolchain;
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
    /// Size and speed of the configurations on the devices, as a table.
    Table {
        /// Seeds of place and route; the median counts.
        #[arg(long, default_value_t = 5)]
        seeds: u32,
        /// Puts the table between its markers in this document instead of printing it.
        #[arg(long)]
        into: Option<PathBuf>,
        /// Only these configurations (names of files in fpga/configurations).
        #[arg(long)]
        only: Vec<String>,
    },
    /// Where the cells of a configuration are, circuit by circuit.
    Area {
        /// The configuration: the name of a file in fpga/configurations.
        #[arg(default_value = "default")]
        configuration: String,
        /// The device (ecp5-25f, ecp5-85f, hx8k, up5k, gw1nr-9).
        #[arg(long, default_value = "ecp5-25f")]
        device: String,
    },
}

/// What every task works with.
struct Workshop {
    root: PathBuf,
    flow: Flow,
    progress: ProgressBar,
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
    let workshop = workshop(&arguments.root)?;
    let text = match &arguments.command {
        Task::Board {
            boards,
            seeds,
            without_profiler,
        } => boards::build(
            &workshop,
            &boards::chosen(boards)?,
            *seeds,
            !without_profiler,
        )?,
        Task::Table { seeds, into, only } => {
            figures::table(&workshop, *seeds, only, into.as_deref())?
        }
        Task::Area {
            configuration,
            device,
        } => figures::area(&workshop, configuration, device)?,
    };
    workshop.progress.finish_and_clear();
    print!("{text}");
    Ok(())
}

fn workshop(root: &Path) -> Result<Workshop> {
    let root = root
        .canonicalize()
        .with_context(|| format!("{}", root.display()))?;
    ensure!(
        root.join("fpga/boards").is_dir(),
        "{} is not the project's folder; remedy: --root FOLDER",
        root.display()
    );
    let progress = ProgressBar::new_spinner();
    progress.enable_steady_tick(Duration::from_millis(200));
    Ok(Workshop {
        flow: Flow {
            tools: Toolchain::of_project(&root),
            build: root.join("build/fpga"),
        },
        root,
        progress,
    })
}
