//! The text of a module that has a kernel.
//!
//! In order: named numbers, registers, outputs of sub-circuits, computed signals (each wire after those it reads, else
//! in the kernel's order), sub-circuits, clocked blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::ports::{close, header, sink, spaced};
use super::print::{Printer, indent, with_doc};
use crate::names::numbered;
use crate::verilog::passes::cone::Cone;
use crate::verilog::passes::effect::choice;
use crate::verilog::passes::inline::Child;
use crate::verilog::passes::registers::Clocked;
use crate::verilog::tree::circuit::Circuit;
use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::number::range;
use crate::verilog::tree::scope::{Class, Scope};
use crate::verilog::tree::statement::{Statement, reads, targets};

/// Longest value that is written as a choice between two, `test ? a : b`.
const CHOICE: usize = 100;

pub struct Kernel<'a> {
    pub(super) circuit: &'a Circuit,
    pub(super) children: &'a [Child],
    pub(super) scope: &'a Scope,
    pub(super) printer: Printer,
    /// Signals assigned in `always` blocks.
    pub(super) registers: BTreeSet<SignalId>,
    /// Sub-circuit inputs connected to an expression directly.
    pub(super) direct: BTreeSet<SignalId>,
    /// Outputs that are an output of a sub-circuit, connected to its port directly.
    pub(super) through: BTreeMap<SignalId, SignalId>,
    helped: usize,
}

impl<'a> Kernel<'a> {
    /// `children` are the modules of the sub-circuits.
    pub fn new(circuit: &'a Circuit, children: &'a [Child], scope: &'a Scope) -> Kernel<'a> {
        Kernel {
            circuit,
            children,
            scope,
            printer: Printer::new(scope.signals.clone(), scope.instances.clone()),
            registers: BTreeSet::new(),
            direct: BTreeSet::new(),
            through: BTreeMap::new(),
            helped: 0,
        }
    }

    /// The text after the module's name, and the constants that are its parameters.
    pub fn text(mut self, cones: &[Cone], clocked: &[Clocked]) -> (String, Vec<String>) {
        self.classify(cones, clocked);
        let code = self.code(cones);
        let instances = self.instances(cones);
        let blocks = self.blocks(clocked);
        let mut body = self.declarations(clocked);
        for lines in [code, instances, blocks] {
            if !lines.is_empty() && !body.is_empty() {
                body.push(String::new());
            }
            body.extend(lines);
        }
        // Tools know by the name that it is meant so.
        let name = self.printer.free(numbered("unused"));
        body.extend(sink(&name, &self.unused(cones, clocked)));
        let ports: Vec<_> = (0..self.scope.signals.len())
            .map(|id| (&self.scope.signals[id], self.net(id)))
            .filter(|(signal, _)| matches!(signal.class, Class::Input | Class::Output))
            .collect();
        let parameters: Vec<&(SignalId, String)> = self
            .scope
            .parameters
            .iter()
            .filter(|(id, _)| self.printer.used[*id].contains(&true))
            .collect();
        let head = self.parameter_list(&parameters);
        let paths = parameters.iter().map(|(_, path)| path.clone()).collect();
        (head + &close(header(&ports), body), paths)
    }

    pub(super) fn net(&self, id: SignalId) -> &'static str {
        if self.registers.contains(&id) {
            "reg"
        } else {
            "wire"
        }
    }

    /// Decides which signals are registers, and which sub-circuit inputs need no wire.
    fn classify(&mut self, cones: &[Cone], clocked: &[Clocked]) {
        let mut read: BTreeSet<SignalId> = cones.iter().flat_map(Cone::reads).collect();
        for block in clocked {
            read.extend(reads(&block.statements));
            self.registers.extend(targets(&block.statements));
            self.registers.extend(block.reset_registers());
        }
        for cone in cones {
            if let Some(value) = cone.expression() {
                let only = |id: &&SignalId| {
                    self.scope.signals[**id].class == Class::ChildInput && !read.contains(id)
                };
                self.pass_through(cone, value);
                if is_simple(value) {
                    self.direct.extend(cone.targets.iter().filter(only));
                }
            }
        }
    }

    /// Lets an output that only repeats an output of a sub-circuit take its place.
    fn pass_through(&mut self, cone: &Cone, value: &Expr) {
        let (Kind::Signal(source), Some(&target)) = (&value.kind, cone.targets.first()) else {
            return;
        };
        let (from, to) = (&self.scope.signals[*source], &self.scope.signals[target]);
        let is_port = from.class == Class::ChildOutput && to.class == Class::Output;
        if is_port && from.width == to.width && !self.through.values().any(|known| known == source)
        {
            self.printer.signals[*source].name = to.name.clone();
            self.printer.used[*source].fill(true);
            self.through.insert(target, *source);
        }
    }

