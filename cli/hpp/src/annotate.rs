//! `hpp annotate`: a function's code with the heat of its paths.

use std::fmt::Write;
use std::path::PathBuf;

use anstyle::Style;
use anyhow::{Context, Result};
use hpp_report::annotate::AnnotatedInstruction;
use hpp_report::names::shortened;
use hpp_report::numbers::{number_of, percent, thousands};
use hpp_report::text::place;
use hpp_report::{Annotated, Heat, Report, SourceLine, annotate};

use crate::input::{self, Format, Source};
use crate::sources::{self, Sources};
use crate::{Output, trust};

const EXAMPLES: &str = "\
Examples:
  hpp annotate serial.txt --elf program.elf --function sort
  hpp annotate serial.txt --elf program.elf            the function with the hottest paths
  hpp annotate serial.txt --elf program.elf --source ../firmware";

/// Show a function's code with the heat of its paths
///
/// Shows how often each instruction ran (or the events on the paths through it, if they are counted), how often each
/// conditional branch was taken, and which of the hottest paths run through it. Source lines are shown where their files are found.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// The program that ran: a linked RISC-V ELF file with symbols; source lines need -g
    #[arg(long, value_name = "PROGRAM")]
    elf: PathBuf,
    /// The function, by name, or by address with 0x [default: the hottest]
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// A folder with source files; may be given several times
    #[arg(long = "source", value_name = "DIR", value_parser = sources::folder)]
    folders: Vec<PathBuf>,
    /// How many of the hottest paths to mark, with letters
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=26))]
    paths: u8,
    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

pub fn run(args: &Args) -> Result<Output> {
    let profile = args.source.profile()?;
    let file = input::program(&args.elf)?;
    let program = input::decoded(&file)?;
    let profile = profile.sign_extended(Some(&program));
    let report = Report::new(&profile, Some(&program), None)?;
    let function = match &args.function {
        Some(name) => program.find(name).context("--function")?,
        None => {
            let functions = report.functions.iter();
            let own = functions.filter_map(|total| Some((total.inclusive, total.address?)));
            let hottest = own.max_by_key(|&(inclusive, _)| inclusive);
            let (_, address) = hottest.context("no path begins in a function of the program")?;
            let function = program.image().functions().at(address);
            function.expect("a function begins there")
        }
    };
    let heat = Heat::of(&profile, &program);
    let most = args.paths.into();
    let annotated = annotate(&profile, &report, &heat, &program, function, most);
    let text = match args.format {
        Format::Text => text(&annotated, &report, &mut Sources::new(&args.folders)),
        Format::Json => serde_json::to_string_pretty(&annotated)? + "\n",
    };
    trust::complain(&report, None);
    trust::unread(&program, &file);
    Ok(Output::styled(text, report.health.trusted))
}

const DIM: Style = Style::new().dimmed();
const HEADING: Style = Style::new().bold();

fn text(annotated: &Annotated, report: &Report, sources: &mut Sources<'_>) -> String {
    let name = shortened(&annotated.function);
    let mut out = format!("{HEADING}{name}{HEADING:#}\n");
    for (mark, rank) in letters().zip(&annotated.marked) {
        let path = &report.paths[rank - 1];
        let _ = writeln!(
            out,
            "  {mark}  path {rank}: {} {}, {}, from {}",
            path.letters(),
            counted(path.count, report),
            percent(path.share),
            place(&path.place)
        );
    }
    let width = annotated.marked.len().max(1);
    let (share, ran) = match report.counted.events {
        true => ("", "events"),
        false => ("share", "ran"),
    };
    let _ = writeln!(
        out,
        "\n{share:>7} {ran:>12}  {:<width$}  address   instruction",
        "on"
    );
    let mut last = None;
    for instruction in &annotated.instructions {
        if instruction.code.source.is_some() && instruction.code.source != last {
            last.clone_from(&instruction.code.source);
            out += &source_line(last.as_ref(), sources);
        }
        out += &line(instruction, annotated.marked.len());
    }
    out
}

/// How often a path ran, or how many events it has.
fn counted(count: u64, report: &Report) -> String {
    match report.counted.events {
        true => format!("{} {}", thousands(count), report.counted.metric),
        false => number_of(count, "time"),
    }
}

fn letters() -> impl Iterator<Item = char> {
    'A'..='Z'
}

fn source_line(line: Option<&SourceLine>, sources: &mut Sources<'_>) -> String {
    let Some(line) = line else {
        return String::new();
    };
    let text = sources
        .line(line)
        .map_or(String::new(), |text| format!("  {}", text.trim_end()));
    format!("{DIM}{:>24} {}{text}{DIM:#}\n", "", line.short())
}

fn line(instruction: &AnnotatedInstruction, marked: usize) -> String {
    let on: String = letters()
        .take(marked.max(1))
        .enumerate()
        .map(|(at, mark)| match instruction.paths.contains(&at) {
            true => mark,
            false => ' ',
        })
        .collect();
    let (share, ran) = match instruction.code.weight {
        0 => (String::new(), String::new()),
        weight => (
            instruction.share.map_or(String::new(), percent),
            thousands(weight),
        ),
    };
    let taken = instruction.code.taken;
    let taken = taken.map_or(String::new(), |taken| {
        format!("   taken {}", percent(taken))
    });
    let text = format!(
        "{share:>7} {ran:>12}  {on}  {:>8x}  {:<28}{taken}",
        instruction.code.address, instruction.code.text
    );
    format!("{}\n", text.trim_end())
}
