//! The named fields of registers.

mod behaviour;
mod drain;
mod geometry;
mod triggers;

pub use behaviour::{command, context, control, errors, ppcr_mode, shadow, status};
pub use drain::{drain_command, drain_control, drain_status};
pub use geometry::{geometry0, geometry1, geometry2, geometry3};
pub use triggers::{trigger_control, trigger_status};
