//! The golden model of an ingress and its buffer, cycle by cycle.

use super::interface::Interface;
use super::shown::Shown;
use hpp_golden::config::Geometry;
use hpp_riscv::buffer::PLACES;
use hpp_riscv::{Buffer, Offer, events_of};
use std::collections::VecDeque;
use std::fmt::Debug;

/// The output of an ingress in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presented {
    pub stalls: bool,
    /// The record that is offered to the queue.
    pub front: Option<Offer>,
    pub lost: bool,
}

/// The golden model of an ingress other than the native one.
pub trait IngressModel: Debug {
    /// One cycle: the core's output, the event inputs and the selected event type.
    fn cycle(&mut self, shown: &Shown, event_in: u64, select: u8) -> Presented;
    /// The record offered in this cycle was accepted.
    fn take(&mut self);
    /// A cycle of reset, or of a disabled profiler, with these event inputs and the event type selected in it.
    fn reset(&mut self, event_in: u64, select: u8);
    /// Number of records that the buffer holds.
    fn capacity(&self) -> u64;
}

#[derive(Debug)]
pub struct Model<I: Interface> {
    fresh: I,
    interface: I,
    buffer: Buffer,
    /// The input registers: the core's output, the selected event type, and the event count.
    stages: VecDeque<(Option<I::Shown>, u8, u32)>,
    inputs: u32,
    event_bits: u32,
}

impl<I: Interface> Model<I> {
    /// The model after a reset without events, with a fresh `interface` and `inputs` event inputs.
    pub fn new(interface: I, geometry: &Geometry, inputs: u32) -> Self {
        let mut model = Self {
            fresh: interface.clone(),
            interface,
            buffer: Buffer::new(I::RESERVE),
            stages: VecDeque::new(),
            inputs,
            event_bits: geometry.event_bits,
        };
        model.reset(0, 0);
        model
    }

    fn events(&self, select: u8, instructions: u32, event_in: u64) -> u32 {
        let mut parts = [0; u64::BITS as usize];
        let inputs = &mut parts[..self.inputs as usize];
        for (input, part) in (0..).zip(inputs.iter_mut()) {
            let all = event_in >> (input * self.event_bits);
            *part = (all & Geometry::mask(self.event_bits)) as u32;
        }
        events_of(select, instructions, inputs)
    }
}

impl<I: Interface> IngressModel for Model<I> {
    fn cycle(&mut self, shown: &Shown, event_in: u64, select: u8) -> Presented {
        let (stalls, front) = (self.buffer.stalls(), self.buffer.front());
        let shown = I::of(shown);
        let instructions = shown.map_or(0, I::instructions);
        let events = self.events(select, instructions, event_in);
        let row = match self.stages.pop_front() {
            Some((first, first_select, first_events)) => {
                self.stages.push_back((shown.copied(), select, events));
                let first = first.as_ref();
                self.interface.step(first, first_select, first_events)
            }
            None => self.interface.step(shown, select, events),
        };
        Presented {
            stalls,
            front,
            lost: !self.buffer.store(row),
        }
    }

    fn take(&mut self) {
        self.buffer.take();
    }

    fn reset(&mut self, event_in: u64, select: u8) {
        self.interface = self.fresh.clone();
        self.buffer = Buffer::new(I::RESERVE);
        // The input register samples the last cycle of a reset, which counts for the first record.
        let events = self.events(select, 0, event_in);
        self.stages = vec![(None, select, events); I::STAGES].into();
    }

    fn capacity(&self) -> u64 {
        (PLACES * I::SLOTS * self.interface.channels()) as u64
    }
}
