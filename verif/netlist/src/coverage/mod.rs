//! Coverage that explains itself: what of the emitted Verilog the bench reaches over all profilers together, and why not the rest.
//!
//! A [`Place`] is a side of a branch, or a rise or fall of a bit, in an instance of a module; it is the same place in every
//! profiler that has it. [`PROFILERS`](profilers) are driven; a place that is reached in none of them must be [proved](held) never to
//! be reached in each that has it, or be [waived](Waiver) by name with a reason. All others are holes.

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
