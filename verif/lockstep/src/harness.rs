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
    design: Design,
    power_up: NonZeroU32,
}

impl Harness {
    /// Generates the Verilog of a geometry, with the native ingress on Wishbone, and builds it.
    pub fn build(named: &Named) -> Result<Self> {
        Self::build_with(named, Front::default())
    }

    /// Builds the geometries of these names.
    ///
    /// # Panics
    ///
    /// If a name is unknown, or on an error of the generator, Verilator or the compiler.
    pub fn of_names(names: &[&str]) -> Vec<Self> {
        let build = |name: &&str| {
            let named = Named::find(name).expect("a test geometry");
            Self::build(&named).unwrap_or_else(|error| panic!("{error:#}"))
        };
        names.iter().map(build).collect()
    }

    /// [`Harness::build`] with another ingress.
    pub fn build_with(named: &Named, front: Front) -> Result<Self> {
        Self::generated(named, front, Bus::Wishbone, ResetValues::default())
    }

    /// [`Harness::build`] with other reset values.
    pub fn build_reset(named: &Named, reset: ResetValues) -> Result<Self> {
        Self::generated(named, Front::default(), Bus::Wishbone, reset)
    }

    /// [`Harness::build`] with another bus; for [`bench_on`](Self::bench_on).
    pub fn build_bus(named: &Named, bus: Bus) -> Result<Self> {
        Self::generated(named, Front::default(), bus, ResetValues::default())
    }

    fn generated(named: &Named, front: Front, bus: Bus, reset: ResetValues) -> Result<Self> {
        let config = Config {
            geometry: named.geometry,
            ingress: front.ingress,
            ports: front.options,
            bus,
            reset,
            ..Config::default()
        };
        let output = hpp_gen::generate(&config)
            .with_context(|| format!("cannot generate geometry `{}`", named.label()))?;
        let file = format!("{}.v", named.name);
        let builder = Builder::new("hpp").source_text(file, output.verilog());
        Ok(Self::of(named, builder)?
            .with_reset(reset)
            .with_front(front))
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
            design,
            power_up: NonZeroU32::MIN,
        })
    }

    /// Uses another seed for values that are undefined before the first reset.
    pub fn powered_up(self, power_up: NonZeroU32) -> Self {
        Self { power_up, ..self }
    }

    /// Declares the reset values that the design was built with.
    pub fn with_reset(self, reset: ResetValues) -> Self {
        Self { reset, ..self }
    }

    /// Declares the ingress that the design was built with.
    pub fn with_front(self, front: Front) -> Self {
        Self { front, ..self }
    }

    /// The built design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The geometry.
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
    pub fn bench_on<M: BusProtocol>(&self, master: M) -> Result<Bench<BusDevice<M>>> {
        let device = BusDevice::new(&self.design, self.power_up, master)?;
        self.around(device, Protocol::default())
    }

    /// A bench around a device that `wrap` makes of a fresh model with this bus; on Wishbone with this protocol.
    pub fn boxed<D: Device>(
        &self,
        (bus, protocol): (Bus, Protocol),
        wrap: impl FnOnce(Box<dyn Device>) -> D,
    ) -> Result<Bench<D>> {
        let longest = self.named.geometry.longest_access().into();
        let (design, power_up) = (&self.design, self.power_up);
        let device: Box<dyn Device> = match bus {
            Bus::Axi4Lite => {
                let master = Axi4LiteMaster::new(longest);
                Box::new(BusDevice::new(design, power_up, master)?)
            }
            Bus::Apb => Box::new(BusDevice::new(design, power_up, ApbMaster::new(longest))?),
            Bus::Native => Box::new(BusDevice::new(
                design,
                power_up,
                NativeMaster::new(longest),
            )?),
            Bus::Wishbone | Bus::None => Box::new(VerilatedDevice::new(design, power_up)?),
        };
        self.around(wrap(device), protocol)
    }

    fn around<D: Device>(&self, device: D, protocol: Protocol) -> Result<Bench<D>> {
        let front = (&self.front, u64::from(self.power_up.get()));
        let (geometry, reset) = (&self.named.geometry, &self.reset);
        Ok(Bench::with_front(device, front, geometry, reset, protocol)?)
    }
}
