//! The second boot: the kernel's module has the profiler, and `perf` switches it from process to process.

use anyhow::{Context, Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::registers::Counter;
use hpp_soc::linux::System;
use hpp_soc::linux::sessions::Session;
use hpp_tools::project_root;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use super::{Console, Figure, PRIVILEGED, millions};

/// What each command of fpga/linux/commands-perf has to say, in their order.
const SAYS: [&str; 15] = [
    "cannot open /dev/uio0",
    "the kernel has no PMU",
    "hpp0: 512 entries",
    "queens: 4 ways for 6",
    "found no room in the ring",
    "signal 11 ended the program",
    "cannot unload hpp_pmu: error 11",
    "remedy: CAP_PERFMON",
    "queens: 2 ways for 4",
    "paths executed",
    "HPP dump 2 ends",
    "HPP dump 2 ends",
    ".profiler",
    "# /admin unload hpp_pmu",
    "the kernel has no PMU",
];

/// The places of those whose profiles are compared.
const LOADED: usize = 2;
const ALONE: usize = 3;
const CRASHED: usize = 5;
const AS_USER: usize = 8;
const TOGETHER: usize = 9;
const QUEENS: usize = 10;
const PRIMES: usize = 11;
const INTERRUPTS: usize = 12;

/// What a command must not say whose profile is whole.
const PARTS: [&str; 3] = ["found no room", "lost paths", "not on the hardware"];

/// Boots, carries out the commands, and compares.
///
/// # Errors
///
/// If a command does not say what it has to, or a profile is not that of the core's own retirements.
pub fn run(system: &System, folder: &Path) -> Result<Vec<Figure>> {
    let list = project_root().join("fpga/linux/commands-perf");
    let commands = fs::read_to_string(&list);
    let commands = commands.with_context(|| format!("cannot read {}", list.display()))?;
    let commands: Vec<_> = commands.lines().map(str::to_string).collect();
    ensure!(
        commands.len() == SAYS.len(),
        "{} has other commands",
        list.display()
    );
    let image = system.linux(folder, "hpp-perf.dtb")?;
    let mut console = Console::default();
    let (run, sessions) =
        system.sessions(&image, &commands, |cycles, uart| console.show(cycles, uart))?;
    let log = folder.join("serial-perf.txt");
    fs::write(&log, &run.uart).with_context(|| format!("cannot write {}", log.display()))?;
    for (session, says) in sessions.iter().zip(SAYS) {
        let Session { command, text, .. } = session;
        ensure!(
            text.contains(says),
            "{command} does not say `{says}`:\n{text}"
        );
    }
    ensure!(
        sessions[LOADED].text.contains("no profiler here: ID is 0"),
        "nothing is said of a node without a profiler"
    );
    let geometry = &system.sources.geometry;
    alone(&sessions[ALONE], geometry)?;
    together(&sessions, geometry)?;
    for number in [CRASHED, AS_USER] {
        whole(&sessions[number])?;
    }
    one(&sessions[AS_USER], &sessions[AS_USER], geometry)?;
    let interrupts = interrupts(&sessions[INTERRUPTS].text).unwrap_or(0);
    ensure!(interrupts > 0, "the drain did not interrupt");
    println!(
        "Through perf, the profile of each process, of two at once and of the kernel on behalf of one equals the golden model's, and so do counters."
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

/// One process: paths and counters.
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

/// That the dump a session printed is the golden model's of one process, as long as another session ran.
fn one(printed: &Session, ran: &Session, geometry: &Geometry) -> Result<Dump> {
    let dump = printed.dump()?;
    let contexts = contexts(&dump, geometry);
    ensure!(
        contexts.len() == 1 && contexts.iter().all(|context| *context < PRIVILEGED),
        "{}: contexts {contexts:?}",
        printed.command
    );
    same(&dump, &ran.paths_in(geometry, &contexts), &printed.command)?;
    Ok(dump)
}

fn same(dump: &Dump, exact: &HashMap<PathDescriptor, u64>, name: &str) -> Result<()> {
    let profile: HashMap<_, _> = dump
        .profile()
        .iter()
        .map(|(path, count)| (*path, count))
        .collect();
    let paths: BTreeSet<_> = profile.keys().chain(exact.keys()).collect();
    let differ = paths
        .iter()
        .filter(|path| profile.get(path) != exact.get(path));
    let differ: Vec<_> = differ
        .map(|path| (path, profile.get(path), exact.get(path)))
        .collect();
    ensure!(
        differ.is_empty() && !exact.is_empty(),
        "{name}: of {} paths, {} are not the golden model's: {:?}",
        paths.len(),
        differ.len(),
        &differ[..differ.len().min(10)]
    );
    ensure!(dump.errors == 0, "{name}: errors {:#x}", dump.errors);
    let lost = dump.counters[Counter::LostRecords as usize];
    ensure!(lost == 0, "{name}: {lost} records were lost");
    Ok(())
}

fn contexts(dump: &Dump, geometry: &Geometry) -> BTreeSet<u8> {
    let profile = dump.profile();
    let paths = profile.iter();
    paths
        .map(|(path, _)| geometry.address_and_context(path.start).1)
        .collect()
}

/// How often the profiler interrupted.
fn interrupts(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains(".profiler"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn whole(session: &Session) -> Result<()> {
    let Session { command, text, .. } = session;
    for part in PARTS {
        ensure!(!text.contains(part), "{command}: {text}");
    }
    Ok(())
}
