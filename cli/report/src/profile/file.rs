//! The file of a profile that `hpp merge` writes.

use super::{Missing, Profile, ProfileError};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{ContextFilter, Ppcr};
use hpp_golden::registers::Counter;
use hpp_paths::format::json::in_words;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file that [`Profile::to_json`] writes.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(rename = "hpp-profile")]
    version: u32,
    runs: usize,
    configuration: Option<String>,
    program: Option<String>,
    geometry: Geometry,
    ppcr: [u32; 2],
    errors: u32,
    #[serde(default)]
    filter: u32,
    #[serde(default)]
    repairs: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<Missing>,
    counters: [u64; Counter::COUNT],
    paths: Vec<(PathDescriptor, u64)>,
}

impl Profile {
    /// The profile as a file.
    pub fn to_json(&self) -> String {
        let paths = self.counts.iter().map(|(path, count)| (*path, *count));
        let form = Form {
            version: FORM,
            runs: self.runs,
            configuration: self.configuration.clone(),
            program: self.program.clone(),
            geometry: self.geometry,
            ppcr: [self.ppcr.rows.to_word(), self.ppcr.mode_word()],
            errors: self.errors,
            filter: self.filter.to_word(),
            repairs: self.repairs,
            missing: self.missing,
            counters: self.counters,
            paths: paths.collect(),
        };
        let text = serde_json::to_string_pretty(&form);
        text.expect("numbers, names and lists of them") + "\n"
    }

    /// Reads what [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// If it is not in that form, or no profiler has such a profile.
    pub fn from_json(text: &str) -> Result<Self, ProfileError> {
        let form = |reason: String| Err(ProfileError::Form(reason));
        let read: Form = match serde_json::from_str(text) {
            Ok(read) => read,
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                return form(format!(
                    "line {line}, column {column}: {}",
                    in_words(&error)
                ));
            }
        };
        if read.version != FORM {
            return form(format!("version {} is not known, {FORM} is", read.version));
        }
        read.geometry.validate()?;
        let mut ppcr = Ppcr::ball_larus();
        ppcr.rows.write(read.ppcr[0])?;
        ppcr.write_mode(read.ppcr[1], &read.geometry);
        let mut counts = BTreeMap::new();
        for (path, count) in read.paths {
            let long = path.length > read.geometry.max_branches;
            let wide = path.length < u64::BITS && path.outcomes >> path.length != 0;
            if long || wide || count == 0 {
                return form(format!(
                    "no profiler has a path of length {}, outcomes {:x} and count {count}",
                    path.length, path.outcomes
                ));
            }
            if counts.insert(path, count).is_some() {
                return form(format!("the path {path} is there twice"));
            }
        }
        Ok(Self {
            runs: read.runs,
            configuration: read.configuration,
            program: read.program,
            event_names: Vec::new(),
            geometry: read.geometry,
            ppcr,
            errors: read.errors,
            filter: ContextFilter::from_word(read.filter, &read.geometry),
            repairs: read.repairs,
            contexts: BTreeMap::new(),
            missing: read.missing,
            counters: read.counters,
            counts,
        })
    }
}
