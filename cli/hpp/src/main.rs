//! The command `hpp`: path profiling on the host.

/// A line on standard error. If its reader has gone, nobody misses it.
macro_rules! tell {
    ($($part:tt)*) => {{
        let line = format!("{}\n", format_args!($($part)*));
        let _ = std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes());
    }};
}

mod annotate;
mod atomic_write;
mod board;
mod check;
mod choices;
mod completions;
mod csv;
mod diff;
mod explore;
mod export;
mod input;
mod merge;
mod model;
mod number;
mod page;
mod record;
mod records;
mod replay;
mod report;
mod sources;
mod subpaths;
mod suite;
mod top;
mod trace;
mod trust;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};

/// Path profiling on the host
///
/// Finds the hot paths of a program in a profile from the hardware or from QEMU, and numbers the paths of a control-flow
/// graph.
#[derive(Parser)]
#[command(name = "hpp", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Report(report::Args),
    Annotate(annotate::Args),
    Diff(diff::Args),
    Export(export::Args),
    Merge(merge::Args),
    Tests(suite::Args),
    Check(check::Args),
    Number(number::Args),
    Record(record::Args),
    Top(top::Args),
    Trace(Box<trace::Args>),
    Replay(replay::Args),
    Subpaths(subpaths::Args),
    Explore(Box<explore::Args>),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// What a command writes, and whether a profile it shows can be trusted.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    /// Whether escape sequences in it are styles, for terminals only.
    styled: bool,
    trusted: bool,
    /// Why a file that the command writes besides is not there.
    failed: Option<anyhow::Error>,
}

impl Output {
    /// Bytes to be written as they are.
    fn plain(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            trusted: true,
            ..Self::default()
        }
    }

    /// Text for a file if there is one, else for standard output.
    fn to(file: Option<&Path>, text: String) -> Result<Self> {
        let Some(file) = file else {
            return Ok(text.into());
        };
        atomic_write::write(file, text)?;
        Ok(Self::plain(Vec::new()))
    }

    /// Text for people.
    fn styled(text: String, trusted: bool) -> Self {
        Self {
            bytes: text.into_bytes(),
            styled: true,
            trusted,
            ..Self::default()
        }
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self::plain(text.into_bytes())
    }
}

/// Exit status where everything was written, but the profile cannot be trusted.
const UNTRUSTED: u8 = 3;

fn main() -> ExitCode {
    // What the plugin begins is no command of people's: neither help nor completions offer it.
    let mut words = std::env::args_os().skip(1).peekable();
    let done = match words.next_if(|word| word == trace::following::WORD) {
        Some(word) => {
            let args = trace::following::Args::parse_from([word].into_iter().chain(words));
            trace::following::run(&args).map(|never| match never {})
        }
        None => run(&Cli::parse().command),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(UNTRUSTED),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("hpp: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<bool> {
    let output = match command {
        Command::Report(args) => report::run(args)?,
        Command::Annotate(args) => annotate::run(args)?,
        Command::Diff(args) => diff::run(args)?,
        Command::Export(args) => export::run(args)?,
        Command::Merge(args) => merge::run(args)?,
        Command::Tests(args) => suite::run(args)?,
        Command::Check(args) => check::run(args)?,
        Command::Top(args) => return top::run(args),
        Command::Trace(args) => return trace::run(args),
        Command::Explore(args) => explore::run(args)?,
        Command::Replay(args) => replay::run(args)?,
        Command::Subpaths(args) => subpaths::run(args)?,
        Command::Number(args) => number::run(args)?.into(),
        Command::Record(args) => record::run(args)?,
        Command::Completions(args) => completions::run(args).into(),
        Command::Man(args) => completions::manual(args)?.into(),
    };
    write(&output).context("cannot write to standard output")?;
    match output.failed {
        Some(error) => Err(error),
        None => Ok(output.trusted),
    }
}

fn write(output: &Output) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match output.styled {
        // Colours reach terminals only, and not those of people who set NO_COLOR.
        true => anstream::AutoStream::auto(&mut out).write_all(&output.bytes)?,
        false => out.write_all(&output.bytes)?,
    }
    out.flush()
}

/// Whether the reader of standard output has gone, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
