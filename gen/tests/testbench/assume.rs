//! The assertions about a profiler's inputs hold for the testbench's core, and each fails for a core that breaks it.

use super::{columns, edited, output, run, simulate, words};
use hpp_gen::{Config, Ingress};
use hpp_golden::ingress::RvfiNext;
use std::collections::HashMap;
use std::path::Path;
use tempfile::TempDir;
use verilated::tools::tool;

/// The lines `.port(what it is connected to)` of an instance, up to its end.
fn connections(ports: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = ports.lines().map(|line| line.trim().trim_end_matches(','));
    let lines = lines.take_while(|line| *line != ");");
    lines.filter_map(|line| line.strip_prefix('.')?.strip_suffix(')')?.split_once('('))
}

/// Icarus does not bind: the testbench has the assertions of each hart beside the profiler, at what the profiler's ports are connected to. `edits` change
/// the testbench's core.
fn guarded(config: &Config, edits: &[(&str, &str)]) -> TempDir {
    let output = output(config);
    let (_, dut) = output.files["hpp_tb.sv"]
        .split_once("  hpp dut (")
        .expect("the profiler");
    let dut: HashMap<_, _> = connections(dut).collect();
    let binds = output.files["hpp_assume.sv"].split("bind hpp hpp_assume hpp_assume_");
    let beside = binds.skip(1).enumerate().map(|(hart, bind)| {
        let ports = connections(bind).map(|(port, of)| format!(".{port}({})", dut[of]));
        let ports = ports.collect::<Vec<_>>().join(", ");
        format!("  hpp_assume promises_{hart} ({ports});\n")
    });
    let beside: Vec<_> = beside.collect();
    assert_eq!(beside.len(), config.geometry.harts as usize);
    let beside = beside.concat() + "  hpp dut (";
    edited(output.clone(), "hpp_tb.sv", |text| {
        let mut text = text.replacen("  hpp dut (", &beside, 1);
        for (right, wrong) in edits {
            assert!(text.contains(right), "{right}");
            text = text.replacen(right, wrong, 1);
        }
        text
    })
}

/// What a simulation with the assertions says.
fn said(folder: &Path) -> (bool, String) {
    simulate(folder, &["hpp.v", "hpp_assume.sv", "hpp_tb.sv"])
}

/// With a table that is soon read.
fn config(ingress: Ingress) -> Config {
    let mut config = Config {
        ingress,
        ..Config::default()
    };
    (config.geometry.sets, config.geometry.ways) = (4, 2);
    config
}

/// The same with so many harts.
fn with_harts(mut config: Config, harts: u32) -> Config {
    config.geometry.harts = harts;
    config.geometry.context_bits += config.geometry.hart_bits();
    config
}

/// Of each ingress the default, three harts, and one with other ports.
fn configurations() -> Vec<Config> {
    let each = Ingress::ALL.into_iter().map(config);
    let mut all: Vec<Config> = each
        .flat_map(|config| [config.clone(), with_harts(config, HARTS)])
        .collect();
    let mut checked = config(Ingress::Native);
    checked.geometry.stack_check = true;
    checked.geometry.context_bits = 2;
    let mut channels = config(Ingress::Rvfi);
    channels.ports.retire_channels = 3;
    channels.geometry.pc_bits = 39;
    let mut retirement = config(Ingress::Rvfi);
    retirement.ports.rvfi_next = RvfiNext::Retirement;
    let mut short = config(Ingress::Trace);
    short.ports.itype_bits = 3;
    short.ports.iretire_bits = 1;
    let mut lossy = config(Ingress::Retire);
    lossy.geometry.align = 1;
    lossy.reset.lossy = true;
    all.extend([checked, channels, retirement, short, lossy]);
    all
}

#[test]
fn a_core_that_keeps_to_the_ports_breaks_no_assertion() {
    for config in configurations() {
        let (passed, words) = said(guarded(&config, &[]).path());
        let kept = passed && !words.contains("ERROR");
        assert!(kept, "{words}\n{}", config.to_toml());
    }
}

/// Proof tools read the file, too.
#[test]
fn yosys_has_an_assertion_for_each() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = configurations()
        .into_iter()
        .zip(0..)
        .map(|(config, number)| {
            let text = &output(&config).files["hpp_assume.sv"];
            let wanted = text.matches("    `HPP_PROMISE(").count();
            let file = format!("{number}.sv");
            std::fs::write(folder.path().join(&file), text).expect("the folder is writable");
            format!(
                "design -reset; read_verilog -formal -sv {file}; proc; \
             select -assert-count {wanted} hpp_assume/t:$assert hpp_assume/t:$check; "
            )
        });
    let script: String = script.collect();
    let ran = run(tool("yosys").args(["-q", "-p", &script]), folder.path());
    assert!(ran.status.success(), "{}\n{script}", words(&ran));
}

/// After a cycle's values are applied.
const APPLIED: &str = " <= stimulus[number];";
const WAITS: &str = "while (br_ready !== 1'b1) @(posedge clk);";

