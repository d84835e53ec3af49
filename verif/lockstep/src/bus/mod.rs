//! Profilers on buses other than Wishbone: masters that exercise all that their bus permits, and check the slave's
//! protocol.
//!
//! A [`BusDevice`] is a verilated profiler with such a master. The bench passes requests to the master. Completed
//! accesses are compared with the model as on Wishbone.

mod apb;
mod axi4_lite;
mod native;
mod pins;

pub use apb::ApbMaster;
pub use axi4_lite::Axi4LiteMaster;
pub use native::NativeMaster;
pub use pins::BusPins;

use super::device_verilated::powered_up;
use super::pins::{Device, Drive, Request, Seen};
use super::port::Access;
use super::record_pins::{Nonsense, RecordPins};
use hpp_gen::Bus;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use verilated::{Design, Model, Output};

/// The bus master of a device, as the bench uses it.
pub trait BusMaster {
    fn push(&mut self, request: Request);
    fn is_idle(&self) -> bool;
    /// Drops every access, as a reset of the slave does.
    fn reset(&mut self);
    /// From now on the master is rude: it exercises every freedom of the bus. `None` makes it polite again.
    fn be_rude(&mut self, seed: Option<u64>);
}

/// A master with its pins.
pub trait Protocol: BusMaster + Sized {
    const BUS: Bus;

    const PREFIX: &'static str;

    /// Outputs that depend on registers alone.
    const REGISTERED: &'static [&'static str];

    /// An idle master. No access may take longer than `longest` cycles.
    fn new(longest: u64) -> Self;

    fn drive(&mut self, pins: &mut BusPins, model: &mut Model);

    /// Samples the pins in the cycle `now`, reports completed accesses, and checks the slave's protocol.
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

/// A verilated profiler with any ingress, and a master on its bus.
#[derive(Debug)]
pub struct BusDevice<M> {
    model: Model,
    records: RecordPins,
    pins: BusPins,
    /// The outputs in [`Protocol::REGISTERED`].
    registered: Vec<Output>,
    master: M,
    now: u64,
    finished: VecDeque<Access>,
    nonsense: Nonsense,
}

impl<M: Protocol> BusDevice<M> {
    /// A fresh model of a design, powered up with a seed.
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

    pub fn master(&mut self) -> &mut M {
        &mut self.master
    }

    /// Inverts every input of the bus and checks that no registered output changes. The inputs are restored.
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
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let noise = self.nonsense.draw();
        self.records.drive(&mut self.model, drive, noise);
        self.pins.noise(&mut self.model, &mut self.nonsense);
        self.master.drive(&mut self.pins, &mut self.model);
        let outcome = self.model.cycle_staged(self.records.clk());
        outcome.map_err(|error| error.to_string())?;
        self.records.show(&self.model, seen);
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
