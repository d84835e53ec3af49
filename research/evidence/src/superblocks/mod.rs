//! What paths buy: code laid out anew along the hot paths of the hardware's table, of every path, and of an edge profile, on three cores.
//!
//! A program runs on the system with the hardware profiler and prints its table. Its assembly is laid out along the paths of the table, runs on
//! the same input, and has to print the same, and to go the same paths through the functions as they were. GCC's own use of a profile,
//! of branches that it counts itself, stands beside it.

mod gcc;
mod run;
mod table;

use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_instrument::Sources;
use hpp_instrument::exact::Profile;
use hpp_instrument::superblocks::{HotPath, Limits, of_edges, of_paths, superblocks};
use hpp_soc::{PROGRAMS, ProfilerSources, Soc};
use hpp_tools::figures::thousands;

use crate::document::Document;
use run::{Ran, run};

/// The cores: one that pays for each jump, one with a cache and static prediction, one with two stages.
const CORES: [Core; 3] = [Core::PicoRv32, Core::VexRiscvCaches, Core::Ibex];

/// Without compressed instructions: a core that fetches words pays for a target by where it lies, which has nothing to do with the profile.
pub const ISA: &str = "rv32im";

/// What drives the layout, in the order of the columns.
const DRIVERS: [&str; 3] = ["edges", "table", "paths"];

pub fn fill(document: &Document) -> Result<()> {
    let (mut cycles, mut bytes, mut jumps) = (Vec::new(), Vec::new(), Vec::new());
    for core in CORES {
        let profiler = ProfilerSources::for_core(core)?;
        let soc = Soc::with_core(core, Some(&profiler.verilog))?;
        for program in PROGRAMS.into_iter().filter(|program| runs(core, program)) {
            let place = || format!("{program} on {}", core.name());
            let (plain, others) = measure(&soc, core, program).with_context(place)?;
            let name = [core.name().to_owned(), program.to_owned()];
            let row = |first: u64, of: fn(&Ran) -> u64| {
                let change = |ran: &Ran| 100.0 * (of(ran) as f64 / of(&plain) as f64 - 1.0);
                let changes = others.iter().map(|ran| format!("{:+.2} %", change(ran)));
                let row = name.iter().cloned().chain([thousands(first)]);
                row.chain(changes).collect::<Vec<_>>()
            };
            cycles.push(row(plain.cycles, |ran| ran.cycles));
            eprintln!("{}", cycles[cycles.len() - 1].join(" "));
            bytes.push(row(plain.code, |ran| ran.code));
            jumps.push(share_of_jumps(&name, &plain, &others));
        }
    }
    let head = "core | program | before | edges | table | paths | GCC";
    document.table("superblocks-cycles", head, &cycles)?;
    document.table("superblocks-bytes", head, &bytes)?;
    document.table("superblocks-jumps", head, &jumps)
}

/// Whether a core has the counters that a program reads: programs on Ibex cannot read `cycle` and `instret`, which Dhrystone does.
fn runs(core: Core, program: &str) -> bool {
    core != Core::Ibex || program != "dhrystone"
}

/// Jumps and branches taken for each hundred instructions.
fn share_of_jumps(name: &[String], plain: &Ran, others: &[Ran]) -> Vec<String> {
    let share = |ran: &Ran| 100.0 * ran.jumps as f64 / ran.instructions as f64;
    let shares = [plain].into_iter().chain(others);
    let shares = shares.map(|ran| format!("{:.2}", share(ran)));
    name.iter().cloned().chain(shares).collect()
}

/// Runs a program as it is, and laid out anew by each driver and by GCC.
fn measure(soc: &Soc, core: Core, program: &str) -> Result<(Ran, Vec<Ran>)> {
    let sources = Sources::compile_as(program, core, ISA)?;
    let (plans, memory) = sources.plan(hpp_instrument::Method::Nothing, &[], &[])?;
    let built = sources.assemble("superblocks-plain", &plans, &memory)?;
    let plain = run(soc, &sources, &built)?;
    let functions = &sources.listing.functions;
    let each = |of: fn(&_, &Profile) -> Vec<HotPath>| {
        let pairs = functions.iter().zip(&plain.profiles);
        pairs
            .map(|(followed, profile)| of(followed, profile))
            .collect::<Vec<_>>()
    };
    let hot = [
        each(of_edges),
        table::paths(&plain.dump, &built, functions)?,
        each(of_paths),
    ];
    let mut all = Vec::new();
    for (driver, hot) in DRIVERS.iter().zip(hot) {
        let copies = superblocks(functions, &hot, &Limits::default());
        let built = sources.superblocks(&format!("superblocks-{driver}"), &copies)?;
        let ran = run(soc, &sources, &built)?;
        ensure!(
            ran.output == plain.output,
            "laid out by {driver}, it prints:\n{}",
            ran.output
        );
        ensure!(
            ran.profiles == plain.profiles,
            "laid out by {driver}, it goes other paths"
        );
        all.push(ran);
    }
    let ran = gcc::guided(soc, core, program)?;
    ensure!(
        ran.output == plain.output,
        "guided by GCC, it prints:\n{}",
        ran.output
    );
    all.push(ran);
    Ok((plain, all))
}