/// A core, when it breaks a promise (in every cycle, in the second one, while its record waits, or while it is stalled), what it
/// does then, and what is said.
const BROKEN: &str = "\
native   | always  | br_valid <= 1'bx;                     | br_valid is unknown
native   | waiting | br_valid <= 1'b0;                     | a record was withdrawn
native   | waiting | br_target <= 32'd0;                   | a record changed
native   | waiting | br_events <= 8'd0;                    | the events of a waiting record
native   | always  | br_taken <= 1'b0;                     | br_taken is 0
native   | always  | br_target[1] <= 1'b1;                 | is not a multiple of
checked  | always  | br_next <= 32'd8;                     | leads elsewhere than to br_next
rvfi     | always  | rvfi_valid <= 1'bx;                   | rvfi_valid is unknown
rvfi     | stalled |                                       | retired during rvfi_stall
rvfi     | always  | rvfi_pc_rdata[0] <= 1'b1;             | is not a multiple of
rvfi     | second  | rvfi_pc_rdata <= 32'h100;             | is not where the last instruction led
channels | second  | rvfi_pc_rdata[95:64] <= 32'h100;      | is not where the last instruction led
retire   | always  | retire_valid <= 1'bx;                 | retire_valid is unknown
retire   | stalled |                                       | retired during retire_stall
retire   | always  | {retire_valid, retire_trap} <= 2'b01; | retire_trap without retire_valid
retire   | always  | retire_pc[0] <= 1'b1;                 | is not a multiple of
retire   | second  | retire_pc <= 32'h100;                 | is not the address behind an instruction
trace    | always  | trace_itype <= 4'bx;                  | trace_itype is unknown
trace    | stalled |                                       | shown during trace_stall
trace    | always  | trace_itype <= 4'd6;                  | trace_itype is reserved
short    | always  | trace_itype <= 3'd7;                  | trace_itype is reserved
trace    | always  | trace_iretire <= 3'd0;                | a block of no instruction
trace    | always  | trace_iaddr[0] <= 1'b1;               | is not a multiple of
trace    | second  | trace_iaddr <= 32'h100;               | is not the address behind the last block";

/// How many harts share a profiler here.
const HARTS: u32 = 3;

/// A core that shares its profiler with others is named, and they are not.
#[test]
fn each_broken_promise_is_named() {
    for (number, row) in BROKEN.lines().enumerate() {
        named(row, 1, 0);
        named(row, HARTS, number % HARTS as usize);
    }
}

/// That a row of [`BROKEN`] is named when one of so many harts does it.
fn named(row: &str, harts: u32, hart: usize) {
    let [core, when, statement, broken] = columns(row);
    let mut config = config(match core {
        "native" | "checked" => Ingress::Native,
        "rvfi" | "channels" => Ingress::Rvfi,
        "retire" => Ingress::Retire,
        _ => Ingress::Trace,
    });
    match core {
        "checked" => config.geometry.stack_check = true,
        "channels" => config.ports.retire_channels = 3,
        "short" => config.ports.itype_bits = 3,
        _ => {}
    }
    let config = with_harts(config, harts);
    let it = match harts {
        1 => "1'b1".to_string(),
        _ => format!("hart == {hart}"),
    };
    let stall = format!("while ({core}_stall !== 1'b0)");
    let (right, wrong) = match when {
        "always" => (APPLIED, format!("{APPLIED} if ({it}) {statement}")),
        "second" => (
            APPLIED,
            format!("{APPLIED} if (number == 1 && {it}) {statement}"),
        ),
        "waiting" => {
            let waits = format!(
                "while (br_ready !== 1'b1) begin if ({it}) {statement} @(posedge clk); end"
            );
            (WAITS, waits)
        }
        _ => (
            stall.as_str(),
            format!("while (!({it}) && {core}_stall !== 1'b0)"),
        ),
    };
    let (_, words) = said(guarded(&config, &[(right, &wrong)]).path());
    let named = words
        .lines()
        .any(|line| line.contains("hpp_assume.sv") && line.contains(broken));
    let scopes = (0..harts).map(|hart| words.contains(&format!("promises_{hart}")));
    let scopes: Vec<_> = scopes.collect();
    let only = scopes
        .iter()
        .enumerate()
        .all(|(number, said)| *said == (number == hart));
    let words = words.get(..2000).unwrap_or(&words);
    assert!(
        named && only,
        "{row}\nhart {hart} of {harts}; {scopes:?}\n{words}"
    );
}

/// Verilator binds them into the profiler of an unchanged testbench.
#[test]
fn verilator_binds_them() {
    let verilator = verilated::Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    let folder = edited(output(&config(Ingress::Native)), "hpp_tb.sv", |text| {
        text.replacen(APPLIED, &format!("{APPLIED} br_taken <= 1'b0;"), 1)
    });
    let arguments = "--binary --timing --assert --top-module hpp_tb hpp_tb.sv hpp.v hpp_assume.sv";
    let mut command = verilator.command();
    // Verilator of the Python index does not know how its compiler takes coroutines and headers that are compiled before.
    let make = "OPT_FAST=-O0 OPT_GLOBAL=-O0 CFG_CXXFLAGS_PCH_I=-include";
    command.args(["-CFLAGS", "-std=c++20", "-MAKEFLAGS", make]);
    let built = run(command.args(arguments.split(' ')), folder.path());
    assert!(built.status.success(), "{}", words(&built));
    let program = folder.path().join("obj_dir/Vhpp_tb");
    let ran = run(&mut std::process::Command::new(program), folder.path());
    let words = words(&ran);
    let named = words.contains("hpp_assume_0") && words.contains("br_taken is 0");
    assert!(!ran.status.success() && named, "{words}");
}
