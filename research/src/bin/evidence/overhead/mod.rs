//! What software profiling costs on the core that the hardware profiler watches.

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use hpp_paths::graph::DagPath;
use hpp_paths::runtime::Storage;
use hpp_research::exact::Profile;
use hpp_research::method::{Frequencies, Method, Placement};
use hpp_research::{Measured, Sources, measure};
use hpp_soc::{PROGRAMS, ProfilerSources, Soc};
use verilated::tools::figures::thousands;

use crate::document::Document;

/// The ways to profile, in the order of the table.
const METHODS: [Method; 7] = [
    Method::Blocks,
    Method::Edges(Frequencies::Guessed),
    Method::BallLarus(Placement::Naive, Storage::THRESHOLD),
    Method::BallLarus(Placement::Optimised, Storage::THRESHOLD),
    Method::BallLarus(Placement::Optimised, 0),
    Method::Preferential,
    Method::Selective,
];

/// The share of path executions that the paths of a selective profile hold.
const HOT: f64 = 0.95;

pub fn fill(document: &Document) -> Result<()> {
    [Core::PicoRv32, Core::VexRiscv]
        .into_iter()
        .try_for_each(|core| on(document, core))
}

fn on(document: &Document, core: Core) -> Result<()> {
    let soc = Soc::with_core(core, None)?;
    let hardware = Soc::with_core(core, Some(&ProfilerSources::for_core(core)?.verilog))?;
    let (mut cycles, mut bytes) = (Vec::new(), Vec::new());
    let mut checked = Vec::new();
    for program in PROGRAMS {
        let column = column(program, core, &soc, &hardware).with_context(|| program.to_owned())?;
        cycles.push(column.cycles);
        bytes.push(column.bytes);
        checked.push(column.checked);
    }
    let methods: Vec<String> = METHODS.iter().map(ToString::to_string).collect();
    for (what, corner, names, columns) in [
        ("cycles", "cycles", &names(), &cycles),
        ("bytes", "bytes", &names(), &bytes),
        ("checked", "counted", &methods, &checked),
    ] {
        let name = format!("overhead-{what}-{}", core.about().key);
        let head = format!("{corner} | {}", PROGRAMS.join(" | "));
        document.table(&name, &head, &turned(names, columns))?;
    }
    Ok(())
}

fn names() -> Vec<String> {
    let fixed = ["not profiled", "hardware profiler"].map(str::to_owned);
    let free = [Method::Nothing].into_iter().chain(METHODS);
    fixed
        .into_iter()
        .chain(free.map(|method| method.to_string()))
        .collect()
}

/// One program's cells, by row.
#[derive(Default)]
struct Column {
    cycles: Vec<String>,
    bytes: Vec<String>,
    checked: Vec<String>,
}

fn turned(names: &[String], columns: &[Vec<String>]) -> Vec<Vec<String>> {
    let row = |(at, name): (usize, &String)| {
        let cells = columns.iter().map(|column| column[at].clone());
        [name.clone()].into_iter().chain(cells).collect()
    };
    names.iter().enumerate().map(row).collect()
}

fn column(program: &str, core: Core, soc: &Soc, hardware: &Soc) -> Result<Column> {
    let plain = Sources::compile(program, core, false)?;
    let bare = run(soc, &plain, Method::Nothing, &[])?;
    let mut column = Column::default();
    column.cycles.push(thousands(bare.cycles));
    column.bytes.push(format!("{} + 0", thousands(bare.code)));
    let watched = run(hardware, &plain, Method::Nothing, &[])?;
    column.add(&bare, &watched);
    let sources = Sources::compile(program, core, true)?;
    let free = run(soc, &sources, Method::Nothing, &[])?;
    column.add(&bare, &free);
    for method in METHODS {
        let measured = run(soc, &sources, method, &free.profiles)?;
        column.add(&bare, &measured);
        let (different, all) = measured.counted;
        column.checked.push(format!(
            "{}, {}",
            thousands(different as u64),
            thousands(all)
        ));
    }
    Ok(column)
}

impl Column {
    /// A run beside that of the program as it is.
    fn add(&mut self, bare: &Measured, measured: &Measured) {
        let more = measured.cycles as f64 / bare.cycles as f64 - 1.0;
        self.cycles.push(format!("{:+.1} %", 100.0 * more));
        let code = measured.code as i64 - bare.code as i64;
        // One word is there without any.
        let counters = measured.counters - bare.counters;
        self.bytes
            .push(format!("{code:+} + {}", thousands(counters)));
    }
}

/// Builds a program with probes and runs it. `before` is the exact profile of another run, where a method wants one.
fn run(soc: &Soc, sources: &Sources, method: Method, before: &[Profile]) -> Result<Measured> {
    let (plans, memory) = sources.listing.plan(method, before, &hot(before))?;
    let key = match method {
        Method::Nothing if sources.free => "none-free".to_owned(),
        Method::Nothing => "none-plain".to_owned(),
        _ => method.to_string().replace([' ', ','], ""),
    };
    let program = sources.assemble(&key, &plans, &memory)?;
    measure(soc, sources, &program, &plans)
}

/// The hottest paths of all functions that together hold the share, by function.
fn hot(profiles: &[Profile]) -> Vec<Vec<DagPath>> {
    let paths = profiles.iter().enumerate().flat_map(|(at, profile)| {
        profile
            .paths
            .iter()
            .map(move |(path, &count)| (count, at, path))
    });
    let mut paths: Vec<_> = paths.collect();
    paths.sort_by(|a, b| b.0.cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let all: u64 = paths.iter().map(|(count, ..)| count).sum();
    let enough = (all as f64 * HOT) as u64;
    let mut hot = vec![Vec::new(); profiles.len()];
    let mut sum = 0;
    for (count, at, path) in paths {
        if sum >= enough {
            break;
        }
        sum += count;
        hot[at].push(path.clone());
    }
    hot
}
