//! The signals of one module: its own ports and locals, and the ports of its sub-circuits.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

use super::circuit::{AtomInfo, Circuit, Reset, Role};
use super::expr::{Expr, SignalId};
use crate::names::plain;
use crate::verilog::WriteError;

/// Where a signal of a module comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Input,
    Output,
    Local,
    /// Input of a sub-circuit: the module drives it, and reads back what it settles to.
    ChildInput,
    ChildOutput,
    /// A register written in place.
    Register,
    /// What a register takes, and its clock and reset.
    Next,
    /// A parameter of the module.
    Parameter,
}

impl Class {
    /// Whether the module's own code must drive the signal.
    pub fn is_driven_here(self) -> bool {
        matches!(
            self,
            Class::Output | Class::Local | Class::ChildInput | Class::Next
        )
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
    /// It has its name from another: an element of a vector, or what a signal was before it was assigned again.
    pub passing: bool,
}

impl Signal {
    /// A signal of the writer's own.
    pub fn own(name: String, width: usize, passing: bool) -> Signal {
        Signal {
            name,
            class: Class::Local,
            width,
            doc: String::new(),
            passing,
        }
    }
}

/// A register written in place.
#[derive(Clone, Debug)]
pub struct Register {
    pub d: SignalId,
    pub q: SignalId,
    pub clk: SignalId,
    /// Reset input and what it resets to.
    pub reset: Option<(SignalId, Expr)>,
}

/// Everything a kernel can name.
#[derive(Debug, Default)]
pub struct Scope {
    pub signals: Vec<Signal>,
    /// The ports of each sub-circuit, in order.
    pub child_ports: Vec<Vec<(SignalId, String)>>,
    /// The sub-circuits that are registers.
    pub registers: Vec<Register>,
    /// Parameters, with the path of the constant each stands for.
    pub parameters: Vec<(SignalId, String)>,
    pub instances: BTreeSet<String>,
    names: BTreeMap<String, Expr>,
    /// Names of what is not there.
    absent: BTreeSet<String>,
}

impl Scope {
    /// Collects the names of `circuit`.
    pub fn of(circuit: &Circuit) -> Result<Scope, WriteError> {
        Scope::with(circuit, &circuit.varying)
    }

    /// As [`Scope::of`]; `varying` are the constants that are parameters, with their widths.
    pub fn with(circuit: &Circuit, varying: &BTreeMap<String, usize>) -> Result<Scope, WriteError> {
        let mut scope = Scope::default();
        for (path, width) in varying {
            scope.add_parameter(path, *width, circuit);
        }
        for atom in &circuit.atoms {
            if atom.absent {
                scope.add_absent(atom.path.clone(), atom);
                continue;
            }
            let class = match atom.role {
                Role::Input => Class::Input,
                Role::Output => Class::Output,
                Role::Local => Class::Local,
                Role::Constant if varying.contains_key(&atom.name) => continue,
                Role::Constant => {
                    scope.add_constant(atom, &circuit.place)?;
                    continue;
                }
            };
            scope.add_signal("", class, atom);
        }
        for child in &circuit.children {
            let mut ports = Vec::new();
            let in_place = child.register().is_some();
            for atom in &child.atoms {
                if atom.absent {
                    scope.add_absent(format!("{}${}", child.name, atom.path), atom);
                    continue;
                }
                let class = match atom.role {
                    Role::Input if in_place => Class::Next,
                    Role::Input => Class::ChildInput,
                    Role::Output if in_place => Class::Register,
                    Role::Output => Class::ChildOutput,
                    Role::Local | Role::Constant => continue,
                };
                let id = scope.add_signal(&format!("{}$", child.name), class, atom);
                if class == Class::Register {
                    scope.signals[id].name = plain(&child.name);
                }
                ports.push((id, plain(&atom.name)));
            }
            if let Some(reset) = child.register() {
                scope.add_register(child, &ports, reset, &circuit.place)?;
            }
            scope.child_ports.push(ports);
        }
        scope.instances = circuit.instances().collect();
        Ok(scope)
    }

    /// `prefix` stands in front of the names of a sub-circuit's ports.
    fn add_signal(&mut self, prefix: &str, class: Class, atom: &AtomInfo) -> SignalId {
        let id = self.signals.len();
        let name = format!("{prefix}{}", atom.name);
        self.signals.push(Signal {
            name: plain(&name),
            class,
            width: atom.width,
            doc: atom.doc.clone(),
            passing: class == Class::Local && name.contains('$'),
        });
        self.names.insert(
            format!("{prefix}{}", atom.path),
            Expr::signal(id, atom.width, atom.declared),
        );
        id
    }

    fn add_absent(&mut self, name: String, atom: &AtomInfo) {
        let zero = Expr::constant(BigUint::ZERO, Some(atom.declared));
        self.names.insert(name.clone(), zero);
        self.absent.insert(name);
    }

