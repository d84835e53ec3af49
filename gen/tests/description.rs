//! What is said of the registers, in the manifest, the SVD and the C header, is what the golden model's one description says.

#[path = "writer/configurations.rs"]
mod configurations;

use configurations::config;
use hpp_gen::{Bus, Config, Ingress, Output, RegisterEntry, generate};
use hpp_golden::config::Geometry;
use hpp_golden::registers::{DRAIN_REGISTERS, REGISTERS, ppcr_mode};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

fn output(config: &Config) -> Output {
    generate(config).unwrap_or_else(|error| panic!("{error}\n{}", config.to_toml()))
}

/// Values of `EVENT_SELECT` beside those that the model names.
fn named_inputs(output: &Output) -> String {
    let registers = output.manifest.registers.iter();
    let mut fields = registers.flat_map(|register| &register.fields);
    let field = fields.find(|field| field.name == ppcr_mode::EVENT_SELECT.name);
    let values = &field.expect("there is the field").values[ppcr_mode::EVENT_SELECT.values.len()..];
    let values = values.iter();
    values
        .map(|value| format!("{} {};", value.name, value.value))
        .collect()
}

/// The text of the first element of this name within `text`.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    elements(text, name).first().copied()
}

fn elements<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let all = text.split(open.as_str()).skip(1);
    all.filter_map(|text| text.split(close.as_str()).next())
        .collect()
}

