//! Coverage of the emitted Verilog over all profilers together, and the reason for everything that is not reached.
//!
//! A [`Place`] is a side of a branch, or a rise or fall of a bit, in an instance of a module. It is the same place in every profiler that has it.
//! The bench drives [all profilers](profilers). A place that none reaches must be [proved unreachable](unreachable()) in each that has it, or be
//! [waived](Waiver) by name with a reason. All others are holes.

mod branch;
mod merged;
mod place;
mod profiler;
mod reached;
mod unreachable;
mod waiver;

pub use branch::watch;
pub use merged::{Merged, Standing};
pub use place::{Edge, Place, What};
pub use profiler::{Profiler, profilers};
pub use reached::{Effort, Reached, reach};
pub use unreachable::unreachable;
pub use waiver::{Judged, Waiver, judge, waivers};
