//! The subject of mutation: a generated profiler.

use super::device::MutantDevice;
use super::scenario::{LONG, QUICK, RARE, Scenario};
use super::schema::{INPUT, Mutant, Schema};
use super::tiny_scenarios::{TINY_LONG, TINY_QUICK, TINY_RARE};
use anyhow::{Context, Result};
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::tiny::{self, Pins};
use hpp_lockstep::{Bench, Protocol};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::num::NonZeroU32;
use verilated::{Builder, Design};

/// A geometry and what its registers hold after reset.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The geometry.
    pub named: Named,
    /// Registers after reset.
    pub reset: ResetValues,
    /// The generated Verilog.
    pub verilog: String,
}

/// A subject with its mutants, built.
#[derive(Debug)]
pub struct Built {
    subject: Subject,
    parts: Vec<Part>,
    /// The Verilog with its mutants.
    pub text: String,
    /// The mutants in it.
    pub mutants: Vec<Mutant>,
}

/// A design with some of the mutants.
#[derive(Debug)]
struct Part {
    numbers: BTreeSet<u32>,
    design: Design,
}

/// Mutants in one design at most. A design with more is slower in every cycle, and each design has to be compiled.
const TOGETHER: usize = 400;

/// The subjects: between them they have every circuit of the profiler, and no width is a round number where it need not be one.
///
/// - `parallel`: the geometry `odd` with a checked stack and contexts;
/// - `sequential`: the geometry `sequential-odd`;
/// - `shadow`, `rrip`, `drain`: the geometries `shadow-odd`, `rrip-odd`, `drained-odd`, of which only such mistakes are made as no
///   subject before has ([`Subject::own`]);
/// - `tiny`: a tiny profiler with its own ingress and bench.
///
/// But for `tiny`, accumulators are so narrow that they saturate, and counters start just below the end of their low words, those of `sequential`
/// just below their own end; `sequential` is enabled by its reset.
pub const SUBJECTS: [&str; 6] = ["parallel", "sequential", "shadow", "rrip", "drain", "tiny"];

/// Those of which every mutant is made.
const WHOLE: [&str; 3] = ["parallel", "sequential", "tiny"];

fn geometry(name: &str) -> Option<Geometry> {
    let named = |name| Named::find(name).map(|named| named.geometry);
    let geometry = match name {
        "parallel" => named("odd").map(|odd| Geometry {
            stack_depth: 8,
            context_bits: 3,
            stack_check: true,
            ..odd
        }),
        "sequential" => named("sequential-odd"),
        "shadow" => named("shadow-odd"),
        "rrip" => named("rrip-odd"),
        "drain" => named("drained-odd"),
        "tiny" => {
            return Some(Geometry {
                ways: 4,
                sets: 16,
                max_branches: 17,
                ..tiny::few()
            });
        }
        _ => None,
    };
    geometry.map(|geometry| Geometry {
        accumulator_bits: 8,
        ..geometry
    })
}

/// Counters just below the end of their low words; of `sequential` just below their own end, and enabled.
fn reset_values(name: &str, geometry: &Geometry) -> ResetValues {
    if geometry.is_tiny() {
        return ResetValues::default();
    }
    let (enable, last) = match name {
        "sequential" => (true, Geometry::mask(geometry.counter_bits)),
        _ => (false, u32::MAX.into()),
    };
    ResetValues {
        enable,
        counters: last - 20,
        ..ResetValues::default()
    }
}

impl Subject {
    /// The subject of this name.
    ///
    /// # Errors
    ///
    /// If it is none of [`SUBJECTS`].
    pub fn find(name: &str) -> Result<Self> {
        let known = SUBJECTS.into_iter().find(|subject| *subject == name);
        let found = known.and_then(|name| Some((name, geometry(name)?)));
        let (name, geometry) = found
            .with_context(|| format!("no subject `{name}`; there are {}", SUBJECTS.join(", ")))?;
        let named = Named {
            name,
            seed: None,
            geometry,
        };
        let reset = reset_values(name, &geometry);
        let config = match geometry.is_tiny() {
            true => tiny::config(&geometry),
            false => Config {
                geometry,
                reset,
                ..Config::default()
            },
        };
        let verilog = hpp_gen::generate(&config)?.verilog().to_string();
        Ok(Self {
            named,
            reset,
            verilog,
        })
    }

