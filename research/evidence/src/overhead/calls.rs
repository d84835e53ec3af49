//! The same for paths that go on across calls: calls are inlined, one call deep.

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use hpp_instrument::method::{Method, Placement};
use hpp_instrument::{Measured, Sources};
use hpp_paths::runtime::Storage;
use hpp_soc::{PROGRAMS, Soc};
use hpp_tools::figures::thousands;

use super::run;
use crate::document::Document;

const CORE: Core = Core::PicoRv32;

/// The ways to profile paths, in the order of the columns.
const METHODS: [Method; 3] = [
    Method::BallLarus(Placement::Optimised, Storage::THRESHOLD),
    Method::Preferential,
    Method::Selective,
];

pub fn fill(document: &Document) -> Result<()> {
    let soc = Soc::with_core(CORE, None)?;
    let (mut cycles, mut bytes) = (Vec::new(), Vec::new());
    for program in PROGRAMS {
        let context = || program.to_owned();
        let sources = Sources::compile(program, CORE, true).with_context(context)?;
        let bare = run(&soc, &sources, Method::Nothing, &[]).with_context(context)?;
        let inlined = sources.inlined(&bare.profiles).with_context(context)?;
        for (depth, (sources, calls)) in [(sources, 0), inlined].into_iter().enumerate() {
            let name = format!("{program} ({depth})");
            let rows = rows(&soc, &sources).with_context(|| name.clone())?;
            let counts = [thousands(calls as u64), thousands(rows.paths as u64)];
            cycles.push([vec![name.clone()], counts.into(), rows.cycles].concat());
            bytes.push([vec![name], rows.bytes].concat());
        }
    }
    let methods = METHODS.map(|method| method.to_string()).join(" | ");
    let first = "program (depth) | calls inlined | paths | cycles, not profiled";
    document.table("calls-cycles", &format!("{first} | {methods}"), &cycles)?;
    let first = "program (depth) | bytes, not profiled";
    document.table("calls-bytes", &format!("{first} | {methods}"), &bytes)
}

/// A program's cells.
struct Rows {
    /// Different paths that ran.
    paths: usize,
    cycles: Vec<String>,
    bytes: Vec<String>,
}

fn rows(soc: &Soc, sources: &Sources) -> Result<Rows> {
    let bare = run(soc, sources, Method::Nothing, &[])?;
    let measured = METHODS
        .into_iter()
        .map(|method| run(soc, sources, method, &bare.profiles));
    let measured: Vec<Measured> = measured.collect::<Result<_>>()?;
    let more = |one: &Measured| 100.0 * (one.cycles as f64 / bare.cycles as f64 - 1.0);
    let cycles = measured.iter().map(|one| format!("{:+.1} %", more(one)));
    let added = |one: &Measured| {
        let code = one.code as i64 - bare.code as i64;
        format!("{code:+} + {}", thousands(one.counters - bare.counters))
    };
    Ok(Rows {
        paths: bare
            .profiles
            .iter()
            .map(|profile| profile.paths.len())
            .sum(),
        cycles: [thousands(bare.cycles)].into_iter().chain(cycles).collect(),
        bytes: [thousands(bare.code)]
            .into_iter()
            .chain(measured.iter().map(added))
            .collect(),
    })
}
