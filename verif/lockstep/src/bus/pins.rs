//! The pins of a bus, by name.

use crate::random::Nonsense;
use verilated::{Design, Direction, Input, Model, Output, Result};

/// A name packed into one word, which compares fast.
type Name = [u8; 8];

/// The packed name of a pin; longer names do not occur.
#[inline]
fn name_of(name: &str) -> Name {
    let mut word = Name::default();
    word[..name.len()].copy_from_slice(name.as_bytes());
    word
}

#[derive(Debug)]
struct Driven {
    name: Name,
    port: Input,
    value: u64,
}

/// The pins of a bus by their bus names. There are so few that a linear search is fastest.
#[derive(Debug)]
pub struct BusPins {
    /// In the order of their names.
    inputs: Vec<Driven>,
    outputs: Vec<(Name, Output)>,
}

impl BusPins {
    /// The ports of a design whose names begin with `prefix`, by the rest of their names.
    pub fn find(design: &Design, model: &Model, prefix: &str) -> Result<Self> {
        let mut pins = Self {
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        for port in design.ports() {
            let Some(name) = port.name.strip_prefix(prefix).map(name_of) else {
                continue;
            };
            if port.direction == Direction::Input {
                let port = model.input(&port.name)?;
                pins.inputs.push(Driven {
                    name,
                    port,
                    value: 0,
                });
            } else {
                pins.outputs.push((name, model.output(&port.name)?));
            }
        }
        pins.inputs.sort_by_key(|driven| driven.name);
        Ok(pins)
    }

    /// Drives an input with the low bits of a value, from the next cycle on.
    #[inline]
    pub fn put(&mut self, model: &mut Model, name: &str, value: u64) {
        let name = name_of(name);
        let driven = self.inputs.iter_mut().find(|driven| driven.name == name);
        let driven = driven.expect("an input of the bus");
        driven.value = value;
        model.stage(driven.port, value);
    }

    /// The value of an output in the last cycle.
    #[inline]
    pub fn get(&self, model: &Model, name: &str) -> u64 {
        model.shown(self.output(name))
    }

    #[inline]
    pub fn output(&self, name: &str) -> Output {
        let name = name_of(name);
        let output = self.outputs.iter().find(|(known, _)| *known == name);
        output.expect("an output of the bus").1
    }

    /// Whether an output is 1.
    pub fn flag(&self, model: &Model, name: &str) -> bool {
        self.get(model, name) == 1
    }

    /// Drives every input with a random value, which it keeps until it is driven again.
    pub fn noise(&mut self, model: &mut Model, nonsense: &mut Nonsense) {
        for Driven { port, value, .. } in &mut self.inputs {
            *value = nonsense.draw() >> 8;
            model.stage(*port, *value);
        }
    }

    /// Inverts every input for the next evaluation. [`restore`](Self::restore) undoes it.
    pub fn disturb(&self, model: &mut Model) {
        for Driven { port, value, .. } in &self.inputs {
            model.set_low(*port, !value);
        }
    }

    /// Drives every input with its value again.
    pub fn restore(&self, model: &mut Model) {
        for Driven { port, value, .. } in &self.inputs {
            model.set_low(*port, *value);
        }
    }
}
