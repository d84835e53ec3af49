//! The model, the emitted Verilog and software see the same paths in the same run of real programs.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_soc::crosscheck::{MODES, check_emitted, cross_check};
use hpp_soc::recordings::record_elf;
use hpp_soc::{Soc, firmware};

/// Checks a program with the default geometry, in both settings of the backward-not-taken bit; it must have at least this many different paths.
fn agrees(program: &str, paths: usize) {
    let geometry = Geometry {
        align: 1,
        ..Geometry::default()
    };
    let soc = Soc::build(None).expect("the system builds");
    let elf = firmware(program).expect("the program builds");
    let (recording, run) = record_elf(&soc, &elf).expect("the program ends");
    run.ended_well(program).expect("its status is 0");
    let (image, records) = (&recording.image, &recording.records);
    for setting in [BackwardNotTaken::AsForward, BackwardNotTaken::AsBackward] {
        let agreed = cross_check(image, image.functions(), records, &geometry, setting);
        let found = agreed.unwrap_or_else(|error| panic!("{program}, {setting:?}: {error}"));
        assert!(
            found.len() >= paths,
            "{program}: only {} paths",
            found.len()
        );
    }
    for mode in MODES {
        let profile = check_emitted(records, &geometry, mode);
        let profile = profile.unwrap_or_else(|error| panic!("{program}, {mode:?}: {error:#}"));
        assert!(profile.len() >= paths / 2, "{program}, {mode:?}");
    }
}

verilated::tests! {
    coremark: agrees("coremark", 300);
    dhrystone: agrees("dhrystone", 60);
    zlib: agrees("zlib", 500);
    bzip2: agrees("bzip2", 1000);
}