fn number(text: &str) -> u32 {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    digits
        .map_or_else(|| text.parse(), |digits| u32::from_str_radix(digits, 16))
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Registers of an SVD and of the model.
fn same_in_svd(svd: &str, entries: &[RegisterEntry]) {
    let texts = elements(svd, "register");
    assert_eq!(texts.len(), entries.len());
    for (text, entry) in texts.iter().zip(entries) {
        let head = text.split("<fields>").next().expect("there is a head");
        assert_eq!(element(head, "name"), Some(entry.name.as_str()));
        assert_eq!(
            element(head, "addressOffset").map(number),
            Some(entry.offset)
        );
        assert_eq!(element(head, "resetValue").map(number), Some(entry.reset));
        let (access, modified) = match entry.access {
            "write-one-to-clear" => ("read-write", Some("oneToClear")),
            other => (other, None),
        };
        assert_eq!(element(head, "access"), Some(access), "{}", entry.name);
        assert_eq!(element(head, "modifiedWriteValues"), modified);
        let action = element(head, "readAction");
        let fields = elements(text, "field");
        assert_eq!(fields.len(), entry.fields.len(), "{}", entry.name);
        for (text, field) in fields.iter().zip(&entry.fields) {
            assert_eq!(element(text, "name"), Some(field.name.as_str()));
            assert_eq!(element(text, "bitOffset").map(number), Some(field.lsb));
            assert_eq!(element(text, "bitWidth").map(number), Some(field.width));
            // PeakRDL's importer reads the effects of an access at fields alone.
            assert_eq!(element(text, "modifiedWriteValues"), modified);
            let own = action.filter(|action| *action != "modifyExternal");
            assert_eq!(element(text, "readAction"), own, "{}", entry.name);
            let values = elements(text, "enumeratedValue");
            let named = values.iter().map(|value| {
                let name = element(value, "name").expect("a name");
                (name, element(value, "value").map(number).expect("a value"))
            });
            // Of a value's names the last.
            let last = field.values.iter().enumerate().filter(|(place, value)| {
                let later = &field.values[place + 1..];
                later.iter().all(|other| other.value != value.value)
            });
            let last = last.map(|(_, value)| (value.name.as_str(), value.value));
            assert_eq!(named.collect::<Vec<_>>(), last.collect::<Vec<_>>());
            let empty = text.contains("<enumeratedValues>");
            assert_eq!(empty, !field.values.is_empty(), "{}", field.name);
        }
    }
}

/// The value of each macro of a header.
fn macros(header: &str) -> BTreeMap<&str, &str> {
    let lines = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define "));
    let parts = lines.filter_map(|line| line.split_once(' '));
    parts.collect()
}

fn same_in_header(header: &str, entries: &[RegisterEntry]) {
    let macros = macros(header);
    let value = |name: &str| {
        let text = macros
            .get(format!("HPP_{name}").as_str())
            .unwrap_or_else(|| panic!("no {name}"));
        number(text.trim_end_matches('u'))
    };
    for entry in entries {
        let name = &entry.name;
        assert_eq!(value(&format!("{name}_OFFSET")), entry.offset);
        assert_eq!(value(&format!("{name}_RESET")), entry.reset);
        for field in &entry.fields {
            let name = format!("{name}_{}", field.name);
            let mask = (Geometry::mask(field.width) as u32) << field.lsb;
            assert_eq!(value(&format!("{name}_SHIFT")), field.lsb, "{name}");
            assert_eq!(value(&format!("{name}_MASK")), mask, "{name}");
            for named in &field.values {
                let in_place = value(&format!("{name}_{}", named.name));
                assert_eq!(in_place, named.value << field.lsb, "{name}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn registers_are_described_alike_everywhere(config in config(), lossy: bool) {
        let mut config = config;
        config.reset.lossy = lossy;
        let output = output(&config);
        let entries = &output.manifest.registers;
        if config.bus == Bus::None {
            prop_assert!(entries.is_empty());
            return Ok(());
        }
        let svd = &output.files["hpp.svd"];
        same_in_svd(svd, entries);
        let block = element(svd, "addressBlock").expect("a block of addresses");
        let space = element(block, "size").map(number);
        prop_assert_eq!(space, Some(config.geometry.address_space()));
        prop_assert!(svd.ends_with(">\n") && !svd.ends_with("\n\n"));
        same_in_header(&output.files["hpp.h"], entries);
    }

    #[test]
    fn every_file_says_of_which_configuration_it_is(config in config()) {
        let output = output(&config);
        for (name, text) in &output.files {
            prop_assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
            let hash = &config.hash()[..16];
            // The registers' names and places as Rust are those of every configuration with a drain or without.
            let says = text.contains(hash) || name == "hpp.rs";
            prop_assert!(says, "{name} does not say of which configuration it is");
        }
    }
}

/// A driver that serves every configuration asks for a drain's registers of a profiler that has none.
#[test]
fn the_header_has_the_registers_of_a_drain_that_is_not_there() {
    let output = output(&Config::default());
    let macros = macros(&output.files["hpp.h"]);
    for register in &DRAIN_REGISTERS {
        let value = |what| macros.get(format!("HPP_{}_{what}", register.name).as_str());
        let offset = format!("0x{:02x}u", register.offset);
        assert_eq!(value("OFFSET"), Some(&offset.as_str()));
        assert_eq!(value("RESET"), Some(&"0x00000000u"));
    }
}

#[test]
fn inputs_of_events_are_values_of_the_field_in_their_order() {
    let named = |ingress, inputs, names: &[&str]| {
        let mut config = Config {
            ingress,
            event_names: names.iter().map(|name| (*name).to_string()).collect(),
            ..Config::default()
        };
        config.ports.event_inputs = inputs;
        named_inputs(&output(&config))
    };
    assert_eq!(named(Ingress::Native, 1, &[]), "");
    assert_eq!(named(Ingress::Retire, 1, &[]), "");
    let two = "EXTERNAL_1 3;EXTERNAL_2 4;";
    assert_eq!(named(Ingress::Rvfi, 3, &[]), two);
    let all = "L1_MISS 2;L2 3;EXTERNAL_2 4;";
    assert_eq!(named(Ingress::Trace, 3, &["l1-miss", "l2"]), all);
}

/// A debugger that shows all registers of an SVD took words out of the readout that firmware was in the midst of.
#[test]
fn the_svd_says_which_reads_change_something_at_registers_and_fields() {
    let mut config = Config::default();
    config.geometry.drain_depth = 64;
    let svd = &output(&config).files["hpp.svd"];
    let actions = elements(svd, "register")
        .into_iter()
        .filter_map(|register| {
            let action = element(register, "readAction")?;
            Some((element(register, "name")?, action))
        });
    let mut expected = vec![("TABLE_DATA", "modify")];
    let counters = REGISTERS.iter().map(|register| register.name);
    let low = counters.filter(|name| name.ends_with("_LO"));
    expected.extend(
        low.chain(["DRAIN_LOST_COUNT_LO"])
            .map(|name| (name, "modifyExternal")),
    );
    assert_eq!(actions.collect::<Vec<_>>(), expected);
    let said = |what: &str| {
        elements(svd, "field")
            .iter()
            .filter(|field| element(field, what).is_some())
            .count()
    };
    assert!(said("readAction") > 0 && said("modifiedWriteValues") > 0);
}

/// The module is compiled with the source of Linux alone, so a name that left the registers was found by nobody.
#[test]
fn the_kernel_module_names_what_the_header_of_its_profiler_defines() {
    let linux = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fpga/linux");
    let read = |path: &Path| fs::read_to_string(path).expect("a file of the project");
    let toml = linux.join("hpp.toml");
    let config = Config::from_toml(&read(&toml), &toml).expect("a legal configuration");
    let files = fs::read_dir(linux.join("module")).expect("the module");
    let files = files.map(|file| file.expect("a file").path());
    let sources: String = files.map(|path| read(&path)).collect();
    let names = |text: &str| {
        let words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
        let names = words.filter(|word| word.starts_with("HPP_"));
        names.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let defined = names(&output(&config).files["hpp.h"]);
    // The module has names of its own, of which none begins with a register's.
    let is_of_a_register = |name: &&String| {
        let mut names = REGISTERS
            .iter()
            .map(|register| format!("HPP_{}_", register.name));
        names.any(|register| name.starts_with(&register))
    };
    let used = names(&sources);
    let used: BTreeSet<&String> = used.iter().filter(is_of_a_register).collect();
    let unknown: Vec<&&String> = used
        .iter()
        .filter(|name| !defined.contains(**name))
        .collect();
    assert!(
        unknown.is_empty() && used.len() > 10,
        "{unknown:?} of {used:?}"
    );
}
