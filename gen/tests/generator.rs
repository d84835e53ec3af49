//! What `generate` makes: accepted by tools for every geometry, the same every time, whole or not there at all.

#[path = "writer/configurations.rs"]
mod configurations;
#[path = "writer/tools.rs"]
mod tools;

use configurations::config;
use hpp_gen::{Bus, Config, Extras, Output, generate, generate_with};
use hpp_golden::registers::REGISTERS;
use proptest::prelude::*;
use tempfile::TempDir;
use tools::{accepted, lint};

fn output(config: &Config) -> Output {
    generate(config).unwrap_or_else(|error| panic!("{error}\n{}", config.to_toml()))
}

/// A folder with these files.
fn written(output: &Output) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let others = output.write_to(folder.path());
    others.expect("the folder is writable");
    folder
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn every_geometry_is_accepted_without_a_warning(config in config()) {
        lint(output(&config).verilog(), "hpp");
    }
}

#[test]
fn with_a_bus_there_is_a_file_for_every_reader() {
    let output = output(&Config::default());
    let names: Vec<&str> = output.files.keys().map(String::as_str).collect();
    let expected = "hpp.core hpp.h hpp.json hpp.md hpp.rs hpp.svd hpp.v hpp_assume.sv hpp_driver.c hpp_driver.h \
                    hpp_instance.v hpp_tb.sv";
    assert_eq!(names.join(" "), expected);
    assert_eq!(output.manifest.files, names);
    assert_eq!(output.manifest.registers.len(), REGISTERS.len());
    let page = &output.files["hpp.md"];
    let mut headings = REGISTERS
        .iter()
        .map(|register| format!("## {}\n", register.name));
    assert!(headings.all(|heading| page.contains(&heading)));
}

#[test]
fn without_a_bus_there_are_no_registers() {
    let output = output(&Config {
        bus: Bus::None,
        ..Config::default()
    });
    let names: Vec<&str> = output.files.keys().map(String::as_str).collect();
    let expected = "hpp.core hpp.json hpp.v hpp_assume.sv hpp_instance.v hpp_tb.sv";
    assert_eq!(names.join(" "), expected);
    assert!(output.manifest.registers.is_empty());
    let mut ports = output.manifest.ports.iter();
    assert!(ports.all(|port| !port.name.starts_with("wb_")));
}

#[test]
fn every_name_starts_with_the_prefix() {
    let output = output(&Config {
        prefix: "mine".into(),
        ..Config::default()
    });
    assert_eq!(output.manifest.modules[0], "mine");
    let others = output.manifest.modules[1..].iter();
    let mut names = others.chain(output.files.keys());
    assert!(names.all(|name| name.starts_with("mine_") || name.starts_with("mine.")));
    assert!(output.files["mine.h"].contains("#define MINE_CONTROL_ENABLE_MASK 0x00000001u\n"));
    lint(output.verilog(), "mine");
}

#[test]
fn split_files_hold_a_module_each_and_pass_lint_as_listed() {
    let extras = Extras {
        split: true,
        ..Extras::default()
    };
    let split = generate_with(&Config::default(), &extras).expect("generates");
    let folder = written(&split);
    for (file, module) in split.manifest.verilog.iter().zip(&split.manifest.modules) {
        let text = &split.files[file];
        assert_eq!(*file, format!("{module}.v"));
        assert_eq!(text.matches("\nmodule ").count(), 1);
        assert!(text.contains(&format!("\nmodule {module} ")), "{text}");
    }
    let whole = output(&Config::default());
    let modules = whole.verilog().matches("\nmodule ").count();
    assert_eq!(modules, split.manifest.verilog.len());
    let verilator = verilated::Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    let arguments = ["--lint-only", "-Wall", "--top-module", "hpp", "-f", "hpp.f"];
    let mut command = verilator.command();
    accepted(command.args(arguments), folder.path(), split.verilog());
}
