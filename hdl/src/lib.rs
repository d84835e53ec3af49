//! The HPP hardware path profiler as rust-hdl circuits. [`top`] has the circuits that a user instantiates, and
//! [`profiler`] joins the stages.

extern crate self as hpp_hdl;

pub mod annotate;
pub mod bundles;
pub mod bus;
pub mod circuit;
pub mod counters;
pub mod detector;
pub mod drain;
pub mod harts;
pub mod ingress;
pub mod interface;
pub mod kinds;
pub mod path_stack;
pub mod profiler;
pub mod queue;
pub mod ram;
pub mod record_decoder;
pub mod register;
pub mod registers;
pub mod sim;
pub mod stack_check;
pub mod stack_memory;
pub mod table;
pub mod tiny;
pub mod top;
pub mod triggers;
pub mod value;

pub use hpp_golden::ingress::{RvfiNext, Vendor};
pub use interface::{Bus, Ingress, IngressOptions};
