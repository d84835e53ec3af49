//! Errors of a configuration, and the keys that each is about.

use hpp_golden::config::{GeometryError, ValueError};
use hpp_golden::profiler::ResetError;
use thiserror::Error;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// Bits of all inputs of events.
pub(super) const MOST_EVENT_BITS: u32 = 64;

/// Why a configuration cannot be generated. The text says what is allowed.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    #[error("{name} = {value} exists in the golden model only; allowed: {allowed}")]
    ModelOnly {
        name: &'static str,
        value: &'static str,
        allowed: &'static str,
    },
    #[error("{name} = {value} has no effect with {with}; {remedy}")]
    Unused {
        name: &'static str,
        value: String,
        with: &'static str,
        remedy: &'static str,
    },
    #[error("engine = tiny needs {name} = {allowed}")]
    Tiny { name: &'static str, allowed: String },
    #[error(transparent)]
    Reset(#[from] ResetError),
    #[error(transparent)]
    Ports(#[from] ValueError),
    #[error(
        "event-inputs = {inputs} of event-bits = {event_bits} make a port of {} bits; allowed: {MOST_EVENT_BITS} at most",
        inputs * event_bits
    )]
    Events { inputs: u32, event_bits: u32 },
    #[error(
        "event-names has {names} names for event-inputs = {inputs}; allowed: a name for each input at most"
    )]
    TooManyEventNames { names: usize, inputs: u32 },
    #[error(
        "event-names: \"{0}\" names no input; allowed: a lower-case letter, then lower-case letters, digits and hyphens, each name \
         once, none of cycles, instructions, mask, shift, and none that begins with external"
    )]
    EventName(String),
    #[error(
        "prefix = \"{0}\" is not a plain identifier; allowed: a letter, then letters, digits and underscores, \
         and no reserved word of Verilog, C or C++, and neither put nor text, which the driver uses"
    )]
    Prefix(String),
}

impl ConfigError {
    pub(super) fn tiny(name: &'static str, allowed: impl Into<String>) -> Self {
        let allowed = allowed.into();
        ConfigError::Tiny { name, allowed }
    }

    /// The keys whose values the error is about.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        match self {
            ConfigError::Prefix(_) => vec!["prefix"],
            ConfigError::Reset(error) => error.names(),
            ConfigError::Ports(error) => vec![error.name()],
            ConfigError::Tiny { name, .. } => vec![name, "engine"],
            ConfigError::Unused { name, .. } | ConfigError::ModelOnly { name, .. } => vec![name],
            ConfigError::Events { .. } => vec!["event-inputs", "event-bits"],
            ConfigError::TooManyEventNames { .. } | ConfigError::EventName(_) => {
                vec!["event-names"]
            }
            ConfigError::Geometry(error) => error.names(),
        }
    }

    /// Line of a configuration file that sets one of [`ConfigError::keys`], from 1, however the file spells it.
    #[must_use]
    pub fn line_in(&self, text: &str) -> Option<usize> {
        let table = DeTable::parse(text).ok()?;
        let place = |key: &str| place_of(key, table.get_ref());
        let place = self.keys().into_iter().find_map(place)?;
        Some(text.get(..place)?.matches('\n').count() + 1)
    }
}

/// Where a key stands that no two tables of a configuration have.
fn place_of(key: &str, table: &DeTable<'_>) -> Option<usize> {
    let place = |(name, value): (&Spanned<DeString<'_>>, &Spanned<DeValue<'_>>)| {
        if name.get_ref() == key {
            return Some(name.span().start);
        }
        place_of(key, value.get_ref().as_table()?)
    };
    table.iter().find_map(place)
}
