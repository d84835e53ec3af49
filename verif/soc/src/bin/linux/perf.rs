//! The second boot: the kernel's module has the profiler, and `perf` switches it from process to process.

use anyhow::{Result, ensure};
use hpp_golden::config::Geometry;
use hpp_soc::linux::System;
use hpp_soc::linux::sessions::Session;
use std::path::Path;

use super::compare::{Lost, accounted, boot, contexts, one, same, whole};
use super::{Figure, PRIVILEGED, millions};

/// What each command of fpga/linux/commands-perf has to say, in their order. Programs that run at once mix their lines.
const SAYS: [&str; 18] = [
    "cannot open /dev/uio0",
    "the kernel has no PMU",
    "hpp0: 512 entries",
    "queens: 4 ways for 6",
    "found no room in the ring",
    "signal 11 ended the program",
    "cannot unload hpp_pmu: error 11",
    "paths executed",
    "remedy: CAP_PERFMON",
    "queens: 2 ways for 4",
    "paths executed",
    "HPP dump 2 ends",
    "HPP dump 2 ends",
    "paths executed",
    "HPP dump 2 ends",
    ".profiler",
    "# /admin unload hpp_pmu",
    "the kernel has no PMU",
];

/// The places of those whose profiles are compared.
const ALONE: usize = 3;
const CRASHED: usize = 5;
const CHILDREN: usize = 7;
const AS_USER: usize = 9;
const TOGETHER: usize = 10;
const QUEENS: usize = 11;
const PRIMES: usize = 12;
const ALL: usize = 13;
const PRINTED: usize = 14;
const INTERRUPTS: usize = 15;

/// Boots, carries out the commands, and compares.
///
/// # Errors
///
/// If a command does not say what it has to, or a profile is not that of the core's own retirements.
pub fn run(system: &System, folder: &Path) -> Result<Vec<Figure>> {
    let (run, sessions) = boot(system, folder, "perf", &SAYS, &[])?;
    let geometry = &system.sources.geometry;
    alone(&sessions[ALONE], geometry)?;
    together(&sessions, geometry)?;
    for number in [CRASHED, AS_USER, CHILDREN] {
        whole(&sessions[number])?;
    }
    one(&sessions[AS_USER], &sessions[AS_USER], geometry)?;
    children(&sessions[CHILDREN], geometry)?;
    let lost = everything(&sessions, geometry)?;
    let interrupts = interrupts(&sessions[INTERRUPTS].text).unwrap_or(0);
    ensure!(interrupts > 0, "the drain did not interrupt");
    println!(
        "Through perf, the profile of each process, of two at once, of a process with its children and of the kernel on behalf of one equals the \
         golden model's, and so do counters. That of everything that the hart did is complete but for {} executions in {} entries, which it reports.",
        lost.executions, lost.entries
    );
    Ok(vec![
        ("perf.cycles", millions(run.cycles)),
        ("perf.interrupts", interrupts.to_string()),
        (
            "perf.paths",
            sessions[PRIMES].dump()?.profile().len().to_string(),
        ),
    ])
}

fn alone(session: &Session, geometry: &Geometry) -> Result<()> {
    whole(session)?;
    let dump = one(session, session, geometry)?;
    ensure!(
        dump.counters == session.counters,
        "counters {:?}, of the golden model {:?}",
        dump.counters,
        session.counters
    );
    Ok(())
}

/// Two processes at once, one with the kernel's paths on its behalf.
fn together(sessions: &[Session], geometry: &Geometry) -> Result<()> {
    let session = &sessions[TOGETHER];
    whole(session)?;
    let queens = contexts(&one(&sessions[QUEENS], session, geometry)?, geometry);
    let dump = sessions[PRIMES].dump()?;
    let primes = contexts(&dump, geometry);
    let kernel = session.contexts(geometry).split_off(&PRIVILEGED);
    ensure!(
        primes.is_disjoint(&queens)
            && primes.is_superset(&kernel)
            && primes.len() > kernel.len()
            && !kernel.is_empty(),
        "contexts {queens:?} of one process, {primes:?} of the other, {kernel:?} of the kernel"
    );
    same(
        &dump,
        &session.paths_in(geometry, &primes),
        "with the kernel's paths",
    )
}

/// A process and those that it began: each has a context of its own, and all are in one profile.
fn children(session: &Session, geometry: &Geometry) -> Result<()> {
    let dump = session.dump()?;
    let contexts = contexts(&dump, geometry);
    ensure!(
        contexts.len() >= 3 && contexts.iter().all(|context| *context < PRIVILEGED),
        "contexts {contexts:?} of a process and two children"
    );
    same(&dump, &session.exact, "a process with its children")
}

/// Everything that the hart did: the kernel, the program and its reader.
fn everything(sessions: &[Session], geometry: &Geometry) -> Result<Lost> {
    let dump = sessions[PRINTED].dump()?;
    let contexts = contexts(&dump, geometry);
    ensure!(
        contexts.range(PRIVILEGED..).next().is_some() && contexts.range(..PRIVILEGED).count() >= 2,
        "contexts {contexts:?} of a hart"
    );
    accounted(&dump, &sessions[ALL].exact, "all that the hart did")
}

fn interrupts(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(".profiler"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
