//! Wiring: a circuit that only connects others is no module.
//!
//! Such a circuit has sub-circuits with parts of their own, and nothing else: no registers and no small logic. The
//! sub-circuits move to its parent. What is left drives their inputs and reads their outputs through ports of its own,
//! and is written where it stands (`passes::inline`).
//!
//! ```text
//!   profiler                               profiler
//!     detector                      ->       detector    drives `queue$hold`, reads `queue$record$valid`
//!       queue, decoder, stack                queue, decoder, stack
//! ```

use rust_hdl::prelude::Verilog;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

use super::circuit::{AtomInfo, Circuit, Role};

/// Moves the sub-circuits of all wiring below `circuit` up. Linear in the size of the design.
pub fn hoist(circuit: &mut Circuit) {
    circuit.children.iter_mut().for_each(hoist);
    let Verilog::Combinatorial(block) = &mut circuit.code else {
        return;
    };
    let mut index = 0;
    while index < circuit.children.len() {
        if is_wiring(&circuit.children[index]) {
            let moved = std::mem::take(&mut circuit.children[index].children);
            let wiring = &mut circuit.children[index];
            wiring.is_wiring = true;
            for part in &moved {
                block.extend(detached(wiring, part));
            }
            let count = moved.len();
            circuit.children.splice(index..index, moved);
            index += count;
        }
        index += 1;
    }
}

/// Whether a circuit only connects its sub-circuits. An element of a vector stays what it is.
fn is_wiring(circuit: &Circuit) -> bool {
    let last = circuit.name.rsplit('$').next().unwrap_or_default();
    let parts = &circuit.children;
    matches!(circuit.code, Verilog::Combinatorial(_))
        && last.parse::<usize>().is_err()
        && !parts.is_empty()
        && parts
            .iter()
            .all(|part| part.is_wiring || !part.children.is_empty())
}

/// Gives `wiring` ports in place of those of `part`; returns what connects the two.
fn detached(wiring: &mut Circuit, part: &Circuit) -> Vec<VerilogStatement> {
    let mut links = Vec::new();
    for port in &part.atoms {
        let own = format!("{}${}", part.name, port.path);
        let ends = [own.clone(), format!("{}${own}", wiring.name)];
        let (role, [to, from]) = match port.role {
            Role::Input => (Role::Output, ends),
            Role::Output => (Role::Input, [ends[1].clone(), ends[0].clone()]),
            Role::Local | Role::Constant => continue,
        };
        if !port.absent {
            links.push(VerilogStatement::Assignment(
                VerilogExpression::Signal(format!("{to}$next")),
                VerilogExpression::Signal(from.replace("$next", "$r#next")),
            ));
        }
        wiring.atoms.push(AtomInfo {
            name: format!("{}${}", part.name, port.name),
            path: own,
            role,
            ..port.clone()
        });
    }
    links
}
