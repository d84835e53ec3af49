//! Which configurations can be generated: the greatest and the least values, and how the others are refused.

use hpp_gen::{Bus, Config, ConfigError, FileError, Ingress};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use proptest::prelude::*;
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
fn a_drain_needs_a_bus() {
    for bus in Bus::ALL {
        let mut config = Config {
            bus,
            ..Config::default()
        };
        assert_eq!(config.validate(), Ok(()));
        config.geometry.drain_depth = 64;
        let error = config.validate().err().map(|error| error.to_string());
        let expected = "drain-depth = 64 has no effect with bus = \"none\"; without a bus there is no table from which paths could be evicted";
        assert_eq!(error.as_deref(), (bus == Bus::None).then_some(expected));
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
    ] {
        assert_eq!(said(&format!("{before}\n{tiny}{after}")), expected);
    }
}

#[test]
fn a_name_of_an_input_is_plain_and_nobody_elses() {
    for (names, fits) in [
        (&["a"][..], true),
        (&["a", "b"][..], true),
        (&["l1-miss", "l1-hit"][..], true),
        (&["a", "b", "c"][..], false),
        (&["a", "a"][..], false),
        (&[""][..], false),
        (&["1a"][..], false),
        (&["-a"][..], false),
        (&["aB"][..], false),
        (&["A"][..], false),
        (&["a_b"][..], false),
        (&["a", "b c"][..], false),
        (&["cycles"][..], false),
        (&["instructions"][..], false),
        (&["mask"][..], false),
        (&["shift"][..], false),
        (&["external"][..], false),
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
        ("a_1", true),
        ("Profiler", true),
        ("", false),
        ("1a", false),
        ("_a", false),
        ("a-b", false),
        ("module", false),
        ("double", false),
        ("xor_eq", false),
        ("alignas", false),
        ("put", false),
        ("text", false),
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
        ("\n\ngeometry.align = 0", 3),
        ("geometry.sets = 4096\n[reset]\nseed = 1", 1),
        ("# x\n[geometry]\nways = 32\nsets = 4096", 3),
        (
            "[geometry]\nreplacement = \"rrip\"\nindex-scheme = \"start\"",
            3,
        ),
        (
            "[geometry]\nevent-counter-bits = 9\naccumulator-bits = 8",
            2,
        ),
        ("[geometry]\n\naccumulator-bits = 7", 3),
        ("[geometry]\npc-bits = 64\ncontext-bits = 1", 3),
        ("[reset]\nmax-extension = 16", 2),
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

#[test]
fn a_file_is_read_and_checked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("profiler.toml");
    let read = |text: &str| {
        std::fs::write(&path, text).expect("the folder is writable");
        Config::from_file(&path)
    };
    let config = read("prefix = \"mine\"\n[geometry]\nsets = 64\n").expect("it is legal");
    assert_eq!((config.prefix.as_str(), config.geometry.sets), ("mine", 64));
    let place = |error: FileError| {
        error
            .to_string()
            .replace(&path.display().to_string(), "FILE")
    };
    let wrong = read("\n[geometry]\nsets = 65\n").map_err(place);
    let expected = "FILE:3: sets = 65 is not a power of two; the nearest allowed: 64 and 128";
    assert_eq!(wrong, Err(expected.to_string()));
    let misspelt = read("bus = \"apb\"\n  set = 65\n").map_err(place);
    assert!(misspelt.is_err_and(|said| said.starts_with("FILE:2:3: unknown field `set`")));
    std::fs::remove_file(&path).expect("it is there");
    let missing = Config::from_file(&path).map_err(place);
    assert_eq!(missing, Err("cannot read FILE".to_string()));
}

#[test]
fn every_violation_is_named() {
    let config = parsed(
        "prefix = \"2x\"\ngeometry = { ways = 0, event-bits = 33 }\nports.event-inputs = 9\nreset.event-select = 16\n",
    );
    let violations = config.violations();
    let keys: Vec<_> = violations.iter().flat_map(ConfigError::keys).collect();
    for key in [
        "prefix",
        "ways",
        "event-bits",
        "event-inputs",
        "event-select",
    ] {
        assert!(keys.contains(&key), "{keys:?}");
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

fn sizes() -> impl Strategy<Value = Geometry> {
    let policy = prop::sample::select(vec![
        (LookupScheme::Sequential, Replacement::Lfu, 64),
        (LookupScheme::Parallel, Replacement::Rrip, 128),
        (LookupScheme::Parallel, Replacement::Shadow, 0),
    ]);
    (policy, 1..=16u32, 32..=48u32).prop_map(
        |((lookup, replacement, drain_depth), ways, pc_bits)| Geometry {
            lookup,
            replacement,
            drain_depth,
            ways,
            pc_bits,
            ..Geometry::default()
        },
    )
}

proptest! {
    #[test]
    fn damaged_text_is_read_or_refused_with_its_place(
        at: prop::sample::Index,
        with in "[ -~\\n]{0,6}",
    ) {
        let text = Config::default().to_toml();
        let at = at.index(text.len());
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        match Config::from_toml(&damaged, Path::new("x.toml")) {
            Err(error) => prop_assert!(error.to_string().starts_with("x.toml:"), "{error}"),
            Ok(config) => drop(config.validate()),
        }
    }

    /// Without a bus nothing looks paths up, so how that would be done is as if nothing had been said.
    #[test]
    fn what_a_table_is_like_is_nothing_without_a_bus(geometry in sizes(), enable: bool) {
        for bus in Bus::ALL {
            let mut config = Config { bus, geometry, ..Config::default() };
            config.reset.enable = enable;
            config.reset.seed = 77;
            let plain = Geometry::default();
            let without = Geometry {
                lookup: LookupScheme::Parallel,
                replacement: plain.replacement,
                drain_depth: plain.drain_depth,
                ..geometry
            };
            let built = if bus == Bus::None { without } else { geometry };
            prop_assert_eq!(config.effective_geometry(), built);
            let reset = config.effective_reset();
            prop_assert_eq!(reset.enable, enable || bus == Bus::None);
            prop_assert_eq!(reset.seed, 77);
        }
    }

    #[test]
    fn configurations_that_differ_have_other_hashes(geometry in sizes()) {
        let config = Config { geometry, ingress: Ingress::Rvfi, ..Config::default() };
        let hash = config.hash();
        prop_assert!(hash.len() == 64 && hash.chars().all(|digit| "0123456789abcdef".contains(digit)));
        let other = Config { prefix: "other".into(), ..config.clone() };
        prop_assert_ne!(other.hash(), hash);
    }
}
