//! The configuration of a profiler: its geometry, its interfaces and the reset values of its registers.

mod error;
mod file;
mod prefix;
mod validate;

pub use error::ConfigError;
pub use file::FileError;

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_hdl::{Bus, Ingress, IngressOptions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

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

impl Config {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_bus_the_profiler_is_enabled() {
        let config = Config {
            bus: Bus::None,
            ..Config::default()
        };
        assert!(config.effective_reset().enable);
        assert!(!Config::default().effective_reset().enable);
    }
}
