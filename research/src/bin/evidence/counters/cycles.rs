//! Cycles of instrumented programs on the simulated core.

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use hpp_research::exact::Profile;
use hpp_research::method::{Frequencies, Method};
use hpp_research::{Measured, Sources, measure};
use hpp_soc::{PROGRAMS, Soc};

use crate::document::Document;

/// What is measured, with the name of its folder.
const METHODS: [(Method, &str); 3] = [
    (Method::Blocks, "counters-redundant"),
    (Method::Edges(Frequencies::Guessed), "counters-heuristic"),
    (Method::Edges(Frequencies::Measured), "counters-exact"),
];

pub fn fill(document: &Document) -> Result<()> {
    let soc = Soc::build(None)?;
    let row = |name: &str| row(&soc, name).with_context(|| name.to_owned());
    let rows: Vec<Vec<String>> = PROGRAMS.into_iter().map(row).collect::<Result<_>>()?;
    let head = "program | cycles, redundant | heuristic | exact | instructions, redundant | heuristic | \
        exact";
    document.table("counters-cycles", head, &rows)
}

/// Cycles and instructions of a program with counters, of those without.
fn row(soc: &Soc, name: &str) -> Result<Vec<String>> {
    let sources = Sources::compile(name, Core::PicoRv32, true)?;
    let bare = run(soc, &sources, Method::Nothing, "counters-none", &[])?;
    let (mut cycles, mut instructions) = (vec![name.to_owned()], Vec::new());
    let share = |of: u64, all: u64| format!("{:.3}", of as f64 / all as f64);
    for (method, key) in METHODS {
        let measured = run(soc, &sources, method, key, &bare.profiles)?;
        cycles.push(share(measured.cycles, bare.cycles));
        instructions.push(share(measured.instructions, bare.instructions));
    }
    cycles.append(&mut instructions);
    Ok(cycles)
}

fn run(
    soc: &Soc,
    sources: &Sources,
    method: Method,
    key: &str,
    before: &[Profile],
) -> Result<Measured> {
    let (plans, memory) = sources.listing.plan(method, before, &[])?;
    let program = sources.assemble(key, &plans, &memory)?;
    measure(soc, sources, &program, &plans)
}
