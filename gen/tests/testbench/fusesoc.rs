//! The FuseSoC core of a profiler.

use crate::{edited, output, run, words, written};
use hpp_gen::Config;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a target of a core with this project's FuseSoC.
fn fusesoc(folder: &Path, target: &str) -> Output {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/fusesoc"));
    command.args(["--cores-root", ".", "run"]);
    run(command.arg(format!("--target={target}")).arg("hpp"), folder)
}

#[test]
fn the_fusesoc_core_lints_simulates_and_synthesises() {
    let folder = written(&output(&Config::default()));
    let lint = fusesoc(folder.path(), "lint");
    assert!(lint.status.success(), "{}", words(&lint));
    assert!(!words(&lint).contains("%Warning"), "{}", words(&lint));
    let sim = fusesoc(folder.path(), "sim");
    assert!(sim.status.success(), "{}", words(&sim));
    assert!(words(&sim).contains("hpp_tb: passed"), "{}", words(&sim));
    let synth = fusesoc(folder.path(), "synth");
    assert!(synth.status.success(), "{}", words(&synth));
    let netlist = folder.path().join("build/hpp_0.1.0/synth/hpp_0.1.0.json");
    let netlist = std::fs::read_to_string(&netlist).expect("a netlist");
    let netlist: serde_json::Value = serde_json::from_str(&netlist).expect("JSON");
    let cells = netlist["modules"]["hpp"]["cells"]
        .as_object()
        .expect("a top module");
    let luts = cells.values().filter(|cell| cell["type"] == "LUT4").count();
    assert!(luts > 500, "{luts} LUT4");

    let broken = edited(output(&Config::default()), "hpp_tb.sv", |text| {
        text.replacen("PATHS   = ", "PATHS   = 1", 1)
    });
    let sim = fusesoc(broken.path(), "sim");
    assert!(!sim.status.success(), "{}", words(&sim));
}
