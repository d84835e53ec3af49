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
use super::record_pins::{Nonsense, RecordPins};
use std::collections::VecDeque;
use std::num::NonZeroU32;
use verilated::{Design, Model};

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
        Ok(Self {
            records: RecordPins::find(&model)?,
            pins: BusPins::find(design, &model, M::PREFIX)?,
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
            let get = |name: &&str| device.pins.get(&device.model, name);
            M::REGISTERED.iter().map(get).collect()
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
        let noise = self.nonsense.draw();
        let clk = self.records.clk;
        self.records.drive(&mut self.model, drive, noise);
        self.pins.noise(&mut self.model, &mut self.nonsense);
        self.master.drive(&mut self.pins, &mut self.model);
        self.model.fall(clk).map_err(|e| e.to_string())?;
        let seen = self.records.seen(&self.model);
        if drive.reset {
            self.now = 0;
            self.finished.clear();
        } else {
            self.master
                .see(self.now, &self.pins, &self.model, &mut self.finished)?;
            if noise.is_multiple_of(8) {
                self.try_paths()?;
            }
            self.now += 1;
        }
        self.model.rise(clk).map_err(|e| e.to_string())?;
        Ok(seen)
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
