//! Counts of paths: of one dump, or of several of one program and configuration, added up.

mod file;
mod manifest;
mod merge;

pub use manifest::Manifest;

use hpp_golden::config::{Geometry, GeometryError};
use hpp_golden::dump::{Drained, Dump};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{ContextFilter, IllegalRow, Metric, Ppcr};
use hpp_golden::registers::Counter;
use hpp_riscv::{Image, Walk, WalkError, walk};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

use crate::numbers::{grow, number_of, share, sum};
use crate::program::Program;

/// Why something is no profile, or two profiles do not belong together.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ProfileError {
    #[error("the geometry is that of no profiler")]
    Geometry(#[from] GeometryError),
    #[error("the control register is that of no profiler")]
    Row(#[from] IllegalRow),
    #[error("not a profile as `hpp merge` writes it: {0}")]
    Form(String),
    #[error("not a manifest as `gen-verilog` writes it, such as hpp.json: {0}")]
    Manifest(String),
    #[error("there is no context {context}: contexts of this profiler are {} wide", number_of((*bits).into(), "bit"))]
    Context { context: u8, bits: u32 },
    #[error("there is no hart {hart}: {} share this profiler", number_of((*harts).into(), "hart"))]
    Hart { hart: u8, harts: u32 },
    #[error("they differ in geometry ({parameters}); {remedy}")]
    Geometries {
        parameters: String,
        remedy: &'static str,
    },
    #[error("they differ in {what}: {first} and {second}; {remedy}")]
    Different {
        what: &'static str,
        first: String,
        second: String,
        remedy: &'static str,
    },
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

    fn add(&mut self, other: &Self) {
        grow(&mut self.waiting, other.waiting);
        grow(&mut self.lost, other.lost);
        grow(&mut self.lost_count, other.lost_count);
    }
}

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

    /// [`in_contexts`](Self::in_contexts) of one of the harts that share the profiler.
    ///
    /// # Errors
    ///
    /// If the profiler has no such hart, or no such context.
    pub fn of_hart(self, hart: u8, only: Option<u8>) -> Result<Self, ProfileError> {
        match self.geometry.harts {
            harts if u32::from(hart) >= harts => Err(ProfileError::Hart { hart, harts }),
            _ => self.split(Some(hart), only),
        }
    }

    /// Takes the contexts off the starts, which are addresses then: of all paths, which are added up by address, or only of those of
    /// one context, and the others are gone.
    ///
    /// # Errors
    ///
    /// If the profiler has no such context.
    pub fn in_contexts(self, only: Option<u8>) -> Result<Self, ProfileError> {
        self.split(None, only)
    }

    fn split(mut self, hart: Option<u8>, only: Option<u8>) -> Result<Self, ProfileError> {
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
            grow(self.contexts.entry(context).or_default(), count);
            let of_hart = u32::from(context) >> self.geometry.of_hart().context_bits;
            let shown = only.is_none_or(|only| only == context);
            if shown && hart.is_none_or(|hart| u32::from(hart) == of_hart) {
                let path = PathDescriptor { start, ..path };
                grow(self.counts.entry(path).or_default(), count);
            }
        }
        Ok(self)
    }

    /// Gives starts the high bits that the profiler does not have, where that leads to code of the program and without them there is
    /// none: those of a kernel are all ones.
    #[must_use]
    pub fn sign_extended(mut self, program: Option<&Program<'_>>) -> Self {
        let Some(image) = program.map(Program::image) else {
            return self;
        };
        let bits = self.geometry.pc_bits;
        let high = !Geometry::mask(bits);
        let is_code = |start| image.bytes(start, 1).is_some();
        for (path, count) in std::mem::take(&mut self.counts) {
            let negative = path.start >> (bits - 1) == 1;
            let start = match negative && !is_code(path.start) && is_code(path.start | high) {
                true => path.start | high,
                false => path.start,
            };
            let path = PathDescriptor { start, ..path };
            grow(self.counts.entry(path).or_default(), count);
        }
        self
    }

    /// The share of what it counts whose paths walk through a program's code, from 0 to 1.
    pub fn walks(&self, image: &Image) -> f64 {
        let own = self.counts.iter();
        let own = own.filter(|(path, _)| self.walk(image, path).is_ok());
        share(sum(own.map(|(_, &count)| count)), self.total())
    }

    /// A path through a program's code. Linear in its instructions.
    ///
    /// # Errors
    ///
    /// If it does not lead through the code.
    pub fn walk(&self, image: &Image, path: &PathDescriptor) -> Result<Walk, WalkError> {
        walk(image, &self.ppcr, self.geometry.max_branches, path)
    }

    /// The sum over all paths.
    pub fn total(&self) -> u64 {
        sum(self.counts.values().copied())
    }

    /// A counter's value.
    pub const fn counter(&self, counter: Counter) -> u64 {
        self.counters[counter as usize]
    }

    /// How many paths completed while the profile was taken, if it counts executions, and the paths of all contexts are here.
    pub fn completed(&self) -> Option<u64> {
        let all = sum(self.contexts.values().copied());
        let whole = self.contexts.is_empty() || all == self.total();
        (whole && self.ppcr.metric == Metric::Executions).then(|| self.counter(Counter::Paths))
    }
}
