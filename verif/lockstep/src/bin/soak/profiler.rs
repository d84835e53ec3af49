//! What is driven: a profiler in lockstep with the reference, or a tiny one beside the golden model.

use super::state::Compared;
use anyhow::{Context, Result};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_lockstep::{Built, Subject, epoch, tiny};
use std::fmt;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verilated::{Builder, Design};

/// A profiler to be built.
pub enum Chosen {
    /// One that has a reference with a clock.
    Full(Subject),
    /// A tiny one, by its name.
    Tiny(&'static str),
}

/// Tiny profilers: the default, and one with few places of everything.
pub const TINY: [&str; 2] = ["tiny", "tiny-few"];

fn geometry(tiny: &str) -> Geometry {
    match tiny {
        "tiny" => Geometry::tiny(),
        _ => tiny::few(),
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(subject) => subject.fmt(f),
            Self::Tiny(name) => f.pad(name),
        }
    }
}

impl Chosen {
    /// The profiler of this label.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn find(label: &str) -> Result<Self> {
        match TINY.iter().find(|name| **name == label) {
            Some(name) => Ok(Self::Tiny(name)),
            None => Subject::find(label).map(Self::Full),
        }
    }

    /// Its Verilog.
    ///
    /// # Errors
    ///
    /// What the generator says.
    pub fn verilog(&self) -> Result<String> {
        match self {
            Self::Full(subject) => subject.verilog(),
            Self::Tiny(name) => {
                let output = hpp_gen::generate(&tiny::config(&geometry(name)))
                    .with_context(|| format!("cannot generate `{name}`"))?;
                Ok(output.verilog().to_string())
            }
        }
    }

    /// Builds it.
    ///
    /// # Errors
    ///
    /// What generator, Verilator or compiler say.
    pub fn build(self) -> Result<Profiler> {
        let verilog = self.verilog()?;
        match self {
            Self::Full(subject) => {
                let built = subject.build(|builder| builder.optimisation(2))?;
                Ok(Profiler::Full(Box::new(built)))
            }
            Self::Tiny(name) => {
                let builder = Builder::new("hpp").source_text("hpp.v", verilog);
                Ok(Profiler::Tiny(name, builder.optimisation(2).build()?))
            }
        }
    }
}

/// A profiler that is built.
pub enum Profiler {
    Full(Box<Built>),
    Tiny(&'static str, Design),
}

impl Profiler {
    /// What it is called.
    pub fn label(&self) -> String {
        match self {
            Self::Full(built) => built.subject.to_string(),
            Self::Tiny(name, _) => (*name).to_string(),
        }
    }

    /// An epoch of so many records, a quarter of them if it takes many cycles for each.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn epoch(&self, seed: u64, records: u64) -> Result<Compared, String> {
        match self {
            Self::Full(built) => {
                let records = match built.subject.named.geometry.lookup {
                    LookupScheme::Parallel => records,
                    LookupScheme::Sequential => records.div_ceil(4),
                };
                full(built, seed, records)
            }
            Self::Tiny(name, design) => {
                let seen = AssertUnwindSafe(|| small(name, design, seed, records.div_ceil(4)));
                catch_unwind(seen).map_err(|_| "the difference is above".to_string())?
            }
        }
    }
}

fn full(built: &Built, seed: u64, records: u64) -> Result<Compared, String> {
    let bench = built.bench(seed);
    let mut bench = bench.map_err(|error| format!("{error:#}"))?;
    epoch::run(&mut bench, seed, records).map_err(|error| error.to_string())?;
    let (records, paths) = bench.reference().compared();
    Ok(Compared {
        epochs: 1,
        records,
        paths,
        cycles: bench.cycles(),
    })
}

fn small(name: &str, design: &Design, seed: u64, records: u64) -> Result<Compared, String> {
    let power_up = NonZeroU32::new(seed as u32).unwrap_or(NonZeroU32::MIN);
    let pins = tiny::Verilated::powered_up(design, power_up);
    let pins = pins.map_err(|error| error.to_string())?;
    let bench = tiny::epoch(pins, geometry(name), seed, records);
    Ok(Compared {
        epochs: 1,
        records: bench.records,
        paths: bench.paths,
        cycles: bench.cycles,
    })
}
