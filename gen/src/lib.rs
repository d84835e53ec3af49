//! Verilog generator of the HPP hardware path profiler.
//!
//! [`generate`] turns a [`Config`] into the Verilog of a profiler and the files an integrator needs with it: SVD, C
//! header, register page, FuseSoC core with a testbench, JSON manifest and an instantiation template. The program
//! `gen-verilog` is this function with flags around it. The writer in [`verilog`] makes the Verilog from the circuits
//! of `hpp-hdl`.

mod bind;
mod config;
mod generate;
mod manifest;
mod names;
mod stimulus;
mod svd;
mod testbench;
mod texts;
pub mod verilog;

pub use bind::{Bind, BindError};
pub use config::{Config, ConfigError, FileError, PARAMETERS, ParameterTable};
pub use generate::{Extras, GenerateError, Output, OutputError, generate, generate_with};
pub use hpp_hdl::{Bus, Ingress, IngressOptions, RvfiNext, Vendor};
pub use manifest::{Derived, FieldEntry, Manifest, NamedValue, RegisterEntry};

/// The examples of the generator's manual.
#[cfg(doctest)]
#[doc = include_str!("../../docs/generator.md")]
struct Manual;
