//! Counts of paths: of one dump, or of several of one program and configuration, added up.

use std::collections::BTreeMap;

use hpp_golden::config::{Geometry, GeometryError};
use hpp_golden::dump::{Drained, Dump};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{ContextFilter, IllegalRow, Metric, Ppcr};
use hpp_golden::registers::{Counter, ERRORS};
use hpp_paths::format::json::in_words;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A path profile, and the settings under which it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// How many dumps it was made of.
    pub runs: usize,
    /// SHA-256 of the profiler's configuration, in hexadecimal, if it is known.
    pub configuration: Option<String>,
    /// Build ID of the program that ran, in hexadecimal, if it is known.
    pub program: Option<String>,
    /// What the profiler's inputs of events are called, as far as it is known. No dump says it.
    pub event_names: Vec<String>,
    /// Sizes of the profiler.
    pub geometry: Geometry,
    /// The control register in force.
    pub ppcr: Ppcr,
    /// Register `ERRORS`, of all runs together.
    pub errors: u32,
    /// Register `CONTEXT`: which contexts' paths were shown.
    pub filter: ContextFilter,
    /// Returns that went elsewhere than they should, of all runs together.
    pub repairs: u64,
    /// Which contexts the paths are of, with what they count, once [`in_contexts`](Self::in_contexts) has taken them off the starts.
    pub contexts: BTreeMap<u8, u64>,
    /// The statistics counters, added up.
    pub counters: [u64; Counter::COUNT],
    /// What left the table and is not in `counts`, if the profiler has a drain.
    pub missing: Option<Missing>,
    /// What each path counts, in the table and in what left it; never 0.
    pub counts: BTreeMap<PathDescriptor, u64>,
}

/// What left a table with a drain and is not in the profile. Of all runs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// Entries that still waited in the drain.
    pub waiting: u64,
    /// Entries that found the drain full.
    pub lost: u64,
    /// What those had counted.
    pub lost_count: u64,
}

impl Missing {
    fn of(drained: &Drained) -> Self {
        Self {
            waiting: drained.waiting.into(),
            lost: drained.lost.into(),
            lost_count: drained.lost_count,
        }
    }

    const fn add(&mut self, other: &Self) {
        self.waiting = self.waiting.saturating_add(other.waiting);
        self.lost = self.lost.saturating_add(other.lost);
        self.lost_count = self.lost_count.saturating_add(other.lost_count);
    }
}

