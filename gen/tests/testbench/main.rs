//! What goes with a profiler runs, passes, and fails when it should: its testbench, its assertions, its FuseSoC core, its VHDL component, and others in
//! place of its memories.

mod assume;
#[path = "../writer/configurations.rs"]
mod configurations;
mod fusesoc;
mod idle;
mod memories;
mod peakrdl;
mod vhdl;

use configurations::{config, reset};
use hpp_gen::verilog::ResetStyle;
use hpp_gen::{Bus, Config, Extras, Ingress, Output, generate, generate_with};
use hpp_golden::config::LookupScheme;
use proptest::prelude::*;
use std::path::Path;
use std::process::{self, Command};
use tempfile::TempDir;
use verilated::tools::tool;

fn output(config: &Config) -> Output {
    generate(config).unwrap_or_else(|error| panic!("{error}\n{}", config.to_toml()))
}

fn resets() -> [ResetStyle; 4] {
    let styles = [(false, false), (true, true), (true, false), (false, true)];
    styles.map(|(asynchronous, active_low)| ResetStyle {
        asynchronous,
        active_low,
    })
}

fn with_reset(config: &Config, reset: ResetStyle) -> Output {
    let extras = Extras {
        reset,
        ..Extras::default()
    };
    generate_with(config, &extras).unwrap_or_else(|error| panic!("{error}"))
}

/// A profiler's files in a folder, once `edit` has changed the text of one of them.
fn edited(mut output: Output, file: &str, edit: impl FnOnce(&str) -> String) -> TempDir {
    let text = output.files.get_mut(file).expect("the file");
    let changed = edit(text);
    assert_ne!(changed, *text, "{file} does not say what is replaced");
    *text = changed;
    written(&output)
}

/// A profiler's files in a folder.
fn written(output: &Output) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    output
        .write_to(folder.path())
        .expect("the folder is writable");
    folder
}

fn run(command: &mut Command, folder: &Path) -> process::Output {
    let run = command.current_dir(folder).output();
    run.expect("the tool starts")
}

fn words(output: &process::Output) -> String {
    let streams = [&output.stdout, &output.stderr];
    streams.map(|text| String::from_utf8_lossy(text)).concat()
}

/// The columns of a row of a table.
fn columns<const COUNT: usize>(row: &str) -> [&str; COUNT] {
    let columns: Vec<&str> = row.split('|').map(str::trim).collect();
    columns.try_into().expect("a row has every column")
}

/// The profiler and its testbench.
const SOURCES: [&str; 2] = ["hpp.v", "hpp_tb.sv"];

/// Compiles and runs the testbench: whether it passed, and what it said.
fn simulate(folder: &Path, files: &[&str]) -> (bool, String) {
    let compiled = run(
        tool("iverilog").args(["-g2012", "-o", "tb"]).args(files),
        folder,
    );
    let said = words(&compiled);
    assert!(compiled.status.success() && said.is_empty(), "{said}");
    let simulated = run(tool("vvp").args(["-n", "tb"]), folder);
    (simulated.status.success(), words(&simulated))
}

fn passes(config: &Config) {
    passes_in(&written(&output(config)), config);
}

