//! The tops: one for each combination of ingress and bus, all named `hpp` in Verilog.
//!
//! ```text
//!   br_*, rvfi_* ---> ingress ---> profiler ---> path_*           with a table and registers: Profiler
//!                                     ^                           with neither: StreamProfiler
//!   wb_* -----------> bus  <----------+
//! ```
//!
//! An ingress is a circuit with a bundle of ports towards the core and one of records; a bus is one with a bundle of ports
//! towards the master and the seam of the registers. A top links them.

mod native;
mod rvfi;
mod stream;

pub use native::{NativeIngress, NativeStream, NativeWishbone};
pub use rvfi::{RvfiStream, RvfiWishbone};
pub use stream::StreamProfiler;
