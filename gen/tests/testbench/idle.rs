//! A disabled profiler rests: no edge of the clock changes anything in it, whatever its core does, and `idle` says so.

use crate::{Bus, Config, Ingress, SOURCES, edited, output, simulate};
use hpp_golden::config::{Engine, Geometry, LookupScheme, Replacement};
use std::collections::HashMap;

/// Cycles of each phase; `HPP_CYCLES` is another number.
fn cycles() -> u64 {
    let given = std::env::var("HPP_CYCLES").ok();
    given.map_or(2000, |text| text.parse().expect("HPP_CYCLES is a number"))
}

/// The testbench with its core busy for so long while the profiler is enabled, and again while it is disabled. The profiler's inputs change
/// after the edge of the clock, so what changes at the edge is not just an input passed on.
fn busy(bench: &str, cycles: u64) -> String {
    let (before, rest) = bench
        .split_once("    for (number = 0; number < STIMULI")
        .expect("the stimulus");
    let (core, after) = rest
        .split_once("    // Wait until the profiler is idle.")
        .expect("its end");
    let core = format!("    for (number = 0; number < STIMULI{core}");
    let (_, limit) = after.split_once("    $finish;\n  end\n").expect("the end");
    let long = format!("    passed = 0;\n    while (passed < {cycles}) begin\n{core}    end\n");
    let before = before.replace("if (!rst && path_valid)", "if (0)").replace(
        "  integer number;\n",
        "  integer number;\n  integer passed = 0;\n  reg [1:0] phase = 0;\n  \
             always @(posedge clk) begin\n    passed <= passed + 1;\n    \
             if (phase == 2 && idle !== 1'b1) fail(\"idle\", idle, 1);\n  end\n",
    );
    let before = with_late_inputs(&before);
    format!(
        "{before}{core}    $dumpfile(\"idle.vcd\");\n    $dumpvars(1, hpp_tb);\n    $dumpvars(0, dut);\n    \
         if (idle !== 1'b0) fail(\"idle\", idle, 0);\n    phase = 1;\n{long}    phase = 0;\n    write(32'h10, 32'h0);\n\
         {core}    phase = 2;\n{long}    phase = 0;\n    write(32'h10, 32'h1);\n    \
         if (idle !== 1'b0) fail(\"idle\", idle, 0);\n    if (failures != 0) $fatal(1, \"failed\");\n    $finish;\n  end\n{}",
        limit.replace("10 * PATIENCE", "1000 * PATIENCE")
    )
}

/// The testbench with a delay in front of each input but the clock.
fn with_late_inputs(bench: &str) -> String {
    let (declared, instance) = bench.split_once("  hpp dut (").expect("the profiler");
    let inputs = declared
        .lines()
        .filter_map(|line| line.strip_prefix("  reg ")?.strip_suffix(" = 0;"));
    let (mut delays, mut instance) = (String::new(), instance.to_string());
    for input in inputs {
        let (range, name) = input.trim().rsplit_once(' ').unwrap_or(("", input.trim()));
        delays.push_str(&format!("  wire {range} #1 {name}_late = {name};\n"));
        instance = instance.replace(
            &format!(".{name}({name})"),
            &format!(".{name}({name}_late)"),
        );
    }
    format!("{declared}{delays}  hpp dut ({instance}")
}

/// How many bits change at an edge of the clock in the two phases, and what changes in the second.
fn toggles(waveform: &str) -> ([u64; 2], Vec<String>) {
    let (header, changes) = waveform
        .split_once("$enddefinitions $end")
        .expect("a header");
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut depth = 0;
    for line in header.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["$scope", ..] => depth += 1,
            ["$upscope", ..] => depth -= 1,
            ["$var", _, _, code, name, ..] if depth > 1 || name == "phase" => {
                names.insert(code, name);
            }
            _ => (),
        }
    }
    let mut values: HashMap<&str, &str> = HashMap::new();
    let (mut phase, mut at_edge) = (0, false);
    let (mut counts, mut moved) = ([0; 2], Vec::new());
    for line in changes.lines() {
        if let Some(time) = line.strip_prefix('#') {
            at_edge = time.ends_with('5');
        }
        let (value, code) = match line.strip_prefix('b') {
            Some(vector) => vector.split_once(' ').expect("a value and its name"),
            None if line.starts_with(['0', '1', 'x']) => line.split_at(1),
            None => continue,
        };
        let changed = values
            .insert(code, value)
            .map_or(0, |before| differing(before, value));
        match names.get(code) {
            Some(&"phase") => {
                phase = ["0", "1", "10"]
                    .iter()
                    .position(|phase| *phase == value)
                    .unwrap_or(0)
            }
            None | Some(&"clk") => (),
            Some(name) if at_edge && phase > 0 && changed != 0 => {
                counts[phase - 1] += changed;
                if phase == 2 {
                    moved.push(name.to_string());
                }
            }
            _ => (),
        }
    }
    moved.sort();
    moved.dedup();
    (counts, moved)
}

