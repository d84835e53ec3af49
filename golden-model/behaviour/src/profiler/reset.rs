//! Reset values of the control registers, chosen when a profiler is generated.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::config::Geometry;
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Ppcr, Rows};
use crate::profiler::table::shadow::{CHANCE_BITS, DEFAULT_SEED};
use crate::registers::ppcr_mode;

/// The value of every control field after reset.
///
/// By default: disabled, not frozen, stall mode, Ball-Larus rows, executions, no extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResetValues {
    /// Records are profiled.
    pub enable: bool,
    /// The table takes no paths.
    pub freeze: bool,
    /// A record that finds the queue full is lost instead of holding the core.
    pub lossy: bool,
    /// What a completed path adds to its accumulator.
    pub metric: Metric,
    /// What a backward branch does that is not taken.
    pub backward_not_taken: BackwardNotTaken,
    /// What a path may extend across.
    pub extension: Extension,
    /// How many backward branches or calls a path may extend across.
    pub max_extension: u8,
    /// The event type the core is asked to count.
    pub event_select: u8,
    /// What the chances of a table with shadows begin with; 0 is taken as 1.
    pub seed: u32,
    /// Every statistics counter, and what a drain has lost, for tests of what happens when one wraps. Not part of a configuration.
    #[serde(skip)]
    pub counters: u64,
    /// The operations of each kind of branch. (Last, because it is a table in a configuration file.)
    pub rows: Rows,
}

impl Default for ResetValues {
    fn default() -> Self {
        Self {
            enable: false,
            freeze: false,
            lossy: false,
            metric: Metric::default(),
            backward_not_taken: BackwardNotTaken::default(),
            extension: Extension::default(),
            max_extension: 0,
            event_select: 0,
            seed: DEFAULT_SEED,
            counters: 0,
            rows: Rows::default(),
        }
    }
}

/// A reset value that does not fit into its register field.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} = {value} is out of range; allowed: 0 to {high}")]
pub struct ResetError {
    /// The field, as it is spelt in a configuration file.
    pub name: &'static str,
    /// What was asked for.
    pub value: u32,
    /// Greatest allowed value.
    pub high: u32,
}

impl ResetValues {
    /// Checks that every value fits into its field.
    ///
    /// # Errors
    ///
    /// The first field that is too narrow, with what it can hold.
    pub fn validate(&self, geometry: &Geometry) -> Result<(), ResetError> {
        let fields = [
            (
                "max-extension",
                self.max_extension.into(),
                Geometry::mask(geometry.extension_bits) as u32,
            ),
            (
                "event-select",
                self.event_select.into(),
                ppcr_mode::EVENT_SELECT.get(u32::MAX),
            ),
            ("seed", self.seed, Geometry::mask(CHANCE_BITS) as u32),
        ];
        for (name, value, high) in fields {
            if value > high {
                return Err(ResetError { name, value, high });
            }
        }
        Ok(())
    }

    /// The Path Profiler Control Register after reset.
    #[must_use]
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
    fn the_default_is_a_disabled_ball_larus_profiler() {
        let reset = ResetValues::default();
        assert_eq!(reset.validate(&Geometry::default()), Ok(()));
        assert!(!reset.enable && !reset.freeze && !reset.lossy);
        assert_eq!(reset.ppcr(), Ppcr::ball_larus());
    }

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
            "max-extension = 16 is out of range; allowed: 0 to 15"
        );
        reset.max_extension = 15;
        assert_eq!(
            error(&reset).to_string(),
            "event-select = 16 is out of range; allowed: 0 to 15"
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
