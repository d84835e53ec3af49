//! The report on a profile, checked on the golden model's profile of a real run.

use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::ResetValues;
use hpp_report::{ElfFile, Profile, Program, Report};
use hpp_soc::{Replay, Soc, firmware};

/// Dhrystone's code and the profile of its whole run, start-up code included.
fn dhrystone() -> (Vec<u8>, Dump) {
    let elf = firmware("dhrystone").expect("the program builds");
    let geometry = Geometry {
        align: 1,
        ..Geometry::default()
    };
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let mut replay = Replay::new(&geometry, &reset).expect("a legal geometry");
    let soc = Soc::build(None).expect("the system builds");
    soc.run(&elf, &mut replay).expect("the program ends");
    let bytes = std::fs::read(&elf).expect("the program was built");
    (bytes, replay.dump())
}

#[test]
fn paths_are_named_after_their_functions_and_a_foreign_path_is_listed() {
    let (elf, mut dump) = dhrystone();
    let file = ElfFile::new(elf);
    let program = Program::from_elf(&file).expect("a program with symbols");
    let report = |dump: &Dump| {
        let profile = Profile::of(dump).expect("the model's profile");
        Report::new(&profile, Some(&program), None).expect("ranked by what is counted")
    };
    let whole = report(&dump);
    assert_eq!(whole.paths.len(), dump.entries.len());
    assert!(whole.paths.iter().all(|path| path.problem.is_none()));
    assert!(whole.paths.is_sorted_by(|a, b| a.count >= b.count));
    let shares: f64 = whole.paths.iter().map(|path| path.share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    assert!((whole.paths.last().expect("a path").cumulative - 1.0).abs() < 1e-9);
    // Func_1 compares two characters once a run: one branch, never taken, to its return.
    let func_1 = whole
        .paths
        .iter()
        .find(|path| path.place.function.as_deref() == Some("Func_1") && path.place.offset == 0)
        .expect("it ran");
    assert_eq!((func_1.count, func_1.descriptor.length), (1000, 1));
    assert_eq!(func_1.blocks.len(), 2);
    let source = func_1.place.source.as_ref().expect("it is built with -g");
    assert!(source.file.ends_with("dhry_2.c"), "{source}");

    let (_, entry) = dump.entries.iter_mut().next().expect("an entry");
    entry.descriptor.start = 0x10_0000;
    let foreign = report(&dump);
    let problems: Vec<&String> = foreign
        .paths
        .iter()
        .filter_map(|p| p.problem.as_ref())
        .collect();
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains("no instruction at 0x100000"),
        "{problems:?}"
    );
    assert!(!foreign.health.trusted);
}
