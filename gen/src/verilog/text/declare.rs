//! Declarations of a module: parameters, named numbers, registers, outputs of sub-circuits, and unused signals.

use std::collections::{BTreeMap, BTreeSet};

use super::kernel::Kernel;
use super::ports::{spaced, unread_parts};
use super::print::{indent, with_doc};
use crate::verilog::passes::cone::{Cone, driven};
use crate::verilog::passes::registers::Clocked;
use crate::verilog::tree::expr::SignalId;
use crate::verilog::tree::number::{range, sized};
use crate::verilog::tree::scope::{Class, Signal};
use crate::verilog::tree::statement::targets;

impl Kernel<'_> {
    /// The parameters as they stand before the ports.
    pub(super) fn parameter_list(&self, parameters: &[&(SignalId, String)]) -> String {
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

    /// Constants, registers and outputs of sub-circuits.
    pub(super) fn declarations(&self, clocked: &[Clocked]) -> Vec<String> {
        let mut out = Vec::new();
        for (name, (width, value)) in &self.printer.constants {
            let size = spaced(range(*width));
            out.push(format!(
                "  localparam {size}{name} = {};",
                sized(value, *width)
            ));
        }
        let declared = self.declared(clocked);
        if !out.is_empty() && !declared.is_empty() {
            out.push(String::new());
        }
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
            clocks.extend(targets(&block.statements));
            clocks.extend(block.reset_registers());
        }
        let is_declared = |id: &SignalId| match self.scope.signals[*id].class {
            Class::Register => clocks.contains(id),
            Class::ChildOutput => !self.through.values().any(|through| through == id),
            _ => false,
        };
        (0..self.scope.signals.len()).filter(is_declared).collect()
    }

    /// Bits that nothing reads, as part selects.
    pub(super) fn unused(&self, cones: &[Cone], clocked: &[Clocked]) -> Vec<String> {
        let mut live = driven(cones);
        for block in clocked {
            live.extend(targets(&block.statements));
            live.extend(block.reset_registers());
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
