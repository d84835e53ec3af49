//! Parity, which detects a flipped bit.
//!
//! A module gets an output `flipped`, which is 1 after a bit in it or below it has flipped. The top has an output
//! [`FAULT`] of its own that collects the outputs of its sub-circuits. Memories bring their parity with them. Each
//! register gets a bit that makes the number of ones odd. It is computed from the register's next value and compared in
//! every cycle. Small registers share one ([`super::parity`]).

use super::WriteError;
use super::body::Body;
use super::child::{Added, Child};
use super::cone::Cone;
use super::expr::{Expr, SignalId};
use super::operator::Binary;
use super::scope::{Class, Register, Scope};
use super::tree::Circuit;
use hpp_golden::config::Protection;

/// The output of the top circuit that says so.
pub const FAULT: &str = "fault";

/// The output of a module that says so.
pub const FLIPPED: &str = "flipped";

/// Takes out of the top what its circuit says of [`FAULT`]; returns the signal.
pub fn open(body: &mut Body, scope: &Scope, circuit: &Circuit) -> Result<SignalId, WriteError> {
    let is_fault = |id: &SignalId| {
        scope.signals[*id].name == FAULT && scope.signals[*id].class == Class::Output
    };
    let found = (0..scope.signals.len()).find(is_fault);
    let fault = found.ok_or_else(|| WriteError::Signal {
        place: circuit.place.clone(),
        signal: FAULT.into(),
        reason: "is to say that a bit has flipped, and is no output of the circuit".into(),
    })?;
    body.cones.retain(|cone| !cone.targets.contains(&fault));
    Ok(fault)
}

/// Adds parity to a module's registers and gathers what its sub-circuits tell. `fault` is the top's output, if this is the top.
pub fn protect(
    body: &mut Body,
    scope: &mut Scope,
    (circuit, children): (&Circuit, &[Child]),
    what: Protection,
    fault: Option<SignalId>,
) -> Result<Added, WriteError> {
    let mut module = Module {
        body,
        scope,
        circuit,
        added: Added::default(),
    };
    let mut flipped = module.children_flipped(children);
    module.hand_reset_on(children)?;
    let wrong = match what {
        Protection::All => module.parities()?,
        Protection::None | Protection::Memories => Vec::new(),
    };
    let is_clocked = !wrong.is_empty();
    flipped.extend(wrong);
    if flipped.is_empty() && fault.is_none() {
        return Ok(module.added);
    }
    let flipped = any(flipped);
    let output = match fault {
        Some(fault) => fault,
        None => {
            module.added.flipped = true;
            module.named(
                FLIPPED,
                Class::Output,
                "Pulse: parity error in this module.",
            )?
        }
    };
    if is_clocked {
        let next = module.scope.add_wire("flipped_next", 1);
        module.scope.signals[next].class = Class::Next;
        module.drive(Cone::wire(next, flipped));
        let (clk, rst) = (module.input("clk")?, module.reset()?);
        module.scope.registers.push(Register {
            d: next,
            q: output,
            clk,
            reset: Some((rst, Expr::number(0u32))),
        });
    } else {
        module.body.cones.push(Cone::wire(output, flipped));
    }
    Ok(module.added)
}

/// A module that gets parity.
pub(super) struct Module<'a> {
    pub(super) body: &'a mut Body,
    pub(super) scope: &'a mut Scope,
    circuit: &'a Circuit,
    added: Added,
}

impl Module<'_> {
    /// What each sub-circuit tells.
    fn children_flipped(&mut self, children: &[Child]) -> Vec<Expr> {
        let mut flipped = Vec::new();
        for (index, child) in children.iter().enumerate() {
            if child.added.flipped {
                flipped.push(bit(self.port(index, FLIPPED, Class::ChildOutput)));
            }
        }
        flipped
    }

    /// Connects the resets that sub-circuits got.
    fn hand_reset_on(&mut self, children: &[Child]) -> Result<(), WriteError> {
        for (index, child) in children.iter().enumerate() {
            if child.added.reset {
                let rst = self.reset()?;
                let port = self.port(index, "rst", Class::ChildInput);
                self.body.cones.push(Cone::wire(port, bit(rst)));
            }
        }
        Ok(())
    }

    /// A port that the writer adds to a sub-circuit.
    fn port(&mut self, child: usize, port: &str, class: Class) -> SignalId {
        let instance = self.circuit.children[child].instance();
        let id = self.scope.add_named(&format!("{instance}_{port}"), 1);
        self.scope.signals[id].class = class;
        self.scope.child_ports[child].push((id, port.to_string()));
        id
    }

    /// Drives a signal of the writer's own.
    pub(super) fn drive(&mut self, cone: Cone) {
        self.body.statements.extend(cone.statements.iter().cloned());
        self.body.cones.push(cone);
    }

    /// The module's reset, which it gets if it has none.
    pub(super) fn reset(&mut self) -> Result<SignalId, WriteError> {
        if let Ok(rst) = self.input("rst") {
            return Ok(rst);
        }
        self.added.reset = true;
        self.named("rst", Class::Input, "Synchronous reset, active high.")
    }

    fn input(&self, name: &str) -> Result<SignalId, WriteError> {
        let is_it = |id: &SignalId| {
            let signal = &self.scope.signals[*id];
            signal.class == Class::Input && signal.name == name
        };
        let found = (0..self.scope.signals.len()).find(is_it);
        found.ok_or_else(|| self.refuse(name, "is needed for parity, and is no input"))
    }

    /// A signal of the writer's own that has to have this name.
    pub(super) fn named(
        &mut self,
        name: &str,
        class: Class,
        doc: &str,
    ) -> Result<SignalId, WriteError> {
        if self.scope.signals.iter().any(|signal| signal.name == name) {
            return Err(self.refuse(name, "has a name that parity needs"));
        }
        let id = self.scope.add_wire(name, 1);
        let signal = &mut self.scope.signals[id];
        signal.name = name.to_string();
        signal.class = class;
        signal.doc = doc.to_string();
        Ok(id)
    }

    fn refuse(&self, signal: &str, reason: &str) -> WriteError {
        WriteError::Signal {
            place: self.circuit.place.clone(),
            signal: signal.to_string(),
            reason: reason.to_string(),
        }
    }
}

pub(super) fn bit(id: SignalId) -> Expr {
    Expr::signal(id, 1, 1)
}

/// Whether one of them is 1.
fn any(flipped: Vec<Expr>) -> Expr {
    let one = flipped.into_iter().reduce(|a, b| a.bitwise(Binary::Or, b));
    one.unwrap_or_else(|| Expr::bit(false))
}
