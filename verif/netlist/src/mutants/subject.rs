//! What is mutated: a generated profiler.

use super::device::MutantDevice;
use super::schema::{Mutant, Schema};
use anyhow::{Context, Result};
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::{Bench, Protocol, Timing};
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
    design: Design,
    /// The mutants in it.
    pub mutants: Vec<Mutant>,
}

/// The subjects: between them they have every circuit of the profiler, and no width is a round number where it need not be one.
///
/// - `parallel`: the geometry `odd` with a checked stack and contexts;
/// - `serial`: the geometry `serial-odd`.
///
/// Accumulators are so narrow that they saturate, and counters start just below the end of their low words.
pub const SUBJECTS: [&str; 2] = ["parallel", "serial"];

fn geometry(name: &str) -> Option<Named> {
    let geometry = match name {
        "parallel" => Named::find("odd").map(|odd| Geometry {
            accumulator_bits: 8,
            stack_depth: 8,
            context_bits: 3,
            stack_check: true,
            drain_depth: 0,
            ..odd.geometry
        }),
        _ => Named::find("serial-odd").map(|named| named.geometry),
    };
    let name = SUBJECTS.into_iter().find(|subject| *subject == name)?;
    Some(Named {
        name,
        seed: None,
        geometry: geometry?,
    })
}

impl Subject {
    /// The subject of this name.
    ///
    /// # Errors
    ///
    /// If it is none of [`SUBJECTS`].
    pub fn find(name: &str) -> Result<Self> {
        let named = geometry(name)
            .with_context(|| format!("no subject `{name}`; there are {}", SUBJECTS.join(", ")))?;
        let reset = ResetValues {
            counters: u64::from(u32::MAX) - 20,
            ..ResetValues::default()
        };
        let config = Config {
            geometry: named.geometry,
            reset,
            ..Config::default()
        };
        let verilog = hpp_gen::generate(&config)?.verilog().to_string();
        Ok(Self {
            named,
            reset,
            verilog,
        })
    }

    /// Builds it with mutants.
    ///
    /// # Errors
    ///
    /// What Verilator or compiler say.
    pub fn build(self, schema: Schema) -> Result<Built> {
        // Mistakes make constant conditions, unused bits and loops through values that do not depend on themselves.
        let design = Builder::new("hpp")
            .source_text("hpp.v", schema.verilog)
            .flag("-Wno-fatal")
            .flag("-Wno-lint")
            .build()
            .with_context(|| format!("cannot build the mutants of `{}`", self.named.label()))?;
        Ok(Built {
            subject: self,
            design,
            mutants: schema.mutants,
        })
    }
}

impl Built {
    /// What was mutated.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// A bench around a mutant, for so many cycles; 0 is the profiler as it was.
    ///
    /// # Errors
    ///
    /// If the bench finds a difference during the first reset, it says so.
    pub fn bench(
        &self,
        number: u32,
        protocol: Protocol,
        cycles: u64,
    ) -> Result<Bench<MutantDevice>> {
        let Subject { named, reset, .. } = &self.subject;
        let device = MutantDevice::new(&self.design, number, cycles)?;
        let (geometry, timing) = (&named.geometry, Timing::CIRCUITS);
        Ok(Bench::new(device, geometry, reset, timing, protocol)?)
    }
}
