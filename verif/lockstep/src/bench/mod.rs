//! The test bench: a device and the reference on the same clock.

mod cycle;
mod offer;

pub use offer::Pace;

use crate::ingress::{Core, Front};
use crate::master::{Master, Protocol};
use crate::pins::{BusMaster, Device, Request};
use crate::reference::Reference;
use crate::surroundings::{DrainConsumer, TriggerInputs};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, Counter, control};
use std::fmt;

/// A difference between the device and the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Cycle, counted since reset.
    pub cycle: u64,
    pub what: String,
    /// The last cycles, one in each line.
    pub recent: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cycle {}: {}\nbefore it:\n{}",
            self.cycle, self.what, self.recent
        )
    }
}

impl std::error::Error for Disagreement {}

/// A device, the reference, a bus master and a core.
#[derive(Debug)]
pub struct Bench<D> {
    device: D,
    geometry: Geometry,
    reference: Reference,
    master: Master,
    /// The core in front of an ingress other than the native one.
    core: Option<Box<dyn Core>>,
    /// The core holds a record until it is accepted, and outputs nothing while it is stalled.
    holds: bool,
    consumer: Option<DrainConsumer>,
    trigger_inputs: Option<TriggerInputs>,
    cycles: u64,
}

impl<D: Device> Bench<D> {
    /// A bench around a device with the native ingress that was never clocked. It resets the device for one cycle.
    pub fn new(
        device: D,
        geometry: &Geometry,
        reset: &ResetValues,
        protocol: Protocol,
    ) -> Result<Self, Disagreement> {
        let native = (&Front::default(), 0);
        Self::with_front(device, native, geometry, reset, protocol)
    }

    /// A bench with any ingress. The seed determines the behaviour of the core in front of it.
    pub fn with_front(
        device: D,
        (front, seed): (&Front, u64),
        geometry: &Geometry,
        reset: &ResetValues,
        protocol: Protocol,
    ) -> Result<Self, Disagreement> {
        let reference = Reference::new(geometry, reset);
        let mut bench = Self {
            device,
            geometry: *geometry,
            reference: reference.with_ingress(front.model(geometry)),
            master: Master::new(protocol),
            core: front.core(geometry, seed),
            holds: true,
            consumer: geometry.has_drain().then(DrainConsumer::default),
            trigger_inputs: geometry.triggers.then(TriggerInputs::default),
            cycles: 0,
        };
        bench.reset(1)?;
        Ok(bench)
    }

    pub fn device(&self) -> &D {
        &self.device
    }

    pub fn device_mut(&mut self) -> &mut D {
        &mut self.device
    }

    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// The master of the device's bus: its own one, or the bench's on Wishbone.
    fn bus(&mut self) -> &mut dyn BusMaster {
        match self.device.bus() {
            Some(bus) => bus,
            None => &mut self.master,
        }
    }

    /// From now on the bus master is rude: see [`Master::be_rude`].
    pub fn be_rude(&mut self, seed: u64) {
        self.bus().be_rude(Some(seed));
    }

    /// From now on the bus master completes every access.
    pub fn be_polite(&mut self) {
        self.bus().be_rude(None);
    }

    /// The master aborts the access in progress: `wb_cyc_i` is 0 for `cycles` cycles.
    pub fn give_up(&mut self, cycles: u32) {
        self.master.give_up(cycles);
    }

    /// Queues a bus request, which later cycles perform.
    pub fn request(&mut self, request: Request) {
        self.bus().push(request);
    }

    /// Queues a write of a whole register.
    pub fn write(&mut self, offset: u32, value: u32) {
        self.request(Request::write(offset, value));
    }

    /// Queues a read, whose data the reference checks.
    pub fn read(&mut self, offset: u32) {
        self.request(Request::read(offset));
    }

    pub fn waiting(&self) -> usize {
        self.master.waiting()
    }

    /// Checks that everything counted is in the table, has left it, or was lost.
    ///
    /// # Errors
    ///
    /// If something is missing.
    pub fn balance(&self) -> Result<(), Disagreement> {
        let outcome = self.reference.balance();
        outcome.map_err(|what| self.disagreement(what))
    }

    #[cold]
    fn disagreement(&self, what: String) -> Disagreement {
        Disagreement {
            cycle: self.reference.now(),
            what,
            recent: self.reference.recent(),
        }
    }

    pub fn idle(&mut self, cycles: u64) -> Result<(), Disagreement> {
        (0..cycles).try_for_each(|_| self.cycle_of_many(None).map(drop))?;
        self.catch_up()
    }

    /// Runs cycles without records until the bus is idle.
    pub fn finish_bus(&mut self) -> Result<(), Disagreement> {
        while !self.bus().is_idle() {
            self.cycle_of_many(None)?;
        }
        self.catch_up()
    }

    /// Performs a single read between records and returns its data.
    pub fn read_now(&mut self, offset: u32) -> Result<u32, Disagreement> {
        self.finish_bus()?;
        self.read(offset);
        loop {
            self.cycle(None)?;
            if let Some(data) = self.reference.ended().and_then(|access| access.data) {
                return Ok(data);
            }
        }
    }

    /// Whether the profiler has an ingress other than the native one, with a core in front of it.
    pub fn has_core(&self) -> bool {
        self.core.is_some()
    }

    /// Whether the core obeys the stall. If not, it offers each record for one cycle, and outputs to an ingress
    /// although it is stalled.
    pub fn set_holds(&mut self, holds: bool) {
        self.holds = holds;
    }

    /// Enables the profiler, with 0 in the other fields of the control register, and waits until the table is empty.
    pub fn enable(&mut self) -> Result<(), Disagreement> {
        self.write(registers::CONTROL.offset, control::ENABLE.put(1));
        self.settle()
    }

    /// Number of events of a counter since reset.
    pub fn total(&self, counter: Counter) -> u64 {
        self.reference.total(counter)
    }
}
