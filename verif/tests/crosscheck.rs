//! Hardware and software see the same paths in the same run of real programs.

use hpp_golden::config::Geometry;
use hpp_golden::crosscheck::cross_check;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_verif::crosscheck::record;
use hpp_verif::soc::Soc;

fn check(program: &str) {
    let soc = Soc::build(None).expect("the system builds");
    let recording = record(&soc, program).expect("the program runs");
    let image = &recording.image;
    let geometry = Geometry {
        align: 1,
        ..Geometry::default()
    };
    for setting in [BackwardNotTaken::AsForward, BackwardNotTaken::AsBackward] {
        let agreement = cross_check(
            image,
            image.functions(),
            &recording.records,
            &geometry,
            setting,
        )
        .unwrap_or_else(|disagreement| panic!("{program}, {setting:?}: {disagreement}"));
        println!(
            "{program}, {setting:?}: {} records, {} paths, {} executions",
            recording.records.len(),
            agreement.paths.len(),
            agreement.executions()
        );
    }
}

#[test]
fn coremark() {
    check("coremark");
}

#[test]
fn dhrystone() {
    check("dhrystone");
}

#[test]
fn zlib() {
    check("zlib");
}

#[test]
fn bzip2() {
    check("bzip2");
}
