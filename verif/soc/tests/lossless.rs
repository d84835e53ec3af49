//! An exact profile of a program that runs through ten times as many paths as the table has entries: evicted entries go into memory,
//! and the program adds it up and prints it.

use hpp_fpga::core::Core;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::registers::Counter;
use hpp_soc::{Profiled, ProfilerSources, firmware_for};
use std::collections::HashMap;

/// 16 entries, for more than 160 paths of CoreMark.
const SETS: u32 = 4;
const WAYS: u32 = 4;

fn sources(drain_depth: u32) -> ProfilerSources {
    let own = ProfilerSources::generate().expect("the system's own");
    let geometry = Geometry {
        sets: SETS,
        ways: WAYS,
        drain_depth,
        ..own.geometry
    };
    ProfilerSources::variant(geometry, own.reset).expect("a legal configuration")
}

fn counts(profiled: &Profiled) -> HashMap<PathDescriptor, u64> {
    let profile = profiled.dump.profile();
    profile.iter().map(|(path, count)| (*path, count)).collect()
}

#[test]
fn the_profile_of_a_program_with_ten_times_the_tables_paths_is_exact() {
    let drained = sources(64);
    let elf = firmware_for("coremark", &drained, &[("DRAIN", 1)]).expect("it builds");
    let profiled = Profiled::run_drained(&elf, &drained).expect("a profile");
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(counts(&profiled), profiled.exact);
    assert!(profiled.exact.len() >= (10 * SETS * WAYS) as usize);
    let said: Vec<&str> = profiled
        .report
        .health
        .findings
        .iter()
        .map(|f| f.text.as_str())
        .collect();
    assert!(profiled.report.health.trusted, "{said:?}");
    assert!(
        said.iter()
            .any(|text| text.contains("the profile is exact")),
        "{said:?}"
    );
    assert_eq!(
        profiled.dump.counters[Counter::Replacements as usize],
        profiled.entries_left
    );

    // The same program with the same table and no drain: the core takes as many cycles, and the profile is a small part of it.
    let plain = Profiled::run(Core::PicoRv32, &elf, &sources(0), |_| ()).expect("a profile");
    assert_eq!(plain.exact, profiled.exact);
    assert_eq!(plain.profiled, profiled.profiled);
    assert!(plain.overlap() < 0.7, "{}", plain.overlap());
}

/// Half of the drain's places are taken when the program is interrupted, and the program is short.
const INTERRUPTED: [(&str, u32); 2] = [("WATERMARK", 32), ("SAMPLE_BYTES", 1024)];

#[test]
fn a_program_that_takes_what_leaves_in_an_interrupt_prints_an_exact_profile_too() {
    let drained = sources(64);
    let elf = firmware_for("zlib", &drained, &INTERRUPTED).expect("it builds");
    let profiled = Profiled::run_drained(&elf, &drained).expect("a profile");
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(counts(&profiled), profiled.exact);
    assert!(profiled.report.health.trusted);
    assert!(profiled.entries_left > 0);

    // The same program, never interrupted: its own paths are the same, one by one.
    let plain = Profiled::run(Core::PicoRv32, &elf, &sources(0), |_| ()).expect("a profile");
    let handler = |path: &PathDescriptor| !plain.exact.contains_key(path);
    let (its, own): (HashMap<_, _>, HashMap<_, _>) =
        profiled.exact.iter().partition(|(path, _)| handler(path));
    assert_eq!(own, plain.exact.iter().collect());
    // The end of the handler, and of what it calls.
    assert_eq!(its.len(), 2, "{its:?}");
    let (with, without) = (profiled.profiled.cycles, plain.profiled.cycles);
    println!(
        "{} entries left, taken in {:?} interrupts: {with} cycles instead of {without}",
        profiled.entries_left,
        its.values().max()
    );
    assert!(with > without);
}
