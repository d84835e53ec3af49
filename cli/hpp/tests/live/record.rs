use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::registers::{CONTROL, Counter, control};

use crate::said::Folder;
use crate::system::System;
use crate::ways::{self, Through};
use crate::{hpp, out};

const AT: [&str; 2] = ["--base", "0x20000000"];

/// The profile equals the model's, and the profiler goes on as it was.
fn snapshot(through: Through) {
    let system = System::new();
    let expected = Dump::of(&system.profiler());
    let folder = Folder::empty();
    let way = through(&system);
    let arguments = [&AT[..], &["-o", "p.txt"]].concat();
    let output = hpp(&folder, &["record"], &way, &arguments);
    assert_eq!(output.said(), (0, String::new()));
    assert_eq!(expected.entries.len(), 9);
    let profile = Dump::read(&folder.text("p.txt"));
    assert_eq!(profile.expect("a dump"), expected);
    let word = system.profiler().read(CONTROL.offset);
    assert_eq!(word, control::ENABLE.mask() | control::LOSSY.mask());
}

#[test]
fn every_way_leads_to_the_profile() {
    for through in [ways::gdb as Through, ways::openocd, ways::litex_server] {
        snapshot(through);
    }
}

/// Only what ran between start and stop is in the profile, and the core ran then.
#[test]
fn a_run_begins_with_an_empty_table_and_ends_stopped() {
    let system = System::new();
    let folder = Folder::empty();
    let arguments = [&AT[..], &["--seconds", "0.2"]].concat();
    let way = ways::gdb(&system);
    let output = hpp(&folder, &["record", "run"], &way, &arguments);
    let dump = Dump::read(out(&output)).expect("a dump");
    // The stub's core runs a thousand branches each time it is let go.
    assert_eq!(dump.counters[Counter::Records as usize], 1000);
    let word = system.profiler().read(CONTROL.offset);
    assert_eq!(word, control::FREEZE.mask() | control::LOSSY.mask());
}

#[test]
fn start_stop_and_reset_do_what_they_say() {
    let system = System::new();
    let folder = Folder::empty();
    let lossy = control::LOSSY.mask();
    for (action, expected) in [
        ("stop", control::FREEZE.mask()),
        ("start", control::ENABLE.mask()),
        ("reset", 0),
    ] {
        let way = ways::openocd(&system);
        let output = hpp(&folder, &["record", action], &way, &AT);
        assert_eq!(out(&output), "", "{action}");
        let control = system.profiler().read(CONTROL.offset);
        assert_eq!(control, expected | lossy, "{action}");
    }
    assert_eq!(Dump::of(&system.profiler()).entries.len(), 0);
}

/// What waits in the drain is taken out of it and is part of the profile, unless it is to stay.
#[test]
fn what_left_the_table_is_taken_or_kept() {
    let geometry = Geometry {
        sets: 2,
        ways: 2,
        pc_bits: 40,
        drain_depth: 128,
        ..Geometry::default()
    };
    let system = System::of(&geometry);
    let folder = Folder::empty();
    let read = |arguments: &[&str]| {
        let way = ways::openocd(&system);
        let arguments = [&AT[..], arguments].concat();
        let output = hpp(&folder, &["record"], &way, &arguments);
        Dump::read(out(&output)).expect("a dump")
    };
    let kept = read(&["--keep-drain"]).drained.expect("it has a drain");
    assert!(kept.waiting > 4 && kept.left.is_empty());
    let dump = read(&[]);
    let drained = dump.drained.as_ref().expect("it has a drain");
    assert_eq!((drained.waiting, drained.lost), (0, 0));
    assert!(drained.left.len() > 4);
    let completed = system.profiler().counters().get(Counter::Paths);
    assert_eq!(dump.profile().total(), completed);
}

/// The system's csr.csv says where; the manifest gives the hash of the configuration.
#[test]
fn places_and_names_come_from_files() {
    let system = System::new();
    let folder = Folder::empty();
    folder.write("csr.csv", "#------\nmemory_region,hpp,0x20000000,4096,io\n");
    folder.write("hpp.json", crate::faults::manifest(&Geometry::default()));
    let arguments = ["--csr", "csr.csv", "--profiler", "hpp.json"];
    let output = hpp(&folder, &["record"], &ways::gdb(&system), &arguments);
    let dump = Dump::read(out(&output)).expect("a dump");
    assert_eq!(dump.configuration, Some("ab".repeat(32)));
}
