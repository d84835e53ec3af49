//! Reset values of the control registers, chosen when a profiler is generated.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::config::{Geometry, ValueError};
use crate::parameters;
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Ppcr};
use crate::profiler::rows::Rows;
use crate::profiler::table::shadow::DEFAULT_SEED;
use crate::registers::ppcr_mode;

/// Types of events that a core can be asked to count.
const EVENT_TYPES: u32 = 1 << ppcr_mode::EVENT_SELECT.width;

parameters! {
    /// The value of every control field after reset.
    ///
    /// By default: disabled, not frozen, stall mode, Ball-Larus rows, executions, no extension.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    pub struct ResetValues {
        /// Whether records are profiled.
        enable: bool = false, switch;
        /// Whether the table takes no paths.
        freeze: bool = false, switch;
        /// Whether a record that finds the queue full is lost, instead of stalling the core.
        lossy: bool = false, switch;
        /// What a completed path adds to its accumulator.
        metric: Metric = Metric::default(), choice;
        /// What a backward branch that is not taken does.
        backward_not_taken: BackwardNotTaken = BackwardNotTaken::default(), choice;
        /// What a path may extend across.
        extension: Extension = Extension::default(), choice;
        /// How many backward branches or calls a path may extend across; at most what the extension counter holds.
        max_extension: u8 = 0, number(0, 255);
        /// Event type that the core is asked to count.
        event_select: u8 = 0, number(0, EVENT_TYPES - 1);
        /// Seed of the random choices of replacement shadow; 0 is taken as 1.
        seed: u32 = DEFAULT_SEED, number(0, u32::MAX);
        /// Every statistics counter, and what a drain has lost, for tests of what happens when one wraps. Not part of a configuration.
        #[serde(skip)]
        counters: u64 = 0, other;
        /// The operations of each kind of branch. (Last, because it is a table in a configuration file.)
        rows: Rows = Rows::default(), other;
    }
}

/// A reset value that its field does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResetError {
    /// A number that its parameter may not be.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// More extensions than the counter of a path holds.
    #[error("max-extension = {value} exceeds what extension-bits = {bits} can count; allowed: 0 to {}", Geometry::mask(*bits))]
    Extension {
        /// The maximum that the reset value sets.
        value: u8,
        /// Width of the counter.
        bits: u32,
    },
}

impl ResetError {
    /// The parameters that it is about.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Value(error) => vec![error.name()],
            Self::Extension { .. } => vec!["max-extension", "extension-bits"],
        }
    }
}

impl ResetValues {
    /// The default but enabled: records are profiled from reset on.
    pub fn enabled() -> Self {
        Self {
            enable: true,
            ..Self::default()
        }
    }

    /// Checks that every value fits into its field.
    ///
    /// # Errors
    ///
    /// The first of its [violations](Self::violations).
    pub fn validate(&self, geometry: &Geometry) -> Result<(), ResetError> {
        self.violations(geometry)
            .into_iter()
            .next()
            .map_or(Ok(()), Err)
    }

    /// Every value that does not fit into its field.
    pub fn violations(&self, geometry: &Geometry) -> Vec<ResetError> {
        let (value, bits) = (self.max_extension, geometry.extension_bits.min(8));
        let extension = u64::from(value) > Geometry::mask(bits);
        let extension = extension.then_some(ResetError::Extension { value, bits });
        self.refusals()
            .map(ResetError::from)
            .chain(extension)
            .collect()
    }

    /// The Path Profiler Control Register after reset.
    pub const fn ppcr(&self) -> Ppcr {
        Ppcr {
            rows: self.rows,
            metric: self.metric,
            backward_not_taken: self.backward_not_taken,
            extension: self.extension,
            event_select: self.event_select,
            max_extension: self.max_extension,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_fit_are_refused_with_what_does() {
        let mut reset = ResetValues {
            max_extension: 16,
            event_select: 16,
            ..ResetValues::default()
        };
        let error = |reset: &ResetValues| reset.validate(&Geometry::default()).unwrap_err();
        assert_eq!(
            error(&reset).to_string(),
            "event-select = 16 is out of range; allowed: 0 to 15"
        );
        reset.event_select = 15;
        assert_eq!(
            error(&reset).to_string(),
            "max-extension = 16 exceeds what extension-bits = 4 can count; allowed: 0 to 15"
        );
    }

    #[test]
    fn a_configuration_reads_back() {
        let text = r#"{"enable": true, "extension": "procedure", "max-extension": 2,
                       "backward-not-taken": "as-backward", "rows": {"trap": []}}"#;
        let reset: ResetValues = serde_json::from_str(text).unwrap();
        assert_eq!(reset.ppcr().mode_word(), 0x020a);
        assert_eq!(reset.rows.to_word(), 0x60a6_add1);
        let written = serde_json::to_string(&reset).unwrap();
        assert_eq!(
            serde_json::from_str::<ResetValues>(&written).unwrap(),
            reset
        );
        let error = serde_json::from_str::<ResetValues>(r#"{"enabel": true}"#).unwrap_err();
        assert!(error.to_string().contains("`enable`"), "{error}");
    }
}
