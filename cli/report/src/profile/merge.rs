//! Profiles of several runs, added up.

use super::{Profile, ProfileError};
use crate::counted::Counted;
use crate::numbers::grow;
use hpp_golden::config::Geometry;
use serde_json::Value;

impl Profile {
    /// Adds another profile of the same program, configuration and control register. Sums saturate.
    ///
    /// # Errors
    ///
    /// What they differ in; then nothing is added.
    pub fn add(&mut self, other: &Self) -> Result<(), ProfileError> {
        self.same_settings(other)?;
        self.same_program(other)?;
        self.runs = self.runs.saturating_add(other.runs);
        self.errors |= other.errors;
        grow(&mut self.repairs, other.repairs);
        for (own, others) in [
            (&mut self.configuration, &other.configuration),
            (&mut self.program, &other.program),
        ] {
            *own = own.take().or_else(|| others.clone());
        }
        if let (Some(missing), Some(other)) = (&mut self.missing, &other.missing) {
            missing.add(other);
        }
        for (sum, value) in self.counters.iter_mut().zip(other.counters) {
            grow(sum, value);
        }
        for (path, count) in &other.counts {
            grow(self.counts.entry(*path).or_default(), *count);
        }
        Ok(())
    }

    /// Whether the paths and counts of both mean the same: by geometry, configuration and control register.
    ///
    /// # Errors
    ///
    /// What they differ in.
    pub fn same_settings(&self, other: &Self) -> Result<(), ProfileError> {
        // In words, which leave out what has no effect, such as the type of events where executions are counted.
        let counted = |p: &Self| Counted::of(&p.ppcr, &[]).to_string();
        let hash = |p: &Self| p.configuration.clone().unwrap_or_default();
        different("what is counted", counted(self), counted(other), SETTINGS)?;
        same_geometry(&self.geometry, &other.geometry)?;
        let [first, second] = [self, other].map(|p| format!("{:#x}", p.filter.to_word()));
        different("whose paths are shown (CONTEXT)", first, second, SETTINGS)?;
        if self.configuration.is_some() && other.configuration.is_some() {
            different("configuration", hash(self), hash(other), SETTINGS)?;
        }
        Ok(())
    }

    /// Whether both are of one program, as far as it is known.
    ///
    /// # Errors
    ///
    /// The two build IDs.
    pub fn same_program(&self, other: &Self) -> Result<(), ProfileError> {
        match (&self.program, &other.program) {
            (Some(first), Some(second)) => {
                let remedy = "paths of two programs are not comparable by address";
                different("program (build ID)", first.clone(), second.clone(), remedy)
            }
            _ => Ok(()),
        }
    }
}

/// The parameters in which the sizes of two profilers differ.
fn same_geometry(first: &Geometry, second: &Geometry) -> Result<(), ProfileError> {
    let parameters = |geometry| match serde_json::to_value(geometry) {
        Ok(Value::Object(parameters)) => parameters,
        _ => unreachable!("a geometry has named parameters"),
    };
    let (first, second) = (parameters(first), parameters(second));
    let shown = |value: &Value| value.as_str().map_or(value.to_string(), String::from);
    let of_both = first.iter().zip(second.values());
    let differing: Vec<String> = of_both
        .filter(|((_, first), second)| first != second)
        .map(|((name, first), second)| format!("{name}: {} and {}", shown(first), shown(second)))
        .collect();
    match differing.is_empty() {
        true => Ok(()),
        false => Err(ProfileError::Geometries {
            parameters: differing.join(", "),
            remedy: SETTINGS,
        }),
    }
}

const SETTINGS: &str = "take both with one profiler and the same settings";

/// An error unless both are the same.
pub(super) fn different(
    what: &'static str,
    first: String,
    second: String,
    remedy: &'static str,
) -> Result<(), ProfileError> {
    match first == second {
        true => Ok(()),
        false => Err(ProfileError::Different {
            what,
            first,
            second,
            remedy,
        }),
    }
}
