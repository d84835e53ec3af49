//! The interface between a core and an ingress.

use super::shown::{CHANNELS, Shown};
use crate::record_pins::Nonsense;
use crate::stream::StreamRng;
use hpp_riscv::{Retirement, Row};
use std::collections::VecDeque;
use std::fmt::Debug;

/// The most ports that an interface has, beside those of events.
pub const MOST_PORTS: usize = 8;

/// Values for the ports of an interface, in their order, of several channels the part of each.
pub type Values = [[u64; CHANNELS]; MOST_PORTS];

/// An interface between a core and an ingress: what a core may show on it, its ports, and the golden model of the ingress.
pub trait Interface: Clone + Debug + 'static {
    /// What the core shows in a cycle.
    type Shown: Copy + Debug + Into<Shown>;
    /// Cycles from the ports to the model.
    const STAGES: usize;
    /// Places that the buffer keeps when it asks the core to hold.
    const RESERVE: usize;
    /// Records that a cycle makes at most on each channel.
    const SLOTS: usize;
    /// The port that asks.
    const STALL: &'static str;
    /// The other ports, but those of events.
    const PORTS: &'static [&'static str];
    /// Those of them that not every profiler has.
    const OPTIONAL: &'static [&'static str];

    /// What is shown, if it is on such an interface.
    fn of(shown: &Shown) -> Option<&Self::Shown>;
    /// Instructions that it can show in a cycle, each by itself.
    fn channels(&self) -> usize {
        1
    }
    /// Anything that a core may show.
    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown;
    /// Takes from the instructions that were executed, of which there is one, those that are shown in a cycle.
    fn show(&mut self, waiting: &mut VecDeque<Retirement>, rng: &mut StreamRng) -> Self::Shown;
    /// Values for the [`PORTS`](Self::PORTS), of several channels the part of each; what belongs to nothing is nonsense.
    fn values(shown: Option<&Self::Shown>, nonsense: &mut Nonsense) -> Values;
    /// What is counted of it as instructions, if that does not need [`step`](Self::step).
    fn instructions(shown: &Self::Shown) -> u32;
    /// The model's step, with the type of events that is selected and the events of the cycle.
    fn step(&mut self, shown: Option<&Self::Shown>, select: u8, events: u32) -> Row;
}

/// Those of an interface of a single channel.
pub fn values_of<const PORTS: usize>(values: [u64; PORTS]) -> Values {
    let mut all = Values::default();
    for (port, value) in all.iter_mut().zip(values) {
        port[0] = value;
    }
    all
}
