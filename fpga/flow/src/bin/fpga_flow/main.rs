//! `fpga-flow`: bitstreams for boards, and figures of size and speed. Run from the project's folder.

mod boards;
mod figures;

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use hpp_fpga::board::TableOptions;
use hpp_fpga::flow::Flow;
use hpp_fpga::measure::{Job, Measured, measure};
use hpp_fpga::tool::Toolchain;
use indicatif::{ProgressBar, ProgressStyle};
use verilated::tools::command::ended;
use verilated::tools::figures::Measurement;

/// Bitstreams for boards, and figures of size and speed.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The project's folder.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Runs of a tool at a time; each takes a core and up to 2 GB.
    #[arg(long, global = true, default_value_t = 2)]
    jobs: usize,
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Bitstreams of boards: the best of several seeds, under build/fpga.
    Board {
        /// The boards (ulx3s, icebreaker, icebreaker-serv, hx8k, tangnano9k); all without one.
        boards: Vec<String>,
        /// Seeds of place and route that are tried.
        #[arg(long, default_value_t = 3)]
        seeds: u32,
        /// The system without the profiler, for comparison.
        #[arg(long)]
        without_profiler: bool,
        #[command(flatten)]
        table: TableOptions,
        /// Records the figures in docs/figures.toml and on the page that shows them.
        #[arg(long, conflicts_with_all = ["boards", "without_profiler", "sets", "ways", "replacement", "drain_depth"])]
        record: bool,
    },
    /// Size and speed of the configurations on the devices, as a table.
    Table {
        /// Seeds of place and route; the median counts.
        #[arg(long, default_value_t = 5)]
        seeds: u32,
        /// Records the figures in docs/figures.toml and on the pages that show them.
        #[arg(long)]
        record: bool,
        /// Only these configurations (names of files in fpga/configurations).
        #[arg(long)]
        only: Vec<String>,
    },
}

/// What every task works with.
struct Workshop {
    root: PathBuf,
    flow: Flow,
    jobs: usize,
    progress: ProgressBar,
    /// Held while this runs: two at a time would write the same files.
    _turn: File,
}

impl Workshop {
    /// Shows what is being done.
    fn say(&self, message: &str) {
        self.progress.set_message(message.to_string());
    }

    fn measure(&self, jobs: &[Job]) -> Result<Vec<Measured>> {
        Ok(measure(&self.flow, jobs, self.jobs, &|step| {
            self.say(step);
        })?)
    }

    /// Begins to measure a group of figures, if they are to be recorded.
    fn measurement(&self, group: &str, record: bool) -> Result<Option<Measurement>> {
        Measurement::begin_if(record, group)
    }
}

fn main() -> ExitCode {
    ended("fpga-flow", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<()> {
    let workshop = workshop(arguments)?;
    let text = match &arguments.command {
        Task::Board {
            boards,
            seeds,
            without_profiler,
            table,
            record,
        } => {
            let wanted = boards::Wanted {
                boards: boards::chosen(boards)?,
                table,
                seeds: *seeds,
                with_profiler: !without_profiler,
            };
            boards::build(&workshop, &wanted, *record)?
        }
        Task::Table {
            seeds,
            record,
            only,
        } => figures::table(&workshop, *seeds, only, *record)?,
    };
    workshop.progress.finish_and_clear();
    print(&text)
}

/// Prints to standard output. A reader that has closed it has read enough.
fn print(text: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

fn workshop(arguments: &Arguments) -> Result<Workshop> {
    let root = &arguments.root;
    let root = root
        .canonicalize()
        .with_context(|| root.display().to_string())?;
    ensure!(
        root.join("fpga/boards").is_dir(),
        "{} is not the project's folder; remedy: --root FOLDER",
        root.display()
    );
    let progress = ProgressBar::new_spinner();
    progress.set_style(ProgressStyle::with_template("{spinner} {elapsed} {msg}")?);
    progress.enable_steady_tick(Duration::from_millis(200));
    let build = root.join("build/fpga");
    Ok(Workshop {
        _turn: turn(&build, &progress)?,
        flow: Flow {
            tools: Toolchain::of_project(&root),
            build,
        },
        jobs: arguments.jobs,
        root,
        progress,
    })
}

/// Waits until no other run works in the folder; nobody else does until the result is dropped.
fn turn(build: &Path, progress: &ProgressBar) -> Result<File> {
    fs::create_dir_all(build).with_context(|| build.display().to_string())?;
    let path = build.join("lock");
    let file = File::create(&path).with_context(|| path.display().to_string())?;
    if file.try_lock().is_err() {
        progress.set_message(format!("waiting for another run in {}", build.display()));
        file.lock().with_context(|| path.display().to_string())?;
    }
    Ok(file)
}
