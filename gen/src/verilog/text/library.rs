//! The modules of a design.

use hpp_hdl::ram::organisation;
use std::collections::{BTreeMap, BTreeSet};

use super::module::{Module, module};
use crate::names::numbered;
use crate::verilog::passes::inline::{Child, inlined};
use crate::verilog::tree::circuit::Circuit;
use crate::verilog::{Memory, WriteError};

/// A module with its final name.
struct Written {
    text: String,
    /// Modules it instantiates, in order.
    children: Vec<String>,
}

/// The modules written so far; circuits of one shape, and equal texts, are one module.
pub struct Library<'a> {
    prefix: &'a str,
    asynchronous: bool,
    modules: BTreeMap<String, Written>,
    shapes: BTreeMap<usize, Child>,
    known: BTreeMap<Module, String>,
    names: BTreeSet<String>,
    /// Shapes of the circuits that are written where they stand.
    inlined: BTreeSet<usize>,
}

impl<'a> Library<'a> {
    /// The modules of a design whose top module is called `prefix`.
    pub fn of(
        top: &Circuit,
        prefix: &'a str,
        asynchronous: bool,
    ) -> Result<Library<'a>, WriteError> {
        let mut library = Library {
            prefix,
            asynchronous,
            modules: BTreeMap::new(),
            shapes: BTreeMap::new(),
            known: BTreeMap::new(),
            names: BTreeSet::from([prefix.to_string()]),
            inlined: inlined(top),
        };
        library.write(top, true)?;
        Ok(library)
    }

    /// Writes a circuit after its sub-circuits; returns its module.
    fn write(&mut self, circuit: &Circuit, is_top: bool) -> Result<Child, WriteError> {
        if let Some(known) = self.shapes.get(&circuit.shape) {
            return Ok(known.clone());
        }
        let mut children = Vec::new();
        for child in &circuit.children {
            let in_place = child.register().is_some() || self.inlined.contains(&child.shape);
            children.push(match in_place {
                true => Child::default(),
                false => self.write(child, false)?,
            });
        }
        let module = module(circuit, &children, self.asynchronous)?;
        let parameters = module.parameters.clone();
        let name = match self.known.get(&module) {
            Some(name) => name.clone(),
            None => self.add(module, circuit, children, is_top),
        };
        let written = Child {
            module: name,
            parameters,
        };
        self.shapes.insert(circuit.shape, written.clone());
        Ok(written)
    }

    fn add(
        &mut self,
        module: Module,
        circuit: &Circuit,
        children: Vec<Child>,
        is_top: bool,
    ) -> String {
        let name = if is_top {
            self.prefix.to_string()
        } else {
            self.name(&module, circuit)
        };
        let mut text = String::new();
        for line in &module.comment {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        text.push_str(&format!("module {name}{}", module.text));
        let children = children.into_iter().map(|child| child.module);
        let children = children.filter(|name| !name.is_empty()).collect();
        self.modules
            .insert(name.clone(), Written { text, children });
        self.known.insert(module, name.clone());
        name
    }

    /// All modules, each before the ones it uses first.
    pub fn order(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut open = vec![self.prefix];
        while let Some(name) = open.pop() {
            if out.iter().any(|known| known == name) {
                continue;
            }
            out.push(name.to_string());
            let children = self.modules[name].children.iter();
            open.extend(children.rev().map(String::as_str));
        }
        out
    }

    fn name(&mut self, module: &Module, circuit: &Circuit) -> String {
        let instance = circuit.name.split('$').next().unwrap_or_default();
        let own = module.base.as_deref().unwrap_or(instance);
        let base = format!("{}_{own}", self.prefix);
        let free = |name: &String| !self.names.contains(name);
        let name = numbered(&base).find(free).expect("some number is free");
        self.names.insert(name.clone());
        name
    }

    pub fn memories(&self, order: &[String]) -> Vec<Memory> {
        let memory = |module: &String| {
            let organisation = organisation(&self.modules[module].text)?;
            Some(Memory {
                module: module.clone(),
                instances: self.instances(self.prefix, module),
                organisation,
            })
        };
        order.iter().filter_map(memory).collect()
    }

    /// How often `module` is there in all, below one instance of another.
    fn instances(&self, above: &str, module: &str) -> u32 {
        let children = self.modules[above].children.iter();
        children
            .map(|child| u32::from(child == module) + self.instances(child, module))
            .sum()
    }

    pub fn file(&self, order: &[String]) -> String {
        let modules = order
            .iter()
            .map(|name| format!("\n{}", self.modules[name].text));
        let modules: String = modules.collect();
        format!("`default_nettype none\n{modules}\n`default_nettype wire\n")
    }
}