    fn code(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for cone in sorted(cones) {
            let separate =
                |id: &SignalId| self.direct.contains(id) || self.through.contains_key(id);
            if cone.targets.iter().any(separate) {
                continue;
            }
            let text = self.value(cone);
            let lines = match (text, cone.targets.first()) {
                (Some(text), Some(&target)) => self.assignment(cone, target, &text),
                _ => self.always(cone),
            };
            let is_block =
                lines.last().is_some_and(|line| line == "end") && !lines[0].starts_with("//");
            let after_block = out.last().is_some_and(|line| line == "  end");
            if (is_block || after_block) && !out.is_empty() {
                out.push(String::new());
            }
            out.extend(self.helpers());
            out.extend(indent(lines));
        }
        out
    }

    /// The helper wires that the last text needs.
    pub(super) fn helpers(&mut self) -> Vec<String> {
        let new = self.helped..self.printer.helpers.len();
        self.helped = new.end;
        self.printer.helpers[new]
            .iter()
            .map(|(id, text)| {
                let signal = &self.printer.signals[*id];
                let range = spaced(range(signal.width));
                format!("  wire {range}{} = {text};", signal.name)
            })
            .collect()
    }

    /// What a cone's only signal is, if one line says it.
    fn value(&mut self, cone: &Cone) -> Option<String> {
        let &target = cone.targets.first()?;
        let width = self.scope.signals[target].width;
        if let Some(value) = cone.expression() {
            return Some(self.printer.at(value, width));
        }
        let (test, then, otherwise) = choice(&cone.statements)?;
        let own = |id: SignalId| id == target;
        if [test, then, otherwise].iter().any(|e| e.reads_any(&own)) {
            return None;
        }
        let size = [test, then, otherwise]
            .map(Expr::operators)
            .iter()
            .sum::<usize>();
        if size > 6 {
            return None;
        }
        let test = self.printer.operand(test, 1);
        let then = self.printer.operand(then, width);
        let otherwise = self.printer.operand(otherwise, width);
        let text = format!("{test} ? {then} : {otherwise}");
        (text.len() <= CHOICE).then_some(text)
    }

    fn assignment(&mut self, cone: &Cone, target: SignalId, text: &str) -> Vec<String> {
        let mut lines = match cone.statements.first() {
            Some(Statement::Comment(comment)) => self.printer.comment(comment),
            _ => Vec::new(),
        };
        let signal = &self.scope.signals[target];
        if signal.class == Class::Output {
            lines.push(format!("assign {} = {text};", signal.name));
            return lines;
        }
        let range = spaced(range(signal.width));
        let line = format!("wire {range}{} = {text};", signal.name);
        lines.extend(with_doc(line, &signal.doc));
        lines
    }

    fn always(&mut self, cone: &Cone) -> Vec<String> {
        let before = self.printer.scratch.len();
        let block = self.printer.block(&cone.targets, &cone.statements);
        self.registers.extend(&cone.targets);
        let scratch = self.printer.scratch[before..].iter();
        let declared: Vec<SignalId> = cone.targets.iter().chain(scratch).copied().collect();
        let mut lines = Vec::new();
        for id in declared {
            let signal = &self.printer.signals[id];
            if signal.class != Class::Output {
                let range = spaced(range(signal.width));
                lines.extend(with_doc(
                    format!("reg {range}{};", signal.name),
                    &signal.doc,
                ));
            }
        }
        lines.extend(block);
        lines
    }

    fn blocks(&mut self, clocked: &[Clocked]) -> Vec<String> {
        let mut out = Vec::new();
        for block in clocked {
            if !out.is_empty() {
                out.push(String::new());
            }
            let lines = self.printer.clocked(block);
            out.extend(self.helpers());
            out.extend(indent(lines));
        }
        out
    }
}

/// Whether an expression reads well as a port connection.
fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        Kind::Constant(..) | Kind::Signal(_) => true,
        Kind::Slice(inner, ..) => matches!(inner.kind, Kind::Signal(_)),
        Kind::Not(inner) => e.width == 1 && matches!(inner.kind, Kind::Signal(_)),
        Kind::Concat(pieces) => pieces.iter().all(|(piece, _)| is_simple(piece)),
        _ => false,
    }
}

/// The cones, each after those it reads, else in their order.
fn sorted(cones: &[Cone]) -> Vec<&Cone> {
    let mut driver: BTreeMap<SignalId, usize> = BTreeMap::new();
    for (index, cone) in cones.iter().enumerate() {
        driver.extend(cone.targets.iter().map(|&id| (id, index)));
    }
    let sources: Vec<BTreeSet<SignalId>> = cones.iter().map(Cone::reads).collect();
    let mut done = vec![false; cones.len()];
    let mut order = Vec::new();
    for start in 0..cones.len() {
        let mut open = vec![(start, false)];
        while let Some((index, leaving)) = open.pop() {
            if leaving {
                order.push(&cones[index]);
            } else if !std::mem::replace(&mut done[index], true) {
                open.push((index, true));
                let before = sources[index].iter().rev().filter_map(|id| driver.get(id));
                open.extend(
                    before
                        .filter(|&&index| !done[index])
                        .map(|&index| (index, false)),
                );
            }
        }
    }
    order
}
