//! From a geometry to a verilated profiler on a test bench.

use super::bench::Bench;
use super::bus::Protocol;
use super::device_simulation::{Pair, SimulationDevice};
use super::device_verilated::VerilatedDevice;
use super::geometries::Named;
use super::reference::Timing;
use anyhow::{Context, Result};
use hpp_gen::{Config, Ingress};
use hpp_golden::profiler::ResetValues;
use verilated::{Builder, Design};

/// A built profiler; makes benches.
#[derive(Debug, Clone)]
pub struct Rig {
    named: Named,
    design: Design,
}

impl Rig {
    /// Generates the Verilog of a geometry and builds it. `adjust` may change how it is built.
    ///
    /// # Errors
    ///
    /// What generator, Verilator or compiler say.
    pub fn build(named: &Named, adjust: impl FnOnce(Builder) -> Builder) -> Result<Self> {
        Self::build_with(named, Ingress::Native, adjust)
    }

    /// [`Rig::build`] with another ingress; the benches of a rig need the native one.
    ///
    /// # Errors
    ///
    /// What generator, Verilator or compiler say.
    pub fn build_with(
        named: &Named,
        ingress: Ingress,
        adjust: impl FnOnce(Builder) -> Builder,
    ) -> Result<Self> {
        let config = Config {
            geometry: named.geometry,
            ingress,
            ..Config::default()
        };
        let output = hpp_gen::generate(&config)
            .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
        let builder = Builder::new("hpp").source_text("hpp.v", output.verilog());
        let design = adjust(builder)
            .build()
            .with_context(|| format!("cannot build geometry `{}`", named.label()))?;
        Ok(Self {
            named: *named,
            design,
        })
    }

    /// The built design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The geometry.
    pub fn named(&self) -> &Named {
        &self.named
    }

    /// A bench around a fresh model and the simulation of the circuits it was made from.
    ///
    /// # Errors
    ///
    /// A missing port, or a failure during reset.
    pub fn bench_of_pair(
        &self,
        protocol: Protocol,
    ) -> Result<Bench<Pair<VerilatedDevice, SimulationDevice>>> {
        let (geometry, reset) = (&self.named.geometry, ResetValues::default());
        let simulation = SimulationDevice::new(geometry, &reset);
        let pair = Pair(VerilatedDevice::new(&self.design)?, simulation);
        Ok(Bench::new(
            pair,
            geometry,
            &reset,
            Timing::CIRCUITS,
            protocol,
        )?)
    }

    /// A bench around a fresh model, just out of reset.
    ///
    /// # Errors
    ///
    /// A missing port, or a failure during reset.
    pub fn bench(&self, protocol: Protocol) -> Result<Bench<VerilatedDevice>> {
        let device = VerilatedDevice::new(&self.design)?;
        let reset = ResetValues::default();
        Ok(Bench::new(
            device,
            &self.named.geometry,
            &reset,
            Timing::CIRCUITS,
            protocol,
        )?)
    }
}
