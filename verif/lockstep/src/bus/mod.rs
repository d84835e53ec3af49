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
use super::pins::{Access, BusMaster, Device, Drive, Request, Seen};
use super::random::Nonsense;
use super::record_pins::RecordPins;
use super::stream::{StreamRng, rng};
use hpp_gen::Bus;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use verilated::{Design, Model, Output};

/// The accesses of a master, which it performs one after another.
#[derive(Debug, Default)]
pub struct Accesses {
    /// No access may take more cycles.
    longest: u64,
    now: u64,
    waiting: VecDeque<Request>,
    finished: VecDeque<Access>,
    /// The random generator of a rude master.
    rudeness: Option<StreamRng>,
}

impl Accesses {
    /// Something that a rude master does or not, and a polite one always.
    fn dares(&mut self, chance: impl FnOnce(&mut StreamRng) -> bool) -> bool {
        self.rudeness.as_mut().is_none_or(chance)
    }

    pub fn drop_all(&mut self) {
        self.waiting.clear();
    }

    /// The request that waited longest is done now, and a read had this word.
    fn finish_first(&mut self, word: Option<u32>) {
        if let Some(request) = self.waiting.pop_front() {
            self.finish(request, self.now, word);
        }
    }

    fn finish(&mut self, request: Request, ack: u64, data: Option<u32>) {
        self.finished.push_back(Access {
            request,
            ack,
            data,
            certain: true,
        });
    }
}

/// A master with its pins.
pub trait Protocol: Default {
    const BUS: Bus;

    const PREFIX: &'static str;

    /// Outputs that depend on registers alone.
    const REGISTERED: &'static [&'static str];

    /// Whether nothing is under way of what no longer waits.
    fn is_idle(&self) -> bool {
        true
    }

    fn drive(&mut self, accesses: &mut Accesses, pins: &mut BusPins, model: &mut Model);

    /// Samples the pins, finishes accesses, and checks the slave's protocol.
    ///
    /// # Errors
    ///
    /// The rule that is broken.
    fn see(&mut self, accesses: &mut Accesses, pins: &BusPins, model: &Model)
    -> Result<(), String>;
}

/// A verilated profiler with any ingress, and a master on its bus.
#[derive(Debug)]
pub struct BusDevice<M> {
    model: Model,
    records: RecordPins,
    pins: BusPins,
    registered: Vec<Output>,
    master: M,
    accesses: Accesses,
    nonsense: Nonsense,
}

impl<M: Protocol> BusDevice<M> {
    /// A fresh model of a design, powered up with a seed. No access may take more than `longest` cycles.
    pub fn new(design: &Design, seed: NonZeroU32, longest: u64) -> verilated::Result<Self> {
        let model = powered_up(design, seed)?;
        let pins = BusPins::find(design, &model, M::PREFIX)?;
        let registered = M::REGISTERED.iter().map(|name| pins.output(name));
        Ok(Self {
            records: RecordPins::find(&model)?,
            registered: registered.collect(),
            pins,
            model,
            master: M::default(),
            accesses: Accesses {
                longest,
                ..Accesses::default()
            },
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
        self.master
            .drive(&mut self.accesses, &mut self.pins, &mut self.model);
        let outcome = self.model.cycle_staged(self.records.clk());
        outcome.map_err(|error| error.to_string())?;
        self.records.show(&self.model, seen);
        if drive.reset {
            self.accesses.now = 0;
            self.accesses.finished.clear();
            return Ok(());
        }
        self.master
            .see(&mut self.accesses, &self.pins, &self.model)?;
        self.accesses.now += 1;
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
        Some(self)
    }

    fn finished(&mut self) -> Option<Access> {
        self.accesses.finished.pop_front()
    }
}

impl<M: Protocol> BusMaster for BusDevice<M> {
    fn push(&mut self, request: Request) {
        self.accesses.waiting.push_back(request);
    }

    fn is_idle(&self) -> bool {
        self.accesses.waiting.is_empty() && self.master.is_idle()
    }

    fn reset(&mut self) {
        self.accesses.drop_all();
        self.master = M::default();
    }

    fn be_rude(&mut self, seed: Option<u64>) {
        self.accesses.rudeness = seed.map(rng);
    }
}
