//! The ports of an ingress of a verilated circuit.

use super::interface::{Interface, Values};
use super::shown::Shown;
use crate::record_pins::Nonsense;
use hpp_golden::config::Geometry;
use verilated::{Input, Model, Output, Result};

/// The ports of an ingress, as its core sees them.
#[derive(Debug, Clone)]
pub struct IngressPorts {
    values: fn(&Shown, &mut Nonsense) -> Values,
    channels: usize,
    /// In the order of the interface; `None` for contexts that the profiler does not have.
    ports: Vec<Option<Parts>>,
    event_in: Parts,
    stall: Output,
}

impl IngressPorts {
    /// Those of an interface with so many channels.
    ///
    /// # Errors
    ///
    /// If the model lacks one.
    pub fn find<I: Interface>(model: &Model, channels: usize) -> Result<Self> {
        let find = |port: &&str| match model.input(port) {
            Err(_) if port.ends_with("_context") => Ok(None),
            found => found.map(|port| Some(Parts::new(model, port, channels))),
        };
        let ports: Result<Vec<_>> = I::PORTS.iter().map(find).collect();
        Ok(Self {
            values: |shown, nonsense| I::values(I::of(shown).as_ref(), nonsense),
            channels,
            ports: ports?,
            event_in: Parts::new(model, model.input("event_in")?, 1),
            stall: model.output(I::STALL)?,
        })
    }

    /// Drives them for a cycle.
    pub fn drive(&self, model: &mut Model, shown: &Shown, event_in: u64, nonsense: &mut Nonsense) {
        let values = (self.values)(shown, nonsense);
        for (port, parts) in self.ports.iter().zip(&values) {
            if let Some(port) = port {
                port.put(model, &parts[..self.channels]);
            }
        }
        self.event_in.put(model, &[event_in]);
    }

    /// The port that asks the core to hold.
    pub fn stall(&self) -> Output {
        self.stall
    }
}

/// A port of parts of equal width, the lowest first.
#[derive(Debug, Clone, Copy)]
struct Parts {
    port: Input,
    width: u32,
    /// Of a part.
    bits: u32,
    mask: u64,
}

impl Parts {
    fn new(model: &Model, port: Input, parts: usize) -> Self {
        let width = model.input_width(port);
        let bits = width / parts as u32;
        Self {
            port,
            width,
            bits,
            mask: Geometry::mask(bits),
        }
    }

    /// Drives it with the low bits of each value.
    fn put(&self, model: &mut Model, values: &[u64]) {
        if self.width > u64::BITS {
            return self.put_wide(model, values);
        }
        let parts = (0..).zip(values);
        let value = parts.fold(0, |all, (part, value)| {
            all | (value & self.mask) << (part * self.bits)
        });
        model.set_low(self.port, value);
    }

    fn put_wide(&self, model: &mut Model, values: &[u64]) {
        // 256 bits are the most, and a part may reach into the next word.
        let mut words = [0_u64; 5];
        for (part, value) in (0..).zip(values) {
            let place = part * self.bits;
            let (word, shift) = ((place / u64::BITS) as usize, place % u64::BITS);
            let shifted = u128::from(value & self.mask) << shift;
            words[word] |= shifted as u64;
            words[word + 1] |= (shifted >> u64::BITS) as u64;
        }
        let halves = words.map(|word| [word as u32, (word >> u32::BITS) as u32]);
        let used = self.width.div_ceil(u32::BITS) as usize;
        model.set_words(self.port, &halves.as_flattened()[..used]);
    }
}
