//! A real program's hot paths: the profiler in a simulated system, read by firmware over its bus.

use anyhow::{Context, Result, ensure};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use hpp_fpga::core::Core;
use hpp_golden::registers::Counter;
use hpp_report::text;
use hpp_soc::{EXECUTIONS, Profiled, ProfilerSources, ProgramSource};
use indicatif::{ProgressBar, ProgressStyle};
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use verilated::tools::command::ended;
use verilated::tools::figures::Measurement;
use verilated::tools::project_root;

/// Runs a program on a simulated system with the profiler, and shows its hottest paths.
///
/// A program of your own is an ELF file for the system of docs/soc.md, which starts the profiler and prints its table as
/// fpga/firmware/profile.c does; or a folder of C and assembly sources, which is built around that.
#[derive(Parser)]
struct Arguments {
    /// coremark, dhrystone, bzip2, zlib, an ELF file, or a folder of sources.
    #[arg(default_value = "coremark")]
    program: ProgramSource,
    /// The core that runs it.
    #[arg(long, default_value = "picorv32", value_parser = cores())]
    core: Core,
    /// What paths count: executions; cycles or instructions along them; or an event of the system: memory-access (PicoRV32, Ibex, SERV),
    /// icache-refill, dcache-refill (VexRiscv with caches).
    #[arg(long, value_name = "WHAT", default_value = EXECUTIONS)]
    count: String,
    /// The profiler: full, or tiny, which counts executions alone and is SERV's unless something else is counted.
    #[arg(long)]
    engine: Option<Engine>,
    /// How many paths to show.
    #[arg(long, default_value_t = 10)]
    top: usize,
    /// Records the README's rows, which are of CoreMark on PicoRV32.
    #[arg(long, conflicts_with_all = ["program", "core", "count", "engine"])]
    record: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    Full,
    Tiny,
}

impl Engine {
    /// The one that is asked for, else the one that fits the core.
    fn chosen(arguments: &Arguments) -> Result<Self> {
        let (core, count) = (arguments.core, &arguments.count);
        let executions = count == EXECUTIONS;
        let engine = arguments
            .engine
            .unwrap_or(match core.about().takes_tiny && executions {
                true => Engine::Tiny,
                false => Engine::Full,
            });
        ensure!(
            engine == Engine::Full || executions,
            "a tiny profiler counts executions alone; --engine full counts {count}"
        );
        ensure!(
            engine == Engine::Full || core.about().takes_tiny,
            "the system with {} has no tiny profiler: it has to hold the core, and takes no compressed instructions; --core serv has one",
            core.about().name
        );
        Ok(engine)
    }
}

fn cores() -> impl TypedValueParser<Value = Core> {
    let names = Core::ALL.map(|core| core.about().key);
    PossibleValuesParser::new(names).map(|name| Core::from_key(&name).expect("the name of a core"))
}

fn main() -> ExitCode {
    ended("demo", demonstrate(&Arguments::parse()))
}

fn demonstrate(arguments: &Arguments) -> Result<()> {
    let (program, core, count) = (&arguments.program, arguments.core, &*arguments.count);
    let measurement = Measurement::begin_if(arguments.record, "demo")?;
    let (sources, elf) = match (Engine::chosen(arguments)?, count) {
        (Engine::Tiny, _) => {
            let sources = ProfilerSources::tiny()?;
            let elf = program.elf_for(core, &sources)?;
            (sources, elf)
        }
        (Engine::Full, EXECUTIONS) => (ProfilerSources::for_core(core)?, program.elf(core)?),
        (Engine::Full, events) => {
            let elf = program.elf_counting(core, events)?;
            (ProfilerSources::for_core(core)?, elf)
        }
    };
    let (profiled, seconds) = run(program, &elf, core, &sources)?;
    say(program_output(&profiled.run.uart))?;
    if count != EXECUTIONS {
        let (held, counted) = (profiled.report.held, &profiled.report.counted);
        say(format_args!("{held} count {counted}:\n"))?;
    }
    say(text::paths(&profiled.report, arguments.top, None))?;
    show_figures(&profiled, seconds)?;
    let kept = keep(&elf, core, count, &profiled.run.uart)?;
    ensure!(
        profiled.dump == profiled.expected,
        "the hardware's profile is not the golden model's:\n{}\n{}",
        profiled.dump,
        profiled.expected
    );
    say(
        "Table, counters and errors equal the golden model's; every path walks through the program's code.",
    )?;
    if let Some(measurement) = measurement {
        let rate = profiled.run.cycles as f64 / seconds / 1e6;
        let figures = [("rate", rate), ("overlap", 100.0 * profiled.overlap())];
        measurement
            .record(figures.map(|(name, value)| (name.to_string(), format!("{value:.1}"))))?;
    }
    let elf = elf.strip_prefix(project_root()).unwrap_or(&elf).display();
    let names = match core.about().events.contains(&count) {
        true => format!(" --profiler build/soc/hpp-{}/hpp.json", core.about().key),
        false => String::new(),
    };
    say(format_args!(
        "What it printed is kept: hpp report {kept} --elf {elf}{names}"
    ))
}

