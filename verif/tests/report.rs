//! The report on a profile, checked on the golden model's profile of a real run.

use hpp_golden::config::Geometry;
use hpp_golden::printout::Printout;
use hpp_golden::profiler::ResetValues;
use hpp_riscv::Image;
use hpp_riscv::hot_paths;
use hpp_verif::soc::{Replay, Soc, firmware};

/// Dhrystone's code and the profile of its whole run, start-up code included.
fn dhrystone() -> (Image, Printout) {
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
    let image = Image::from_elf(&bytes).expect("a program with symbols");
    (image, replay.printout())
}

#[test]
fn paths_are_named_after_their_functions_and_a_foreign_profile_is_refused() {
    let (image, mut printout) = dhrystone();
    let paths = hot_paths(&printout, &image).expect("every path walks");
    assert_eq!(paths.len(), printout.entries.len());
    assert!(paths.is_sorted_by(|a, b| a.entry.count >= b.entry.count));
    let shares: f64 = paths.iter().map(|path| path.share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    // Func_1 compares two characters once a run: one branch, never taken, to its return.
    let func_1 = paths
        .iter()
        .find(|path| path.place == "Func_1")
        .expect("it ran");
    assert_eq!(
        (func_1.entry.count, func_1.entry.descriptor.length),
        (1000, 1)
    );
    assert_eq!(func_1.walk.blocks.len(), 2);

    let (_, entry) = printout.entries.iter_mut().next().expect("an entry");
    entry.descriptor.start = 0x10_0000;
    let error = hot_paths(&printout, &image).err().expect("no code there");
    let text = error.to_string();
    assert!(text.contains("no instruction at 0x100000"), "{text}");
}
