//! What a profiler is generated from: its geometry, its interfaces and what its registers hold after reset.

use hpp_golden::config::{Geometry, GeometryError};
use hpp_golden::profiler::{ResetError, ResetValues};
use hpp_hdl::{Bus, Ingress, IngressOptions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::verilog::is_plain_name;

/// Bits of all inputs of events.
const MOST_EVENT_BITS: u32 = 64;

/// A configuration; [`Config::default`] is the profiler of the thesis on a Wishbone bus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Name of the top module, and the first part of every other name that is generated.
    pub prefix: String,
    /// Where records come from.
    pub ingress: Ingress,
    /// How software reads the table.
    pub bus: Bus,
    /// What the inputs of events are called, the first first; those left out have a number.
    pub event_names: Vec<String>,
    /// What the ingress's ports are like.
    pub ports: IngressOptions,
    /// Sizes.
    pub geometry: Geometry,
    /// What the control registers hold after reset.
    pub reset: ResetValues,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            prefix: "hpp".to_string(),
            ingress: Ingress::default(),
            bus: Bus::default(),
            event_names: Vec::new(),
            ports: IngressOptions::default(),
            geometry: Geometry::default(),
            reset: ResetValues::default(),
        }
    }
}

/// Why a configuration cannot be generated. The text says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// A size is impossible.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// Instructions of any number of bytes, which no ingress of the circuits takes.
    #[error("align = 0 is for the model of other instruction sets alone; allowed: 1 to 2")]
    Unaligned,
    /// A reset value does not fit into its field.
    #[error(transparent)]
    Reset(#[from] ResetError),
    /// A width of the ingress's ports is impossible.
    #[error("{name} = {value} is out of range; allowed: {least} to {greatest}")]
    Ports {
        /// Its key.
        name: &'static str,
        /// Its value.
        value: u32,
        /// The least width.
        least: u32,
        /// The greatest width.
        greatest: u32,
    },
    /// The inputs of events are too wide together.
    #[error(
        "event-inputs = {inputs} of event-bits = {event_bits} make a port of {} bits; allowed: {MOST_EVENT_BITS} at most",
        inputs * event_bits
    )]
    Events {
        /// How many inputs.
        inputs: u32,
        /// The width of each.
        event_bits: u32,
    },
    /// More names than inputs.
    #[error(
        "event-names has {names} names for event-inputs = {inputs}; allowed: a name for each input at most"
    )]
    TooManyEventNames {
        /// How many names.
        names: usize,
        /// How many inputs.
        inputs: u32,
    },
    /// The name of an input of events is none, or is taken.
    #[error(
        "event-names: \"{0}\" names no input; allowed: a lower-case letter, then lower-case letters, digits and hyphens, each name \
         once, and none of cycles, instructions, external"
    )]
    EventName(String),
    /// The prefix is not a name that every language of the output takes.
    #[error(
        "prefix = \"{0}\" is not a plain identifier; allowed: a letter, then letters, digits and underscores, \
         and no reserved word of Verilog"
    )]
    Prefix(String),
}

/// A place in a configuration file, and what is wrong there.
#[derive(Debug, Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is not TOML, or a key or value is unknown.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong and what is allowed.
        message: String,
    },
    /// The file is well formed but asks for something impossible.
    #[error("{}:{line}: {error}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Line of the key, from 1; 1 if the file leaves it at its default.
        line: usize,
        /// What is wrong and what is allowed.
        error: ConfigError,
    },
}