/// The testbench in a folder passes.
fn passes_in(folder: &TempDir, config: &Config) {
    let (passed, words) = simulate(folder.path(), &SOURCES);
    assert!(
        passed && words.contains("hpp_tb: passed"),
        "{words}\n{}",
        config.to_toml()
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn every_profiler_passes_its_testbench(config in config(), reset in reset()) {
        passes(&Config { reset, ..config });
    }
}

/// Every ingress and bus, each with one of these: the defaults; three harts; a table that holds the core; a checked stack, contexts of one bit, and without a bus lossy
/// mode. Icarus runs the testbenches, and Verilator accepts them with the assertions, to which a warning is an error.
#[test]
fn the_profilers_of_all_interfaces_pass_their_testbenches() {
    let verilator = verilated::Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    let variants: [fn(&mut Config); 4] = [
        |_| (),
        |config| {
            config.geometry.context_bits = 3;
            config.geometry.stack_check = true;
            config.geometry.harts = if config.bus == Bus::None { 1 } else { 3 };
        },
        |config| config.geometry.lookup = LookupScheme::Sequential,
        |config| {
            config.geometry.lookup = LookupScheme::Parallel;
            config.geometry.stack_check = true;
            config.geometry.context_bits = 1;
            config.reset.lossy = config.bus == Bus::None;
        },
    ];
    let buses = Ingress::ALL.map(|ingress| Bus::ALL.map(|bus| (ingress, bus)));
    let variants = variants
        .into_iter()
        .cycle()
        .zip(resets().into_iter().cycle());
    for ((ingress, bus), (vary, reset)) in buses.into_iter().flatten().zip(variants) {
        let mut config = Config {
            ingress,
            bus,
            ..Config::default()
        };
        vary(&mut config);
        let folder = written(&with_reset(&config, reset));
        passes_in(&folder, &config);
        let arguments =
            "--lint-only --timing --assert --top-module hpp_tb hpp_tb.sv hpp.v hpp_assume.sv";
        let mut command = verilator.command();
        let lint = run(command.args(arguments.split(' ')), folder.path());
        assert!(lint.status.success(), "{}", words(&lint));
    }
}

/// A register is reset at its level of the input, at once or at the next edge of the clock.
#[test]
fn registers_are_reset_at_once_or_at_the_next_edge() {
    for reset in resets() {
        let (port, active) = match reset.active_low {
            true => ("rst_n", 0),
            false => ("rst", 1),
        };
        let bench = format!(
            "module bench;\n  reg clk = 1'b0;\n  reg rst = {active};\n  wire busy;\n  \
             hpp dut (.clk(clk), .{port}(rst), .wb_cyc_i(1'b1), .wb_stb_i(1'b1), .wb_stall_o(busy));\n  \
             initial begin\n    #1 clk = 1; #1 clk = 0; rst = !rst;\n    #1 clk = 1; #1 clk = 0; $display(busy);\n    \
             rst = !rst; #1 $display(busy);\n    clk = 1; #1 $display(busy);\n  end\nendmodule\n"
        );
        let folder = written(&with_reset(&Config::default(), reset));
        std::fs::write(folder.path().join("bench.v"), bench).expect("the folder is writable");
        let (_, words) = simulate(folder.path(), &["hpp.v", "bench.v"]);
        let before_the_edge = u8::from(!reset.asynchronous);
        assert_eq!(words, format!("1\n{before_the_edge}\n0\n"), "{reset:?}");
    }
}

/// Each thing the bench expects, expected wrongly, is a failure that names it.
#[test]
fn a_testbench_fails_on_a_difference() {
    let rows = r#"
expected_path[7] = { 32'h200    | expected_path[7] = { 32'h204    | start of a path
PATHS   = 87                    | PATHS   = 88                    | number of paths is 57, not 58
expect_read("ID", 32'h0, 32'h4  | expect_read("ID", 32'h0, 32'h5  | ID is 48505031
expect_read("Hits" | expect_read("Hits", 32'h48, 32'h0); if (0) access(1'b1 | Hits is 57
"#;
    for row in rows.trim().lines() {
        let [right, wrong, part] = columns(row);
        fails(&Config::default(), "hpp_tb.sv", (right, wrong), part);
    }
}

/// A testbench fails, and says so, once a file of its profiler is wrong.
fn fails(config: &Config, file: &str, (right, wrong): (&str, &str), part: &str) {
    let folder = edited(output(config), file, |text| text.replace(right, wrong));
    let (passed, words) = simulate(folder.path(), &SOURCES);
    assert!(!passed && words.contains(part), "{right}: {words}");
}

/// What is unknown equals everything to `==`: a profiler without a bus whose every path came out unknown passed, and outputs beside them were not
/// looked at.
#[test]
fn a_testbench_fails_if_an_output_is_not_driven() {
    let rows = "\
none      | .path_start(path_start)     | .path_start()             | start of a path
wishbone  | assign event_select =       | wire [3:0] lost_select =  | event_select is
wishbone  | assign wb_err_o =           | wire lost_err_o =         | an error of the bus is
axi4-lite | assign s_axi_rresp =        | wire [1:0] lost_rresp =   | a response is";
    for row in rows.lines() {
        let [bus, whole, without, part] = columns(row);
        let config = Config::from_toml(&format!("bus = '{bus}'"), row.as_ref()).expect("a bus");
        fails(&config, "hpp.v", (whole, without), part);
    }
}