    /// Whether `name` is that of something that is not there.
    ///
    /// `name` is as the tree of circuits has it.
    pub fn is_absent(&self, name: &str) -> bool {
        self.absent.contains(name)
    }

    fn add_parameter(&mut self, path: &str, width: usize, circuit: &Circuit) {
        let id = self.signals.len();
        let own = circuit.atoms.iter().find(|atom| atom.name == path);
        let declared = own.map_or(width, |atom| atom.declared);
        self.signals.push(Signal {
            name: path.replace('$', "_").to_uppercase(),
            class: Class::Parameter,
            width,
            doc: own.map_or(String::new(), |atom| atom.doc.clone()),
            passing: false,
        });
        self.parameters.push((id, path.to_string()));
        self.names
            .insert(path.to_string(), Expr::signal(id, width, declared));
    }

    fn add_register(
        &mut self,
        child: &Circuit,
        ports: &[(SignalId, String)],
        reset: &Reset,
        place: &str,
    ) -> Result<(), WriteError> {
        let port = |name: &str| {
            let found = ports.iter().find(|(_, port)| port == name);
            found.map(|(id, _)| *id).ok_or_else(|| {
                let reason = format!("is marked as a register and has no `{name}`");
                WriteError::signal(place, &child.name, reason)
            })
        };
        let reset = match reset {
            None => None,
            Some(value) => {
                let parameter = self.names.get(&format!("{}$reset", child.name));
                let value = parameter
                    .cloned()
                    .unwrap_or_else(|| Expr::number(value.clone()));
                Some((port("rst")?, value))
            }
        };
        self.registers.push(Register {
            d: port("d")?,
            q: port("q")?,
            clk: port("clk")?,
            reset,
        });
        Ok(())
    }

    /// A signal for what `of` is before it is assigned again.
    pub fn add_version(&mut self, of: SignalId) -> SignalId {
        let Signal { name, width, .. } = self.signals[of].clone();
        let id = self.add_wire(&name, width);
        self.signals[id].passing = true;
        id
    }

    /// A signal of the writer's own, called `base` and a number.
    pub fn add_wire(&mut self, base: &str, width: usize) -> SignalId {
        let name = self.numbered(base);
        self.signals.push(Signal::own(name, width, false));
        self.signals.len() - 1
    }

    /// `base` and the first number that is free.
    fn numbered(&self, base: &str) -> String {
        let mut names = (0..).map(|n| format!("{base}_{n}"));
        let free = names.find(|name| self.is_free(name));
        free.expect("some number is free")
    }

    /// Whether nothing is called so.
    pub fn is_free(&self, name: &str) -> bool {
        self.signals.iter().all(|signal| signal.name != name) && !self.instances.contains(name)
    }

    /// Numbers the signals of one local value of a loop, from 0.
    pub fn number(&mut self, base: &str, signals: &[SignalId]) {
        for id in signals {
            self.signals[*id].name.clear();
        }
        for id in signals {
            self.signals[*id].name = self.numbered(base);
        }
    }

    /// A signal of the writer's own, called `name` if nothing else is, else `name` and a number.
    pub fn add_named(&mut self, name: &str, width: usize) -> SignalId {
        let is_free = self.is_free(name);
        let id = self.add_wire(name, width);
        if is_free {
            self.signals[id].name = name.to_string();
        }
        id
    }

    fn add_constant(&mut self, atom: &AtomInfo, place: &str) -> Result<(), WriteError> {
        let reason = "a constant below zero is not supported";
        let value = atom.value.clone();
        let value = value.ok_or_else(|| WriteError::signal(place, &atom.name, reason))?;
        let constant = Expr::constant(value, Some(atom.declared));
        self.names.insert(atom.name.clone(), constant);
        Ok(())
    }

    /// Two rust-hdl names that become one identifier would short two signals.
    pub fn check_unique(&self, circuit: &Circuit) -> Result<(), WriteError> {
        let mut seen = BTreeSet::new();
        let signals = self.signals.iter().map(|signal| signal.name.clone());
        let mut names = signals.chain(circuit.instances());
        let reason = "two signals or instances have this name in the Verilog";
        match names.find(|name| !seen.insert(name.clone())) {
            Some(name) => Err(WriteError::signal(&circuit.place, &name, reason)),
            None => Ok(()),
        }
    }

    /// What `name` stands for: a signal or a constant. A register is its value.
    pub fn resolve(&self, name: &str) -> Option<Expr> {
        let own = self.names.get(name);
        own.or_else(|| self.names.get(&format!("{name}$q")))
            .cloned()
    }
}

/// What a circuit does with a signal that cannot be written.
pub fn refuse(scope: &Scope, place: &str, signal: SignalId, reason: &str) -> WriteError {
    WriteError::signal(place, &scope.signals[signal].name, reason)
}
