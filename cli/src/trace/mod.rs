//! `hpp trace`: the profile of any program, taken while QEMU runs it.

mod guest;
mod qemu;
mod run;
pub mod text;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp_explore::Held;
use hpp_golden::dump::Dump;
use hpp_qemu::session::{Ended, Folder, Outcome, Settings};
use hpp_report::Profile;
use hpp_trace::Header;

use crate::model::Model;
use guest::Guest;

const EXAMPLES: &str = "\
Examples:
  hpp trace -- gzip -9 -k file                       how well a table of 512 entries holds gzip's profile
  hpp trace --sets 32 --ways 2 --limit 1e9 -- cc1 -O2 file.i
  hpp trace --profile cc1.txt -- ./program           then: hpp report cc1.txt --elf program
  hpp trace --write gzip.hpptrace -- gzip -9 -k file  records for hpp explore and hpp replay
  hpp trace --sysroot /usr/riscv64-linux-gnu -- ./riscv64-program

The program's output goes where it always does, what hpp says to standard error. The first thread is profiled, as a
core's profiler would; other threads and child processes are counted and not profiled.

Exit status: 0 all well; 1 no profile; 2 wrong command line; 3 the profile is not the whole program's (it says why).";

/// Run a program under QEMU and profile it as the hardware would
///
/// Takes an unmodified Linux program for x86-64 or RISC-V, and says what a profiler of a given geometry would have held and how
/// that compares with the exact profile.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Stop the program after so many instructions
    #[arg(long, value_name = "N", value_parser = number)]
    limit: Option<u64>,
    /// Write the profile that the table held, for hpp report
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Write every branch record, for hpp explore and hpp replay
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// The folder with the program's libraries, if it is for another machine
    #[arg(long, value_name = "DIR")]
    sysroot: Option<PathBuf>,
    /// How many of the hottest paths to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    model: Model,
    /// The program and its arguments, behind `--`
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

/// A number of things: digits, perhaps with `_`, or such as `1.5e9`.
pub fn number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    match plain.parse::<f64>() {
        Ok(number) if number >= 1.0 && number < u64::MAX as f64 && number.fract() == 0.0 => {
            Ok(number as u64)
        }
        _ => Err("a whole number, such as 1000000 or 1.5e9".into()),
    }
}

/// Runs the command. Whether the profile is that of all the program did.
pub fn run(args: &Args) -> Result<bool> {
    let guest = Guest::find(&args.command[0])?;
    let geometry = args.model.geometry(guest.isa)?;
    let settings = Settings {
        header: Header {
            isa: guest.isa,
            command: args.command.clone(),
            events: "instructions".into(),
            build_id: guest.build_id.clone(),
        },
        code: guest.code,
        reset: args.model.reset(&geometry)?,
        geometry,
        limit: args.limit,
        write: args.write.as_deref().map(absolute).transpose()?,
    };
    let emulator = qemu::find(guest.isa)?;
    let plugin = qemu::plugin()?;
    let place = tempfile::tempdir().context("no folder for the plugin to talk through")?;
    let folder = Folder::new(place.path());
    folder
        .set_settings(&settings)
        .context("cannot tell the plugin its settings")?;

    let mut command = std::process::Command::new(emulator);
    command.arg("-plugin").arg(format!(
        "{},folder={}",
        run::escaped(&plugin),
        run::escaped(place.path())
    ));
    if let Some(sysroot) = &args.sysroot {
        command.arg("-L").arg(sysroot);
    }
    command.arg(&guest.file).args(&args.command[1..]);
    let status = run::wait(command, &folder)?;

    let outcome = match folder.outcome() {
        Some(outcome) => outcome.map_err(anyhow::Error::msg)?,
        None => bail!("{}", run::nothing_came(status)),
    };
    show(args, &settings, &outcome, status)
}

fn show(
    args: &Args,
    settings: &Settings,
    outcome: &Outcome,
    status: std::process::ExitStatus,
) -> Result<bool> {
    let profile = keep(&outcome.held, &settings.header, args.profile.as_deref())?;
    eprint!(
        "{}{}",
        text::speed(outcome),
        text::held(&outcome.held, &profile, args.top)
    );
    let problems = text::problems(outcome);
    for problem in &problems {
        eprintln!("hpp: {problem}");
    }
    if outcome.ended == Ended::Exited && !status.success() {
        eprintln!("hpp: the program ended with {status}");
    }
    Ok(problems.is_empty())
}

/// The profile that a table held, which is written to a file if one is given.
pub fn keep(held: &Held, header: &Header, file: Option<&Path>) -> Result<Profile> {
    let mut dump = Dump::read(&held.dump)?;
    dump.program.clone_from(&header.build_id);
    if let Some(file) = file {
        fs::write(file, dump.to_string())
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(Profile::of(&dump)?)
}

/// A path that means the same wherever the program goes.
fn absolute(file: &Path) -> Result<PathBuf> {
    std::path::absolute(file).with_context(|| format!("cannot write {}", file.display()))
}
