//! The sub-circuits of a module.

use std::collections::BTreeMap;

use super::kernel::Kernel;
use crate::verilog::passes::cone::Cone;
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::number::sized;
use crate::verilog::tree::scope::Class;

impl Kernel<'_> {
    /// The instances, with what their ports are connected to.
    pub(super) fn instances(&mut self, cones: &[Cone]) -> Vec<String> {
        let mut out = Vec::new();
        let values: BTreeMap<String, _> = self.circuit.constants().into_iter().collect();
        for (index, child) in self.circuit.children.iter().enumerate() {
            let module = &self.children[index];
            if module.is_in_place() {
                continue;
            }
            if !out.is_empty() {
                out.push(String::new());
            }
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
}
