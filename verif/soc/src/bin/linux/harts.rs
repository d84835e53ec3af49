//! A boot beside a second hart, which shares the profiler: a profile is of both.

use super::compare::boot;
use super::{Figure, millions};
use anyhow::{Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::registers::{Counter, errors};
use hpp_soc::linux::System;
use hpp_soc::linux::sessions::Session;
use std::collections::BTreeMap;
use std::path::Path;

/// What each command of fpga/linux/commands-harts has to say, in their order.
const SAYS: [&str; 4] = [
    "hpp0: 512 entries, a drain of 256, harts: 2",
    "several harts share the profiler",
    "paths executed",
    "HPP dump 2 ends",
];

const ALL: usize = 2;
const PRINTED: usize = 3;

/// Where the paths of fpga/linux/second_hart.v start: a round, and its inner loop.
const ROUND: u64 = 0x18;
const INNER: u64 = 0x1c;

/// Paths from the inner loop in a round: three jump back, the fourth leaves it.
const INNER_OF_ROUND: u64 = 4;

/// Boots, carries out the commands, and compares.
///
/// # Errors
///
/// If a command does not say what it has to, or the profile is not of what both harts did.
pub fn run(system: &System, folder: &Path) -> Result<Vec<Figure>> {
    let (run, sessions) = boot(system, folder, "harts", &SAYS, &[])?;
    let geometry = &system.sources.geometry;
    let dump = sessions[PRINTED].dump()?;
    let drained = dump.drained.as_ref();
    let lost = drained.map_or(0, |drained| drained.lost_count);
    let expected = u32::from(lost > 0) * errors::DRAIN_LOST.mask();
    ensure!(
        dump.errors == expected && dump.counters[Counter::LostRecords as usize] == 0,
        "{lost} executions lost, errors {:#x}, counters {:?}",
        dump.errors,
        dump.counters
    );
    let counted = dump.counters[Counter::Paths as usize];
    let total = dump.profile().total();
    ensure!(
        counted > 0 && counted <= total + lost,
        "of {counted} paths that were counted, {total} are in the profile and {lost} reported as lost"
    );
    let first = first(&dump, &sessions[ALL], lost, geometry)?;
    let second = second(&dump, lost, geometry)?;
    println!(
        "Through perf, the profile of two harts that share a profiler: {first} executions of the one that boots, which are the golden model's, and {second} \
         of the other, in each round as many as its program says; {lost} were lost, and reported."
    );
    Ok(vec![("harts.cycles", millions(run.cycles))])
}

/// The hart that boots, whose retirements are known.
fn first(dump: &Dump, session: &Session, lost: u64, geometry: &Geometry) -> Result<u64> {
    let mut total = 0;
    for (path, count) in dump.profile().iter() {
        if geometry.hart_of(path.start) == 0 {
            let executed = session.exact.get(path).copied().unwrap_or(0);
            ensure!(
                count <= executed,
                "{path:?} was executed {executed} times, not {count}"
            );
            total += count;
        }
    }
    let executed = session.exact.values().sum::<u64>();
    ensure!(
        total > 0 && executed - total <= lost,
        "{total} executions of {executed}, and {lost} lost"
    );
    Ok(total)
}

/// The other one, whose program is known. The profile begins and ends within a round; its first path starts anywhere.
fn second(dump: &Dump, lost: u64, geometry: &Geometry) -> Result<u64> {
    let mut starts = BTreeMap::new();
    for (path, count) in dump.profile().iter() {
        if geometry.hart_of(path.start) == 1 {
            let start = geometry.address_and_context(path.start).0;
            *starts.entry(start).or_insert(0) += count;
        }
    }
    let of = |start| starts.get(&start).copied().unwrap_or(0);
    let total: u64 = starts.values().sum();
    let (rounds, inner) = (of(ROUND), of(INNER));
    let differ = (rounds * INNER_OF_ROUND).abs_diff(inner);
    ensure!(
        rounds > 100 && differ <= INNER_OF_ROUND * (1 + lost) && total <= rounds + inner + 1,
        "executions by start: {starts:x?}"
    );
    Ok(total)
}
