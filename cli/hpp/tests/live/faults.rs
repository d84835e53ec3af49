//! What is said where there is no profile, and that nothing is half-written.

use std::fs;

use hpp_golden::config::Geometry;
use hpp_golden::registers::geometry_words;
use hpp_golden::registers::{CONTROL, control};

use crate::said::{Folder, Must};
use crate::system::System;
use crate::ways::{self, Through, Way, free_port};
use crate::{error, hpp};

const OUT: [&str; 4] = ["--base", "0x20000000", "-o", "p.txt"];

/// The manifest that `gen-verilog` writes for a geometry, as far as `hpp` reads it.
pub fn manifest(geometry: &Geometry) -> String {
    let registers = (0..4).zip(geometry_words(geometry));
    let registers: Vec<String> = registers
        .map(|(i, word)| format!("{{\"name\": \"GEOMETRY{i}\", \"reset\": {word}}}"))
        .collect();
    let hash = "ab".repeat(32);
    format!(
        "{{\"configuration_hash\": \"{hash}\", \"registers\": [{}]}}",
        registers.join(", ")
    )
}

/// The error, after which the file is as it was and no draft is left.
fn refused(way: &Way, arguments: &[&str]) -> String {
    let folder = Folder::empty();
    folder.write("p.txt", "before");
    let said = hpp(&folder, &["record"], way, arguments);
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!((files, &*folder.text("p.txt")), (1, "before"), "{said:?}");
    error(&said).into()
}

#[test]
fn an_address_without_a_profiler_is_said_so() {
    let system = System::new();
    for (through, place) in [
        (ways::gdb as Through, "GDB stub"),
        (ways::litex_server, "litex_server"),
        (ways::openocd, "OpenOCD"),
    ] {
        let way = through(&system);
        let said = refused(&way, &["--base", "0x20000040", "-o", "p.txt"]);
        said.must_contain(place);
        said.must_contain("no profiler at 0x20000040");
        said.must_contain("check --base");
    }
    let said = refused(
        &ways::gdb(&system),
        &["--base", "0x30000000", "-o", "p.txt"],
    );
    said.must_contain("cannot read 0x30000000: `E01`");
}

#[test]
fn a_link_that_breaks_is_reported_and_that_the_table_is_frozen() {
    for through in [ways::gdb as Through, ways::openocd] {
        let system = System::new().breaks_after(60);
        let said = refused(&through(&system), &OUT);
        said.must_contain("FREEZE is still set");
        let word = system.profiler().read(CONTROL.offset);
        assert_eq!(control::FREEZE.get(word), 1);
    }
}

#[test]
fn nobody_there_is_reported_with_the_remedy() {
    let port = free_port().to_string();
    for (option, remedy) in [
        ("--gdb", "gdb_port"),
        ("--openocd", "is OpenOCD running"),
        ("--litex", "is litex_server running"),
    ] {
        let done = Folder::empty().run(format!("record {option} {port} --base 0"));
        let said = error(&done);
        said.must_contain(remedy);
        said.must_contain(&port);
    }
}

#[test]
fn a_profiler_of_another_geometry_is_refused_with_its_fields() {
    let system = System::new();
    let other = Geometry {
        ways: 2,
        drain_depth: 64,
        ..Geometry::default()
    };
    let folder = Folder::empty();
    let file = folder.path().join("hpp.json");
    let name = file.to_string_lossy();
    let mut arguments = OUT.to_vec();
    arguments.extend(["--profiler", &*name]);
    let ways = Geometry::default().ways;
    for (text, expected) in [
        (
            manifest(&other),
            &*format!("another profiler: WAYS is {ways}, not 2"),
        ),
        (manifest(&other), "LOG2_DRAIN_DEPTH is 0, not 6"),
        ("{}".into(), "as `gen-verilog` writes it"),
        ("[]".into(), "as `gen-verilog` writes it"),
        (String::new(), "as `gen-verilog` writes it"),
    ] {
        folder.write("hpp.json", text);
        let said = refused(&ways::gdb(&system), &arguments);
        said.must_contain(expected);
        said.must_contain("hpp.json");
    }
}