/// Prints a line. A reader that has closed standard output has read enough.
fn say(line: impl Display) -> Result<()> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Runs the program with a progress display; returns also the seconds the simulation itself took.
fn run(
    program: &ProgramSource,
    elf: &Path,
    core: Core,
    sources: &ProfilerSources,
) -> Result<(Profiled, f64)> {
    let bar = ProgressBar::new_spinner()
        .with_style(ProgressStyle::with_template("{spinner} {elapsed} {msg}")?)
        .with_message("building the system");
    bar.enable_steady_tick(Duration::from_millis(100));
    let mut started = None;
    let mut shown = 0;
    let profiled = Profiled::run(core, elf, sources, |cycles| {
        let begin = *started.get_or_insert_with(Instant::now);
        if cycles - shown > 200_000 {
            shown = cycles;
            let rate = cycles as f64 / begin.elapsed().as_secs_f64();
            bar.set_message(format!(
                "{program}: {:.1} million cycles, {:.1} million a second",
                cycles as f64 / 1e6,
                rate / 1e6
            ));
        }
    })
    .with_context(|| format!("{program} on {}", core.about().name))?;
    bar.finish_and_clear();
    Ok((
        profiled,
        started.map_or(0.0, |begin| begin.elapsed().as_secs_f64()),
    ))
}

/// Keeps what the serial line said; the file's name from the project's folder.
fn keep(elf: &Path, core: Core, count: &str, uart: &str) -> Result<String> {
    let program = elf.file_stem().unwrap_or_default().to_string_lossy();
    let on = match core {
        Core::PicoRv32 => String::new(),
        core => format!("-{}", core.about().key),
    };
    let counted = match count {
        EXECUTIONS => String::new(),
        events => format!("-{events}"),
    };
    let name = format!("build/demo/{program}{on}{counted}.txt");
    let path = project_root().join(&name);
    std::fs::create_dir_all(path.with_file_name(""))?;
    std::fs::write(&path, uart).with_context(|| format!("cannot write {name}"))?;
    Ok(name)
}

/// What the program itself printed, before the profile.
fn program_output(uart: &str) -> &str {
    uart.split_once("HPP dump")
        .map_or(uart, |(before, _)| before)
}

fn show_figures(profiled: &Profiled, seconds: f64) -> Result<()> {
    let (run, dump, exact) = (&profiled.run, &profiled.dump, &profiled.exact);
    let records = profiled.records;
    let counter = |counter: Counter| dump.counters[counter as usize];
    say(format_args!(
        "{} cycles, {} instructions, {records} branch records; {:.1} million cycles a second",
        run.cycles,
        run.retired,
        run.cycles as f64 / seconds / 1e6
    ))?;
    let overlap = match exact.is_empty() {
        true => String::new(),
        false => format!(
            ", which overlaps {:.1} % with the exact profile",
            100.0 * profiled.overlap()
        ),
    };
    say(format_args!(
        "{} paths completed, {} different ones; {} in the table{overlap}",
        counter(Counter::Paths),
        exact.len(),
        dump.entries.len(),
    ))
}
