//! Which configurations can be generated: the greatest and the least values, and how the others are refused.

use hpp_gen::{Config, ConfigError};
use std::path::Path;

fn parsed(text: &str) -> Config {
    Config::from_toml(text, Path::new("x.toml")).unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of a configuration; nothing if it can be generated.
fn said(text: &str) -> String {
    let checked = parsed(text).validate();
    checked.map_or_else(|error| error.to_string(), |()| String::new())
}

/// An option is taken by its own ingress alone; as it is by default it says nothing anywhere.
#[test]
fn an_option_says_something_with_its_own_ingress_alone() {
    let all = ["native", "rvfi", "retire", "trace"];
    for (line, takes) in [
        ("ports.retire-channels = 2", &["rvfi"][..]),
        ("ports.retire-channels = 1", &all[..]),
        ("ports.rvfi-next = \"retirement\"", &["rvfi"][..]),
        ("ports.rvfi-next = \"pc-wdata\"", &all[..]),
        ("ports.itype-bits = 3", &["trace"][..]),
        ("ports.itype-bits = 4", &all[..]),
        ("ports.iretire-bits = 4", &["trace"][..]),
        ("ports.iretire-bits = 3", &all[..]),
        ("ports.event-inputs = 2", &all[1..]),
        ("ports.event-inputs = 1", &all[..]),
        ("event-names = [\"misses\"]", &all[1..]),
        ("event-names = []", &all[..]),
    ] {
        for ingress in all {
            let said = said(&format!("ingress = \"{ingress}\"\n{line}"));
            let words = format!("has no effect with ingress = \"{ingress}\"; ");
            let fits = takes.contains(&ingress);
            assert_eq!(said.is_empty(), fits, "{ingress}, {line}: {said}");
            assert!(fits || said.contains(&words), "{ingress}, {line}: {said}");
        }
    }
}

#[test]
fn a_tiny_profiler_has_defaults_of_its_own_and_one_ingress_and_bus() {
    let tiny = "[geometry]\nengine = \"tiny\"\n";
    for (before, after, expected) in [
        ("ingress = \"retire\"", "", ""),
        ("", "", "engine = tiny needs ingress = retire"),
        (
            "ingress = \"retire\"\nbus = \"apb\"",
            "",
            "engine = tiny needs bus = wishbone",
        ),
        (
            "ingress = \"retire\"",
            "align = 1",
            "align = 1 is not for engine = tiny; allowed: 2",
        ),
        (
            "ingress = \"retire\"\nports.zcmp = true",
            "",
            "engine = tiny needs zcmp = false",
        ),
        (
            "ingress = \"retire\"\nreset.lossy = true",
            "",
            "engine = tiny needs lossy = false",
        ),
    ] {
        assert_eq!(said(&format!("{before}\n{tiny}{after}")), expected);
    }
}

#[test]
fn a_name_of_an_input_is_plain_and_nobody_elses() {
    for (names, fits) in [
        (&["a", "b"][..], true),
        (&["l1-miss", "l1-hit"][..], true),
        (&["a", "b", "c"][..], false),
        (&["a", "a"][..], false),
        (&[""][..], false),
        (&["-a"][..], false),
        (&["aB"][..], false),
        (&["a_b"][..], false),
        (&["cycles"][..], false),
        (&["mask"][..], false),
        (&["external-7"][..], false),
        (&["internal"][..], true),
    ] {
        let config = Config {
            event_names: names.iter().map(|name| (*name).to_string()).collect(),
            ..parsed("ingress = \"retire\"\nports.event-inputs = 2")
        };
        assert_eq!(config.validate().is_ok(), fits, "{names:?}");
    }
}

/// Some made files that no C or C++ compiler takes: `struct double`, and two functions `put_drain`.
#[test]
fn a_prefix_is_a_plain_name_that_no_language_takes() {
    for (prefix, fits) in [
        ("hpp", true),
        ("Profiler", true),
        ("", false),
        ("_a", false),
        ("a-b", false),
        ("module", false),
        ("double", false),
        ("alignas", false),
        ("put", false),
    ] {
        let config = Config {
            prefix: prefix.into(),
            ..Config::default()
        };
        let error = ConfigError::Prefix(prefix.into());
        assert_eq!(config.validate(), if fits { Ok(()) } else { Err(error) });
    }
}

/// An error's place: the first of its keys that the file has.
#[test]
fn an_error_stands_on_a_line_of_one_of_its_keys() {
    for (text, line) in [
        ("geometry.sets = 4096\n[reset]\nseed = 1", 1),
        ("bus = \"none\"\ngeometry.drain-depth = 64", 2),
        ("# x\n[geometry]\nways = 32\nsets = 4096", 3),
        (
            "[geometry]\nreplacement = \"rrip\"\nindex-scheme = \"start\"",
            3,
        ),
        (
            "[geometry]\nevent-counter-bits = 9\naccumulator-bits = 8",
            2,
        ),
        ("[geometry]\npc-bits = 64\ncontext-bits = 1", 3),
        (
            "ingress = \"retire\"\n[ports]\nevent-inputs = 8\n[geometry]\nevent-bits = 32",
            3,
        ),
        ("ingress = \"retire\"\nevent-names = [\"a\", \"b\"]", 2),
    ] {
        let checked = parsed(text).validate();
        match checked {
            Err(error) => assert_eq!(error.line_in(text), Some(line), "{error}"),
            Ok(()) => assert!(text.starts_with("geometry.sets"), "{text}"),
        }
    }
}

/// What is wrong with a kind of value is said in words, not by types.
#[test]
fn a_value_of_another_kind_is_refused_with_the_remedy() {
    for (text, words) in [
        (
            "reset.event-select = 256",
            "x.toml:1:22: integer `256`, expected a whole number from 0 to 255",
        ),
        (
            "geometry.sets = -3",
            "x.toml:1:17: integer `-3`, expected a whole number from 0 to 4294967295",
        ),
        (
            "geometry.sets = 99999999999999999999",
            "x.toml:1:17: integer `99999999999999999999`, expected a whole number from 0 to",
        ),
        (
            "geometry.sets = \"4\"",
            "x.toml:1:17: string \"4\", expected a whole number from 0 to 4294967295",
        ),
        ("bus = 3", "expected a name in quotes"),
        ("bus = \"axi\"", "x.toml:1:7"),
        (
            "[reset.rows]\ncall = [\"update\", \"update-count\"]",
            "at most one",
        ),
    ] {
        let error = Config::from_toml(text, Path::new("x.toml")).expect_err("it is wrong");
        assert!(error.to_string().contains(words), "{error}");
    }
}
