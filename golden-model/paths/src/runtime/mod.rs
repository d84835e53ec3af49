//! Instrumented procedures running, and what they count.
pub mod instrumented;
pub mod path_counters;

pub use instrumented::Instrumented;
pub use path_counters::{PathCounters, Storage};
