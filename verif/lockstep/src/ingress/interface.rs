//! The interface between a core and an ingress.

use super::shown::{CHANNELS, Shown};
use crate::random::Nonsense;
use crate::stream::StreamRng;
use hpp_riscv::{CycleRecords, Retirement};
use std::collections::VecDeque;
use std::fmt::Debug;

/// Maximum number of ports of an interface, without the event inputs.
pub const MOST_PORTS: usize = 8;

/// Values of the ports of an interface, in order, for each channel.
pub type Values = [[u64; CHANNELS]; MOST_PORTS];

/// An interface between a core and an ingress: its signals, its ports, and the golden model of the ingress.
pub trait Interface: Clone + Debug + 'static {
    /// The output of the core in a cycle.
    type Shown: Copy + Debug + Into<Shown>;
    /// Cycles from the ports to the model.
    const STAGES: usize;
    /// Rows that the buffer reserves when it stalls the core.
    const RESERVE: usize;
    /// Maximum number of records in a cycle on each channel.
    const SLOTS: usize;
    const STALL: &'static str;
    /// The other ports, without the event inputs.
    const PORTS: &'static [&'static str];
    /// Ports that some profilers lack.
    const OPTIONAL: &'static [&'static str];

    /// The output, if it belongs to this interface.
    fn of(shown: &Shown) -> Option<&Self::Shown>;
    /// Number of independent instructions in a cycle.
    fn channels(&self) -> usize {
        1
    }
    /// Any output of a core.
    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown;
    /// Removes from the executed instructions (at least one) those that are output in a cycle.
    fn show(&mut self, waiting: &mut VecDeque<Retirement>, rng: &mut StreamRng) -> Self::Shown;
    /// Values for the [`PORTS`](Self::PORTS), for each channel. Fields without a meaning are random.
    fn values(shown: Option<&Self::Shown>, nonsense: &mut Nonsense) -> Values;
    /// Number of instructions to count, if [`step`](Self::step) is not needed for it.
    fn instructions(shown: &Self::Shown) -> u32;
    /// A step of the model, with the selected event type and the events of the cycle.
    fn step(&mut self, shown: Option<&Self::Shown>, select: u8, events: u32) -> CycleRecords;
}

/// The values of an interface with a single channel.
pub fn values_of<const PORTS: usize>(values: [u64; PORTS]) -> Values {
    let mut all = Values::default();
    for (port, value) in all.iter_mut().zip(values) {
        port[0] = value;
    }
    all
}
