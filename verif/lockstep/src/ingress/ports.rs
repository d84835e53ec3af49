//! The ports of an ingress of a verilated circuit.

use super::interface::Interface;
use super::shown::{CHANNELS, Shown};
use crate::record_pins::Nonsense;
use hpp_golden::config::Geometry;
use verilated::{Input, Model, Output, Result};

/// Values for the ports of an interface.
type Values = fn(&Shown, &mut Nonsense) -> Vec<[u64; CHANNELS]>;

/// The ports of an ingress, as its core sees them.
#[derive(Debug, Clone)]
pub struct IngressPorts {
    values: Values,
    channels: usize,
    /// In the order of the interface; `None` for contexts that the profiler does not have.
    ports: Vec<Option<Input>>,
    event_in: Input,
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
            found => found.map(Some),
        };
        let ports: Result<Vec<_>> = I::PORTS.iter().map(find).collect();
        Ok(Self {
            values: |shown, nonsense| I::values(I::of(shown).as_ref(), nonsense),
            channels,
            ports: ports?,
            event_in: model.input("event_in")?,
            stall: model.output(I::STALL)?,
        })
    }

    /// Drives them for a cycle.
    pub fn drive(&self, model: &mut Model, shown: &Shown, event_in: u64, nonsense: &mut Nonsense) {
        let values = (self.values)(shown, nonsense);
        for (port, parts) in self.ports.iter().zip(&values) {
            if let Some(port) = port {
                put_parts(model, *port, &parts[..self.channels]);
            }
        }
        put_parts(model, self.event_in, &[event_in]);
    }

    /// The port that asks the core to hold.
    pub fn stall(&self) -> Output {
        self.stall
    }
}

/// Drives a port with the low bits of parts of equal width, the lowest first.
fn put_parts(model: &mut Model, port: Input, parts: &[u64]) {
    let width = model.input_width(port);
    let part = width / parts.len() as u32;
    // 256 bits are the most, and a part may reach into the third word.
    let mut words = [0_u32; 10];
    for (place, value) in (0..).step_by(part as usize).zip(parts) {
        let shifted = u128::from(value & Geometry::mask(part)) << (place % u32::BITS);
        for (word, shift) in words[(place / u32::BITS) as usize..]
            .iter_mut()
            .zip([0, 32, 64])
        {
            *word |= (shifted >> shift) as u32;
        }
    }
    if width <= u64::BITS {
        model.set(port, u64::from(words[1]) << 32 | u64::from(words[0]));
    } else {
        model.set_words(port, &words[..width.div_ceil(u32::BITS) as usize]);
    }
}
