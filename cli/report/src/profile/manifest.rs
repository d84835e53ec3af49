//! What a profiler's manifest says about its profiles.

use super::merge::different;
use super::{Profile, ProfileError};
use hpp_paths::format::json::in_words;
use serde::Deserialize;

/// What of a manifest is of interest.
#[derive(Deserialize)]
struct Manifest {
    configuration_hash: String,
    configuration: Configuration,
}

#[derive(Deserialize)]
struct Configuration {
    #[serde(rename = "event-names", default)]
    event_names: Vec<String>,
}

impl Profile {
    /// Takes the names of the profiler's inputs of events from its manifest.
    ///
    /// # Errors
    ///
    /// If the text is no manifest, or that of another profiler.
    pub fn name_events(&mut self, manifest: &str) -> Result<(), ProfileError> {
        let read: Manifest = serde_json::from_str(manifest)
            .map_err(|error| ProfileError::Manifest(in_words(&error)))?;
        if let Some(own) = &self.configuration {
            different(
                "the profiler's configuration",
                own.clone(),
                read.configuration_hash,
                "give the manifest of the profiler that took the profile",
            )?;
        }
        self.event_names = read.configuration.event_names;
        Ok(())
    }
}
