//! Boots that carry out commands, and what their profiles are compared with.

use super::{Console, PRIVILEGED};
use anyhow::{Context, Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::registers::{Counter, errors};
use hpp_soc::Run;
use hpp_soc::linux::sessions::Session;
use hpp_soc::linux::{self, System};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use verilated::tools::project_root;

/// What a command must not say whose profile is whole.
const PARTS: [&str; 4] = [
    "found no room",
    "lost paths",
    "left the profiler",
    "not on the hardware",
];

/// Boots with the device tree `hpp-NAME` and further files in memory; the first process carries out `commands-NAME`, each of which has to say something.
pub fn boot(
    system: &System,
    folder: &Path,
    name: &str,
    says: &[&str],
    files: &[(&str, &Path)],
) -> Result<(Run, Vec<Session>)> {
    let list = project_root().join(format!("fpga/linux/commands-{name}"));
    let commands = fs::read_to_string(&list);
    let commands = commands.with_context(|| format!("cannot read {}", list.display()))?;
    let commands: Vec<_> = commands.lines().map(str::to_string).collect();
    ensure!(
        commands.len() == says.len(),
        "{} has other commands",
        list.display()
    );
    let image = system.linux(folder, &format!("hpp-{name}.dtb"), files)?;
    let mut console = Console::default();
    let (run, sessions) =
        system.sessions(&image, &commands, |cycles, uart| console.show(cycles, uart))?;
    let log = folder.join(format!("serial-{name}.txt"));
    fs::write(&log, &run.uart).with_context(|| format!("cannot write {}", log.display()))?;
    for (session, says) in sessions.iter().zip(says) {
        let Session { command, text, .. } = session;
        ensure!(
            text.contains(says),
            "{command} does not say `{says}`:\n{text}"
        );
    }
    Ok((run, sessions))
}

/// The dump that a session printed of one process, and its context.
pub fn own(printed: &Session, geometry: &Geometry) -> Result<(Dump, BTreeSet<u8>)> {
    let dump = printed.dump()?;
    let contexts = contexts(&dump, geometry);
    ensure!(
        contexts.len() == 1 && contexts.iter().all(|context| *context < PRIVILEGED),
        "{}: contexts {contexts:?}",
        printed.command
    );
    Ok((dump, contexts))
}

/// That the dump a session printed is the golden model's of one process, as long as another session ran.
pub fn one(printed: &Session, ran: &Session, geometry: &Geometry) -> Result<Dump> {
    let (dump, contexts) = own(printed, geometry)?;
    same(&dump, &ran.paths_in(geometry, &contexts), &printed.command)?;
    Ok(dump)
}

/// That a dump has these paths with these counts, and says of no loss.
pub fn same(dump: &Dump, exact: &HashMap<PathDescriptor, u64>, name: &str) -> Result<()> {
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

/// What is missing in a profile, as it reports.
#[derive(Debug)]
pub struct Lost {
    /// Entries that found no place in the drain.
    pub entries: u64,
    pub executions: u64,
}

/// That each path of a dump was executed at least as often as it says, and that only those executions are missing that it reports as lost.
pub fn accounted(dump: &Dump, exact: &HashMap<PathDescriptor, u64>, name: &str) -> Result<Lost> {
    let profile = dump.profile();
    for (path, count) in profile.iter() {
        let executed = exact.get(path).copied().unwrap_or(0);
        ensure!(
            count <= executed,
            "{name}: {path:?} was executed {executed} times, not {count}"
        );
    }
    let drained = dump.drained.as_ref();
    let (entries, executions) =
        drained.map_or((0, 0), |drained| (drained.lost.into(), drained.lost_count));
    let (total, executed) = (profile.total(), exact.values().sum::<u64>());
    ensure!(
        executed > 0 && total + executions == executed,
        "{name}: {total} executions and {executions} lost of {executed}"
    );
    let expected = u32::from(entries > 0) * errors::DRAIN_LOST.mask();
    ensure!(
        dump.errors == expected,
        "{name}: {entries} entries lost, and errors {:#x}",
        dump.errors
    );
    Ok(Lost {
        entries,
        executions,
    })
}

pub fn contexts(dump: &Dump, geometry: &Geometry) -> BTreeSet<u8> {
    let profile = dump.profile();
    linux::contexts(profile.iter().map(|(path, _)| path), geometry)
}

/// That a command says of no part that is missing.
pub fn whole(session: &Session) -> Result<()> {
    let Session { command, text, .. } = session;
    for part in PARTS {
        ensure!(!text.contains(part), "{command}: {text}");
    }
    Ok(())
}
