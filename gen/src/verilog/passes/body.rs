//! The body of a module, before it is text.

use rust_hdl::prelude::ast::VerilogBlock;

use super::cone::{Cone, cones};
use super::implicit::complete;
use super::versions::versioned;
use crate::verilog::WriteError;
use crate::verilog::tree::circuit::Circuit;
use crate::verilog::tree::lower::lower;
use crate::verilog::tree::scope::Scope;
use crate::verilog::tree::statement::Statement;

/// What a module does.
pub struct Body {
    /// What drives each signal.
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
