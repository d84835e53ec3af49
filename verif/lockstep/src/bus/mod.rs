//! The profiler on other buses than Wishbone: masters that do whatever their bus allows, and hold the profiler to its rules.
//!
//! A [`BusDevice`] is a verilated profiler with such a master. The bench gives the master its requests, and what it reports of
//! accesses is compared with the model as those of Wishbone are.

mod apb;
mod axi4_lite;
mod pins;

pub use apb::ApbMaster;
pub use axi4_lite::Axi4LiteMaster;
pub use pins::BusPins;

use super::device_verilated::powered_up;
use super::pins::{Device, Drive, Request, Seen};
use super::port::Access;
use super::record_pins::{Nonsense, RecordPins, Staged};
use std::collections::VecDeque;
use std::num::NonZeroU32;
use verilated::{Design, Model, Output};

/// What a bench asks of a device's own bus master.
pub trait BusMaster {
    /// Queues a request.
    fn push(&mut self, request: Request);
    /// Whether every access has been answered.
    fn is_idle(&self) -> bool;
    /// Forgets every access, as a reset makes the slave do.
    fn reset(&mut self);
    /// From here on it makes use of every freedom that the bus gives it; or, with `None`, goes about its business.
    fn be_rude(&mut self, seed: Option<u64>);
}

/// A master at its pins.
pub trait Protocol: BusMaster {
    /// What the names of the slave's ports begin with.
    const PREFIX: &'static str;

    /// Outputs that depend on registers alone: no input shows at them within the cycle.
    const REGISTERED: &'static [&'static str];

    /// Drives the pins for a cycle.
    fn drive(&mut self, pins: &mut BusPins, model: &mut Model);

    /// Looks at the pins in the cycle `now`, reports accesses whose outcome is known with it, and holds the slave to the rules.
    ///
    /// # Errors
    ///
    /// The rule that is broken.
    fn see(
        &mut self,
        now: u64,
        pins: &BusPins,
        model: &Model,
        finished: &mut VecDeque<Access>,
    ) -> Result<(), String>;
}

/// A verilated profiler with any ingress, and a master of its bus.
#[derive(Debug)]
pub struct BusDevice<M> {
    model: Model,
    records: RecordPins,
    pins: BusPins,
    /// Those of [`Protocol::REGISTERED`].
    registered: Vec<Output>,
    master: M,
    now: u64,
    finished: VecDeque<Access>,
    nonsense: Nonsense,
}

impl<M: Protocol> BusDevice<M> {
    /// A fresh model of a design, powered up with a seed.
    ///
    /// # Errors
    ///
    /// If the design lacks a port.
    pub fn new(design: &Design, seed: NonZeroU32, master: M) -> verilated::Result<Self> {
        let model = powered_up(design, seed)?;
        let pins = BusPins::find(design, &model, M::PREFIX)?;
        let registered = M::REGISTERED.iter().map(|name| pins.output(name));
        Ok(Self {
            records: RecordPins::find(&model)?,
            registered: registered.collect(),
            pins,
            model,
            master,
            now: 0,
            finished: VecDeque::new(),
            nonsense: Nonsense::default(),
        })
    }

    /// The master.
    pub fn master(&mut self) -> &mut M {
        &mut self.master
    }

    /// Changes every input of the bus: no output may follow that stands in registers. The inputs are put back.
    fn try_paths(&mut self) -> Result<(), String> {
        let shown = |device: &Self| -> Vec<u64> {
            let get = |port: &Output| device.model.get(*port);
            device.registered.iter().map(get).collect()
        };
        let before = shown(self);
        self.pins.disturb(&mut self.model);
        self.model.eval().map_err(|e| e.to_string())?;
        let after = shown(self);
        self.pins.restore(&mut self.model);
        self.model.eval().map_err(|e| e.to_string())?;
        let changed = |place: &usize| before[*place] != after[*place];
        match (0..before.len()).find(changed) {
            Some(place) => Err(format!(
                "{} follows an input within the cycle",
                M::REGISTERED[place]
            )),
            None => Ok(()),
        }
    }
}

impl<M: Protocol> Device for BusDevice<M> {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let mut seen = Seen::default();
        self.cycle_into(drive, &mut seen)?;
        Ok(seen)
    }

    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let noise = self.nonsense.draw();
        let mut wires = Staged(&mut self.model);
        self.records.drive(&mut wires, drive, noise);
        self.pins.noise(&mut self.model, &mut self.nonsense);
        self.master.drive(&mut self.pins, &mut self.model);
        let outcome = self.model.cycle_staged(self.records.clk);
        outcome.map_err(|error| error.to_string())?;
        self.records.show(&Staged(&mut self.model), seen);
        if drive.reset {
            self.now = 0;
            self.finished.clear();
            return Ok(());
        }
        let (now, finished) = (self.now, &mut self.finished);
        self.master.see(now, &self.pins, &self.model, finished)?;
        self.now += 1;
        if noise.is_multiple_of(8) {
            self.try_paths()?;
        }
        Ok(())
    }

    fn stalls(&self) -> Option<bool> {
        self.records.stalls(&self.model)
    }

    fn model(&self) -> Option<&Model> {
        Some(&self.model)
    }

    fn circuit(&mut self) -> Option<&mut Model> {
        Some(&mut self.model)
    }

    fn bus(&mut self) -> Option<&mut dyn BusMaster> {
        Some(&mut self.master)
    }

    fn finished(&mut self) -> Option<Access> {
        self.finished.pop_front()
    }
}
