//! `hpp number`: numbers the paths through a control-flow graph.

mod dot;
mod json;
mod numbered;
mod source;
mod text;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::Number;

use crate::choices::{Choice, one_of};
use numbered::Numbered;
use source::Source;

const EXAMPLES: &str = "\
Examples:
  hpp number program.elf --function sort
  hpp number graph.txt --interesting 8,12 --algorithm ball-larus,preferential
  hpp number graph.txt --counters
  hpp number graph.txt --format dot | dot -Tsvg -o graph.svg

docs/numbering.md says what the columns are and how a graph is written.";

/// Number the paths through a control-flow graph
///
/// Shows the value and the probe of each edge, how many paths there are, and how many probes they take, for each
/// numbering algorithm.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The graph: a text file, a JSON file, or a RISC-V ELF file (then with --function); `-` for standard input
    graph: PathBuf,

    /// The function of the ELF file, by name, or by address with 0x
    #[arg(long, value_name = "NAME")]
    function: Option<String>,

    /// The algorithms; preferential and selective ones need interesting paths [default: all that the graph and the interesting paths allow]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    algorithm: Vec<Algorithm>,

    /// Where the probes go [default: kept for selective numbering, optimised for the others]
    #[arg(long, value_name = "PLACEMENT")]
    placement: Option<Placement>,

    /// Where paths break [default: hardware for an ELF file, depth-first for a graph]
    #[arg(long, value_name = "NOTION")]
    breaks: Option<Breaks>,

    /// What a backward branch that is not taken is to the hardware (ELF files only) [default: as-forward]
    #[arg(long, value_name = "SETTING", value_parser = one_of(&BACKWARD_NOT_TAKEN))]
    backward_not_taken: Option<BackwardNotTaken>,

    /// Interesting paths, by their Ball-Larus numbers
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = decimal)]
    interesting: Vec<Number>,

    /// An interesting path, by its blocks separated by spaces; may be given several times
    #[arg(long, value_name = "BLOCKS")]
    interesting_blocks: Vec<String>,

    /// Show the path with this number, in each algorithm's numbering
    #[arg(long, value_name = "N", value_parser = decimal)]
    regenerate: Option<Number>,

    /// Show the fewest counters that an edge profile or a block profile needs, and the witnesses and bits of a trace
    #[arg(long)]
    counters: bool,

    /// What to write
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// A path's number. The library's parser also takes signs and `_` between digits.
fn decimal(text: &str) -> Result<Number, String> {
    let number = text.parse().ok();
    let has_digits_alone = text.bytes().all(|byte| byte.is_ascii_digit());
    number
        .filter(|_| has_digits_alone)
        .ok_or_else(|| "expected decimal digits".into())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Algorithm {
    /// All paths, from 0 without gaps
    BallLarus,
    /// Small numbers for the interesting paths
    Preferential,
    /// Few edges with values, unique sums for the interesting paths
    Selective,
    /// Path numbers as arithmetic codes
    Arithmetic,
}

impl Algorithm {
    fn name(self) -> &'static str {
        match self {
            Self::BallLarus => "ball-larus",
            Self::Preferential => "preferential",
            Self::Selective => "selective",
            Self::Arithmetic => "arithmetic",
        }
    }
}

/// Where the code goes that adds up values and counts paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Placement {
    /// Where the values are; set and counted where paths begin and end
    Naive,
    /// Where the values are; set in the entry block, counted in the exit block
    Kept,
    /// On the chords of a spanning tree, setting and counting merged with adding
    Optimised,
}

/// Which edges end a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Breaks {
    /// At the back edges of a depth-first search
    DepthFirst,
    /// At backward and indirect branches
    Hardware,
}

const BACKWARD_NOT_TAKEN: [Choice<BackwardNotTaken>; 2] = [
    (
        "as-forward",
        "The same as a forward branch",
        BackwardNotTaken::AsForward,
    ),
    (
        "as-backward",
        "The same as any backward branch",
        BackwardNotTaken::AsBackward,
    ),
];

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Tables for people
    Text,
    /// One JSON object
    Json,
    /// A drawing for Graphviz
    Dot,
}

pub fn run(args: &Args) -> Result<String> {
    ensure!(
        !args.counters || matches!(args.format, Format::Text),
        "--counters is a table of text; leave --format out"
    );
    let source = Source::read(args)?;
    let numbered = Numbered::new(&source, args)?;
    match args.format {
        Format::Text => text::write(&source, &numbered, args.counters),
        Format::Json => json::write(&source, &numbered),
        Format::Dot => Ok(dot::write(&source, &numbered)),
    }
}
