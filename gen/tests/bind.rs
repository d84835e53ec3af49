//! The `bind` directive: every input of the profiler is connected, to what was said or to what is known of the core.

use hpp_gen::verilog::{Direction, Port};
use hpp_gen::{Bind, Bus, Config, Extras, Ingress, generate_with};

fn bind(module: &str, connect: &[(&str, &str)]) -> Bind {
    Bind {
        module: module.into(),
        connect: connect
            .iter()
            .map(|(port, name)| ((*port).into(), (*name).into()))
            .collect(),
    }
}

fn config(ingress: Ingress) -> Config {
    Config {
        ingress,
        bus: Bus::None,
        ..Config::default()
    }
}

/// The directive's text, and the profiler's ports.
fn directive(config: &Config, bind: &Bind) -> (String, Vec<Port>) {
    let extras = Extras {
        bind: Some(bind),
        ..Extras::default()
    };
    let output = generate_with(config, &extras).unwrap_or_else(|error| panic!("{error}"));
    (output.files["hpp_bind.sv"].clone(), output.manifest.ports)
}

/// Port and expression of each connection.
fn connections(text: &str) -> Vec<(&str, &str)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("  ."));
    let parts = lines.filter_map(|line| line.trim_end_matches(',').strip_suffix(')'));
    parts.filter_map(|line| line.split_once('(')).collect()
}

#[test]
fn a_directive_connects_every_port_in_order() {
    for (module, ingress, align) in [
        ("VexRiscv", Ingress::Retire, 2),
        ("ibex_top", Ingress::Rvfi, 1),
        ("picorv32", Ingress::Rvfi, 2),
        ("picorv32", Ingress::Rvfi, 1),
        ("serv_top", Ingress::Rvfi, 2),
    ] {
        let mut config = config(ingress);
        config.geometry.align = align;
        let (text, ports) = directive(&config, &bind(module, &[]));
        assert!(
            text.contains(&format!("\nbind {module} hpp hpp (\n")),
            "{text}"
        );
        let connected = connections(&text);
        let names: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        let listed: Vec<&str> = connected.iter().map(|(port, _)| *port).collect();
        assert_eq!(listed, names);
        for (port, (_, expression)) in ports.iter().zip(&connected) {
            let is_input = port.direction == Direction::Input;
            assert_eq!(expression.is_empty(), !is_input, "{module}: {}", port.name);
        }
    }
}

#[test]
fn what_was_said_comes_before_what_is_known() {
    let given = [("rvfi_trap", "stopped"), ("event_in", "misses")];
    let (text, _) = directive(&config(Ingress::Rvfi), &bind("picorv32", &given));
    let (plain, _) = directive(&config(Ingress::Rvfi), &bind("picorv32", &[]));
    for ((port, expression), (_, known)) in connections(&text).into_iter().zip(connections(&plain))
    {
        let said = given.iter().find(|(name, _)| *name == port);
        assert_eq!(expression, said.map_or(known, |(_, said)| said), "{port}");
    }
}
