//! The command `hpp`: path profiling on the host.

mod annotate;
mod completions;
mod diff;
mod input;
mod merge;
mod number;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// Path profiling on the host
///
/// From a profile that the hardware printed to the hot paths of a program, and from a control-flow graph to the numbers of
/// its paths.
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
    Merge(merge::Args),
    Number(number::Args),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// What a command writes, and whether a profile it shows can be trusted.
struct Output {
    text: Vec<u8>,
    trusted: bool,
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Self {
            text: text.into_bytes(),
            trusted: true,
        }
    }
}

/// Exit status where everything was written, but the profile cannot be trusted.
const UNTRUSTED: u8 = 3;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli.command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(UNTRUSTED),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hpp: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: &Command) -> Result<bool> {
    let output = match command {
        Command::Report(args) => report::run(args)?,
        Command::Annotate(args) => annotate::run(args)?,
        Command::Diff(args) => diff::run(args)?,
        Command::Merge(args) => merge::run(args)?,
        Command::Number(args) => number::run(args)?.into(),
        Command::Completions(args) => completions::run(args).into(),
        Command::Man(args) => completions::manual(args)?.into(),
    };
    // Colours reach terminals only, and not those of people who set NO_COLOR.
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    out.write_all(&output.text)?;
    out.flush()?;
    Ok(output.trusted)
}

/// Whether the reader of standard output has gone, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
