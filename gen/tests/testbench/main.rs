//! The testbench and the FuseSoC core that go with a profiler: they run, pass, and fail when they should.

#[path = "writer/configurations.rs"]
mod configurations;
#[path = "writer/finder.rs"]
mod finder;

use configurations::config;
use finder::tool;
use hpp_gen::{Bus, Config, Ingress, generate};
use hpp_golden::config::{LookupScheme, Protection};
use hpp_golden::profiler::{Extension, Metric, ResetValues};
use proptest::prelude::*;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A profiler's files in a folder; `edit` may change the text of the testbench.
fn files(config: &Config, edit: impl FnOnce(&str) -> String) -> TempDir {
    let mut output = generate(config).unwrap_or_else(|error| panic!("{error}"));
    let testbench = output.files.get_mut("hpp_tb.sv").expect("a testbench");
    *testbench = edit(testbench);
    let folder = tempfile::tempdir().expect("a temporary folder");
    output
        .write_to(folder.path())
        .expect("the folder is writable");
    folder
}

fn run(command: &mut Command, folder: &Path) -> Output {
    let run = command.current_dir(folder).output();
    run.expect("the tool starts")
}

fn words(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr];
    streams.map(|text| String::from_utf8_lossy(text)).concat()
}

/// Compiles and runs the testbench: whether it passed, and what it said.
fn simulate(folder: &Path) -> (bool, String) {
    let compiled = run(
        tool("iverilog").args(["-g2012", "-o", "tb", "hpp.v", "hpp_tb.sv"]),
        folder,
    );
    let said = words(&compiled);
    assert!(compiled.status.success() && said.is_empty(), "{said}");
    let simulated = run(tool("vvp").args(["-n", "tb"]), folder);
    (simulated.status.success(), words(&simulated))
}

fn passes(config: &Config) {
    let folder = files(config, str::to_string);
    let (passed, words) = simulate(folder.path());
    assert!(
        passed && words.contains("hpp_tb: passed"),
        "{words}\n{}",
        config.to_toml()
    );
}

