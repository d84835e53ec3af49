//! Cycle-by-cycle simulation of a circuit, with access to its ports by name.
//!
//! Names, values and cycles are those of the emitted Verilog, so one test bench drives both. The [`Simulation`] of
//! rust-hdl passes the circuit between threads at every clock edge. This simulator steps the circuit in place, which is
//! about a hundred times as fast, and lets a property test shrink.
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

/// Upper bound on the rounds that a circuit needs to settle. Signals cross a few dozen kernels, and the ways of a set
/// one by one.
const MOST_ROUNDS: usize = 10_000;

/// A circuit with a clock, a reset and named ports of at most 64 bits.
pub trait Ports: Block {
    /// The clock.
    fn clock(&mut self) -> &mut Signal<In, Clock>;
    /// Drives an input other than `clk`. Returns `false` if there is no such input.
    fn drive(&mut self, port: &str, value: u64) -> bool;
    /// The value of a port; `None` if there is no such port.
    fn sample(&self, port: &str) -> Option<u64>;
}

/// A circuit under simulation.
pub struct Simulator<C: Ports> {
    circuit: Box<C>,
    cycle: u64,
}

impl<C: Ports> Simulator<C> {
    /// Powers the circuit up with all inputs at 0.
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

    /// Propagates the inputs to the outputs within the cycle.
    ///
    /// # Panics
    ///
    /// If the circuit does not settle, because of a combinational loop.
    pub fn settle(&mut self) {
        for _ in 0..MOST_ROUNDS {
            self.circuit.update_all();
            if !self.circuit.has_changed() {
                return;
            }
        }
        panic!("no stable state in cycle {}", self.cycle);
    }

    /// Ends the cycle with a rising clock edge. The inputs keep their values.
    pub fn tick(&mut self) {
        self.settle();
        self.edge(true);
        self.edge(false);
        self.cycle += 1;
    }

    fn edge(&mut self, level: bool) {
        self.circuit.clock().next = level.into();
        self.settle();
    }
}
