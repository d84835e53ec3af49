//! Synthesis proved to keep modules what they were; and the proof of a damaged netlist fails.

use hpp_fpga::device::Family;
use hpp_gen::Config;
use hpp_golden::config::LookupScheme;
use hpp_netlist::equivalence::{Question, Verdict, memories, modules};
use std::time::Duration;
use verilated::tools::cache;

fn verilog(lookup: LookupScheme) -> String {
    let mut config = Config::default();
    config.geometry.lookup = lookup;
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    output.verilog().to_string()
}

fn answer(verilog: &str, damaged: Option<&str>, module: &str, family: Family) -> Verdict {
    let limit = Duration::from_secs(900);
    let question = Question {
        verilog,
        module,
        family,
        limit,
        damaged,
    };
    question
        .answer()
        .unwrap_or_else(|error| panic!("{module} on {family:?}: {error:#}"))
}

/// The Verilog with an operator exchanged in a module: its first `&` for `|`, else its last `==` for `!=`.
fn damaged(verilog: &str, module: &str) -> String {
    let start = verilog
        .find(&format!("\nmodule {module} ("))
        .expect("a module of the profiler");
    let end = start + verilog[start..].find("\nendmodule").expect("it ends");
    let text = &verilog[start..end];
    let other = if text.contains(" & ") {
        text.replacen(" & ", " | ", 1)
    } else {
        let (before, after) = text.rsplit_once(" == ").expect("an operator to exchange");
        format!("{before} != {after}")
    };
    [&verilog[..start], &other, &verilog[end..]].concat()
}

/// The modules at the edges of the profiler: a state machine, a memory with its pointers, and a wide selection.
const PROVED: [&str; 3] = ["hpp_wishbone", "hpp_branch_queue", "hpp_readout"];

/// The modules' netlists are proved the same circuit, and damaged ones are not.
fn prove_modules(family: Family) {
    let verilog = verilog(LookupScheme::Sequential);
    for module in PROVED {
        let damaged = damaged(&verilog, module);
        let sound = answer(&verilog, None, module, family);
        assert!(
            matches!(sound, Verdict::Proved(1..)),
            "{module} on {family:?}: {sound:?}"
        );
        let other = answer(&verilog, Some(&damaged), module, family);
        assert!(
            matches!(other, Verdict::Open(_, _)),
            "{module} with damage on {family:?}: {other:?}"
        );
    }
    cache::tell(&format!("equivalence of modules on {family:?}"));
}

/// The whole profiler's netlist is proved the same circuit.
fn prove_whole(lookup: LookupScheme, family: Family) {
    let verdict = answer(&verilog(lookup), None, "hpp_profiler", family);
    assert!(
        matches!(verdict, Verdict::Proved(1..)),
        "{lookup:?}, {family:?}: {verdict:?}"
    );
    cache::tell(&format!(
        "equivalence of the profiler with {lookup:?} lookup on {family:?}"
    ));
}

// A test for each family: they run side by side.

#[test]
fn ice40_netlists_of_modules_are_proved_the_same_circuit_and_damaged_ones_are_not() {
    prove_modules(Family::Ice40);
}

#[test]
fn ecp5_netlists_of_modules_are_proved_the_same_circuit_and_damaged_ones_are_not() {
    prove_modules(Family::Ecp5);
}

#[test]
fn gowin_netlists_of_modules_are_proved_the_same_circuit_and_damaged_ones_are_not() {
    prove_modules(Family::Gowin);
}

#[test]
fn the_ice40_netlist_of_a_profiler_with_sequential_lookup_is_proved_the_same_circuit() {
    prove_whole(LookupScheme::Sequential, Family::Ice40);
}

#[test]
fn the_ecp5_netlist_of_a_profiler_with_sequential_lookup_is_proved_the_same_circuit() {
    prove_whole(LookupScheme::Sequential, Family::Ecp5);
}

#[test]
fn the_ice40_netlist_of_a_profiler_with_parallel_lookup_is_proved_the_same_circuit() {
    prove_whole(LookupScheme::Parallel, Family::Ice40);
}

#[test]
fn the_ecp5_netlist_of_a_profiler_with_parallel_lookup_is_proved_the_same_circuit() {
    prove_whole(LookupScheme::Parallel, Family::Ecp5);
}

#[test]
fn every_module_is_either_proved_or_a_memory() {
    for lookup in [LookupScheme::Sequential, LookupScheme::Parallel] {
        let verilog = verilog(lookup);
        let (logic, memories) = (modules(&verilog), memories(&verilog));
        assert_eq!(
            logic.len() + memories.len(),
            verilog.matches("\nendmodule").count()
        );
        let is_named_so = |name: &&str| name.contains("ram") || name.ends_with("memory");
        assert!(logic.contains(&"hpp") && memories.iter().all(is_named_so));
    }
}