fn reset() -> impl Strategy<Value = ResetValues> {
    let switches = any::<[bool; 6]>();
    let extension = prop_oneof![
        Just(Extension::None),
        Just(Extension::Loop),
        Just(Extension::Procedure)
    ];
    (switches, extension, 0..2u8).prop_map(|(switches, extension, event_select)| ResetValues {
        enable: switches[0],
        freeze: switches[1],
        lossy: switches[2],
        metric: if switches[3] {
            Metric::Events
        } else {
            Metric::Executions
        },
        extension,
        max_extension: switches[4].into(),
        event_select,
        ..ResetValues::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn every_profiler_passes_its_testbench(config in config(), reset in reset()) {
        passes(&Config { reset, ..config });
    }
}

#[test]
fn the_default_profilers_pass_their_testbenches() {
    for ingress in Ingress::ALL {
        for bus in Bus::ALL {
            passes(&Config {
                ingress,
                bus,
                ..Config::default()
            });
        }
    }
}

/// A table that holds the core: the bench offered what it had retired again and again, as long as it was asked to hold.
#[test]
fn profilers_that_hold_the_core_pass_their_testbenches() {
    for ingress in Ingress::ALL {
        let mut config = Config {
            ingress,
            ..Config::default()
        };
        config.geometry.lookup = LookupScheme::Sequential;
        passes(&config);
        config.geometry.lookup = LookupScheme::Parallel;
        config.geometry.stack_check = true;
        passes(&config);
    }
}

/// One that looks into returns loses what finds no place meanwhile: the bench showed a retirement in every cycle.
#[test]
fn profilers_that_lose_what_comes_too_fast_pass_their_testbenches() {
    for ingress in Ingress::ALL {
        let mut config = Config {
            ingress,
            bus: Bus::None,
            ..Config::default()
        };
        config.geometry.stack_check = true;
        config.geometry.context_bits = 2;
        config.reset.lossy = true;
        passes(&config);
    }
}

/// The handler's context, 3, was written into ports of one bit: Icarus complained of every such line.
#[test]
fn a_testbench_of_contexts_of_one_bit_is_compiled_without_a_warning() {
    for ingress in Ingress::ALL {
        let mut config = Config {
            ingress,
            ..Config::default()
        };
        config.geometry.context_bits = 1;
        passes(&config);
    }
}

/// It refused every one: a warning is an error to it.
#[test]
fn verilator_takes_the_testbenches_of_all_interfaces() {
    let verilator = verilated::Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    for ingress in Ingress::ALL {
        for bus in Bus::ALL {
            let config = Config {
                ingress,
                bus,
                ..Config::default()
            };
            let folder = files(&config, str::to_string);
            let arguments = "--lint-only --timing --top-module hpp_tb hpp_tb.sv hpp.v";
            let mut command = verilator.command();
            let lint = run(command.args(arguments.split(' ')), folder.path());
            assert!(lint.status.success(), "{}", words(&lint));
        }
    }
}

/// Each thing the bench expects, expected wrongly, is a failure that names it.
#[test]
fn a_testbench_fails_on_a_difference() {
    for (right, wrong, part) in [
        (
            "expected_path[7] = { 32'h200",
            "expected_path[7] = { 32'h204",
            "start of a path",
        ),
        (
            "PATHS   = 87",
            "PATHS   = 88",
            "number of paths is 57, not 58",
        ),
        (
            "PATHS   = 87",
            "PATHS   = 86",
            "number of paths is 57, not 56",
        ),
        (
            "expect_read(\"ID\", 32'h0, 32'h4",
            "expect_read(\"ID\", 32'h0, 32'h5",
            "ID is 48505031",
        ),
        (
            "expect_read(\"Hits\"",
            "expect_read(\"Hits\", 32'h48, 32'h0); if (0) access(1'b1",
            "Hits is 57",
        ),
    ] {
        let folder = files(&Config::default(), |text| {
            assert!(text.contains(right), "the testbench does not say {right}");
            text.replacen(right, wrong, 1)
        });
        let (passed, words) = simulate(folder.path());
        assert!(!passed && words.contains(part), "{right}: {words}");
    }
}

/// What is unknown equals everything to `==`: a profiler without a bus whose every path came out unknown passed, and outputs beside them were not
/// looked at.
#[test]
fn a_testbench_fails_if_an_output_is_not_driven() {
    for (bus, whole, without, part) in [
        (
            Bus::None,
            ".path_start(path_start)",
            ".path_start()",
            "start of a path",
        ),
        (
            Bus::None,
            ".path_outcomes(path_outcomes)",
            ".path_outcomes()",
            "or its outcomes",
        ),
        (
            Bus::None,
            ".path_count(path_count)",
            ".path_count()",
            "start of a path",
        ),
        (
            Bus::Wishbone,
            ".event_select(event_select)",
            ".event_select()",
            "event_select is",
        ),
        (
            Bus::Wishbone,
            "assign wb_err_o = ",
            "wire lost_err_o = ",
            "an error of the bus is",
        ),
        (
            Bus::Axi4Lite,
            "assign s_axi_rresp = ",
            "wire [1:0] lost_rresp = ",
            "a response is",
        ),
    ] {
        let config = Config {
            bus,
            ..Config::default()
        };
        let folder = files(&config, str::to_string);
        let path = folder.path().join("hpp.v");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(whole), "the Verilog does not say {whole}");
        std::fs::write(&path, text.replace(whole, without)).expect("the folder is writable");
        let (passed, words) = simulate(folder.path());
        assert!(!passed && words.contains(part), "{whole}: {words}");
    }
}

/// A fault that nobody has made is one of the Verilog.
#[test]
fn a_testbench_fails_if_parity_is_wrong_from_the_start() {
    for bus in [Bus::None, Bus::Wishbone] {
        let mut config = Config {
            bus,
            ..Config::default()
        };
        config.geometry.protect = Protection::All;
        passes(&config);
        let folder = files(&config, str::to_string);
        let path = folder.path().join("hpp.v");
        let text = std::fs::read_to_string(&path).expect("it is there");
        let damaged = text.replacen("parity_0 <= 1'b1", "parity_0 <= 1'b0", 1);
        assert_ne!(damaged, text);
        std::fs::write(&path, damaged).expect("the folder is writable");
        let (passed, words) = simulate(folder.path());
        assert!(!passed && words.contains("fault is 1, not 0"), "{words}");
    }
}

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
    let folder = files(&Config::default(), str::to_string);
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

    let broken = files(&Config::default(), |text| {
        text.replacen("PATHS   = ", "PATHS   = 1", 1)
    });
    let sim = fusesoc(broken.path(), "sim");
    assert!(!sim.status.success(), "{}", words(&sim));
}

/// Found when the first run in a fresh clone failed: Yosys compiled itself into the user's cache, and said so.
#[test]
fn tools_keep_nothing_in_the_users_folder() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = files(&Config::default(), str::to_string);
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
