//! The tree of circuits, copied out of rust-hdl's `Block`/`Probe` walk.

use num_bigint::BigUint;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogOpUnary, VerilogStatement};
use rust_hdl::prelude::*;
use std::collections::BTreeMap;

use super::number::literal_value;
use crate::names::plain;
use crate::verilog::{ResetStyle, WriteError};

/// What an atom is to the circuit it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Output,
    Local,
    Constant,
}

/// A signal or constant of a circuit.
#[derive(Clone, Debug)]
pub struct AtomInfo {
    /// Name inside the circuit; `$` separates namespace and vector index.
    pub name: String,
    /// Name in the kernels, in front of which stands that of a flat bundle.
    pub path: String,
    pub role: Role,
    /// Bits of the rust-hdl type.
    pub declared: usize,
    /// Bits in the Verilog: the `width=` annotation, else the declared ones.
    pub width: usize,
    pub doc: String,
    /// It is not there: assignments to it are dropped, and it reads 0.
    pub absent: bool,
    pub value: Option<BigUint>,
    /// For the output of a register, what the `register=` annotation says.
    pub register: Option<Reset>,
}

/// The reset value of a register; `None` for one without reset.
pub type Reset = Option<BigUint>;

/// One instance of a circuit, with everything below it.
#[derive(Debug, Default)]
pub struct Circuit {
    /// Name of the instance inside its parent.
    pub name: String,
    /// Names from the top down to here, for messages.
    pub place: String,
    pub atoms: Vec<AtomInfo>,
    pub children: Vec<Circuit>,
    pub code: Verilog,
    /// It only connects others, and is written where it stands.
    pub is_wiring: bool,
    /// Equal for circuits that are equal but for their constants.
    pub shape: usize,
    /// Constants, by their path, that vary among the circuits of this shape; and the bits that hold any of their values.
    pub varying: BTreeMap<String, usize>,
}

impl Circuit {
    /// What resets it, if it is a register: `q` takes `d` at the rising edge of `clk`.
    pub fn register(&self) -> Option<&Reset> {
        let output = self.atoms.iter().find(|atom| atom.name == "q")?;
        output.register.as_ref()
    }

    /// Gives a top circuit the reset input that is asked for.
    pub fn take_reset(&mut self, style: ResetStyle) {
        let Some(place) = self.atoms.iter().position(|atom| atom.name == "rst") else {
            return;
        };
        let input = &mut self.atoms[place];
        if style.asynchronous {
            input.doc = input.doc.replace("Synchronous", "Asynchronous");
        }
        if let (true, Verilog::Combinatorial(block)) = (style.active_low, &mut self.code) {
            let mut inner = input.clone();
            (inner.role, inner.doc) = (Role::Local, String::new());
            (input.name, input.path) = ("rst_n".into(), "rst_n".into());
            input.doc = input.doc.replace("active high", "active low");
            self.atoms.push(inner);
            let signal = |name: &str| Box::new(VerilogExpression::Signal(name.into()));
            let inverted = VerilogExpression::Unary(VerilogOpUnary::Not, signal("rst_n"));
            block.push(VerilogStatement::Assignment(*signal("rst$next"), inverted));
        }
    }

    /// Names of the instances below it, in order; registers are none.
    pub fn instances(&self) -> impl Iterator<Item = String> {
        let children = self.children.iter();
        children
            .filter(|child| child.register().is_none())
            .map(Circuit::instance)
    }

    /// Name of the instance in the Verilog: not one that the circuit uses inside itself, which lint takes for a mistake.
    pub fn instance(&self) -> String {
        let name = plain(&self.name);
        let inside = |text: &str| plain(text) == name;
        let in_child = |child: &Circuit| {
            let port =
                |atom: &AtomInfo| !atom.absent && inside(&format!("{}${}", child.name, atom.name));
            inside(&child.name) || child.atoms.iter().any(port)
        };
        let own = |atom: &AtomInfo| !atom.absent && inside(&atom.name);
        let is_used = self.atoms.iter().any(own) || self.children.iter().any(in_child);
        if is_used { name + "_" } else { name }
    }
}

