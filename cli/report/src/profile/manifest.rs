//! What a profiler's manifest says about its registers and its profiles.

use super::merge::different;
use super::{Profile, ProfileError};
use hpp_golden::registers::{GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3};
use hpp_paths::format::json::in_words;
use serde::Deserialize;

/// What of a manifest is of interest.
#[derive(Deserialize)]
pub struct Manifest {
    /// SHA-256 of the profiler's configuration.
    pub configuration_hash: String,
    #[serde(default)]
    configuration: Configuration,
    #[serde(default)]
    registers: Vec<Register>,
}

#[derive(Default, Deserialize)]
struct Configuration {
    #[serde(rename = "event-names", default)]
    event_names: Vec<String>,
}

#[derive(Deserialize)]
struct Register {
    name: String,
    #[serde(default)]
    reset: u32,
}

impl Manifest {
    /// Reads what `gen-verilog` wrote.
    ///
    /// # Errors
    ///
    /// If the text is no manifest.
    pub fn read(text: &str) -> Result<Self, ProfileError> {
        serde_json::from_str(text).map_err(|error| ProfileError::Manifest(in_words(&error)))
    }

    /// The fields of the registers `GEOMETRY0` to `GEOMETRY3` in which a profiler that was found is another one.
    pub fn differences(&self, found: [u32; 4]) -> Vec<String> {
        let mut different = Vec::new();
        for (register, found) in [GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3]
            .iter()
            .zip(found)
        {
            let own = self.registers.iter().find(|own| own.name == register.name);
            let expected = own.map_or(0, |own| own.reset);
            for field in register.fields {
                let (found, expected) = (field.get(found), field.get(expected));
                if found != expected {
                    different.push(format!("{} is {found}, not {expected}", field.name));
                }
            }
        }
        different
    }
}

impl Profile {
    /// Takes the names of the profiler's inputs of events from its manifest.
    ///
    /// # Errors
    ///
    /// If it is that of another profiler.
    pub fn name_events(&mut self, manifest: Manifest) -> Result<(), ProfileError> {
        if let Some(own) = &self.configuration {
            different(
                "the profiler's configuration",
                own.clone(),
                manifest.configuration_hash,
                "give the manifest of the profiler that took the profile",
            )?;
        }
        self.event_names = manifest.configuration.event_names;
        Ok(())
    }
}