/// In how many bits two values differ, of which zeros in front are left out.
fn differing(a: &str, b: &str) -> u64 {
    let bit = |text: &str, place: usize| text.bytes().rev().nth(place).unwrap_or(b'0');
    let differs = |place: &usize| bit(a, *place) != bit(b, *place);
    (0..a.len().max(b.len())).filter(differs).count() as u64
}

fn rests(name: &str, config: &Config) {
    let cycles = cycles();
    let folder = edited(output(config), "hpp_tb.sv", |text| busy(text, cycles));
    let (passed, words) = simulate(folder.path(), &SOURCES);
    assert!(passed, "{name}: {words}");
    let waveform = std::fs::read_to_string(folder.path().join("idle.vcd")).expect("a waveform");
    let ([enabled, disabled], moved) = toggles(&waveform);
    println!("{name}: {enabled} toggles in {cycles} cycles, {disabled} disabled");
    assert!(enabled > cycles, "{name}: {enabled}");
    assert!(disabled == 0, "{name}: {disabled} of {moved:?}");
}

/// A name, and what differs from the default.
type Variant = (&'static str, fn(&mut Config));

#[test]
fn nothing_changes_in_a_disabled_profiler() {
    let variants: [Variant; 10] = [
        ("default", |_| ()),
        ("rvfi", |config| config.ingress = Ingress::Rvfi),
        ("retire", |config| config.ingress = Ingress::Retire),
        ("trace", |config| config.ingress = Ingress::Trace),
        ("shadow", |config| {
            config.geometry.replacement = Replacement::Shadow;
        }),
        ("rrip", |config| {
            config.geometry.replacement = Replacement::Rrip;
            config.bus = Bus::Axi4Lite;
        }),
        ("parallel", |config| {
            config.geometry.lookup = LookupScheme::Parallel;
            config.bus = Bus::Apb;
        }),
        ("drain", |config| {
            config.geometry.drain_depth = 64;
            config.geometry.triggers = true;
        }),
        ("checked", |config| {
            config.geometry.stack_check = true;
            config.geometry.context_bits = 2;
            config.bus = Bus::Native;
        }),
        ("tiny", |config| {
            config.ingress = Ingress::Retire;
            config.geometry = Geometry::of_engine(Engine::Tiny);
        }),
    ];
    for (name, vary) in variants {
        let mut config = Config::default();
        vary(&mut config);
        rests(name, &config);
    }
}

/// The testbench with a gated clock for the profiler, which is disabled before it is read, and with time in front of each read.
fn gated(bench: &str) -> String {
    let (before, rest) = bench.split_once("  hpp dut (").expect("the profiler");
    let gate = "  reg runs = 1;\n  integer stopped = 0;\n  always @* if (!clk) runs = !idle | wb_cyc_i | rst;\n  \
         wire gated = clk & runs;\n  always @(posedge clk) if (!runs) stopped = stopped + 1;\n  \
         final if (stopped < 1000) $fatal(1, \"failed: the clock stopped for %0d cycles\", stopped);\n";
    let rest = rest.replacen(".clk(clk)", ".clk(gated)", 1);
    let (core, reads) = rest
        .split_once("    // Wait until the profiler is idle.\n    repeat (4000) @(posedge clk);\n")
        .expect("the core's end");
    let (reads, limit) = reads.split_once("    $finish;\n  end\n").expect("the end");
    let reads = reads.replace(
        "    expect_read(",
        "    repeat (100) @(posedge clk);\n    expect_read(",
    );
    let limit = limit.replace("10 * PATIENCE", "1000 * PATIENCE");
    format!(
        "{before}{gate}  hpp dut ({core}    repeat (4000) @(posedge clk);\n    write(32'h10, 32'h0);\n{reads}    $finish;\n  end\n{limit}"
    )
}

#[test]
fn the_clock_of_an_idle_profiler_stops_and_runs_for_accesses() {
    let folder = edited(output(&Config::default()), "hpp_tb.sv", gated);
    let (passed, words) = simulate(folder.path(), &SOURCES);
    assert!(passed, "{words}");
}
