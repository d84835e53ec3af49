//! Families: circuits that differ only in constants become one module with parameters.
//!
//! Two circuits have the same *shape* if their kernels, all widths of their signals, and the shapes of their
//! sub-circuits are equal.
//!
//! - A constant with the same value in every circuit of a shape is a number in the text.
//! - A constant that varies is a parameter. So is the reset value of a register that varies.
//! - A constant of a sub-circuit that varies among its parents is a parameter of the parents too, which pass it on.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

use super::circuit::{Circuit, Role};
use super::number::bits_of;

/// Gives every circuit below `top` its shape and the constants that vary within it. Linear in the size of the design.
pub fn group(top: &mut Circuit) {
    let mut families = Families::default();
    families.number(top);
    families.mark(top);
}

#[derive(Default)]
struct Families {
    shapes: BTreeMap<String, usize>,
    /// For each shape, the values of each constant.
    values: Vec<BTreeMap<String, BTreeSet<BigUint>>>,
}

impl Families {
    fn number(&mut self, circuit: &mut Circuit) {
        for child in &mut circuit.children {
            self.number(child);
        }
        let count = self.shapes.len();
        let shape = *self.shapes.entry(description(circuit)).or_insert(count);
        if shape == count {
            self.values.push(BTreeMap::new());
        }
        for (path, value) in circuit.constants() {
            self.values[shape].entry(path).or_default().insert(value);
        }
        circuit.shape = shape;
    }

    fn mark(&self, circuit: &mut Circuit) {
        let varying = self.values[circuit.shape]
            .iter()
            .filter(|(_, values)| values.len() > 1)
            .map(|(path, values)| (path.clone(), values.iter().map(bits_of).max().unwrap_or(1)));
        circuit.varying = varying.collect();
        for child in &mut circuit.children {
            self.mark(child);
        }
    }
}

/// Everything about a circuit but the values of its constants.
fn description(circuit: &Circuit) -> String {
    let atom = |atom: &super::circuit::AtomInfo| {
        let reset = atom.register.as_ref().map(Option::is_some);
        format!(
            "{} {:?} {} {} {reset:?} {} {}",
            atom.name, atom.role, atom.declared, atom.width, atom.absent, atom.doc
        )
    };
    let atoms: Vec<String> = circuit.atoms.iter().map(atom).collect();
    let children: Vec<_> = circuit
        .children
        .iter()
        .map(|child| (&child.name, child.shape))
        .collect();
    let code = match circuit.register() {
        Some(_) => String::new(),
        None => format!("{:?}", circuit.code),
    };
    format!("{atoms:?} {children:?} {code}")
}

impl Circuit {
    /// The constants of this circuit and of everything below it, by their path: `way$mask`, or `count$reset` for what a register
    /// resets to.
    pub fn constants(&self) -> Vec<(String, BigUint)> {
        let own = self
            .atoms
            .iter()
            .filter(|atom| atom.role == Role::Constant)
            .filter_map(|atom| Some((atom.name.clone(), atom.value.clone()?)));
        let mut out: Vec<_> = own.collect();
        for child in &self.children {
            match child.register() {
                Some(Some(reset)) => out.push((format!("{}$reset", child.name), reset.clone())),
                Some(None) => {}
                None => out.extend(
                    child
                        .constants()
                        .into_iter()
                        .map(|(path, value)| (format!("{}${path}", child.name), value)),
                ),
            }
        }
        out
    }
}
