//! Two more boots, in which things are wrong: a drain that nobody hears overflows, nodes have no profiler or a strange one, or there is no node.

use super::compare::{accounted, boot, contexts, one, own};
use super::{Figure, millions};
use anyhow::{Context, Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::registers::geometry_words;
use hpp_golden::registers::{
    CONTROL, GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3, ID, ID_REGISTER, STATUS, control,
    geometry2, status,
};
use hpp_report::{Health, Profile};
use hpp_soc::linux::System;
use hpp_soc::linux::sessions::Session;
use std::fs;
use std::path::Path;

/// What each command of fpga/linux/commands-faults has to say, in their order.
const SAYS: [&str; 7] = [
    "there is no profiler at the node's address, or one of another version",
    "hpp0: 512 entries",
    "left the profiler before they were taken",
    "HPP dump 2 ends",
    "left the profiler before they were taken",
    "HPP dump 2 ends",
    "HPP dump 2 ends",
];

/// What the kernel's log says of each node that has no profiler, or none that the module knows.
const STRANGERS: [&str; 5] = [
    "f7000000.profiler: error -19: no profiler here: ID is 0",
    "e0300000.profiler: error -22: sizes that this driver does not know",
    "e0301000.profiler: error -1: locked until its reset",
    "e0302000.profiler: error -110: the profiler's table is not cleared",
    "e0303000.profiler: error -22: context bit 99 of a profiler that has 8",
];

const SAYS_BARE: [&str; 3] = [
    "cannot open /dev/uio0",
    "# /admin load /hpp_pmu.ko",
    "the kernel has no PMU",
];

const LOADED: usize = 1;
const WANDER: [usize; 2] = [2, 3];
const TOGETHER: usize = 4;
const QUEENS: usize = 5;
const OVERFLOWED: usize = 6;

/// Bytes from a stranger to the next.
const PITCH: usize = 4096;

/// Boots twice, and looks at what is said.
///
/// # Errors
///
/// If something is not told, or a profile that should be whole is not that of the core's own retirements.
pub fn run(system: &System, folder: &Path) -> Result<Vec<Figure>> {
    let geometry = &system.sources.geometry;
    let strangers = folder.join("strangers.bin");
    fs::write(&strangers, look_alikes(geometry))
        .with_context(|| format!("cannot write {}", strangers.display()))?;
    let files = [("STRANGERS", &*strangers)];
    let (run, sessions) = boot(system, folder, "faults", &SAYS, &files)?;
    for says in STRANGERS {
        ensure!(
            sessions[LOADED].text.contains(says),
            "the kernel's log does not say `{says}`:\n{}",
            sessions[LOADED].text
        );
    }
    let lost = part(&sessions[WANDER[1]], &sessions[WANDER[0]], geometry)?;
    // One that overflows, one that does not, and one that nobody profiles.
    let together = &sessions[TOGETHER];
    let whole = contexts(&one(&sessions[QUEENS], together, geometry)?, geometry);
    part(&sessions[OVERFLOWED], together, geometry)?;
    let profiled = together.contexts(geometry);
    ensure!(
        profiled.len() == 2 && profiled.is_superset(&whole),
        "contexts {profiled:?} of two processes"
    );
    let (bare, _) = boot(system, folder, "bare", &SAYS_BARE, &[])?;
    println!(
        "An overflow of the drain is reported, with the number of lost executions, in the profile of the process that ran then and in no other. \
         The kernel reports each node without a profiler, and a tree without a node."
    );
    Ok(vec![
        ("faults.cycles", millions(run.cycles + bare.cycles)),
        ("faults.lost", verilated::tools::figures::thousands(lost)),
    ])
}

/// A dump of one process of which executions were lost: those that it has were, and it says how many it does not have. Returns these.
fn part(printed: &Session, ran: &Session, geometry: &Geometry) -> Result<u64> {
    let (dump, contexts) = own(printed, geometry)?;
    let lost = accounted(&dump, &ran.paths_in(geometry, &contexts), &printed.command)?;
    ensure!(
        lost.entries > 1 && lost.executions >= lost.entries,
        "{}: {lost:?}",
        printed.command
    );
    let health = Health::of(&Profile::of(&dump)?, None, None);
    ensure!(!health.trusted, "{}: {health:?}", printed.command);
    Ok(lost.executions)
}

/// Memory that looks like profilers: of sizes that no driver knows, locked, one that clears its table for ever, one of its true sizes, and the first again.
fn look_alikes(geometry: &Geometry) -> Vec<u8> {
    let sizes = geometry_words(geometry);
    let mut unknown = sizes;
    unknown[2] |= geometry2::ENTRY_WORDS.mask();
    let nothing = (CONTROL.offset, 0);
    let of = [
        (unknown, nothing),
        (sizes, (CONTROL.offset, control::LOCK.mask())),
        (sizes, (STATUS.offset, status::CLEARING.mask())),
        (sizes, nothing),
        (unknown, nothing),
    ];
    let mut bytes = vec![0; of.len() * PITCH];
    for (memory, (sizes, (offset, word))) in bytes.chunks_mut(PITCH).zip(of) {
        let mut put = |offset: u32, word: u32| {
            memory[offset as usize..][..4].copy_from_slice(&word.to_le_bytes());
        };
        put(ID_REGISTER.offset, ID);
        let registers = [GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3];
        for (register, word) in registers.iter().zip(sizes) {
            put(register.offset, word);
        }
        put(offset, word);
    }
    bytes
}
