//! Branches as signals: Verilog with a signal for each side of a branch that says when it is taken.

use super::place::At;
use crate::verilog::parse;
use crate::verilog::tree::{Expr, Item, Kind, Module, Span, Statement, StatementKind};
use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// The text with signals that are 1 when a side is taken, or its condition holds though nothing asks for it. A place is where
/// Verilator says: at the `if`, or at what `?` chooses, the side that is taken if the condition holds, one column on the other. Each place
/// that is found has the name of its signal, in its module.
///
/// # Errors
///
/// The place of what is not of the language that the generator writes.
pub fn watch(verilog: &str, places: &BTreeSet<At>) -> Result<(String, BTreeMap<At, String>)> {
    let mut starts = vec![0];
    starts.extend(verilog.match_indices('\n').map(|(at, _)| at + 1));
    let offset = |&(line, column): &At| {
        let start = starts
            .get(line as usize - 1)
            .copied()
            .unwrap_or(usize::MAX / 2);
        (start + column as usize - 1, (line, column))
    };
    let mut watcher = Watcher {
        verilog,
        wanted: places.iter().map(offset).collect(),
        names: BTreeMap::new(),
        edits: Vec::new(),
    };
    for module in &parse(verilog)? {
        watcher.module(module);
    }
    let Watcher {
        mut edits, names, ..
    } = watcher;
    // Behind one another where they stand at one place.
    edits.sort_by_key(|(at, _)| *at);
    let mut text = String::new();
    let mut done = 0;
    for (at, inserted) in edits {
        text += &verilog[done..at];
        text += &inserted;
        done = at;
    }
    text += &verilog[done..];
    Ok((text, names))
}

struct Watcher<'a> {
    verilog: &'a str,
    /// Places by their bytes.
    wanted: BTreeMap<usize, At>,
    names: BTreeMap<At, String>,
    edits: Vec<(usize, String)>,
}

