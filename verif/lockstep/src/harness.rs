//! Builds a verilated profiler from a geometry, and test benches around it.

use super::bench::Bench;
use super::bus::{ApbMaster, Axi4LiteMaster, BusDevice, NativeMaster, Protocol as BusProtocol};
use super::device_verilated::VerilatedDevice;
use super::geometries::Named;
use super::ingress::Front;
use super::master::Protocol;
use super::pins::Device;
use anyhow::{Context, Result};
use hpp_gen::{Bus, Config};
use hpp_golden::profiler::ResetValues;
use std::num::NonZeroU32;
use verilated::{Builder, Design};

/// A built profiler, from which benches are made.
#[derive(Debug, Clone)]
pub struct Harness {
    named: Named,
    reset: ResetValues,
    front: Front,
    bus: Bus,
    design: Design,
    power_up: NonZeroU32,
}

impl Harness {
    /// Generates the Verilog of a geometry, with everything else as in a configuration, and builds it.
    pub fn build(named: &Named, config: &Config) -> Result<Self> {
        let config = Config {
            geometry: named.geometry,
            ..config.clone()
        };
        let output = hpp_gen::generate(&config)
            .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
        let named = Named {
            geometry: config.effective_geometry(),
            ..*named
        };
        let file = format!("{}.v", named.name);
        let builder = Builder::new("hpp").source_text(file, output.verilog());
        Ok(Self {
            reset: config.effective_reset(),
            front: Front::of(&config),
            bus: config.bus,
            ..Self::of(&named, builder)?
        })
    }

    /// Builds the geometry of this name.
    ///
    /// # Panics
    ///
    /// If the name is unknown, or on an error of the generator, Verilator or the compiler.
    pub fn of_name(name: &str, config: &Config) -> Self {
        let named = Named::find(name).expect("a test geometry");
        Self::build(&named, config).unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// Builds the geometries of these names.
    pub fn of_names(names: &[&str]) -> Vec<Self> {
        let build = |name: &&str| Self::of_name(name, &Config::default());
        names.iter().map(build).collect()
    }

    /// Builds the geometry of this name with other reset values.
    pub fn of_reset(name: &str, reset: ResetValues) -> Self {
        let config = Config {
            reset,
            ..Config::default()
        };
        Self::of_name(name, &config)
    }

    /// Builds the geometry of this name on the bus of a master.
    pub fn of_master<M: BusProtocol>(name: &str) -> Self {
        let config = Config {
            bus: M::BUS,
            ..Config::default()
        };
        Self::of_name(name, &config)
    }

    /// Builds a profiler of a geometry with a prepared builder.
    pub fn of(named: &Named, builder: Builder) -> Result<Self> {
        let design = builder
            .build()
            .with_context(|| format!("cannot build geometry `{}`", named.label()))?;
        Ok(Self {
            named: *named,
            reset: ResetValues::default(),
            front: Front::default(),
            bus: Bus::default(),
            design,
            power_up: NonZeroU32::MIN,
        })
    }

    /// Uses another seed for values that are undefined before the first reset.
    pub fn powered_up(self, power_up: NonZeroU32) -> Self {
        Self { power_up, ..self }
    }

    /// Declares the ingress that the design was built with.
    pub fn with_front(self, front: Front) -> Self {
        Self { front, ..self }
    }

    pub fn design(&self) -> &Design {
        &self.design
    }

    pub fn named(&self) -> &Named {
        &self.named
    }

    /// A bench around a fresh model, just out of reset.
    pub fn bench(&self, protocol: Protocol) -> Result<Bench<VerilatedDevice>> {
        self.bench_around(protocol, |device| device)
    }

    /// [`bench`](Self::bench) with a device that `wrap` makes of the model.
    pub fn bench_around<D: Device>(
        &self,
        protocol: Protocol,
        wrap: impl FnOnce(VerilatedDevice) -> D,
    ) -> Result<Bench<D>> {
        let device = VerilatedDevice::new(&self.design, self.power_up)?;
        self.around(wrap(device), protocol)
    }

    /// A bench around a fresh model with a master of its bus, just out of reset.
    pub fn bench_on<M: BusProtocol>(&self) -> Result<Bench<BusDevice<M>>> {
        self.around(self.device_on()?, Protocol::default())
    }

    fn device_on<M: BusProtocol>(&self) -> verilated::Result<BusDevice<M>> {
        let longest = self.named.geometry.longest_access().into();
        BusDevice::new(&self.design, self.power_up, longest)
    }

    /// A bench around a fresh model on its bus. The seed chooses its power-up values and the Wishbone protocol.
    pub fn seeded(&self, seed: u64) -> Result<Bench<Box<dyn Device>>> {
        self.seeded_around(seed, |device| device)
    }

    /// [`seeded`](Self::seeded) with a device that `wrap` makes of the model.
    pub fn seeded_around<D: Device>(
        &self,
        seed: u64,
        wrap: impl FnOnce(Box<dyn Device>) -> D,
    ) -> Result<Bench<D>> {
        let power_up = NonZeroU32::MIN.saturating_add(seed as u32);
        let harness = self.clone().powered_up(power_up);
        let device: Box<dyn Device> = match self.bus {
            Bus::Axi4Lite => Box::new(harness.device_on::<Axi4LiteMaster>()?),
            Bus::Apb => Box::new(harness.device_on::<ApbMaster>()?),
            Bus::Native => Box::new(harness.device_on::<NativeMaster>()?),
            Bus::Wishbone | Bus::None => Box::new(VerilatedDevice::new(&self.design, power_up)?),
        };
        harness.around(wrap(device), Protocol::of_seed(seed))
    }

    fn around<D: Device>(&self, device: D, protocol: Protocol) -> Result<Bench<D>> {
        let front = (&self.front, u64::from(self.power_up.get()));
        let (geometry, reset) = (&self.named.geometry, &self.reset);
        Ok(Bench::with_front(device, front, geometry, reset, protocol)?)
    }
}
