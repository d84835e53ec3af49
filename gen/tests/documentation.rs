//! The pages of `docs/` against what is generated: examples compile, the register page is current.
//!
//! `HPP_BLESS=1 cargo test -p hpp-gen` writes the register page, the registers of the Rust driver and `fpga/ready` anew.

#[path = "writer/tools.rs"]
mod tools;

use hpp_gen::{Config, PARAMETERS, ParameterTable, generate};
use hpp_golden::config::Parameter;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const GUIDE: &str = concat!(
    include_str!("../../docs/integration.md"),
    include_str!("../../docs/adapters.md")
);

/// The code blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let after = GUIDE.split(fence.as_str()).skip(1);
    after.filter_map(|text| text.split("```").next()).collect()
}

#[test]
fn the_verilog_examples_connect_to_the_profiler() {
    let examples = blocks("verilog");
    assert!(!examples.is_empty());
    for example in examples {
        let name = example.split_whitespace().nth(1).expect("a module's name");
        let profiler = generate(&Config::default()).expect("the default configuration");
        // Ports left open on purpose are what the one waived warning is about.
        let text = format!(
            "// verilator lint_off PINCONNECTEMPTY\n{example}{}",
            profiler.verilog()
        );
        tools::lint(&text, name);
    }
}

#[test]
fn the_c_examples_compile() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let profiler = generate(&Config::default()).expect("the default configuration");
    profiler
        .write_to(folder.path())
        .expect("the folder is writable");
    let examples = blocks("c");
    assert!(!examples.is_empty());
    for example in examples {
        let source = "example.c";
        std::fs::write(folder.path().join(source), example).expect("the folder is writable");
        let mut compiler = Command::new("cc");
        compiler.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", source]);
        tools::accepted(&mut compiler, folder.path(), example);
    }
}

/// What the register page says of itself.
const OF_WHAT: &str = "This is the page of the default configuration with a drain of 256 entries and with triggers, so that it has every register. `hpp.md`, which `gen-verilog` \
     writes beside the Verilog, is that of your profiler: its sizes, and the registers that it has.\n\n";

/// A file of the repository is one that is generated for the default configuration with a drain and triggers, so that it has every register, with a note after
/// its first line.
fn is_generated(kept: &str, name: &str, note: &str) {
    let mut config = Config::default();
    config.geometry.drain_depth = 256;
    config.geometry.triggers = true;
    let profiler = generate(&config).expect("a legal configuration");
    let text = profiler.files[name].replacen("\n\n", &format!("\n\n{note}"), 1);
    tools::is_current(kept, &text);
}

#[test]
fn the_register_page_is_that_of_the_default_configuration_with_a_drain() {
    is_generated("docs/registers.md", "hpp.md", OF_WHAT);
}

#[test]
fn the_registers_of_the_rust_driver_are_those_of_the_description() {
    is_generated("fpga/driver/src/registers.rs", "hpp.rs", "");
}

/// What is for those who only look.
#[test]
fn the_profiler_in_the_repository_is_the_default_one() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fpga/ready"));
    let profiler = generate(&Config::default()).expect("the default configuration");
    let mut expected = profiler.files.clone();
    // The registers in Rust are those of the driver, which is in the repository.
    expected.remove("hpp.rs");
    if std::env::var_os("HPP_BLESS").is_some() {
        let others = profiler.write_to(folder).expect("the folder is writable");
        others
            .iter()
            .chain([&folder.join("hpp.rs")])
            .for_each(|other| std::fs::remove_file(other).expect("a file"));
    }
    let files = std::fs::read_dir(folder).expect("fpga/ready").map(|entry| {
        let entry = entry.expect("an entry");
        let text = std::fs::read_to_string(entry.path()).expect("text");
        (entry.file_name().into_string().expect("a plain name"), text)
    });
    let kept: BTreeMap<String, String> = files.collect();
    assert!(
        kept == expected,
        "fpga/ready is out of date: HPP_BLESS=1 cargo test -p hpp-gen writes it anew"
    );
}

/// A table of the manual: flag, default, allowed values, what it is.
fn table(table: &ParameterTable) -> String {
    let row = |parameter: &Parameter| {
        format!(
            "| `{}{}` | `{}` | {} | {} |\n",
            table.flag,
            parameter.name,
            table.default(parameter),
            parameter.allowed(),
            parameter.about()
        )
    };
    let file = match table.name {
        Some(name) => format!("**{}**: `[{name}]` in a file.", table.heading),
        None => format!("**{}**: before all tables in a file.", table.heading),
    };
    let rows: String = table.plain().map(row).collect();
    format!(
        "{file}\n\n| flag | default | allowed | what it is |\n| --- | --- | --- | --- |\n{rows}\n"
    )
}

#[test]
fn the_manual_s_tables_of_parameters_are_current() {
    const MARKS: [&str; 2] = ["<!-- parameters -->\n", "<!-- end of parameters -->"];
    let page = include_str!("../../docs/generator.md");
    let (before, rest) = page.split_once(MARKS[0]).expect("a mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("its end");
    let tables: String = PARAMETERS.iter().map(table).collect();
    let page = [before, MARKS[0], "\n", &tables, MARKS[1], after].concat();
    tools::is_current("docs/generator.md", &page);
}
