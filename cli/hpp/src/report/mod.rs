//! `hpp report`: whose paths a profile holds, and whether it can be trusted.

mod chosen;
mod contexts;
mod csv;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hpp_report::{By, FunctionTotal, Program, Report, text};

use crate::choices::{Choice, one_of};
use crate::input::{self, Source, TableFormat};
use crate::sources::{self, Sources};
use crate::{Output, atomic_write, page, trust};
use chosen::Chosen;

const EXAMPLES: &str = "\
Examples:
  hpp report serial.txt --elf program.elf            the hottest paths, with function, line and blocks
  hpp report serial.txt --elf program.elf --by count --top 5
  hpp report serial.txt --elf program.elf --function sort
  hpp report serial.txt --elf program.elf --exclude 'libc*' --exclude '_*'
  hpp report serial.txt                              without the program: the raw paths
  hpp report serial.txt --elf program.elf --html page.html
  hpp report system.txt --program vmlinux --program init --program sort   a whole machine, context by context
  hpp report serial.txt --list                       the dumps of a log
  hpp report serial.txt --elf program.elf --format json | jq .health

Exit status: 0 all well; 1 no report; 2 wrong command line; 3 the profile cannot be trusted (the report says why).";

/// Show the hot paths of a profile that the hardware printed
///
/// Shows what was counted, whether the profile can be trusted, and which paths and functions are hot.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The program that ran: a linked ELF file with symbols, for RISC-V, or for x86-64, which shows no blocks; source lines need -g
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// Show each context separately, with the program that holds most of its paths; may be given several times
    #[arg(long = "program", value_name = "PROGRAM", conflicts_with_all = ["elf", "context", "function", "html", "list", "only", "exclude"])]
    programs: Vec<PathBuf>,
    /// What to rank paths by [default: instructions, where they can be known; else what was counted]
    #[arg(long, value_name = "WHAT", value_parser = one_of(&BY))]
    by: Option<By>,
    /// Only the paths that run through this function, inlined or not; by name, or by address with 0x
    #[arg(long, value_name = "NAME", requires = "elf")]
    function: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// How many paths and how many functions the tables show; CSV, JSON and the page have all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: TableFormat,
    /// Write one self-contained page instead: the table, and each path drawn through its function
    #[arg(long, value_name = "FILE", requires = "elf", conflicts_with_all = ["format", "list"])]
    html: Option<PathBuf>,
    /// A folder with source files for the page; may be given several times
    #[arg(long = "source", value_name = "DIR", requires = "html", value_parser = sources::folder)]
    folders: Vec<PathBuf>,
    /// List the dumps of the file instead
    #[arg(long, conflicts_with_all = ["elf", "number", "context", "profiler", "by", "top", "format"])]
    list: bool,
}

const BY: [Choice<By>; 3] = [
    ("count", "How often a path ran", By::Count),
    (
        "instructions",
        "Instructions of the path's own blocks",
        By::Instructions,
    ),
    ("events", "Events along the path", By::Events),
];

/// Width and height of the terminal that standard output is, if it is one, in characters.
pub fn terminal_size() -> Option<[u16; 2]> {
    let out = io::stdout();
    let size = rustix::termios::tcgetwinsize(&out).ok();
    size.filter(|size| out.is_terminal() && size.ws_col > 0)
        .map(|size| [size.ws_col, size.ws_row])
}

fn terminal_width() -> Option<u16> {
    terminal_size().map(|[width, _]| width)
}

/// Keeps the paths that run through a function: through code of its own, and where it is inlined.
fn only(report: &mut Report, program: &Program<'_>, name: &str) -> Result<()> {
    let is_inlined = |total: &FunctionTotal| total.address.is_none() && total.is_called(name);
    let own = match program.find(name) {
        Ok(function) => Some(function.address),
        Err(_) if report.functions.iter().any(is_inlined) => None,
        Err(error) => return Err(error).context("--function"),
    };
    report.only(|total| is_inlined(total) || own.is_some() && total.address == own);
    if report.paths.is_empty() {
        tell!("hpp: no path of the profile runs through `{name}`");
    }
    Ok(())
}

pub fn run(args: &Args) -> Result<Output> {
    if args.list {
        let list = text::list(&input::dumps(&args.source.dump)?);
        return Ok(Output::styled(list, true));
    }
    if !args.programs.is_empty() {
        let profile = input::profile(&args.source.dump, args.source.number)?;
        let (programs, by) = (&args.programs, args.by);
        let (text, trusted) = contexts::write(&profile, programs, by, args.format, args.top)?;
        return Ok(Output::styled(text, trusted));
    }
    let inputs = args.source.files().chain(args.elf.as_deref());
    atomic_write::check(args.html.as_deref(), inputs)?;
    let profile = args.source.profile()?;
    let elf = args.elf.as_deref().map(input::program).transpose()?;
    let program = elf.as_ref().map(input::named).transpose()?;
    let profile = profile.sign_extended(program.as_ref());
    if args.html.is_some() && program.as_ref().is_some_and(|p| !p.image().is_riscv()) {
        bail!("--html draws paths through the program's code, which must be RISC-V");
    }
    let by = args.by.or_else(|| By::time(&profile, program.as_ref()));
    let mut report = Report::new(&profile, program.as_ref(), by)?;
    if let (Some(program), Some(name)) = (&program, &args.function) {
        only(&mut report, program, name)?;
    }
    if let Some(program) = &program
        && args.chosen.filter(&mut report, program)?
        && report.paths.is_empty()
    {
        tell!("hpp: no path of the profile begins in what --only and --exclude select");
    }
    if let (Some(file), Some(program)) = (&args.html, &program) {
        let name = elf
            .as_ref()
            .map_or(String::new(), |elf| input::shown(elf.path()));
        let sources = &mut Sources::new(&args.folders);
        let page = page::write(&profile, &report, program, &name, sources)?;
        atomic_write::write(file, page)?;
        return Ok(Output::styled(text::head(&report), report.health.trusted));
    }
    let text = match args.format {
        TableFormat::Text => text::write(&report, args.top, terminal_width()),
        TableFormat::Json => serde_json::to_string_pretty(&report)? + "\n",
        TableFormat::Csv => {
            trust::complain(&report, None);
            csv::write(&report)
        }
    };
    Ok(Output::styled(text, report.health.trusted))
}
