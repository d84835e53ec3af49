//! `hpp trace`: the profile of any program, taken while QEMU runs it.

pub mod following;
mod guest;
mod libraries;
mod qemu;
mod run;
pub mod text;

use std::env;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};
use hpp_explore::Held;
use hpp_explore::trace::Header;
use hpp_golden::dump::Dump;
use hpp_qemu::emulator;
use hpp_qemu::isolation::without_random_addresses;
use hpp_qemu::session::{Ended, Folder, Outcome, Settings, of_hart, of_process};
use hpp_report::Profile;

use crate::atomic_write;
use crate::model::Model;
use crate::sources::folder;
use guest::Guest;
use libraries::Libraries;

const EXAMPLES: &str = "\
Examples:
  hpp trace -- gzip -9 -k file                       how well a table of 512 entries holds gzip's profile
  hpp trace --sets 32 --ways 2 --limit 1e9 -- cc1 -O2 file.i
  hpp trace --profile cc1.txt -- ./program           then: hpp report cc1.txt --elf program
  hpp trace --write gzip.hpptrace -- gzip -9 -k file  records for hpp explore and hpp replay
  hpp trace --follow --profile sh.txt -- sh -c 'gzip -9 -c file | wc'   programs that others start, too
  hpp trace --system --profile linux.txt -- qemu-system-riscv64 -M virt -nographic -kernel Image -initrd initrd
  hpp trace --sysroot /usr/riscv64-linux-gnu -- ./riscv64-program

The program's output is unchanged; hpp writes to standard error. Each thread runs on a hart with its own profiler; of
hart 2, --profile p.txt writes p.2.txt. Child processes are counted; --follow profiles them.

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
    /// Profile child processes and programs after execve, too: of process 2, --profile p.txt writes p.process2.txt
    #[arg(long)]
    follow: bool,
    /// Profile a whole machine: PROGRAM is qemu-system-riscv64, -riscv32 or -x86_64, and a path's context distinguishes kernel and processes
    #[arg(long, conflicts_with_all = ["follow", "sysroot"])]
    system: bool,
    /// The folder with the program's libraries, if it is for another machine
    #[arg(long, value_name = "DIR", value_parser = folder)]
    sysroot: Option<PathBuf>,
    /// How many of the hottest paths to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Say how blocks were recorded, too
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    model: Model,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

/// Bits of a context, as many as there may be.
const MOST: u32 = 8;

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

struct Recorded {
    /// The processes, by number; there is the first.
    processes: Vec<Process>,
    status: ExitStatus,
}

struct Process {
    number: usize,
    header: Header,
    /// Addresses of its code in its file.
    code: Range<u64>,
    /// What came of its harts, by number.
    harts: Vec<(usize, Outcome)>,
}

impl Process {
    /// A hart's name, after the process's; that of the first of all is empty.
    fn name(&self, hart: usize) -> String {
        match (self.number, hart) {
            (0, 0) => String::new(),
            (0, _) => format!("hart {hart}"),
            (_, 0) => format!("process {}", self.number),
            _ => format!("process {}, hart {hart}", self.number),
        }
    }
}

/// Runs a program under QEMU and profiles it.
fn record(args: &Args, guest: &Guest) -> Result<Recorded> {
    let context_bits = if args.system { MOST } else { 0 };
    let geometry = args.model.geometry_with(guest.isa, context_bits)?;
    let reset = args.model.reset(&geometry)?;
    let settings = Settings {
        header: Header {
            isa: guest.isa,
            command: args.command.clone(),
            events: "instructions".into(),
            build_id: guest.build_id.clone(),
        },
        code: guest.code.clone(),
        reset,
        geometry,
        limit: args.limit,
        write: args.write.as_deref().map(absolute).transpose()?,
        every_hart: true,
        is_machine: args.system,
        emulator: match args.system {
            true => emulator::of_machine(&guest.file)?,
            false => qemu::find(guest.isa)?,
        },
        plugin: qemu::plugin()?,
        sysroot: args.sysroot.as_deref().map(absolute).transpose()?,
        follow: match args.follow {
            true => Some(env::current_exe().context("cannot find the command's own file")?),
            false => None,
        },
    };
    if let Some(caution) = settings.emulator.caution() {
        tell!("hpp: {caution}");
    }
    let place = tempfile::tempdir().context("no folder for the plugin to talk through")?;
    let folder = Folder::new(place.path());
    folder
        .set_settings(&settings)
        .context("cannot pass the settings to the plugin")?;
    let mut command = emulation(&settings, &folder, 0);
    if !args.system {
        command.arg(&guest.file);
    }
    command.args(&args.command[1..]);
    without_random_addresses();
    let status = run::wait(command, &folder)?;
    match args.follow {
        true => run::wait_for_all()?,
        false => run::wait_for_models(&folder),
    }
    let processes: Vec<Process> = (folder.processes().into_iter())
        .map(|number| process(&folder, number))
        .collect::<Result<_>>()?;
    if !processes[0].harts.iter().any(|(hart, _)| *hart == 0) {
        bail!(
            "{}",
            run::nothing_came(status, &folder, &settings.emulator, args.system)
        );
    }
    Ok(Recorded { processes, status })
}

