//! Measures what the documents measure, on our programs, and puts the tables into research/docs/evidence.md.
//!
//! One module a section. A section is a group of figures; the words around them are the document's own.

mod counters;
mod document;
mod grammars;
mod guided;
mod overhead;
mod residual;
mod runs;
mod streams;
mod studies;
mod subpaths;
mod traces;

use anyhow::Result;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use document::Document;

/// A section: its name on the command line, and what fills it.
type Section = (&'static str, fn(&Document) -> Result<()>);

const SECTIONS: [Section; 8] = [
    ("counters", counters::fill),
    ("subpaths", subpaths::fill),
    ("grammars", grammars::fill),
    ("traces", traces::fill),
    ("residual", residual::fill),
    ("overhead", overhead::fill),
    ("studies", studies::fill),
    ("guided", guided::fill),
];

/// Measures the tables and plots of research/docs/evidence.md.
#[derive(Parser)]
struct Arguments {
    /// The sections; all by default.
    #[arg(value_parser = PossibleValuesParser::new(SECTIONS.map(|(name, _)| name)))]
    sections: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let wanted = |name: &str| {
        arguments.sections.is_empty() || arguments.sections.iter().any(|section| section == name)
    };
    for (name, fill) in SECTIONS.iter().filter(|(name, _)| wanted(name)) {
        eprintln!("{name}");
        let document = Document::open(name)?;
        fill(&document)?;
        document.record()?;
    }
    Ok(())
}
