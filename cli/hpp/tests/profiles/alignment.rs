//! Profilers that leave a bit out of addresses in which instructions of the program differ.

use crate::folder::{Folder, dump, fixture};

/// A profiler of align 2 counts the paths of 0x1002 as those of 0x1000, and the list looks like any other.
#[test]
fn a_profile_of_align_2_is_refused_for_a_program_with_compressed_instructions() {
    let folder = Folder::new(&dump().to_string());
    folder.write("words.elf", &fixture("words.elf"));
    for command in [
        &["report"][..],
        &["report", "--html", "page.html"],
        &["annotate", "--function", "place"],
        &["export", "--format", "folded"],
        &["diff", "serial.txt"],
        &["tests"],
        &["collect", "--output", "paths.parquet"],
    ] {
        let rest = ["serial.txt", "--elf", "words.elf"];
        let done = folder.hpp(&[command, &rest].concat());
        assert_eq!((done.status, &*done.out), (1, ""), "{command:?}");
        let said = "the program has compressed instructions (one is at 0x26), and a profiler of align 2 leaves bit 1 out of every address";
        assert!(done.error.contains(said), "{command:?}: {}", done.error);
        assert!(done.error.contains("generate it with --align 1"));
    }
    for file in ["page.html", "paths.parquet"] {
        assert!(!folder.path().join(file).exists(), "{file}");
    }
}

/// Neither is wrong with the other half: code of 4 bytes, and a profiler of align 1.
#[test]
fn a_profile_that_holds_every_address_is_reported() {
    let folder = Folder::new(&dump().to_string());
    let done = folder.hpp(&["report", "serial.txt", "--elf", "f.elf"]);
    assert_eq!(done.status, 0, "{}", done.error);
    folder.write("words.elf", &fixture("words.elf"));
    folder.write("words.txt", &fixture("words.txt"));
    let done = folder.hpp(&["report", "words.txt", "--elf", "words.elf"]);
    assert_eq!(done.status, 0, "{}", done.error);
}
