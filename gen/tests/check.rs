//! The module that checks a core's RVFI: with that ingress alone, as wide as the core's ports, and without a warning.

use hpp_gen::{Bus, Config, Ingress, generate};
use std::path::Path;

fn config(ingress: Ingress, pc_bits: u32, retire_channels: u32) -> Config {
    let mut config = Config {
        ingress,
        prefix: "probe".into(),
        ..Config::default()
    };
    config.geometry.pc_bits = pc_bits;
    config.geometry.align = 1;
    config.ports.retire_channels = retire_channels;
    config
}

#[test]
fn only_a_core_with_rvfi_is_checked() {
    for ingress in Ingress::ALL {
        for bus in [Bus::Wishbone, Bus::None] {
            let output = generate(&Config {
                bus,
                ..config(ingress, 32, 1)
            });
            let output = output.expect("a legal configuration");
            let name = "probe_check.sv".to_string();
            let is_rvfi = ingress == Ingress::Rvfi;
            assert_eq!(output.files.contains_key(&name), is_rvfi, "{ingress:?}");
            assert_eq!(output.manifest.files.contains(&name), is_rvfi);
            assert!(!output.manifest.verilog.contains(&name));
        }
    }
}

#[test]
fn it_is_as_wide_as_the_ports_of_the_core() {
    let verilator = verilated::Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    for (pc_bits, xlen, channels) in [(32, 32, 1), (39, 64, 2), (64, 64, 4)] {
        let output = generate(&config(Ingress::Rvfi, pc_bits, channels));
        let text = &output.expect("a legal configuration").files["probe_check.sv"];
        for line in [
            "module probe_check #(".to_string(),
            format!("  parameter integer XLEN = {xlen},"),
            format!("  parameter integer NRET = {channels},"),
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = Path::new("probe_check.sv");
        std::fs::write(folder.path().join(file), text).expect("it is writable");
        let mut command = verilator.command();
        command.args(["--lint-only", "-Wall", "--top-module", "probe_check"]);
        let lint = command.arg(file).current_dir(folder.path()).output();
        let lint = lint.expect("Verilator starts");
        let said = String::from_utf8_lossy(&lint.stderr);
        assert!(lint.status.success(), "{said}");
    }
}
