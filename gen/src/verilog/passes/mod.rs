//! Statements, transformed: from a kernel as it was written to what each signal is.
//!
//! In go a `Scope` and `Statement`s; out comes a `Body` with a `Cone`, the statements of one signal, for each signal, and
//! the clocked statements. `implicit` adds what a kernel may leave out, `versions` distinguishes the values of a signal that is
//! assigned several times, and `cone` cuts the kernel. `inline` writes small sub-circuits where they stand, `fold` removes
//! constants and aliases, `narrow` unread high bits, `registers` puts registers in place, and `common` writes repeated
//! expressions once. Each pass takes a body and keeps the value of every output in every cycle.

pub mod common;
pub mod cone;
pub mod effect;
pub mod flow;
pub mod fold;
pub mod implicit;
pub mod inline;
pub mod narrow;
pub mod registers;
pub mod versions;

use rust_hdl::prelude::ast::VerilogBlock;

use super::WriteError;
use super::tree::circuit::Circuit;
use super::tree::lower::lower;
use super::tree::scope::Scope;
use super::tree::statement::Statement;
use cone::{Cone, cones};
use implicit::complete;
use versions::versioned;

pub struct Body {
    pub cones: Vec<Cone>,
    /// The same as one list, in the kernel's order.
    pub statements: Vec<Statement>,
}

impl Body {
    /// What the kernel of `circuit` says.
    pub fn of(
        block: &VerilogBlock,
        circuit: &Circuit,
        scope: &mut Scope,
    ) -> Result<Body, WriteError> {
        let statements = lower(block, scope, &circuit.place)?;
        let statements = complete(statements, circuit, scope);
        let statements = versioned(statements, scope);
        scope.check_unique(circuit)?;
        let cones = cones(&statements, scope, &circuit.place)?;
        Ok(Body { cones, statements })
    }
}