/// Why something is no profile, or two profiles do not belong together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProfileError {
    /// Sizes that no profiler has.
    #[error("the geometry is that of no profiler")]
    Geometry(#[from] GeometryError),
    /// A control register that no profiler has.
    #[error("the control register is that of no profiler")]
    Row(#[from] IllegalRow),
    /// A file that is not as `hpp merge` writes it.
    #[error("not a profile as `hpp merge` writes it: {0}")]
    Form(String),
    /// A file that is no manifest of a profiler.
    #[error("not a manifest as `gen-verilog` writes it, such as hpp.json: {0}")]
    Manifest(String),
    /// A context that the profiler has not.
    #[error("there is no context {context}: the profiler's have {bits} bits")]
    Context {
        /// The context.
        context: u8,
        /// Bits of a context.
        bits: u32,
    },
    /// Two profiles that say different things of one thing.
    #[error("they differ in {what}: {first} and {second}; {remedy}")]
    Different {
        /// In what.
        what: &'static str,
        /// What the first says.
        first: String,
        /// What the second says.
        second: String,
        /// What to do.
        remedy: &'static str,
    },
}

/// The version of the file that [`Profile::to_json`] writes.
const FORM: u32 = 1;

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

/// A profile as a file.
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
    /// What a dump holds.
    ///
    /// # Errors
    ///
    /// If its geometry or its control register is that of no profiler; never for a dump that was read.
    pub fn of(dump: &Dump) -> Result<Self, ProfileError> {
        let geometry = dump.sizes()?;
        Ok(Self {
            runs: 1,
            configuration: dump.configuration.clone(),
            program: dump.program.clone(),
            event_names: Vec::new(),
            geometry,
            ppcr: dump.control(&geometry)?,
            errors: dump.errors,
            filter: ContextFilter::from_word(dump.filter, &geometry),
            repairs: dump.repairs.into(),
            contexts: BTreeMap::new(),
            counters: dump.counters,
            missing: dump.drained.as_ref().map(Missing::of),
            counts: dump
                .profile()
                .iter()
                .map(|(path, count)| (*path, count))
                .collect(),
        })
    }

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
        self.repairs = self.repairs.saturating_add(other.repairs);
        self.configuration = self
            .configuration
            .take()
            .or_else(|| other.configuration.clone());
        self.program = self.program.take().or_else(|| other.program.clone());
        if let (Some(missing), Some(other)) = (&mut self.missing, &other.missing) {
            missing.add(other);
        }
        for (sum, value) in self.counters.iter_mut().zip(other.counters) {
            *sum = sum.saturating_add(value);
        }
        for (path, count) in &other.counts {
            let sum = self.counts.entry(*path).or_default();
            *sum = sum.saturating_add(*count);
        }
        Ok(())
    }

    /// Whether the paths and counts of both mean the same: by geometry, configuration and control register.
    ///
    /// # Errors
    ///
    /// What they differ in.
    pub fn same_settings(&self, other: &Self) -> Result<(), ProfileError> {
        let rows = |p: &Self| format!("{:x} {:x}", p.ppcr.rows.to_word(), p.ppcr.mode_word());
        let sizes = |p: &Self| format!("{:?}", p.geometry.values());
        let hash = |p: &Self| p.configuration.clone().unwrap_or_default();
        different(
            "what is counted (PPCR_ROWS, PPCR_MODE)",
            rows(self),
            rows(other),
            SETTINGS,
        )?;
        different("geometry", sizes(self), sizes(other), SETTINGS)?;
        let filter = |p: &Self| format!("{:#x}", p.filter.to_word());
        different(
            "whose paths are shown (CONTEXT)",
            filter(self),
            filter(other),
            SETTINGS,
        )?;
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

    /// Takes the contexts off the starts, which are addresses then: of all paths, which are added up by address, or only of those of
    /// one context, and the others are gone.
    ///
    /// # Errors
    ///
    /// If the profiler has no such context.
    pub fn in_contexts(mut self, only: Option<u8>) -> Result<Self, ProfileError> {
        let bits = self.geometry.context_bits;
        if let Some(context) = only
            && (bits == 0 || u64::from(context) > Geometry::mask(bits))
        {
            return Err(ProfileError::Context { context, bits });
        }
        if bits == 0 {
            return Ok(self);
        }
        for (path, count) in std::mem::take(&mut self.counts) {
            let (start, context) = self.geometry.address_and_context(path.start);
            let sum = self.contexts.entry(context).or_default();
            *sum = sum.saturating_add(count);
            if only.is_none_or(|only| only == context) {
                let path = PathDescriptor { start, ..path };
                let sum = self.counts.entry(path).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        Ok(self)
    }

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

    /// The sum over all paths.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts
            .values()
            .fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// A counter's value.
    #[must_use]
    pub const fn counter(&self, counter: Counter) -> u64 {
        self.counters[counter as usize]
    }

    /// How many paths completed while the profile was taken, if it counts executions, and the paths of all contexts are here.
    #[must_use]
    pub fn completed(&self) -> Option<u64> {
        let all: u64 = self.contexts.values().sum();
        let whole = self.contexts.is_empty() || all == self.total();
        (whole && self.ppcr.metric == Metric::Executions).then(|| self.counter(Counter::Paths))
    }

    /// Whether a sticky error bit of register `ERRORS` is set.
    #[must_use]
    pub fn has_error(&self, name: &str) -> bool {
        let field = ERRORS.fields.iter().find(|field| field.name == name);
        field.is_some_and(|field| field.get(self.errors) != 0)
    }

    /// The profile as a file.
    #[must_use]
    pub fn to_json(&self) -> String {
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
            paths: self
                .counts
                .iter()
                .map(|(path, count)| (*path, *count))
                .collect(),
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

const SETTINGS: &str = "take both with one profiler and the same settings";

fn different(
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
