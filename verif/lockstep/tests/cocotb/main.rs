//! The profiler under masters that somebody else wrote, in Icarus Verilog: AXI4-Lite and APB, and the buses for which the
//! manual has a module.

use hpp_gen::{Bus, Config};
use hpp_golden::config::Geometry;
use hpp_lockstep::proofs::module_of_the_page;
use std::env;
use std::process::Command;
use verilated::tools::{project_root, tool_path};

/// The search path with the folders of the simulators in front.
fn search_path() -> std::ffi::OsString {
    let tools = ["iverilog", "vvp", "verilator"].map(|name| tool_path(name).expect("a simulator"));
    let folders = tools.iter().filter_map(|tool| tool.parent());
    let before = env::var_os("PATH").unwrap_or_default();
    env::join_paths(folders.map(Into::into).chain(env::split_paths(&before)))
        .expect("folders without a colon in their names")
}

/// A top with `module` in front of the profiler; every port is a variable or net of the top.
fn around(module: &str, name: &str, output: &hpp_gen::Output) -> String {
    let header = &module[..module.find(");").expect("a header")];
    let mut declarations = String::new();
    for port in &output.manifest.ports {
        declarations += &format!("  logic [{}:0] {};\n", port.width - 1, port.name);
    }
    let own = header[header.find("\n").expect("ports")..].split(',');
    let mut width = "";
    for port in own.map(str::trim) {
        let starts = ["input", "output"]
            .iter()
            .any(|word| port.starts_with(word));
        let (words, port) = port.rsplit_once(char::is_whitespace).unwrap_or(("", port));
        if starts {
            width = words.find('[').map_or("", |from| &words[from..]);
        }
        if !output.manifest.ports.iter().any(|known| known.name == port) {
            declarations += &format!("  logic {} {port};\n", width.replace("SOURCE-1", "3"));
        }
    }
    // What the master needs and the module has not.
    let rest = match name {
        "ahb_registers" => "  assign hready = hreadyout;\n",
        "obi_registers" => "  logic obi_rready = 1, obi_err = 0;\n",
        _ => "",
    };
    format!(
        "{module}\nmodule behind;\n{declarations}{rest}  hpp profiler (.*);\n  {name} port (.*);\nendmodule\n"
    )
}

/// A profiler in a folder of its own.
fn generated(bus: Bus, geometry: Geometry) -> (tempfile::TempDir, hpp_gen::Output) {
    let config = Config {
        bus,
        geometry,
        ..Config::default()
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    let written = output.write_to(folder.path());
    written.expect("the folder is writable");
    (folder, output)
}

fn passes(bus: Bus, name: &str) {
    let small = Geometry {
        sets: 4,
        ways: 2,
        ..Geometry::default()
    };
    let (folder, output) = generated(bus, small);
    let mut sources = vec![folder.path().join("hpp.v")];
    if !matches!(bus, Bus::Axi4Lite | Bus::Apb) {
        let module = format!("{name}_registers");
        let text = around(&module_of_the_page(&module), &module, &output);
        sources.push(folder.path().join("behind.sv"));
        std::fs::write(&sources[1], text).expect("the folder is writable");
    }
    let mut script = python("verif/lockstep/tests/cocotb/run.py");
    script.args([name, &output.manifest.derived.entries.to_string()]);
    script.arg(folder.path().join("build")).args(sources);
    succeeds(&mut script);
}

/// A Python script of the project, with cocotb and its simulators.
fn python(script: &str) -> Command {
    let mut command = Command::new(tool_path("python").expect("Python packages"));
    command
        .arg(project_root().join(script))
        .env("PATH", search_path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env(
            "LIBPYTHON_LOC",
            tool_path("libpython").expect("a shared libpython"),
        );
    command
}

fn succeeds(command: &mut Command) -> String {
    let run = command.output().expect("Python starts");
    let words = [&run.stdout, &run.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(run.status.success(), "{}", words.concat());
    words.concat()
}

#[test]
fn paths_cross_into_another_clock_s_domain() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("path_crossing.v");
    std::fs::write(&source, module_of_the_page("path_crossing")).expect("the folder is writable");
    let mut script = python("verif/lockstep/tests/cocotb/run.py");
    script
        .args(["crossing", "0"])
        .arg(folder.path().join("build"));
    let seed = hpp_lockstep::first_seed("crossing");
    succeeds(script.arg(source).env("HPP_SEED", seed.to_string()));
}

#[test]
fn the_example_prints_the_paths_of_its_loop_in_both_simulators() {
    let (folder, _) = generated(Bus::Native, Geometry::default());
    for simulator in ["icarus", "verilator"] {
        let mut example = python("fpga/cocotb/hot_loop.py");
        example
            .args(["hpp.v", simulator])
            .current_dir(folder.path());
        let words = succeeds(&mut example);
        assert!(words.contains("0x100  11  10 times"), "{words}");
    }
}

verilated::tests! {
    cocotbexts_axi4_lite_master_reads_and_writes_the_registers: passes(Bus::Axi4Lite, "axi4-lite");
    cocotbexts_apb_master_reads_and_writes_the_registers: passes(Bus::Apb, "apb");
    cocotbexts_obi_host_reads_and_writes_through_wishbone: passes(Bus::Wishbone, "obi");
    cocotbexts_ahb_master_reads_and_writes_the_registers: passes(Bus::Native, "ahb");
    cocotbexts_avalon_master_reads_and_writes_the_registers: passes(Bus::Native, "avalon");
    a_tilelink_master_reads_and_writes_the_registers: passes(Bus::Native, "tilelink");
}
