//! The memories of a profiler: what the manifest says of them is so, and whoever puts others in their place may rely on it.

use crate::{edited, output, passes_in, run, words};
use hpp_gen::verilog::Memory;
use hpp_gen::{Config, Output};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_hdl::ram::{Organisation, SameEdge};
use verilated::tools::tool;

/// How many memories and how many bits of them Yosys finds.
fn counted_by_yosys(text: &str) -> (u64, u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("hpp.v"), text).expect("the folder is writable");
    let script =
        "read_verilog hpp.v; hierarchy -top hpp; proc; flatten; tee -q -o stat.json stat -json";
    let yosys = run(tool("yosys").args(["-q", "-p", script]), folder.path());
    assert!(yosys.status.success(), "{}", words(&yosys));
    let statistics = std::fs::read_to_string(folder.path().join("stat.json"));
    let statistics: serde_json::Value =
        serde_json::from_str(&statistics.expect("it was written")).expect("JSON");
    let number = |name| statistics["design"][name].as_u64().expect("a number");
    (number("num_memories"), number("num_memory_bits"))
}

fn counted(memories: &[Memory]) -> (u64, u64) {
    memories.iter().fold((0, 0), |(count, sum), memory| {
        let Organisation { depth, width, .. } = memory.organisation;
        let instances = u64::from(memory.instances);
        (
            count + instances,
            sum + instances * u64::from(depth * width),
        )
    })
}

/// The text with memories that hold nothing at power-up, unless they must, and that show unknown bits of what is written while it is read.
fn pessimistic(output: &Output) -> String {
    let module = |text: &str| {
        let name = text.split([' ', '(', '\n']).next().unwrap_or_default();
        let memories = &output.manifest.memories;
        match memories.iter().find(|memory| memory.module == name) {
            Some(Memory { organisation, .. }) if organisation.same_cell == SameEdge::Any => {
                unknown_if_written(text, organisation)
            }
            _ => text.to_string(),
        }
    };
    let modules: Vec<String> = output.verilog().split("\nmodule ").map(module).collect();
    modules.join("\nmodule ")
}

fn unknown_if_written(text: &str, memory: &Organisation) -> String {
    let part = memory.width / memory.parts;
    // A memory that is not read keeps what it showed.
    let reads = match text.contains("if (read_enable)") {
        true => "read_enable && ",
        false => "",
    };
    let (condition, register) = match memory.parts {
        1 if text.contains("word_q") => (String::from("write_enable"), "word_q"),
        1 => (String::from("write_ways"), "row_q"),
        _ => (String::new(), "row_q"),
    };
    let unknown = |number: u32| {
        let (enable, bits) = match memory.parts {
            1 => (condition.clone(), String::new()),
            _ => (
                format!("write_ways[{number}]"),
                format!("[{}:{}]", (number + 1) * part - 1, number * part),
            ),
        };
        format!(
            "    if ({reads}{enable} && write_address == read_address) {register}{bits} <= {part}'bx;\n"
        )
    };
    let read = format!("{register} <= cells[read_address];\n");
    let line = text.lines().find(|line| line.ends_with(read.trim_end()));
    let line = format!("{}\n", line.expect("a memory is read"));
    let unknown: String = (0..memory.parts).map(unknown).collect();
    text.replacen(&line, &format!("{line}{unknown}"), 1)
}

fn passes_with_harsh_memories(config: &Config) {
    let output = output(config);
    let text = pessimistic(&output);
    passes_in(&edited(output, "hpp.v", |_| text), config);
}

/// Small tables of every kind, with a drain where there may be one, checked stacks and contexts.
fn small_profilers() -> impl Iterator<Item = Config> {
    let tables = [
        (Replacement::Lfu, LookupScheme::Parallel, 64),
        (Replacement::Lfu, LookupScheme::Sequential, 0),
        (Replacement::Shadow, LookupScheme::Parallel, 0),
        (Replacement::Rrip, LookupScheme::Parallel, 64),
    ];
    tables
        .into_iter()
        .map(|(replacement, lookup, drain_depth)| {
            let mut config = Config::default();
            config.geometry = Geometry {
                sets: 16,
                ways: 2,
                max_branches: 8,
                stack_check: true,
                context_bits: 2,
                replacement,
                lookup,
                drain_depth,
                ..config.geometry
            };
            config
        })
}

#[test]
fn the_manifest_names_every_memory_with_its_bits() {
    for config in small_profilers() {
        let output = output(&config);
        let memories = &output.manifest.memories;
        let found = counted_by_yosys(output.verilog());
        assert_eq!(counted(memories), found, "{}", config.to_toml());
    }
}

#[test]
fn no_table_looks_at_what_a_memory_does_not_promise() {
    for replacement in Replacement::ALL {
        for lookup in [LookupScheme::Parallel, LookupScheme::Sequential] {
            let mut config = Config::default();
            config.geometry.replacement = replacement;
            config.geometry.lookup = lookup;
            if config.validate().is_ok() {
                passes_with_harsh_memories(&config);
            }
        }
    }
}