impl Config {
    /// Reads a configuration file and checks it.
    ///
    /// # Errors
    /// [`FileError`], with file, line and what is allowed.
    pub fn from_file(path: &Path) -> Result<Self, FileError> {
        let text = std::fs::read_to_string(path).map_err(|source| FileError::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let config = Self::from_toml(&text, path)?;
        config.validate().map_err(|error| FileError::Invalid {
            path: path.to_path_buf(),
            line: error.line_in(&text).unwrap_or(1),
            error,
        })?;
        Ok(config)
    }

    /// Reads the text of a configuration file without checking its values; `path` is for messages.
    ///
    /// # Errors
    /// [`FileError::Parse`] for anything but the keys and kinds of values of a configuration.
    pub fn from_toml(text: &str, path: &Path) -> Result<Self, FileError> {
        toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or_default();
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            FileError::Parse {
                path: path.to_path_buf(),
                line: before.matches('\n').count() + 1,
                column: before[start..].chars().count() + 1,
                message: in_words(error.message()),
            }
        })
    }

    /// Checks that the configuration can be generated.
    ///
    /// # Errors
    /// The first value found to be impossible, with what is allowed.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !is_plain_name(&self.prefix) {
            return Err(ConfigError::Prefix(self.prefix.clone()));
        }
        validate_ports(&self.ports)?;
        self.geometry.validate()?;
        if self.geometry.align == 0 {
            return Err(ConfigError::Unaligned);
        }
        let (inputs, event_bits) = (self.ports.event_inputs, self.geometry.event_bits);
        if inputs * event_bits > MOST_EVENT_BITS {
            return Err(ConfigError::Events { inputs, event_bits });
        }
        self.validate_event_names()?;
        self.reset.validate(&self.geometry)?;
        Ok(())
    }

    fn validate_event_names(&self) -> Result<(), ConfigError> {
        let names = &self.event_names;
        if names.len() > self.ports.event_inputs as usize {
            return Err(ConfigError::TooManyEventNames {
                names: names.len(),
                inputs: self.ports.event_inputs,
            });
        }
        let plain = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        let taken = |name: &str| {
            let own = ["cycles", "instructions"].contains(&name) || name.starts_with("external");
            own || names.iter().filter(|other| *other == name).count() > 1
        };
        match names.iter().find(|name| !plain(name) || taken(name)) {
            Some(name) => Err(ConfigError::EventName(name.clone())),
            None => Ok(()),
        }
    }

    /// The configuration as a file that [`Config::from_file`] reads back.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration is numbers, names and tables of them")
    }

    /// SHA-256 of [`Config::to_toml`], in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        let digest = Sha256::digest(self.to_toml().as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What the control registers hold after reset. Without a bus nothing could enable the profiler, so it comes out of
    /// reset enabled.
    #[must_use]
    pub fn effective_reset(&self) -> ResetValues {
        ResetValues {
            enable: self.reset.enable || self.bus == Bus::None,
            ..self.reset
        }
    }

    /// The sizes as they are built. Without a bus there is no table to look paths up in, so nothing ever holds the core, and nothing leaves.
    #[must_use]
    pub fn effective_geometry(&self) -> Geometry {
        let Geometry {
            lookup,
            replacement,
            drain_depth,
            ..
        } = match self.bus {
            Bus::None => Geometry::default(),
            _ => self.geometry,
        };
        Geometry {
            lookup,
            replacement,
            drain_depth,
            ..self.geometry
        }
    }
}

/// Checks the widths of an ingress's ports.
fn validate_ports(ports: &IngressOptions) -> Result<(), ConfigError> {
    let numbers = [
        ("retire-channels", ports.retire_channels, 1, 4),
        ("itype-bits", ports.itype_bits, 3, 4),
        ("iretire-bits", ports.iretire_bits, 1, 8),
        ("event-inputs", ports.event_inputs, 1, 8),
    ];
    let impossible =
        |&&(_, value, least, greatest): &&(_, u32, u32, u32)| !(least..=greatest).contains(&value);
    match numbers.iter().find(impossible) {
        None => Ok(()),
        Some(&(name, value, least, greatest)) => Err(ConfigError::Ports {
            name,
            value,
            least,
            greatest,
        }),
    }
}

