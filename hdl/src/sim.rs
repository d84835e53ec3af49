//! Simulation of a top circuit in rust-hdl, a cycle at a time, with the ports by name.
//!
//! The names, values and cycles are those of the emitted Verilog, so one test bench drives both. rust-hdl's own
//! [`Simulation`] hands the circuit from thread to thread for every clock edge. Here the circuit is stepped in place,
//! which is some hundred times as fast and lets a property test shrink.
//!
//! ```
//! use hpp_golden::{config::Geometry, profiler::ResetValues};
//! use hpp_hdl::{IngressOptions, sim::Simulator, top::native::Stream};
//!
//! let top = Stream::new(&Geometry::default(), &ResetValues::default(), &IngressOptions::default());
//! let mut simulator = Simulator::new(top);
//! simulator.reset();
//! simulator.set("br_valid", 1);
//! simulator.settle();
//! assert_eq!(simulator.get("br_ready"), 1);
//! simulator.tick();
//! ```

use rust_hdl::prelude::*;

/// More rounds than any circuit needs to settle: signals cross a few dozen kernels, and the ways of a set one by one.
const MOST_ROUNDS: usize = 10_000;

/// A circuit with a clock, a reset and named ports of at most 64 bits.
pub trait Ports: Block {
    /// The clock.
    fn clock(&mut self) -> &mut Signal<In, Clock>;
    /// Drives an input, `clk` aside; `false` if there is no such input.
    fn drive(&mut self, port: &str, value: u64) -> bool;
    /// The value of a port.
    fn sample(&self, port: &str) -> Option<u64>;
}

/// A circuit under simulation.
pub struct Simulator<C: Ports> {
    circuit: Box<C>,
    cycle: u64,
}

impl<C: Ports> Simulator<C> {
    /// Powers the circuit up, every input at 0.
    #[must_use]
    pub fn new(circuit: C) -> Self {
        let mut simulator = Self {
            circuit: Box::new(circuit),
            cycle: 0,
        };
        simulator.circuit.connect_all();
        simulator.settle();
        simulator
    }

    /// Holds `rst` for two cycles.
    pub fn reset(&mut self) {
        self.set("rst", 1);
        self.tick();
        self.tick();
        self.set("rst", 0);
        self.settle();
    }

    /// Drives an input; it takes effect at the next [`settle`](Self::settle) or [`tick`](Self::tick).
    ///
    /// # Panics
    ///
    /// If the circuit has no such input.
    pub fn set(&mut self, port: &str, value: u64) {
        assert!(self.circuit.drive(port, value), "no input named {port}");
    }

    /// The value of a port since the last [`settle`](Self::settle) or [`tick`](Self::tick).
    ///
    /// # Panics
    ///
    /// If the circuit has no such port.
    #[must_use]
    pub fn get(&self, port: &str) -> u64 {
        match self.circuit.sample(port) {
            Some(value) => value,
            None => panic!("no port named {port}"),
        }
    }

    /// Lets the inputs reach the outputs within the cycle.
    ///
    /// # Panics
    ///
    /// If the circuit does not settle: it has a combinational loop.
    pub fn settle(&mut self) {
        for _ in 0..MOST_ROUNDS {
            self.circuit.update_all();
            if !self.circuit.has_changed() {
                return;
            }
        }
        panic!("no stable state in cycle {}", self.cycle);
    }

    /// Ends the cycle with a rising edge of the clock; the inputs are those set before.
    pub fn tick(&mut self) {
        self.settle();
        self.edge(true);
        self.edge(false);
        self.cycle += 1;
    }

    /// Cycles since power-up.
    #[must_use]
    pub const fn cycle(&self) -> u64 {
        self.cycle
    }

    fn edge(&mut self, level: bool) {
        self.circuit.clock().next = level.into();
        self.settle();
    }
}
