//! Instrumented procedures running.
pub mod instrumented;

pub use instrumented::{Counters, Instrumented, Storage};