/// Walks `top` and copies what the writer needs.
pub fn collect(top: &dyn Block, name: &str) -> Result<Circuit, WriteError> {
    let mut collector = Collector::default();
    top.accept(name, &mut collector);
    match collector.error {
        Some(error) => Err(error),
        None => collector.done.ok_or(WriteError::NoCircuit),
    }
}

#[derive(Default)]
struct Collector {
    open: Vec<Circuit>,
    namespace: Vec<String>,
    done: Option<Circuit>,
    error: Option<WriteError>,
}

impl Collector {
    fn atom(&self, path: &[String], atom: &dyn Atom) -> Result<AtomInfo, WriteError> {
        // `~` marks a bundle whose ports go without its name.
        let shown = path.iter().filter(|name| !name.starts_with('~'));
        let shown: Vec<&str> = shown.map(String::as_str).collect();
        let name = &path.join("$").replace('~', "");
        let place = self.open.last().map_or("", |circuit| &circuit.place);
        let refuse = |reason: String| WriteError::signal(place, name, reason);
        let role = match atom.kind() {
            AtomKind::InputParameter => Role::Input,
            AtomKind::OutputParameter => Role::Output,
            AtomKind::LocalSignal => Role::Local,
            AtomKind::Constant => Role::Constant,
            other => return Err(refuse(format!("{other:?} signals are not supported"))),
        };
        if matches!(atom.descriptor().kind, TypeKind::Signed(_)) {
            return Err(refuse("signed types are not supported".into()));
        }
        let declared = atom.bits();
        let width = match annotation(atom, "width=") {
            None => declared,
            Some(text) => text
                .parse()
                .ok()
                .filter(|width| (1..=declared).contains(width))
                .ok_or_else(|| refuse(format!("width={text} is not within 1 to {declared}")))?,
        };
        if width == 0 {
            return Err(refuse("has no bits".into()));
        }
        let value = match role {
            Role::Constant => literal_value(&atom.verilog()),
            _ => None,
        };
        let register = match annotation(atom, "register=").as_deref() {
            None => None,
            Some("") => Some(None),
            Some(digits) => Some(Some(
                BigUint::parse_bytes(digits.as_bytes(), 16)
                    .ok_or_else(|| refuse(format!("register={digits} is not hexadecimal")))?,
            )),
        };
        Ok(AtomInfo {
            name: shown.join("$"),
            path: name.to_string(),
            role,
            declared,
            width,
            doc: annotation(atom, "doc=").unwrap_or_default(),
            absent: annotation(atom, "absent=").is_some(),
            value,
            register,
        })
    }
}

/// The text after `key` of the signal's custom constraint that starts with it.
fn annotation(atom: &dyn Atom, key: &str) -> Option<String> {
    atom.constraints()
        .into_iter()
        .rev()
        .find_map(|pin| match pin.constraint {
            Constraint::Custom(text) => text.strip_prefix(key).map(str::to_string),
            _ => None,
        })
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let mut prefix = self.namespace.join("$");
        if !prefix.is_empty() {
            prefix.push('$');
        }
        let name = format!("{prefix}{name}");
        let place = match self.open.last() {
            Some(parent) => format!("{}.{name}", parent.place),
            None => name.clone(),
        };
        self.open.push(Circuit {
            name,
            place,
            code: node.hdl(),
            ..Circuit::default()
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespace.push(name.to_string());
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let mut path = self.namespace.clone();
        path.push(name.to_string());
        match self.atom(&path, signal) {
            Err(error) => {
                self.error.get_or_insert(error);
            }
            Ok(atom) => {
                if let Some(circuit) = self.open.last_mut() {
                    circuit.atoms.push(atom);
                }
            }
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        let Some(circuit) = self.open.pop() else {
            return;
        };
        match self.open.last_mut() {
            Some(parent) => parent.children.push(circuit),
            None => self.done = Some(circuit),
        }
    }
}