impl ConfigError {
    /// The keys whose values the error is about.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        match self {
            ConfigError::Prefix(_) => vec!["prefix"],
            ConfigError::Unaligned => vec!["align"],
            ConfigError::Reset(error) => vec![error.name],
            ConfigError::Ports { name, .. } => vec![name],
            ConfigError::Events { .. } => vec!["event-inputs", "event-bits"],
            ConfigError::TooManyEventNames { .. } | ConfigError::EventName(_) => {
                vec!["event-names"]
            }
            ConfigError::Geometry(error) => match error {
                GeometryError::SkewedLookup(_) => vec!["replacement", "lookup"],
                GeometryError::SkewedIndex(_) => vec!["replacement", "index-scheme"],
                GeometryError::ShadowDrain => vec!["drain-depth", "replacement"],
                GeometryError::DrainTooSmall { .. } => vec!["drain-depth"],
                GeometryError::OutOfRange { name, .. }
                | GeometryError::NotPowerOfTwo { name, .. } => vec![name],
                GeometryError::TooManyEntries { .. } => vec!["ways", "sets"],
                GeometryError::AddressTooWide => vec!["pc-bits", "align"],
                GeometryError::StartTooWide { .. } => vec!["context-bits", "pc-bits"],
                GeometryError::AccumulatorTooNarrow { .. } => {
                    vec!["event-counter-bits", "accumulator-bits"]
                }
            },
        }
    }

    /// Line of a configuration file that sets one of [`ConfigError::keys`], from 1.
    #[must_use]
    pub fn line_in(&self, text: &str) -> Option<usize> {
        let sets = |line: &str, key: &str| {
            let rest = line.trim_start().strip_prefix(key);
            rest.is_some_and(|rest| rest.trim_start().starts_with('='))
        };
        let line_of = |key: &str| text.lines().position(|line| sets(line, key));
        self.keys()
            .into_iter()
            .find_map(line_of)
            .map(|line| line + 1)
    }
}

/// A parser's message without the names of its types.
fn in_words(message: &str) -> String {
    [
        ("\n", " "),
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        (" as i128", ""),
        (" as u128", ""),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u8", "expected a whole number from 0 to 255"),
    ]
    .into_iter()
    .fold(message.to_string(), |text, (from, to)| {
        text.replace(from, to)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Config, FileError> {
        Config::from_toml(text, Path::new("x.toml"))
    }

    #[test]
    fn the_default_reads_back() {
        let config = Config::default();
        assert_eq!(parse(&config.to_toml()).unwrap(), config);
        assert_eq!(parse("").unwrap(), config);
        assert_eq!(config.hash().len(), 64);
    }

    #[test]
    fn a_misspelt_key_is_refused_with_its_place_and_what_is_allowed() {
        let error = parse("prefix = \"hpp\"\n[geometry]\nways = 4\n  set = 64\n")
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("x.toml:4:3: unknown field `set`, expected one of `sets`, `ways`"),
            "{error}"
        );
        let error = parse("bus = \"axi\"").unwrap_err().to_string();
        assert!(
            error.contains("x.toml:1:7") && error.contains("`wishbone`"),
            "{error}"
        );
        for (value, expected) in [
            (
                "-3",
                "x.toml:1:17: integer `-3`, expected a whole number from 0 to 4294967295",
            ),
            (
                "99999999999999999999",
                "x.toml:1:17: integer `99999999999999999999`, expected a whole number from 0 to 4294967295",
            ),
            (
                "\"4\"",
                "x.toml:1:17: string \"4\", expected a whole number from 0 to 4294967295",
            ),
        ] {
            let error = parse(&format!("geometry.sets = {value}")).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let error = parse("[reset.rows]\ncall = [\"update\", \"update-count\"]")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("x.toml:2:") && error.contains("at most one"),
            "{error}"
        );
    }

    #[test]
    fn an_impossible_value_is_refused_with_its_line() {
        let text = "[geometry]\nways = 4\nsets = 100\n";
        let error = parse(text).unwrap().validate().unwrap_err();
        assert_eq!(error.line_in(text), Some(3));
        let error = Config {
            prefix: "2x".into(),
            ..Config::default()
        }
        .validate()
        .unwrap_err();
        assert!(
            error.to_string().contains("a letter, then letters"),
            "{error}"
        );
        assert_eq!(error.line_in(text), None);
        let error = parse("geometry.align = 0").unwrap().validate().unwrap_err();
        assert!(error.to_string().contains("allowed: 1 to 2"), "{error}");
    }

    #[test]
    fn without_a_bus_the_profiler_is_enabled() {
        let config = Config {
            bus: Bus::None,
            ..Config::default()
        };
        assert!(config.effective_reset().enable);
        assert!(!Config::default().effective_reset().enable);
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
            match parse(&damaged) {
                Err(error) => prop_assert!(error.to_string().starts_with("x.toml:"), "{error}"),
                Ok(config) => drop(config.validate()),
            }
        }
    }
}
