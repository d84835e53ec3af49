//! What a kernel may leave out.
//!
//! - The `clk` and `rst` of a sub-circuit, if nothing assigns them, are the circuit's own. The same for a sub-circuit
//!   that moved up.
//! - A register holds unless the kernel assigns its `d`.

use crate::verilog::tree::circuit::Circuit;
use crate::verilog::tree::expr::{Expr, Kind};
use crate::verilog::tree::scope::{Class, Scope};
use crate::verilog::tree::statement::{Statement, targets};

/// `statements` with what they leave out in front of them.
pub fn complete(statements: Vec<Statement>, circuit: &Circuit, scope: &Scope) -> Vec<Statement> {
    let assigned = targets(&statements);
    let mut out = Vec::new();
    for (child, ports) in circuit.children.iter().zip(&scope.child_ports) {
        let port = |name: &str| {
            let found = ports.iter().find(|(_, port)| port == name);
            found.map(|(id, _)| *id)
        };
        for name in ["clk", "rst"] {
            let own = scope.resolve(name);
            if let (Some(id), Some(own)) = (port(name), own)
                && !assigned.contains(&id)
            {
                out.push(Statement::Assign(id, own));
            }
        }
        if let (Some(d), Some(q)) = (port("d"), scope.resolve(&format!("{}$q", child.name)))
            && child.register().is_some()
            && assigned.contains(&d)
        {
            out.push(Statement::Assign(d, q));
        }
    }
    for atom in circuit.atoms.iter().filter(|_| circuit.is_wiring) {
        let (_, name) = atom.name.rsplit_once('$').unwrap_or_default();
        if let (
            "clk" | "rst",
            Some(Expr {
                kind: Kind::Signal(id),
                ..
            }),
        ) = (name, scope.resolve(&atom.path))
            && scope.signals[id].class == Class::Output
            && !assigned.contains(&id)
            && let Some(own) = scope.resolve(name)
        {
            out.push(Statement::Assign(id, own));
        }
    }
    out.extend(statements);
    out
}