    /// The numbers of the mutants that are made of it: all, or those of which no subject before has the like, a mutant of the same module
    /// that only differs in numbers.
    ///
    /// # Errors
    ///
    /// If a subject cannot be generated or read.
    pub fn own(&self, schema: &Schema) -> Result<Vec<u32>> {
        let mut known = BTreeSet::new();
        if !WHOLE.contains(&self.named.name) {
            for name in SUBJECTS.iter().take_while(|name| **name != self.named.name) {
                let other = Schema::of(&Self::find(name)?.verilog)?;
                known.extend(other.mutants.iter().map(likeness));
            }
        }
        let own = schema.mutants.iter();
        let own = own.filter(|mutant| !known.contains(&likeness(mutant)));
        Ok(own.map(|mutant| mutant.number).collect())
    }

    /// Builds it with all mutants of a schema in one design.
    ///
    /// # Errors
    ///
    /// What Verilator or compiler say.
    pub fn build(self, schema: Schema) -> Result<Built> {
        let numbers = schema.mutants.iter().map(|mutant| mutant.number).collect();
        let parts = vec![self.part(numbers, &schema.verilog)?];
        Ok(self.built(schema, parts))
    }

    /// Builds it with mutants of these numbers of [`Schema::of`], in as many designs as they need.
    ///
    /// # Errors
    ///
    /// What Verilator or compiler say.
    pub fn build_some(self, schema: Schema, numbers: &[u32]) -> Result<Built> {
        let chunks: Vec<&[u32]> = match numbers {
            [] => vec![numbers],
            _ => numbers.chunks(TOGETHER).collect(),
        };
        let part = |chunk: &[u32]| {
            let numbers = chunk.iter().copied().collect();
            let part = Schema::part(&self.verilog, &numbers)?;
            self.part(numbers, &part.verilog)
        };
        let parts: Result<_> = chunks.into_par_iter().map(part).collect();
        let parts = parts?;
        Ok(self.built(schema, parts))
    }

    /// The scenarios that its mutants meet: the quick ones, those of corners, and, if there is no proof, the long ones.
    pub fn scenarios(&self) -> [&'static [Scenario]; 3] {
        match self.named.geometry.is_tiny() {
            true => [&TINY_QUICK, &TINY_RARE, &TINY_LONG],
            false => [&QUICK, &RARE, &LONG],
        }
    }

    fn part(&self, numbers: BTreeSet<u32>, verilog: &str) -> Result<Part> {
        // Mistakes make constant conditions, unused bits and loops through values that do not depend on themselves.
        let design = Builder::new("hpp")
            .source_text("hpp.v", verilog.to_owned())
            .flag("-Wno-fatal")
            .flag("-Wno-lint")
            .build()
            .with_context(|| format!("cannot build the mutants of `{}`", self.named.label()))?;
        Ok(Part { numbers, design })
    }

    fn built(self, schema: Schema, parts: Vec<Part>) -> Built {
        Built {
            subject: self,
            parts,
            text: schema.verilog,
            mutants: schema.mutants,
        }
    }
}

/// A mutant without its numbers and the width of what it is in.
fn likeness(mutant: &Mutant) -> String {
    let Mutant {
        module, from, to, ..
    } = mutant;
    let whole = format!("{module} {}: {from} => {to}", mutant.operator);
    let mut like = String::new();
    for character in whole.chars() {
        match character {
            '0'..='9' if like.ends_with('#') => {}
            '0'..='9' => like.push('#'),
            other => like.push(other),
        }
    }
    like
}

impl Built {
    /// What was mutated.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// How many designs it is.
    pub fn designs(&self) -> usize {
        self.parts.len()
    }

    /// The design that has the mutant of that number; of 0, the first.
    pub fn design_of(&self, number: u32) -> usize {
        let has = |part: &Part| part.numbers.contains(&number);
        self.parts.iter().position(has).unwrap_or(0)
    }

    /// A bench around a mutant of a design, for so many cycles; 0 is the profiler as it was.
    ///
    /// # Errors
    ///
    /// If the bench finds a difference during the first reset, it says so.
    pub fn bench(
        &self,
        (design, number): (usize, u32),
        protocol: Protocol,
        cycles: u64,
    ) -> Result<Bench<MutantDevice>> {
        let Subject { named, reset, .. } = &self.subject;
        let device = MutantDevice::new(&self.parts[design].design, number, cycles)?;
        Ok(Bench::new(device, &named.geometry, reset, protocol)?)
    }

    /// The pins of a tiny profiler with a mutant of a design, powered up as a seed that is not 0 says; mutant 0 is the profiler as it was.
    ///
    /// # Errors
    ///
    /// What the model says.
    pub fn pins(&self, (design, number): (usize, u32), seed: u32) -> Result<tiny::Verilated> {
        let design = &self.parts[design].design;
        let seed = NonZeroU32::new(seed).unwrap_or(NonZeroU32::MIN);
        let mut pins = tiny::Verilated::powered_up(design, seed)?;
        pins.set(INPUT, number.into());
        Ok(pins)
    }
}
