//! Measures what the documents measure, on our programs, and puts the tables into research/docs/evidence.md.
//!
//! One module a section. A section is a group of figures; the words around them are the document's own.

mod bars;
mod counters;
mod document;
mod drain;
mod energy;
mod events;
mod grammars;
mod guided;
mod instruction_energy;
mod mispredictions;
mod native;
mod overhead;
mod queue;
mod residual;
mod runs;
mod streams;
mod studies;
mod subpaths;
mod superblocks;
mod traces;

use anyhow::Result;
use clap::Parser;
use clap::builder::PossibleValuesParser;
use document::Document;

/// A section: its name on the command line, and what fills it.
struct Section {
    name: &'static str,
    fill: fn(&Document) -> Result<()>,
}

const SECTIONS: [Section; 17] = [
    Section {
        name: "counters",
        fill: counters::fill,
    },
    Section {
        name: "subpaths",
        fill: subpaths::fill,
    },
    Section {
        name: "grammars",
        fill: grammars::fill,
    },
    Section {
        name: "traces",
        fill: traces::fill,
    },
    Section {
        name: "residual",
        fill: residual::fill,
    },
    Section {
        name: "overhead",
        fill: overhead::fill,
    },
    Section {
        name: "calls",
        fill: overhead::fill_calls,
    },
    Section {
        name: "native",
        fill: native::fill,
    },
    Section {
        name: "studies",
        fill: studies::fill,
    },
    Section {
        name: "queue",
        fill: queue::fill,
    },
    Section {
        name: "energy",
        fill: energy::fill,
    },
    Section {
        name: "drain",
        fill: drain::fill,
    },
    Section {
        name: "interrupts",
        fill: drain::fill_interrupts,
    },
    Section {
        name: "events",
        fill: events::fill,
    },
    Section {
        name: "mispredictions",
        fill: mispredictions::fill,
    },
    Section {
        name: "guided",
        fill: guided::fill,
    },
    Section {
        name: "superblocks",
        fill: superblocks::fill,
    },
];

/// Measures the tables and plots of research/docs/evidence.md.
#[derive(Parser)]
struct Arguments {
    /// The sections; all by default.
    #[arg(value_parser = PossibleValuesParser::new(SECTIONS.map(|section| section.name)))]
    sections: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let wanted = |name: &str| {
        arguments.sections.is_empty() || arguments.sections.iter().any(|section| section == name)
    };
    for section in SECTIONS.iter().filter(|section| wanted(section.name)) {
        eprintln!("{}", section.name);
        let document = Document::open(section.name)?;
        (section.fill)(&document)?;
        document.record()?;
    }
    Ok(())
}
