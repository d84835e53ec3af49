//! The ports of an ingress of a verilated circuit.

use super::interface::{Interface, Values};
use super::shown::Shown;
use crate::random::Nonsense;
use verilated::{Input, Model, Output, Result};

/// The ports of an ingress on the core's side.
#[derive(Debug, Clone)]
pub struct IngressPorts {
    values: fn(&Shown, &mut Nonsense) -> Values,
    channels: usize,
    /// In the order of the interface; `None` for ports that the profiler lacks.
    ports: Vec<Option<Input>>,
    event_in: Input,
    stall: Output,
}

impl IngressPorts {
    /// The ports of an interface with `channels` channels.
    pub fn find<I: Interface>(model: &Model, channels: usize) -> Result<Self> {
        let find = |port: &&str| match model.input(port) {
            Err(_) if I::OPTIONAL.contains(port) => Ok(None),
            found => found.map(Some),
        };
        let ports: Result<Vec<_>> = I::PORTS.iter().map(find).collect();
        Ok(Self {
            values: |shown, nonsense| I::values(I::of(shown), nonsense),
            channels,
            ports: ports?,
            event_in: model.input("event_in")?,
            stall: model.output(I::STALL)?,
        })
    }

    pub fn drive(&self, model: &mut Model, shown: &Shown, event_in: u64, nonsense: &mut Nonsense) {
        let values = (self.values)(shown, nonsense);
        for (port, parts) in self.ports.iter().zip(&values) {
            if let Some(port) = port {
                model.set_parts(*port, &parts[..self.channels]);
            }
        }
        model.set_low(self.event_in, event_in);
    }

    pub fn stall(&self) -> Output {
        self.stall
    }
}
