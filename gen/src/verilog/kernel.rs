//! The text of a module that has a kernel.
//!
//! From the top: names of numbers, registers, outputs of sub-circuits, what is computed (each wire after those it reads, else in
//! the kernel's order), sub-circuits, clocked blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::cone::Cone;
use super::expr::{Expr, Kind, SignalId};
use super::module::Child;
use super::number::{range, sized};
use super::ports::{close, header, sink, sink_names, spaced, unread_parts};
use super::print::{Printer, indent};
use super::registers::Clocked;
use super::scope::{Class, Scope, Signal};
use super::statement::{Statement, choice, reads, targets};
use super::tree::Circuit;

/// Longest value that is written as a choice between two, `test ? a : b`.
const CHOICE: usize = 100;

/// Longest line that ends in a comment.
const COMMENTED: usize = 110;

/// Writes one module.
pub struct Kernel<'a> {
    circuit: &'a Circuit,
    children: &'a [Child],
    scope: &'a Scope,
    printer: Printer,
    /// Signals assigned in `always` blocks.
    registers: BTreeSet<SignalId>,
    /// Sub-circuit inputs connected to an expression directly.
    direct: BTreeSet<SignalId>,
    /// Outputs that are an output of a sub-circuit, connected to its port directly.
    through: BTreeMap<SignalId, SignalId>,
    /// Helper wires already declared.
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
        let name = self.printer.free(sink_names());
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

    /// The parameters as they stand before the ports.
    fn parameter_list(&self, parameters: &[&(SignalId, String)]) -> String {
        if parameters.is_empty() {
            return String::new();
        }
        let values: BTreeMap<String, _> = self.circuit.constants().into_iter().collect();
        let line = |(id, path): &&(SignalId, String)| {
            let Signal {
                name, width, doc, ..
            } = &self.scope.signals[*id];
            let range = spaced(range(*width));
            let value = sized(&values[path], *width);
            let doc = match doc.as_str() {
                "" => String::new(),
                doc => format!("  // {doc}"),
            };
            (format!("  parameter {range}{name} = {value}"), doc)
        };
        let lines: Vec<(String, String)> = parameters.iter().map(line).collect();
        let last = lines.len() - 1;
        let mut text = String::from(" #(\n");
        for (index, (line, doc)) in lines.into_iter().enumerate() {
            let comma = if index == last { "" } else { "," };
            text.push_str(&format!("{line}{comma}{doc}\n"));
        }
        text + ")"
    }

    fn net(&self, id: SignalId) -> &'static str {
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
            targets(&block.statements, &mut self.registers);
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

    /// What is computed.
    fn code(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for cone in sorted(cones) {
            let apart = |id: &SignalId| self.direct.contains(id) || self.through.contains_key(id);
            if cone.targets.iter().any(apart) {
                continue;
            }
            let text = self.value(cone);
            let lines = match (text, cone.targets.first()) {
                (Some(text), Some(&target)) => self.assignment(cone, target, &text),
                _ => self.always(cone),
            };
            let is_block = lines.len() > 2 && !lines[0].starts_with("//");
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
    fn helpers(&mut self) -> Vec<String> {
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
        let (test, then, otherwise) = choice(&cone.statements, width)?;
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

    fn instances(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out = Vec::new();
        let values: BTreeMap<String, _> = self.circuit.constants().into_iter().collect();
        for (index, child) in self.circuit.children.iter().enumerate() {
            if child.register().is_some() {
                continue;
            }
            if !out.is_empty() {
                out.push(String::new());
            }
            let module = &self.children[index];
            let parameters: Vec<String> = module
                .parameters
                .iter()
                .map(|path| {
                    let name = path.replace('$', "_").to_uppercase();
                    let whole = format!("{}${path}", child.name);
                    let width = child.varying[path];
                    let own = self.scope.parameters.iter().find(|(_, own)| *own == whole);
                    let value = match own {
                        Some((id, _)) => self.printer.at(&Expr::signal(*id, width, width), width),
                        None => sized(&values[&whole], width),
                    };
                    format!(".{name}({value})")
                })
                .collect();
            let parameters = match parameters.len() {
                0 => String::new(),
                _ => format!("#({}) ", parameters.join(", ")),
            };
            let ports = &self.scope.child_ports[index];
            let mut lines = vec![format!(
                "  {} {parameters}{} (",
                module.module,
                child.instance()
            )];
            let last = ports.len().saturating_sub(1);
            for (index, (id, port)) in ports.iter().enumerate() {
                let actual = self.actual(*id, cones);
                let comma = if index == last { "" } else { "," };
                lines.push(format!("    .{port}({actual}){comma}"));
            }
            lines.push("  );".to_string());
            out.extend(self.helpers());
            out.extend(lines);
        }
        out
    }

    /// What a port of a sub-circuit is connected to.
    fn actual(&mut self, id: SignalId, cones: &[Cone]) -> String {
        let signal = &self.scope.signals[id];
        let direct = cones
            .iter()
            .find(|cone| self.direct.contains(&id) && cone.targets.contains(&id));
        if let Some(value) = direct.and_then(Cone::expression) {
            return self.printer.at(value, signal.width);
        }
        if signal.class == Class::ChildInput {
            self.printer.used[id].fill(true);
        }
        self.printer.signals[id].name.clone()
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

    /// Variants, registers and outputs of sub-circuits.
    fn declarations(&self, clocked: &[Clocked]) -> Vec<String> {
        let mut out = Vec::new();
        for (name, (width, value)) in &self.printer.variants {
            let size = spaced(range(*width));
            out.push(format!(
                "  localparam {size}{name} = {};",
                sized(value, *width)
            ));
        }
        if !out.is_empty() {
            out.push(String::new());
        }
        let declared = self.declared(clocked);
        let size = |id: &SignalId| range(self.printer.signals[*id].width).len();
        let size = declared.iter().map(size).max().unwrap_or(0);
        for id in declared {
            let signal = &self.printer.signals[id];
            let range = spaced(format!("{:size$}", range(signal.width)));
            let doc = match signal.class {
                Class::Register => signal.doc.as_str(),
                _ => "",
            };
            let line = format!("{:<4} {range}{};", self.net(id), signal.name);
            out.extend(indent(with_doc(line, doc)));
        }
        out
    }

    fn declared(&self, clocked: &[Clocked]) -> Vec<SignalId> {
        let mut clocks = BTreeSet::new();
        for block in clocked {
            targets(&block.statements, &mut clocks);
        }
        let is_declared = |id: &SignalId| match self.scope.signals[*id].class {
            Class::Register => clocks.contains(id),
            Class::ChildOutput => !self.through.values().any(|through| through == id),
            _ => false,
        };
        (0..self.scope.signals.len()).filter(is_declared).collect()
    }

    /// Bits that nothing reads, as part selects.
    fn unused(&self, cones: &[Cone], clocked: &[Clocked]) -> Vec<String> {
        let mut live: BTreeSet<SignalId> = cones
            .iter()
            .flat_map(|cone| cone.targets.iter().copied())
            .collect();
        for block in clocked {
            targets(&block.statements, &mut live);
        }
        let mut out = Vec::new();
        for (id, signal) in self.printer.signals.iter().enumerate() {
            let seen = match signal.class {
                Class::Output | Class::ChildInput | Class::Parameter => true,
                Class::Local | Class::Register | Class::Next => {
                    id < self.scope.signals.len() && !live.contains(&id)
                }
                Class::Input | Class::ChildOutput => false,
            };
            if !seen {
                out.extend(unread_parts(signal, &self.printer.used[id]));
            }
        }
        out
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

/// A line with a comment at its end, or above it if it is long.
fn with_doc(line: String, doc: &str) -> Vec<String> {
    if doc.is_empty() {
        vec![line]
    } else if line.len() + doc.len() + 4 <= COMMENTED {
        vec![format!("{line}  // {doc}")]
    } else {
        vec![format!("// {doc}"), line]
    }
}

/// Whether an expression reads well as a port connection.
fn is_simple(e: &Expr) -> bool {
    match &e.kind {
        Kind::Constant(..) | Kind::Signal(_) => true,
        Kind::Slice(inner, _) => matches!(inner.kind, Kind::Signal(_)),
        Kind::Not(inner) => e.width == 1 && matches!(inner.kind, Kind::Signal(_)),
        Kind::Concat(pieces) => pieces.iter().all(|(piece, _)| is_simple(piece)),
        _ => false,
    }
}
