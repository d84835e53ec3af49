//! All mutants of a module.

use super::super::operators::{Operator, instead};
use super::writer::{BITS, Writer};
use crate::verilog::tree::{Expr, Item, Kind, Module, Statement, StatementKind};
use std::collections::BTreeSet;

impl Writer<'_> {
    pub(super) fn module(&mut self, module: &Module) {
        self.wire_up(module);
        self.words.clear();
        for item in &module.items {
            match item {
                Item::Wire(Some(name), _) if name == "unused" => {}
                Item::Wire(target, value) => {
                    let bit = target.as_ref().is_some_and(|name| is_bit(module, name));
                    self.value(module, value, false, bit);
                }
                Item::Always { clocked, body } => {
                    let mut assigned = BTreeSet::new();
                    self.statement(module, body, (*clocked, false), &mut assigned);
                }
                Item::Initial(words) => self.contents(module, words),
                Item::Instance {
                    module: of,
                    connections,
                    ..
                } => self.instance(module, of, connections),
            }
        }
    }

    fn instance(&mut self, module: &Module, of: &str, connections: &[(String, Expr)]) {
        let modules = self.modules;
        let Some(of) = modules.iter().find(|module| module.name == of) else {
            return;
        };
        for (port, value) in connections {
            let port = of
                .signal(port)
                .filter(|port| port.input && port.name != "clk");
            if let Some(port) = port {
                self.value(module, value, false, port.width == Some(1));
            }
        }
    }

    /// A statement, in a clocked block or not, after a reset or not; `assigned` has what has a value in any case.
    fn statement(
        &mut self,
        module: &Module,
        statement: &Statement,
        (clocked, reset): (bool, bool),
        assigned: &mut BTreeSet<String>,
    ) {
        match &statement.kind {
            StatementKind::Block(statements) => {
                for statement in statements {
                    self.statement(module, statement, (clocked, reset), assigned);
                }
            }
            StatementKind::If(condition, then, otherwise) => {
                self.condition(module, condition);
                let is_reset = reset || &self.text[condition.span.clone()] == "rst";
                self.statement(module, then, (clocked, is_reset), &mut assigned.clone());
                if let Some(otherwise) = otherwise {
                    self.statement(module, otherwise, (clocked, reset), &mut assigned.clone());
                }
            }
            StatementKind::Assign {
                target,
                whole,
                value,
            } => {
                let name = target.clone().unwrap_or_default();
                // Without it, combinational logic would have no value.
                if clocked || assigned.contains(&name) {
                    let from = self.text[statement.span.clone()].to_owned();
                    let number = self.add(
                        module,
                        statement.span.start,
                        Operator::Assignment,
                        &from,
                        "nothing",
                    );
                    if self.writes(number) {
                        self.insert(
                            statement.span.start,
                            format!("begin if (mutant_q != {BITS}'d{number}) "),
                        );
                        self.insert(statement.span.end, " end".into());
                    }
                }
                if *whole {
                    assigned.insert(name.clone());
                }
                self.value(module, value, reset, *whole && is_bit(module, &name));
            }
        }
    }

    /// A value that is assigned or connected.
    fn value(&mut self, module: &Module, value: &Expr, reset: bool, bit: bool) {
        let mut written = self.expression(module, value, reset);
        let constant = matches!(value.kind, Kind::Number(..) | Kind::Wide);
        if bit && !constant {
            for stuck in ["1'b0", "1'b1"] {
                written = self.choice(module, value, Operator::Stuck, stuck, &written);
            }
        }
        self.edits.push((value.span.clone(), written));
    }

    fn condition(&mut self, module: &Module, condition: &Expr) {
        let text = self.text[condition.span.clone()].to_owned();
        let mut written = self.expression(module, condition, false);
        let others = ["1'b0".to_owned(), "1'b1".to_owned(), format!("!({text})")];
        for other in others {
            written = self.choice(module, condition, Operator::Condition, &other, &written);
        }
        self.edits.push((condition.span.clone(), written));
    }

    /// An expression with its own mutants and those of its parts.
    fn expression(&mut self, module: &Module, expression: &Expr, reset: bool) -> String {
        let mut written = self.parts(module, expression, reset);
        let mut others = instead(self.text, module, expression);
        others.dedup();
        for (operator, other) in others {
            let operator = match operator {
                Operator::Constant if reset => Operator::Reset,
                operator => operator,
            };
            written = self.choice(module, expression, operator, &other, &written);
        }
        written
    }

    /// An expression with the mutants of its parts.
    fn parts(&mut self, module: &Module, expression: &Expr, reset: bool) -> String {
        let mut part = |part: &Expr| self.expression(module, part, reset);
        match &expression.kind {
            Kind::Concat(parts) => {
                let parts: Vec<_> = parts.iter().map(part).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Kind::Repeat(count, repeated) => format!("{{{count}{{{}}}}}", part(repeated)),
            Kind::Unary(operator, operand) => format!("({operator}{})", part(operand)),
            Kind::Binary(operator, left, right) => {
                format!("({} {operator} {})", part(left), part(right))
            }
            Kind::Choice(condition, then, otherwise) => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(|e| part(e));
                format!("({condition} ? {then} : {otherwise})")
            }
            Kind::Parenthesis(inner) => format!("({})", part(inner)),
            Kind::Index(name, place) => self.read(expression, name, place),
            Kind::Name(_) | Kind::Number(..) | Kind::Wide | Kind::Slice(..) => {
                self.text[expression.span.clone()].to_owned()
            }
        }
    }
}

fn is_bit(module: &Module, name: &str) -> bool {
    module
        .signal(name)
        .is_some_and(|signal| signal.width == Some(1) && !signal.array)
}
