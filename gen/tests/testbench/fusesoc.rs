//! The FuseSoC core of a profiler.

use crate::{edited, output, run, words, written};
use hpp_gen::Config;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a target of a core with this project's FuseSoC.
fn fusesoc(folder: &Path, target: &str, core: &str) -> Output {
    const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut command = Command::new(format!("{REPOSITORY}/scripts/fusesoc"));
    command.env("HPP_GEN_VERILOG", env!("CARGO_BIN_EXE_gen-verilog"));
    command.arg("--cores-root");
    command.arg(format!("{REPOSITORY}/fpga/litex/hpp_profiler"));
    command.args(["--cores-root", ".", "run"]);
    run(command.arg(format!("--target={target}")).arg(core), folder)
}

/// The core file of the manual, and what becomes of a parameter that is none.
#[test]
fn a_core_gets_the_profiler_that_it_asks_for() {
    let manual = include_str!("../../../docs/generator.md");
    let (_, after) = manual.split_once("```yaml\n").expect("an example");
    let (core, _) = after.split_once("```").expect("its end");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder is writable");
    };
    // The ports that parameters make are there: those of RVFI and of triggers.
    let system = "module my_system;\n  hpp profiler (.rvfi_valid(1'b0), .trigger_start(1'b0));\n  \
                  initial $display(\"elaborated\");\nendmodule\n";
    write("my_system.v", system);
    write("my_system.core", core);
    let sim = fusesoc(folder.path(), "sim", "my_system");
    assert!(sim.status.success(), "{}", words(&sim));
    assert!(words(&sim).contains("elaborated"), "{}", words(&sim));
    for (parameter, part) in [
        ("sets: 65", "--sets: sets = 65 is not a power of two"),
        ("out: here", "parameter 'out' is not one of a core"),
    ] {
        write("my_system.core", &core.replace("sets: 64", parameter));
        let sim = fusesoc(folder.path(), "sim", "my_system");
        assert!(!sim.status.success(), "{parameter}");
        assert!(words(&sim).contains(part), "{}", words(&sim));
    }
}

#[test]
fn the_fusesoc_core_lints_simulates_and_synthesises() {
    let folder = written(&output(&Config::default()));
    let said = |target: &str| {
        let done = fusesoc(folder.path(), target, "hpp");
        assert!(done.status.success(), "{}", words(&done));
        words(&done)
    };
    let (lint, sim) = (said("lint"), said("sim"));
    assert!(!lint.contains("%Warning"), "{lint}");
    assert!(sim.contains("hpp_tb: passed"), "{sim}");
    said("synth");
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
    let sim = fusesoc(broken.path(), "sim", "hpp");
    assert!(!sim.status.success(), "{}", words(&sim));
}
