//! Why parts of the emitted Verilog are not reached by simulation.

use hpp_golden::config::Geometry;
use verilated::Point;

/// What is known about a point that was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreached {
    /// It cannot be reached, or not in the time there is.
    Because(&'static str),
    /// Nobody knows: a hole in the tests.
    Unexplained,
}

/// The reason why a point of a geometry's Verilog is not reached.
pub fn reason(_point: &Point, _geometry: &Geometry) -> Unreached {
    Unreached::Unexplained
}
