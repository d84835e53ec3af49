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
            values: |shown, nonsense| I::values(I::of(shown), nonsense),
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
        let (mut pending, mut bits, mut word) = (0_u128, 0, 0);
        for value in values {
            pending |= u128::from(value & self.mask) << bits;
            bits += self.bits;
            while bits >= u32::BITS {
                model.set_word(self.port, word, pending as u32);
                pending >>= u32::BITS;
                bits -= u32::BITS;
                word += 1;
            }
        }
        if bits > 0 {
            model.set_word(self.port, word, pending as u32);
        }
    }
}
