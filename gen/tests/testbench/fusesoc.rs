//! The FuseSoC core of a profiler, and what the tools that it calls leave behind.

use crate::finder::tool;
use crate::{edited, output, run, words, written};
use hpp_gen::Config;
use std::path::Path;
use std::process::{Command, Output};

/// Runs a target of a core with this project's FuseSoC.
fn fusesoc(folder: &Path, target: &str) -> Output {
    run(&mut fusesoc_command(target), folder)
}

fn fusesoc_command(target: &str) -> Command {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/fusesoc");
    let mut command = Command::new(script);
    command
        .args(["--cores-root", ".", "run"])
        .arg(format!("--target={target}"))
        .arg("hpp");
    command
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

/// Found when the first run in a fresh clone failed: Yosys compiled itself into the user's cache, and said so.
#[test]
fn tools_keep_nothing_in_the_users_folder() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = written(&output(&Config::default()));
    let mut yosys = tool("yosys");
    yosys.args(["-q", "-p", "read_verilog hpp.v"]);
    for mut command in [yosys, fusesoc_command("lint")] {
        command.env("HOME", home.path());
        for elsewhere in ["YOWASP_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
            command.env_remove(elsewhere);
        }
        let output = run(&mut command, folder.path());
        assert!(output.status.success(), "{}", words(&output));
        let kept = std::fs::read_dir(home.path()).expect("the folder is readable");
        let kept: Vec<_> = kept.flatten().map(|entry| entry.path()).collect();
        assert!(kept.is_empty(), "{command:?} wrote {kept:?}");
    }
}
