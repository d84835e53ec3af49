//! The pins of a bus, by name.

use crate::record_pins::{Nonsense, Wires};
use std::collections::BTreeMap;
use verilated::{Design, Direction, Input, Model, Output, Result};

/// The pins of a bus, by the names that the bus has for them.
#[derive(Debug)]
pub struct BusPins {
    /// Inputs, and what is driven.
    inputs: BTreeMap<String, (Input, u64)>,
    outputs: BTreeMap<String, Output>,
}

impl BusPins {
    /// The ports of a design whose names begin with `prefix`, and how they go on.
    ///
    /// # Errors
    ///
    /// None but defects of the design's list of ports.
    pub fn find(design: &Design, model: &Model, prefix: &str) -> Result<Self> {
        let mut pins = Self {
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
        };
        for port in design.ports() {
            let Some(name) = port.name.strip_prefix(prefix).map(str::to_string) else {
                continue;
            };
            if port.direction == Direction::Input {
                pins.inputs.insert(name, (model.input(&port.name)?, 0));
            } else {
                pins.outputs.insert(name, model.output(&port.name)?);
            }
        }
        Ok(pins)
    }

    /// Drives an input with the low bits of a value.
    ///
    /// # Panics
    ///
    /// If there is no such input.
    pub fn put(&mut self, model: &mut Model, name: &str, value: u64) {
        let (port, driven) = self.inputs.get_mut(name).expect("an input of the bus");
        *driven = value;
        model.put(*port, value);
    }

    /// The value of an output.
    ///
    /// # Panics
    ///
    /// If there is no such output.
    pub fn get(&self, model: &Model, name: &str) -> u64 {
        model.get(*self.outputs.get(name).expect("an output of the bus"))
    }

    /// Whether an output is 1.
    ///
    /// # Panics
    ///
    /// If there is no such output.
    pub fn flag(&self, model: &Model, name: &str) -> bool {
        self.get(model, name) == 1
    }

    /// Drives every input with nonsense, which is what those keep that nobody drives thereafter.
    pub fn noise(&mut self, model: &mut Model, nonsense: &mut Nonsense) {
        for (port, driven) in self.inputs.values_mut() {
            *driven = nonsense.draw() >> 8;
            model.put(*port, *driven);
        }
    }

    /// Turns every input round; [`restore`](Self::restore) puts back what was driven.
    pub fn disturb(&self, model: &mut Model) {
        for (port, driven) in self.inputs.values() {
            model.put(*port, !driven);
        }
    }

    /// Drives every input as it was driven.
    pub fn restore(&self, model: &mut Model) {
        for (port, driven) in self.inputs.values() {
            model.put(*port, *driven);
        }
    }
}
