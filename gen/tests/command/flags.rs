//! The flags of `gen-verilog`: whatever a configuration file can say, and which of the two an error is about.

#[path = "../writer/configurations.rs"]
mod configurations;

use super::{file, printed};
use configurations::{config, reset};
use hpp_gen::{Config, Ingress};
use hpp_golden::profiler::{BackwardNotTaken, ResetValues, Row, Rows};
use proptest::prelude::*;

/// What is said to flags of a configuration that is not written anywhere.
fn refusal(arguments: &[String]) -> String {
    super::refusal(&[arguments, &["--print-config".into()]].concat())
}

/// A value as a flag spells it.
fn spelt(value: &toml::Value) -> String {
    match value {
        toml::Value::Array(names) => names.iter().map(spelt).collect::<Vec<_>>().join(","),
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Every key of a configuration as a flag.
fn as_flags(config: &Config) -> Vec<String> {
    let table: toml::Table = config.to_toml().parse().expect("TOML");
    let mut flags = Vec::new();
    let mut add = |flag: String, value: String| flags.extend([format!("--{flag}"), value]);
    for (key, value) in &table {
        match (key.as_str(), value.as_table()) {
            ("geometry" | "ports", Some(table)) => table
                .iter()
                .filter(|(key, _)| *key != "index-scheme")
                .for_each(|(key, value)| add(key.clone(), spelt(value))),
            ("reset", Some(table)) => {
                let fields = table.iter().filter(|(key, _)| *key != "rows");
                fields.for_each(|(key, value)| add(format!("reset-{key}"), spelt(value)));
                let rows = table["rows"].as_table().expect("a table of rows");
                for (kind, row) in rows {
                    add("reset-row".into(), format!("{kind}={}", spelt(row)));
                }
            }
            _ => add(key.clone(), spelt(value)),
        }
    }
    flags
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = prop::sample::select(Row::all().collect::<Vec<_>>());
    prop::array::uniform8(row).prop_map(Rows)
}

/// Legal configurations in which everything may differ from the default.
fn any_config() -> impl Strategy<Value = Config> {
    let prefix = "[a-z]{4}_[a-zA-Z0-9_]{0,6}";
    let settings = (0..16u8, 0..1u32 << 27, rows(), any::<bool>());
    (config(), reset(), settings, prefix, 0..8usize).prop_map(
        |(config, reset, (event_select, seed, rows, as_backward), prefix, names)| {
            let names = match config.ingress {
                Ingress::Native => 0,
                _ => names.min(config.ports.event_inputs as usize),
            };
            Config {
                prefix,
                reset: ResetValues {
                    event_select,
                    seed,
                    rows,
                    backward_not_taken: match as_backward {
                        true => BackwardNotTaken::AsBackward,
                        false => BackwardNotTaken::AsForward,
                    },
                    ..reset
                },
                event_names: (0..names).map(|name| format!("input-{name}")).collect(),
                ..config
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn a_configuration_is_the_same_as_a_file_and_as_flags(config in any_config(), other in any_config()) {
        let (_folder, path) = file(&config.to_toml());
        let from_file = vec!["--config".to_string(), path];
        prop_assert_eq!(&printed(&from_file), &config);
        prop_assert_eq!(&printed(&as_flags(&config)), &config);
        // A flag says more than the file, whatever the file says.
        let both = [from_file, as_flags(&other)].concat();
        prop_assert_eq!(printed(&both), other);
    }
}

#[test]
fn a_preset_is_all_rows_of_it() {
    for (name, rows) in [
        ("ball-larus", Rows::BALL_LARUS),
        ("whole-program-path", Rows::WHOLE_PROGRAM_PATH),
    ] {
        let (_folder, path) = file("[reset.rows]\ncall = []\nforward = [\"push\"]\n");
        let flags = ["--config", &path, "--reset-rows", name].map(String::from);
        assert_eq!(printed(&flags).reset.rows, rows);
        let row = ["--reset-row".to_string(), "trap=push".to_string()];
        let changed = printed(&[&row[..], &flags[..]].concat()).reset.rows;
        assert_eq!(
            changed.to_word() ^ rows.to_word(),
            (8 ^ rows.0[6].bits() as u32) << 24
        );
    }
    let said = refusal(&["--reset-rows".into(), "ball".into()]);
    assert!(
        said.contains("expected `ball-larus` or `whole-program-path`"),
        "{said}"
    );
}

/// RISC-V code may have compressed instructions, whose addresses have a bit 1.
#[test]
fn with_an_ingress_of_riscv_code_bit_1_of_addresses_is_stored_unless_configured_otherwise() {
    let align = |file_text: &str, flags: &str| {
        let (_folder, path) = file(file_text);
        let flags = flags.split_whitespace().map(String::from);
        let arguments: Vec<String> = ["--config".into(), path].into_iter().chain(flags).collect();
        printed(&arguments).geometry.align
    };
    for ingress in ["rvfi", "retire", "trace"] {
        let (key, flag) = (
            format!("ingress = \"{ingress}\"\n"),
            format!("--ingress {ingress}"),
        );
        assert_eq!(align(&key, ""), 1);
        assert_eq!(align("", &flag), 1);
        assert_eq!(align(&(key.clone() + "geometry.align = 2"), ""), 2);
        assert_eq!(align("geometry.align = 2", &flag), 2);
        assert_eq!(align(&key, "--align 2"), 2);
        assert_eq!(align(&(key + "geometry.align = 2"), "--align 1"), 1);
    }
    assert_eq!(align("", ""), 2);
    assert_eq!(align("ingress = \"rvfi\"", "--ingress native"), 2);
}
