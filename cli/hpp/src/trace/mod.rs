//! `hpp trace`: the profile of any program, taken while QEMU runs it.

mod guest;
mod qemu;
mod run;
pub mod text;

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use anyhow::{Context, Result, bail};
use hpp_explore::Held;
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::ResetValues;
use hpp_qemu::isolation::without_random_addresses;
use hpp_qemu::session::{Ended, Folder, Outcome, Settings, of_hart};
use hpp_report::Profile;
use hpp_trace::{Header, Isa};

use crate::atomic_write;
use crate::model::Model;
use guest::Guest;

const EXAMPLES: &str = "\
Examples:
  hpp trace -- gzip -9 -k file                       how well a table of 512 entries holds gzip's profile
  hpp trace --sets 32 --ways 2 --limit 1e9 -- cc1 -O2 file.i
  hpp trace --profile cc1.txt -- ./program           then: hpp report cc1.txt --elf program
  hpp trace --write gzip.hpptrace -- gzip -9 -k file  records for hpp explore and hpp replay
  hpp trace --sysroot /usr/riscv64-linux-gnu -- ./riscv64-program

The program's output is unchanged; hpp writes to standard error. Each thread runs on a hart with a profiler of its own; of
hart 2, --profile p.txt writes p.2.txt. Child processes are counted and not profiled.

Exit status: 0 all well; 1 no profile; 2 wrong command line; 3 the profile is not the whole program's (it says why).";

/// Run a program under QEMU and profile it as the hardware would
///
/// Takes an unmodified Linux program for x86-64 or RISC-V. Shows what a profiler of a given geometry would have held, and
/// compares it with the exact profile.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Stop the program after this many instructions of a thread
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
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

/// A number of things, from 1 on: digits, perhaps with `_`, or such as `1.5e9`.
pub fn number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(number @ 1..) = plain.parse() {
        return Ok(number);
    }
    match plain.parse::<f64>() {
        Ok(number) if number >= 1.0 && number < u64::MAX as f64 && number.fract() == 0.0 => {
            Ok(number as u64)
        }
        _ => Err("a whole number from 1 on, such as 1000000 or 1.5e9".into()),
    }
}

/// What to run, and what of it to record.
pub struct Recording<'a> {
    /// The program and its arguments.
    pub command: &'a [String],
    /// Where its libraries are.
    pub sysroot: Option<&'a Path>,
    /// Instructions after which it is stopped.
    pub limit: Option<u64>,
    /// Where to write the records.
    pub write: Option<PathBuf>,
    /// Whether each hart is recorded, not the first alone.
    pub every_hart: bool,
}

/// What was recorded.
pub struct Recorded {
    /// The program.
    pub header: Header,
    /// What came of the first hart.
    pub outcome: Outcome,
    /// And of others, by number.
    pub others: Vec<(usize, Outcome)>,
    /// How QEMU ended.
    pub status: ExitStatus,
}

/// Runs a program under QEMU and profiles it with what `model` says for its instruction set.
pub fn record(
    recording: Recording<'_>,
    model: impl FnOnce(Isa) -> Result<(Geometry, ResetValues)>,
) -> Result<Recorded> {
    let guest = Guest::find(&recording.command[0])?;
    let (geometry, reset) = model(guest.isa)?;
    let settings = Settings {
        header: Header {
            isa: guest.isa,
            command: recording.command.to_vec(),
            events: "instructions".into(),
            build_id: guest.build_id.clone(),
        },
        code: guest.code.clone(),
        reset,
        geometry,
        limit: recording.limit,
        write: recording.write,
        every_hart: recording.every_hart,
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
    if let Some(sysroot) = recording.sysroot {
        command.arg("-L").arg(sysroot);
    }
    command.arg(&guest.file).args(&recording.command[1..]);
    without_random_addresses();
    let status = run::wait(command, &folder)?;
    run::wait_for_models(&folder);
    let outcome = match folder.outcome() {
        Some(outcome) => outcome.map_err(anyhow::Error::msg)?,
        None => bail!("{}", run::nothing_came(status)),
    };
    let outcome_of = |hart| match folder.of_hart(hart).outcome() {
        Some(outcome) => Ok((hart, outcome.map_err(anyhow::Error::msg)?)),
        None => bail!("no profile of hart {hart} came; please report it as a defect of hpp"),
    };
    let others = folder.other_harts().into_iter().map(outcome_of);
    let others = others.collect::<Result<_>>()?;
    let header = settings.header;
    Ok(Recorded {
        header,
        outcome,
        others,
        status,
    })
}

/// Says what is not profiled, and how the program ended if that was not well; whether the profile is that of all it did.
pub fn complain(recorded: &Recorded) -> bool {
    let Recorded {
        outcome,
        others,
        status,
        ..
    } = recorded;
    let mut problems = text::problems(outcome);
    for (hart, other) in others {
        // What is known of the whole program was said.
        let known = text::problems(outcome);
        let own = text::problems(other)
            .into_iter()
            .filter(|problem| !known.contains(problem));
        problems.extend(own.map(|problem| format!("hart {hart}: {problem}")));
    }
    for problem in &problems {
        tell!("hpp: {problem}");
    }
    if outcome.ended == Ended::Exited && !status.success() {
        tell!("hpp: the program ended with {status}");
    }
    problems.is_empty()
}

/// The file of the program that a command line names.
pub fn program(command: &[String]) -> Result<PathBuf> {
    Ok(Guest::find(&command[0])?.file)
}

/// Runs the command. Whether the profile is that of all the program did.
pub fn run(args: &Args) -> Result<bool> {
    let program = program(&args.command)?;
    let outputs = args
        .profile
        .as_deref()
        .into_iter()
        .chain(args.write.as_deref());
    atomic_write::check(outputs, [program.as_path()])?;
    let recording = Recording {
        command: &args.command,
        sysroot: args.sysroot.as_deref(),
        limit: args.limit,
        write: args.write.as_deref().map(absolute).transpose()?,
        every_hart: true,
    };
    let recorded = record(recording, |isa| {
        let geometry = args.model.geometry(isa)?;
        Ok((geometry, args.model.reset(&geometry)?))
    })?;
    let Recorded {
        header,
        outcome,
        others,
        ..
    } = &recorded;
    let profile = keep(&outcome.held, header, args.profile.as_deref())?;
    tell!(
        "{}{}",
        text::speed(outcome),
        text::held(&outcome.held, &profile, args.top).trim_end()
    );
    for (hart, outcome) in others {
        let file = args.profile.as_deref().map(|file| of_hart(file, *hart));
        let profile = keep(&outcome.held, header, file.as_deref())?;
        tell!(
            "{}",
            text::of_hart(*hart, outcome, &profile, file.as_deref())
        );
    }
    Ok(complain(&recorded))
}

/// The profile that a table held, which is written to a file if one is given.
pub fn keep(held: &Held, header: &Header, file: Option<&Path>) -> Result<Profile> {
    let mut dump = Dump::read(&held.dump)?;
    dump.program.clone_from(&header.build_id);
    if let Some(file) = file {
        atomic_write::write(file, dump.to_string())?;
    }
    Ok(Profile::of(&dump)?)
}

/// A path that means the same wherever the program goes.
fn absolute(file: &Path) -> Result<PathBuf> {
    std::path::absolute(file).with_context(|| format!("cannot write {}", file.display()))
}
