//! The configuration of a profiler: its geometry, its interfaces and the reset values of its registers.

mod error;
mod file;
mod validate;

pub use error::ConfigError;
pub use file::FileError;

use hpp_golden::config::{Geometry, LookupScheme, Parameter, Values};
use hpp_golden::parameters;
use hpp_golden::profiler::ResetValues;
use hpp_hdl::{Bus, Ingress, IngressOptions};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

parameters! {
    /// A configuration; [`Config::default`] has the sizes of the thesis's profiler, on a Wishbone bus.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
    pub struct Config {
        /// Name of the top module, and the first part of every other name that is generated.
        prefix: String = "hpp".to_string(), name;
        /// What the core shows: branch records (native), RVFI, its last stage (retire) or a trace interface.
        ingress: Ingress = Ingress::default(), choice;
        /// How software reads the table. Without a bus the stream of completed paths is the only output.
        bus: Bus = Bus::default(), choice;
        /// Names of the event inputs, in order; an input without a name has a number.
        event_names: Vec<String> = Vec::new(), names;
        /// What the ingress's ports are like.
        ports: IngressOptions = IngressOptions::default(), other;
        /// Sizes.
        geometry: Geometry = Geometry::default(), other;
        /// What the control registers hold after reset.
        reset: ResetValues = ResetValues::default(), other;
    }
}

/// The parameters of one table of a configuration file.
#[derive(Clone, Copy, Debug)]
pub struct ParameterTable {
    /// Its heading in help and manual.
    pub heading: &'static str,
    /// Its name in the file; none for the keys in front of all tables.
    pub name: Option<&'static str>,
    /// What the name of a flag begins with, before that of its parameter.
    pub flag: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// Every parameter that a configuration has.
pub const PARAMETERS: [ParameterTable; 4] = [
    ParameterTable {
        heading: "Interfaces",
        name: None,
        flag: "",
        parameters: Config::PARAMETERS,
    },
    ParameterTable {
        heading: "Ports of the ingress",
        name: Some("ports"),
        flag: "",
        parameters: IngressOptions::PARAMETERS,
    },
    ParameterTable {
        heading: "Geometry",
        name: Some("geometry"),
        flag: "",
        parameters: Geometry::PARAMETERS,
    },
    ParameterTable {
        heading: "Values after reset",
        name: Some("reset"),
        flag: "reset-",
        parameters: ResetValues::PARAMETERS,
    },
];

impl ParameterTable {
    /// Its parameters that have a flag and a row in the manual.
    pub fn plain(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        let parameters = self.parameters.iter();
        parameters.filter(|parameter| !matches!(parameter.values, Values::Other))
    }

    /// The default of one, as a flag spells it.
    #[must_use]
    pub fn default(&self, parameter: &Parameter) -> String {
        let all = toml::Table::try_from(Config::default()).expect("a configuration is a table");
        let table = match self.name {
            Some(name) => all[name].as_table().expect("a table of parameters"),
            None => &all,
        };
        match &table[parameter.name] {
            toml::Value::String(text) => text.clone(),
            toml::Value::Array(names) if names.is_empty() => "none".into(),
            other => other.to_string(),
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

    /// The sizes as they are built. Without a bus there is no table to look paths up in, so nothing ever holds the core, and nothing leaves;
    /// and triggers could not be set.
    #[must_use]
    pub fn effective_geometry(&self) -> Geometry {
        let plain = Geometry::default();
        match self.bus {
            Bus::None => Geometry {
                lookup: LookupScheme::Parallel,
                replacement: plain.replacement,
                drain_depth: plain.drain_depth,
                triggers: plain.triggers,
                ..self.geometry
            },
            _ => self.geometry,
        }
    }
}
