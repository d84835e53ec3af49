//! The flags of `gen-verilog`: whatever a configuration file can say, and which of the two an error is about.

#[path = "../writer/configurations.rs"]
mod configurations;

use super::{file, printed};
use configurations::config;
use hpp_gen::{Config, Ingress};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues, Row, Rows};
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

/// Everything that registers can hold after reset with extension counters of one bit.
fn reset() -> impl Strategy<Value = ResetValues> {
    let switches = any::<[bool; 6]>();
    let extension =
        prop::sample::select(vec![Extension::None, Extension::Loop, Extension::Procedure]);
    let numbers = (0..2u8, 0..16u8, 0..1u32 << 27);
    (switches, extension, numbers, rows()).prop_map(|(switches, extension, numbers, rows)| {
        ResetValues {
            enable: switches[0],
            freeze: switches[1],
            lossy: switches[2],
            metric: [Metric::Executions, Metric::Events][usize::from(switches[3])],
            backward_not_taken: [BackwardNotTaken::AsForward, BackwardNotTaken::AsBackward]
                [usize::from(switches[4])],
            extension,
            max_extension: numbers.0,
            event_select: numbers.1,
            seed: numbers.2,
            rows,
            ..ResetValues::default()
        }
    })
}

/// Legal configurations in which everything may differ from the default.
fn any_config() -> impl Strategy<Value = Config> {
    let prefix = "[a-z]{4}_[a-zA-Z0-9_]{0,6}";
    (config(), reset(), prefix, 0..8usize).prop_map(|(config, reset, prefix, names)| {
        let names = match config.ingress {
            Ingress::Native => 0,
            _ => names.min(config.ports.event_inputs as usize),
        };
        Config {
            prefix,
            reset,
            event_names: (0..names).map(|name| format!("input-{name}")).collect(),
            ..config
        }
    })
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
    let said = refusal(&["--reset-row".into(), "call".into()]);
    assert!(
        said.contains("expected KIND=OPERATION,OPERATION..."),
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

/// A key with its table, what must be there beside it for its value to be looked at, a value that is allowed and one that is not.
const VALUES: [(&str, &str, &str, &str, &str); 7] = [
    ("", "prefix", "", "mine", "2x"),
    ("ports", "retire-channels", "ingress=rvfi", "2", "5"),
    ("", "event-names", "ingress=retire", "misses", "Misses"),
    ("geometry", "sets", "", "64", "100"),
    ("geometry", "pc-bits", "", "39", "65"),
    ("geometry", "replacement", "drain-depth=64", "lfu", "shadow"),
    ("reset", "seed", "", "3", "134217728"),
];

/// A line of a file.
fn line(key: &str, value: &str) -> String {
    let is_number = value.parse::<u32>().is_ok();
    match key {
        _ if is_number => format!("{key} = {value}\n"),
        "event-names" => format!("{key} = [\"{value}\"]\n"),
        _ => format!("{key} = \"{value}\"\n"),
    }
}

fn flag(table: &str, key: &str, value: &str) -> [String; 2] {
    let table = if table == "reset" { "reset-" } else { "" };
    [format!("--{table}{key}"), value.to_string()]
}

/// A line of the file is named if and only if the value is the file's.
#[test]
fn an_error_is_about_the_file_unless_a_flag_has_set_the_value() {
    for (table, key, beside, right, wrong) in VALUES {
        let beside: Vec<String> = match beside.split_once('=') {
            Some((key, value)) => flag("", key, value).into(),
            None => Vec::new(),
        };
        let head = match table {
            "" => "# A comment.\n".to_string(),
            table => format!("[{table}]\n"),
        };
        let run = |value: &str, flags: &[String]| {
            let (_folder, path) = file(&(head.clone() + &line(key, value)));
            refusal(&[&["--config".to_string(), path], flags].concat())
        };
        // Of two keys that do not go together, the other is a flag's.
        if key != "replacement" {
            let said = run(wrong, &beside);
            assert!(
                said.contains("profiler.toml:2: ") && said.contains(key),
                "{key}: {said}"
            );
        }
        let flags = [&beside[..], &flag(table, key, wrong)].concat();
        let said = run(right, &flags);
        assert!(
            said.contains(key) && !said.contains("profiler.toml"),
            "{key}: {said}"
        );
    }
}