impl Watcher<'_> {
    fn module(&mut self, module: &Module) {
        let before = self.names.len();
        let mut end = module.items_at;
        for item in &module.items {
            match item {
                Item::Wire(_, value) => {
                    end = value.span.end;
                    for (name, condition) in self.choices(value) {
                        self.at_end(end, &format!("  assign {name} = {condition};\n"));
                    }
                }
                Item::Always { body, .. } => {
                    end = body.span.end;
                    let first = self.names.len();
                    self.statement(body);
                    let names: Vec<_> = self.names.values().cloned().collect();
                    let none: String = names
                        .iter()
                        .filter(|name| number(name) >= first)
                        .map(|name| format!("{name} = 1'b0; "))
                        .collect();
                    if !none.is_empty() {
                        self.edits
                            .insert(0, (body.span.start, format!("begin {none}")));
                        self.edits.push((body.span.end, " end".into()));
                    }
                }
                Item::Initial(_) | Item::Instance { .. } => {}
            }
        }
        self.declare(module, before, end);
    }

    /// Declares the signals that a module has got.
    fn declare(&mut self, module: &Module, before: usize, end: usize) {
        let own: Vec<_> = self
            .names
            .values()
            .filter(|name| number(name) >= before)
            .cloned()
            .collect();
        for name in own {
            let assigned = format!("  assign {name} = ");
            let wire = self
                .edits
                .iter()
                .any(|(at, text)| *at >= end && text.starts_with(&assigned));
            let kind = if wire { "wire" } else { "reg" };
            self.edits
                .insert(0, (module.items_at, format!("{kind} {name}; ")));
        }
    }

    /// Behind the module's last item.
    fn at_end(&mut self, from: usize, text: &str) {
        let end = self.verilog[from..]
            .find("\nendmodule")
            .map_or(from, |at| from + at + 1);
        self.edits.push((end, text.to_string()));
    }

    fn statement(&mut self, statement: &Statement) {
        let taken = match &statement.kind {
            StatementKind::Block(statements) => {
                statements.iter().for_each(|inner| self.statement(inner));
                return;
            }
            StatementKind::If(condition, then, otherwise) => {
                let mut taken = self.sides(statement.span.start, condition);
                taken.extend(self.choices(condition));
                self.open(&statement.span, &taken);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
                self.close(&statement.span, &taken);
                return;
            }
            StatementKind::Assign { value, .. } => self.choices(value),
        };
        self.open(&statement.span, &taken);
        self.close(&statement.span, &taken);
    }

    fn open(&mut self, span: &Span, taken: &[(String, String)]) {
        for (name, condition) in taken {
            self.edits
                .push((span.start, format!("begin {name} = {condition}; ")));
        }
    }

    fn close(&mut self, span: &Span, taken: &[(String, String)]) {
        self.edits.push((span.end, " end".repeat(taken.len())));
    }

    /// The sides of a branch that are wanted, and when they are taken.
    fn sides(&mut self, at: usize, condition: &Expr) -> Vec<(String, String)> {
        let text = &self.verilog[condition.span.clone()];
        let conditions = [(at, format!("|({text})")), (at + 1, format!("!({text})"))];
        let mut sides = Vec::new();
        for (at, condition) in conditions {
            if let Some(place) = self.wanted.get(&at) {
                let name = format!("watched_{}", self.names.len());
                self.names.insert(*place, name.clone());
                sides.push((name, condition));
            }
        }
        sides
    }

    /// Where Verilator says that an expression is: at its operator, or where it begins.
    fn anchor(&self, expression: &Expr) -> usize {
        let after = |left: &Expr| {
            let rest = &self.verilog[left.span.end..];
            left.span.end + rest.len() - rest.trim_start().len()
        };
        match &expression.kind {
            Kind::Parenthesis(inner) => self.anchor(inner),
            Kind::Binary(_, left, _) | Kind::Choice(left, ..) => after(left),
            Kind::Index(name, _) | Kind::Slice(name, ..) => expression.span.start + name.len(),
            _ => expression.span.start,
        }
    }

    /// The same of all choices in an expression.
    fn choices(&mut self, expression: &Expr) -> Vec<(String, String)> {
        let mut parts: Vec<&Expr> = Vec::new();
        let mut sides = Vec::new();
        match &expression.kind {
            Kind::Choice(condition, then, otherwise) => {
                sides = self.sides(self.anchor(then), condition);
                parts.extend([&**condition, then, otherwise]);
            }
            Kind::Concat(all) => parts.extend(all),
            Kind::Index(_, one)
            | Kind::Repeat(_, one)
            | Kind::Unary(_, one)
            | Kind::Parenthesis(one) => {
                parts.push(one);
            }
            Kind::Binary(_, left, right) => parts.extend([&**left, right]),
            Kind::Name(_) | Kind::Number(..) | Kind::Wide | Kind::Slice(..) => {}
        }
        for part in parts {
            sides.extend(self.choices(part));
        }
        sides
    }
}

/// Signals are numbered in the order in which they are found.
fn number(name: &str) -> usize {
    name.trim_start_matches("watched_").parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module m (
  input  wire clk,
  input  wire a,
  output reg  q
);
  wire b = a ? 1'b0 : 1'b1;
  always @(posedge clk) begin
    if (b) q <= a;
    else if (a) q <= 1'b0;
  end
endmodule
";

    #[test]
    fn a_side_is_a_signal() -> Result<()> {
        let (text, names) = watch(TEXT, &BTreeSet::from([(6, 17), (8, 5), (9, 11)]))?;
        assert_eq!(names.len(), 3, "{text}");
        assert!(text.contains("assign watched_0 = !(a);"), "{text}");
        assert!(text.contains("begin watched_1 = |(b); if (b)"), "{text}");
        assert!(
            text.contains("else begin watched_2 = !(a); if (a) q <= 1'b0; end"),
            "{text}"
        );
        assert!(
            text.contains("begin watched_1 = 1'b0; watched_2 = 1'b0; begin"),
            "{text}"
        );
        assert_eq!(watch(TEXT, &BTreeSet::new())?.0, TEXT);
        Ok(())
    }
}
