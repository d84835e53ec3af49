//! The VHDL component, as GHDL elaborates an instance of it.

use crate::{run, words, written};
use hpp_gen::{Bus, Config, Extras, GenerateError, Ingress, Output, generate_with};
use std::fmt::Write;
use verilated::tools::{tool, tool_path};

fn with_component(config: &Config) -> Result<Output, GenerateError> {
    let extras = Extras {
        vhdl: true,
        ..Extras::default()
    };
    generate_with(config, &extras)
}

/// An entity with a signal for each port of the module, and an instance of the component between them.
fn instance(output: &Output) -> String {
    let (mut signals, mut map) = (String::new(), String::new());
    for (place, port) in output.manifest.ports.iter().enumerate() {
        let name = &port.name;
        let kind = match port.width {
            1 => "std_logic".to_string(),
            width => format!("std_logic_vector({} downto 0)", width - 1),
        };
        writeln!(signals, "  signal {name} : {kind};").expect("a string");
        let comma = if place == 0 { "" } else { ", " };
        write!(map, "{comma}{name} => {name}").expect("a string");
    }
    let top = &output.manifest.top;
    format!(
        "library ieee; use ieee.std_logic_1164.all;\nuse work.{top}_component.all;\nentity soc is end;\n\
         architecture rtl of soc is\n{signals}begin\n  profiler : {top} port map ({map});\nend;\n"
    )
}

#[test]
fn ghdl_elaborates_an_instance_of_the_component_of_every_interface() {
    if let Err(error) = tool_path("ghdl") {
        println!("not tested: {error}");
        return;
    }
    let interfaces = Ingress::ALL.map(|ingress| Bus::ALL.map(|bus| (ingress, bus)));
    for (ingress, bus) in interfaces.into_iter().flatten() {
        let mut config = Config {
            ingress,
            bus,
            prefix: "path_profiler".into(),
            ..Config::default()
        };
        if bus != Bus::None {
            config.geometry.drain_depth = 64;
            config.geometry.triggers = true;
        }
        let output = with_component(&config).unwrap_or_else(|error| panic!("{error}"));
        let folder = written(&output);
        std::fs::write(folder.path().join("soc.vhd"), instance(&output)).expect("writable");
        let component = "path_profiler_component.vhd";
        assert!(output.manifest.files.iter().any(|file| file == component));
        for arguments in [
            &["-a", "--std=08", component, "soc.vhd"][..],
            &["-e", "--std=08", "soc"],
        ] {
            let done = run(tool("ghdl").args(arguments), folder.path());
            assert!(
                done.status.success(),
                "{ingress:?}, {bus:?}: {}",
                words(&done)
            );
        }
    }
}

/// VHDL would ask for `\\Profiler\\`, and has words of its own.
#[test]
fn a_name_that_vhdl_cannot_say_is_refused_where_vhdl_is_asked_for() {
    for (prefix, fits) in [
        ("hpp", true),
        ("path_profiler2", true),
        ("Profiler", false),
        ("path__profiler", false),
        ("profiler_", false),
        ("component", false),
        ("of", false),
        ("xor2", true),
    ] {
        let config = Config {
            prefix: prefix.into(),
            ..Config::default()
        };
        assert!(config.validate().is_ok(), "{prefix} is refused anyway");
        let refused =
            matches!(with_component(&config), Err(GenerateError::Vhdl(name)) if name == prefix);
        assert_eq!(refused, !fits, "{prefix}");
    }
}
