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
    if let [value] = parts
        && width <= u64::BITS
    {
        return model.set(port, value & Geometry::mask(width));
    }
    let part = width / parts.len() as u32;
    // 256 bits are the most, and a part may reach into the next word.
    let mut words = [0_u64; 5];
    for (place, value) in (0..).step_by(part as usize).zip(parts) {
        let (word, shift) = ((place / u64::BITS) as usize, place % u64::BITS);
        let shifted = u128::from(value & Geometry::mask(part)) << shift;
        words[word] |= shifted as u64;
        words[word + 1] |= (shifted >> u64::BITS) as u64;
    }
    if width <= u64::BITS {
        return model.set(port, words[0]);
    }
    let halves = words.map(|word| [word as u32, (word >> u32::BITS) as u32]);
    model.set_words(
        port,
        &halves.as_flattened()[..width.div_ceil(u32::BITS) as usize],
    );
}
