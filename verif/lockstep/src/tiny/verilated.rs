//! The Verilog of a tiny profiler under Verilator.

use super::bench::Pins;
use crate::powered_up;
use hpp_gen::{Config, Ingress};
use hpp_golden::config::Geometry;
use std::num::NonZeroU32;
use verilated::{Builder, Design, Input, Model, Result};

/// The configuration of a tiny profiler with this geometry.
pub fn config(geometry: &Geometry) -> Config {
    Config {
        geometry: *geometry,
        ingress: Ingress::Retire,
        ..Config::default()
    }
}

#[derive(Debug)]
pub struct Verilated {
    model: Model,
    clk: Input,
}

impl Verilated {
    pub fn new(builder: &Builder) -> Result<Self> {
        Self::of_model(builder.build()?.model()?)
    }

    /// A model whose undefined memories and registers are initialised from the seed.
    pub fn powered_up(design: &Design, seed: NonZeroU32) -> Result<Self> {
        Self::of_model(powered_up(design, seed)?)
    }

    fn of_model(model: Model) -> Result<Self> {
        let clk = model.input("clk")?;
        Ok(Self { model, clk })
    }

    /// The profiler as it is generated.
    pub fn of(geometry: &Geometry) -> Self {
        let output = hpp_gen::generate(&config(geometry)).expect("a legal configuration");
        let builder = Builder::new("hpp").source_text("hpp.v", output.verilog());
        Self::new(&builder).expect("it can be built")
    }
}

impl Pins for Verilated {
    fn set(&mut self, port: &str, value: u64) {
        let input = self.model.input(port).expect("an input");
        self.model.set(input, value);
    }

    fn get(&mut self, port: &str) -> u64 {
        self.model.fall(self.clk).expect("it is evaluated");
        self.model.get(self.model.output(port).expect("an output"))
    }

    fn tick(&mut self) {
        self.model.cycle(self.clk).expect("it is evaluated");
    }
}