/// What the plugin said of a process.
fn process(folder: &Folder, number: usize) -> Result<Process> {
    let folder = folder.of_process(number);
    let outcome = |hart| {
        let outcome = folder.of_hart(hart).outcome()?;
        Some(outcome.map(|outcome| (hart, outcome)))
    };
    let harts = folder.harts().into_iter().filter_map(outcome);
    let settings = folder.settings().context("a process left no settings")?;
    Ok(Process {
        number,
        harts: harts
            .collect::<Result<_, _>>()
            .map_err(anyhow::Error::msg)?,
        header: settings.header,
        code: settings.code.range,
    })
}

/// QEMU with the plugin, for a process.
fn emulation(settings: &Settings, folder: &Folder, process: usize) -> Command {
    let mut command = Command::new(&settings.emulator.file);
    command.arg("-plugin").arg(format!(
        "{},folder={},process={process},interface={}",
        run::escaped(&settings.plugin),
        run::escaped(folder.path()),
        settings.emulator.interface()
    ));
    if let Some(sysroot) = &settings.sysroot {
        command.arg("-L").arg(sysroot);
    }
    command
}

/// Says what is not profiled, and how the program ended if that was not well; whether the profile is that of all it did.
fn complain(recorded: &Recorded) -> bool {
    let mut problems = Vec::new();
    for process in &recorded.processes {
        let mut known = Vec::new();
        for (hart, outcome) in &process.harts {
            // What is known of the whole process is said once.
            let mut own = text::problems(outcome);
            own.retain(|problem| !known.contains(problem));
            let name = process.name(*hart);
            problems.extend(own.iter().map(|problem| match name.as_str() {
                "" => problem.clone(),
                name => format!("{name}: {problem}"),
            }));
            known.extend(own);
        }
    }
    for problem in &problems {
        tell!("hpp: {problem}");
    }
    let (_, first) = &recorded.processes[0].harts[0];
    if first.ended == Ended::Exited && !recorded.status.success() {
        tell!("hpp: the program ended with {}", recorded.status);
    }
    problems.is_empty()
}

pub fn run(args: &Args) -> Result<bool> {
    let guest = match args.system {
        true => Guest::machine(&args.command[0])?,
        false => Guest::find(&args.command[0])?,
    };
    let outputs = args
        .profile
        .as_deref()
        .into_iter()
        .chain(args.write.as_deref());
    atomic_write::check(outputs, [guest.file.as_path()])?;
    let recorded = record(args, &guest)?;
    for process in &recorded.processes {
        for (hart, outcome) in &process.harts {
            let file = args.profile.as_deref();
            let file = file.map(|file| of_hart(&of_process(file, process.number), *hart));
            let profile = write_profile(&outcome.held, &process.header, file.as_deref())?;
            if let Some(noted) = outcome.noted.as_ref().filter(|_| args.verbose) {
                tell!("hpp: {noted}");
            }
            match process.name(*hart).as_str() {
                "" => {
                    let libraries = Libraries::new(&process.code, &outcome.mapped, &profile);
                    let libraries = (!args.system).then_some(&libraries);
                    tell!(
                        "{}{}",
                        text::speed(outcome),
                        text::held(&outcome.held, &profile, args.top, libraries)
                            .trim_end()
                            .to_owned()
                            + &libraries.map_or(String::new(), |them| them.shares(&profile))
                            + &text::contexts(process.header.isa, outcome, &profile)
                    );
                }
                name => {
                    let program = match process.number {
                        0 => String::new(),
                        _ => format!(" ({})", process.header.command.join(" ")),
                    };
                    let name = format!("{name}{program}");
                    tell!(
                        "{}",
                        text::of_another(&name, outcome, &profile, file.as_deref())
                    );
                }
            }
        }
    }
    Ok(complain(&recorded))
}

/// The profile that a table held, which is written to a file if one is given.
pub fn write_profile(held: &Held, header: &Header, file: Option<&Path>) -> Result<Profile> {
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
