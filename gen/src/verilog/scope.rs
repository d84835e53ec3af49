//! The signals of one module: its own ports and locals, and the ports of its sub-circuits.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

use super::WriteError;
use super::expr::{Expr, Kind, SignalId};
use super::names::plain;
use super::tree::{AtomInfo, Circuit, Role};

/// Where a signal of a module comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Input,
    Output,
    Local,
    /// Input of a sub-circuit: the module drives it, and reads back what it settles to.
    ChildInput,
    /// Output of a sub-circuit.
    ChildOutput,
}

impl Class {
    /// Whether the module's own code must drive the signal.
    pub fn is_driven_here(self) -> bool {
        matches!(self, Class::Output | Class::Local | Class::ChildInput)
    }

    /// Whether reading it in a kernel gives what was assigned last, settled or not.
    pub fn reads_latest(self) -> bool {
        matches!(self, Class::Output | Class::Local)
    }
}

/// A signal with its name in the Verilog.
#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub class: Class,
    pub width: usize,
    pub doc: String,
}

/// Everything a kernel can name.
#[derive(Debug, Default)]
pub struct Scope {
    pub signals: Vec<Signal>,
    /// First signal of each sub-circuit; its ports follow in order.
    pub child_ports: Vec<Vec<(SignalId, String)>>,
    names: BTreeMap<String, Expr>,
    variants: BTreeMap<String, (usize, usize)>,
}

impl Scope {
    /// Collects the names of `circuit`; `taken` are identifiers the module uses for something else.
    pub fn of(circuit: &Circuit) -> Result<Scope, WriteError> {
        let mut scope = Scope {
            variants: circuit.variants.clone(),
            ..Scope::default()
        };
        for atom in &circuit.atoms {
            let class = match atom.role {
                Role::Input => Class::Input,
                Role::Output => Class::Output,
                Role::Local => Class::Local,
                Role::Constant => {
                    scope.add_constant(atom, &circuit.place)?;
                    continue;
                }
            };
            scope.add_signal(atom.name.clone(), class, atom);
        }
        for child in &circuit.children {
            let mut ports = Vec::new();
            for atom in &child.atoms {
                let class = match atom.role {
                    Role::Input => Class::ChildInput,
                    Role::Output => Class::ChildOutput,
                    Role::Local | Role::Constant => continue,
                };
                let id = scope.add_signal(format!("{}${}", child.name, atom.name), class, atom);
                ports.push((id, plain(&atom.name)));
            }
            scope.child_ports.push(ports);
        }
        scope.check_unique(circuit)?;
        Ok(scope)
    }

    fn add_signal(&mut self, name: String, class: Class, atom: &AtomInfo) -> SignalId {
        let id = self.signals.len();
        self.signals.push(Signal {
            name: plain(&name),
            class,
            width: atom.width,
            doc: atom.doc.clone(),
        });
        self.names
            .insert(name, Expr::signal(id, atom.width, atom.declared));
        id
    }

    fn add_constant(&mut self, atom: &AtomInfo, place: &str) -> Result<(), WriteError> {
        let value = atom.value.clone().ok_or_else(|| WriteError::Signal {
            place: place.to_string(),
            signal: atom.name.clone(),
            reason: "a constant below zero is not supported".into(),
        })?;
        let constant = Expr::constant(value, Some(atom.declared));
        self.names.insert(atom.name.clone(), constant);
        Ok(())
    }

    /// Two rust-hdl names that become one identifier would short two signals.
    fn check_unique(&self, circuit: &Circuit) -> Result<(), WriteError> {
        let mut seen = BTreeSet::new();
        let instances = circuit.children.iter().map(Circuit::instance);
        for name in self
            .signals
            .iter()
            .map(|signal| signal.name.clone())
            .chain(instances)
        {
            if !seen.insert(name.clone()) {
                return Err(WriteError::Signal {
                    place: circuit.place.clone(),
                    signal: name,
                    reason: "two signals or instances have this name in the Verilog".into(),
                });
            }
        }
        Ok(())
    }

    /// What `name` stands for: a signal, a constant, or a variant of an enumeration.
    pub fn resolve(&self, name: &str) -> Option<Expr> {
        if let Some(found) = self.names.get(name) {
            return Some(found.clone());
        }
        let mut segments = name.rsplit('$');
        let (variant, ty) = (segments.next()?, segments.next()?);
        let (value, bits) = self.variants.get(&format!("{ty}${variant}"))?;
        let value = BigUint::from(*value);
        let mut out = Expr::constant(value.clone(), Some(*bits));
        out.kind = Kind::Constant(value, Some(format!("{}_{}", shout(ty), shout(variant))));
        Some(out)
    }
}

/// `ReadBack` as `READ_BACK`.
fn shout(name: &str) -> String {
    let mut out = String::new();
    let mut previous_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && previous_lower {
            out.push('_');
        }
        previous_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        out.push(c.to_ascii_uppercase());
    }
    out
}
