//! A profile of a program that runs through ten times as many paths as the table has entries: evicted entries go through a drain into memory, by a drain
//! writer or by the program itself.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use hpp_fpga::core::Core;
use hpp_golden::config::{Geometry, Replacement};
use hpp_soc::{PROGRAMS, Profiled, ProfilerSources, firmware_for};
use hpp_tools::figures::thousands;

use crate::document::Document;
use crate::runs::{self, Run};
use crate::traces::etrace;

/// Entries of the drain.
const DEPTH: u32 = 256;

/// Ways of a set.
const WAYS: u32 = 4;

/// So many times as many paths as entries, at least.
const TIMES: u32 = 10;

pub fn fill(document: &Document) -> Result<()> {
    let runs = runs::all()?;
    let rows: Vec<_> = runs.iter().map(row).collect::<Result<_>>()?;
    document.table(
        "drain",
        "program | paths | entries | without a drain, overlap | entries that left | \
            with `rrip` | bits an instruction | with `rrip` | of a trace | cycles | without a drain",
        &rows,
    )
}

/// What it costs that the program reads evicted entries itself, in interrupts.
pub fn fill_interrupts(document: &Document) -> Result<()> {
    let rows: Vec<_> = PROGRAMS
        .iter()
        .map(|name| interrupts(name))
        .collect::<Result<_>>()?;
    document.table(
        "interrupts",
        "program | entries | cycles, never interrupted | entries that left | cycles more | \
            for each entry | entries that left, `rrip` | cycles more | for each entry",
        &rows,
    )
}

/// One program, with a table of either policy and without a drain: the same code at the same addresses.
fn interrupts(name: &str) -> Result<Vec<String>> {
    let reset = ProfilerSources::generate()?.reset;
    let half = [("WATERMARK", DEPTH / 2)];
    let header = ProfilerSources::variant(drained(own().sets, Replacement::Lfu), reset)?;
    let elf = firmware_for(name, &header, &half)?;
    let plain = ProfilerSources::variant(own(), reset)?;
    let plain = Profiled::run(Core::PicoRv32, &elf, &plain, |_| ())?;
    let sets = sets(plain.exact.len() as u32);
    let never = plain.profiled.cycles;
    let mut row = vec![name.to_owned(), (sets * WAYS).to_string(), thousands(never)];
    for replacement in [Replacement::Lfu, Replacement::Rrip] {
        let sources = ProfilerSources::variant(drained(sets, replacement), reset)?;
        let taken = Profiled::run_drained(&elf, &sources)?;
        check(name, &taken)?;
        let (left, more) = (taken.entries_left, taken.profiled.cycles - never);
        row.extend([
            thousands(left),
            format!("{:.1} %", 100.0 * more as f64 / never as f64),
            format!("{:.0}", more as f64 / left as f64),
        ]);
    }
    Ok(row)
}

/// Sets of a table that has a tenth as many entries as there are paths, or fewer.
fn sets(paths: u32) -> u32 {
    1 << (paths / (TIMES * WAYS)).max(2).ilog2()
}

/// A table with a drain.
fn drained(sets: u32, replacement: Replacement) -> Geometry {
    Geometry {
        sets,
        ways: WAYS,
        drain_depth: DEPTH,
        replacement,
        ..own()
    }
}

fn row(run: &Run) -> Result<Vec<String>> {
    let sized = |sets| Geometry {
        sets,
        ways: WAYS,
        ..own()
    };
    let paths = with(run.name, own())?.exact.len() as u32;
    let sets = sets(paths);
    let plain = with(run.name, sized(sets))?;
    let exact = |replacement| exact(run.name, drained(sets, replacement));
    let (lfu, rrip) = (exact(Replacement::Lfu)?, exact(Replacement::Rrip)?);
    ensure!(
        lfu.profiled == rrip.profiled,
        "{}: the core takes its time by the table's policy",
        run.name
    );
    let bits = |profiled: &Profiled| {
        let words = u64::from(32 * sized(sets).entry_words());
        let bits = profiled.entries_left * words;
        format!("{:.3}", bits as f64 / profiled.profiled.instructions as f64)
    };
    let trace = etrace::bits(run, true)? as f64 / run.retired as f64;
    Ok(vec![
        run.name.to_owned(),
        paths.to_string(),
        (sets * WAYS).to_string(),
        format!("{:.1} %", 100.0 * plain.overlap()),
        thousands(lfu.entries_left),
        thousands(rrip.entries_left),
        bits(&lfu),
        bits(&rrip),
        format!("{trace:.3}"),
        thousands(lfu.profiled.cycles),
        thousands(plain.profiled.cycles),
    ])
}

/// A program's profile with a drain, held against every path that completed.
fn exact(name: &str, geometry: Geometry) -> Result<Profiled> {
    let profiled = with(name, geometry)?;
    check(name, &profiled)?;
    Ok(profiled)
}

fn check(name: &str, profiled: &Profiled) -> Result<()> {
    let profile = profiled.dump.profile();
    let kept = profile.iter().map(|(path, count)| (*path, count));
    ensure!(
        kept.collect::<HashMap<_, _>>() == profiled.exact,
        "{name}: table and drain are not all that completed"
    );
    Ok(())
}

/// The sizes of the system's own profiler.
fn own() -> Geometry {
    ProfilerSources::generate().map_or_else(|_| Geometry::default(), |sources| sources.geometry)
}

/// A program profiled with a table of these sizes; the program is the same, with a drain or without, whatever the policy.
fn with(name: &str, geometry: Geometry) -> Result<Profiled> {
    debug_assert!(PROGRAMS.contains(&name));
    let reset = ProfilerSources::generate()?.reset;
    let drained = Geometry {
        drain_depth: DEPTH,
        replacement: Replacement::Lfu,
        ..geometry
    };
    let elf = firmware_for(
        name,
        &ProfilerSources::variant(drained, reset)?,
        &[("DRAIN", 1)],
    )?;
    let sources = ProfilerSources::variant(geometry, reset)?;
    match geometry.has_drain() {
        true => Profiled::run_drained(&elf, &sources),
        false => Profiled::run(Core::PicoRv32, &elf, &sources, |_| ()),
    }
}
