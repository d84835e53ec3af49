//! The profiler under masters that somebody else wrote: those of cocotbext-axi for AXI4-Lite and APB, in Icarus Verilog.

use hpp_gen::{Bus, Config};
use hpp_golden::config::Geometry;
use std::env;
use std::process::Command;
use verilated::tools::{project_root, tool_path};

/// The search path with the folders of the simulator in front.
fn search_path() -> std::ffi::OsString {
    let tools = ["iverilog", "vvp"].map(|name| tool_path(name).expect("Icarus Verilog"));
    let folders = tools.iter().filter_map(|tool| tool.parent());
    let before = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.map(Into::into).chain(env::split_paths(&before)))
        .expect("folders without a colon in their names")
}

fn passes(bus: Bus, name: &str) {
    let config = Config {
        bus,
        geometry: Geometry {
            sets: 4,
            ways: 2,
            ..Geometry::default()
        },
        ..Config::default()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    output
        .write_to(folder.path())
        .expect("the folder is writable");
    let run = Command::new(tool_path("python").expect("Python packages"))
        .arg(project_root().join("verif/lockstep/tests/cocotb/run.py"))
        .arg(folder.path().join("hpp.v"))
        .args([name, &output.manifest.derived.entries.to_string()])
        .arg(folder.path().join("build"))
        .env("PATH", search_path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env(
            "LIBPYTHON_LOC",
            tool_path("libpython").expect("a shared libpython"),
        )
        .output()
        .expect("Python starts");
    let words = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(run.status.success(), "{}", words.concat());
}

#[test]
fn cocotbexts_axi4_lite_master_reads_and_writes_the_registers() {
    passes(Bus::Axi4Lite, "axi4-lite");
}

#[test]
fn cocotbexts_apb_master_reads_and_writes_the_registers() {
    passes(Bus::Apb, "apb");
}
