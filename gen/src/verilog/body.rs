//! The body of a module, before it is text.

use rust_hdl::prelude::ast::VerilogBlock;

use super::WriteError;
use super::cone::{Cone, cones};
use super::implicit::complete;
use super::lower::lower;
use super::scope::Scope;
use super::statement::Statement;
use super::tree::Circuit;
use super::versions::versioned;

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
