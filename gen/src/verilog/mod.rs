//! The Verilog writer.
//!
//! rust-hdl has a Verilog writer of its own. It writes one module per instance, names full of `$`, literals of 64 bits
//! and part selects that are not Verilog. This writer reads the same two trees, the `Block`/`Probe` walk and
//! `Logic::hdl()`, and writes Verilog-2005 that a person would have written:
//!
//! 1. `tree` reads the circuits;
//! 2. `passes` transforms their statements;
//! 3. `text` prints modules.
//!
//! The meaning is that of the rust-hdl simulation, provided that every signal with a `width=` annotation holds values
//! that fit. Time and space are linear in the unrolled code, times the number of signals of a module.

mod passes;
mod text;
mod tree;

use hpp_hdl::ram::Organisation;
use rust_hdl::prelude::Block;
use serde::Serialize;
use thiserror::Error;

use crate::names::{is_identifier, is_reserved};
use text::library::Library;
use tree::circuit::{self, Circuit, Role};
use tree::family;
use tree::hoist::hoist;

/// Why a circuit cannot be written.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteError {
    #[error("{place}: {what}")]
    Kernel { place: String, what: String },
    #[error("{place}: signal `{signal}` {reason}")]
    Signal {
        place: String,
        signal: String,
        reason: String,
    },
    #[error(
        "prefix `{0}` is not a plain Verilog identifier: use a letter, then letters, digits and underscores"
    )]
    Prefix(String),
    #[error("the top block is a bare signal, not a circuit")]
    NoCircuit,
}

impl WriteError {
    fn signal(place: &str, signal: &str, reason: impl Into<String>) -> Self {
        Self::Signal {
            place: place.to_string(),
            signal: signal.to_string(),
            reason: reason.into(),
        }
    }
}

/// Direction of a top-level port, seen from the module.
#[expect(missing_docs, reason = "the names say what it is")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
}

/// A port of the top module.
#[expect(missing_docs, reason = "the names say what it is")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    pub width: usize,
    pub meaning: String,
}

/// A module that is a memory: one write port and one read port on one clock, or one port of a tiny profiler; what is read shows a cycle after its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Name of the module.
    pub module: String,
    /// How many of it the profiler has.
    pub instances: u32,
    /// Its cells.
    #[serde(flatten)]
    pub organisation: Organisation,
}

/// A design as Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogText {
    /// The whole file.
    pub text: String,
    /// Name of the top module: the prefix.
    pub top: String,
    /// Ports of the top module, in order.
    pub ports: Vec<Port>,
    /// Names of all modules, in the order of the file, the top first.
    pub modules: Vec<String>,
    /// Each module as a file of its own, in the same order.
    pub files: Vec<String>,
    /// The modules that are memories.
    pub memories: Vec<Memory>,
}

/// How the registers are reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResetStyle {
    /// At once, not at the next edge of the clock.
    pub asynchronous: bool,
    /// While the input is 0, which is then called `rst_n`.
    pub active_low: bool,
}

/// [`emit_with`] a synchronous reset, active high.
///
/// # Errors
/// As [`emit_with`].
pub fn emit(top: &dyn Block, prefix: &str) -> Result<VerilogText, WriteError> {
    emit_with(top, prefix, ResetStyle::default())
}

/// Writes `top` and everything below it. The top module is called `prefix`, the others `prefix_...`.
///
/// # Errors
/// A prefix that is no identifier; a kernel outside the supported subset of rust-hdl; a signal that is not driven, not driven on
/// every path, or depends on itself. The message names the instance.
pub fn emit_with(
    top: &dyn Block,
    prefix: &str,
    reset: ResetStyle,
) -> Result<VerilogText, WriteError> {
    if !is_plain_name(prefix) {
        return Err(WriteError::Prefix(prefix.to_string()));
    }
    let mut circuit = circuit::collect(top, prefix)?;
    circuit.take_reset(reset);
    hoist(&mut circuit);
    family::group(&mut circuit);
    let ports = ports(&circuit)?;
    let library = Library::of(&circuit, prefix, reset.asynchronous)?;
    let modules = library.order();
    Ok(VerilogText {
        text: library.file(&modules),
        files: modules
            .iter()
            .map(|name| library.file(std::slice::from_ref(name)))
            .collect(),
        memories: library.memories(&modules),
        top: prefix.to_string(),
        ports,
        modules,
    })
}

/// Whether `name` is an identifier in Verilog and SystemVerilog, and plain enough for other languages.
#[must_use]
pub fn is_plain_name(name: &str) -> bool {
    is_identifier(name) && !is_reserved(name)
}

fn ports(circuit: &Circuit) -> Result<Vec<Port>, WriteError> {
    let mut out = Vec::new();
    for atom in circuit.atoms.iter().filter(|atom| !atom.absent) {
        let direction = match atom.role {
            Role::Input => Direction::Input,
            Role::Output => Direction::Output,
            Role::Local | Role::Constant => continue,
        };
        let name = atom.name.replace('$', "_");
        if is_reserved(&name) {
            let reason = "is a port of the top module and a reserved word";
            return Err(WriteError::signal(&circuit.place, &name, reason));
        }
        out.push(Port {
            name,
            direction,
            width: atom.width,
            meaning: atom.doc.clone(),
        });
    }
    Ok(out)
}
