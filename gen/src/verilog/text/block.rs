//! Statements as Verilog text: combinational and clocked blocks.

use num_bigint::BigUint;
use std::collections::BTreeSet;

use super::print::{Block, Printer, indent};
use crate::verilog::passes::registers::Clocked;
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::number::sized;
use crate::verilog::tree::statement::Statement;

/// Longest line that a statement is put on together with its `if`.
const LINE: usize = 96;

impl Printer {
    /// An `always @*` block with these statements.
    pub fn block(&mut self, targets: &BTreeSet<SignalId>, statements: &[Statement]) -> Vec<String> {
        self.block = Some(Block {
            targets: targets.clone(),
            pending: Vec::new(),
            scratch: Vec::new(),
        });
        let mut body = Vec::new();
        self.statements(statements, &mut body);
        let block = self.block.take().expect("set above");
        let mut lines = vec!["always @* begin".to_string()];
        for id in block.scratch {
            let signal = &self.signals[id];
            let (name, zero) = (signal.name.clone(), sized(&BigUint::ZERO, signal.width));
            lines.push(format!("  {name} = {zero};"));
        }
        lines.extend(indent(body));
        lines.push("end".to_string());
        lines
    }

    pub fn clocked(&mut self, clocked: &Clocked) -> Vec<String> {
        self.used[clocked.clk].fill(true);
        let clk = self.signals[clocked.clk].name.clone();
        let (mut body, mut edges) = (Vec::new(), format!("posedge {clk}"));
        if !clocked.asynchronous {
            self.statements(&clocked.statements, &mut body);
        }
        for group in &clocked.resets {
            let assign =
                |(target, value): &(SignalId, Expr)| Statement::Assign(*target, value.clone());
            let then: Vec<Statement> = group.values.iter().map(assign).collect();
            let test = self.at(&group.test, 1);
            let otherwise = match clocked.asynchronous {
                true => clocked.statements.as_slice(),
                false => &[],
            };
            self.conditional(&test, &then, otherwise, &mut body);
            if clocked.asynchronous {
                edges = format!("{edges} or posedge {test}");
            }
        }
        let mut lines = vec![format!("always @({edges}) begin")];
        lines.extend(indent(body));
        lines.push("end".to_string());
        lines
    }

    /// A comment, unless it has been written before.
    pub fn comment(&mut self, lines: &[String]) -> Vec<String> {
        if !self.said.insert(lines.to_vec()) {
            return Vec::new();
        }
        let line = |line: &String| format!("// {line}").trim_end().to_string();
        lines.iter().map(line).collect()
    }

    fn statements(&mut self, statements: &[Statement], out: &mut Vec<String>) {
        for statement in statements {
            match statement {
                Statement::Comment(lines) => out.extend(self.comment(lines)),
                Statement::Assign(target, value) => {
                    let value = self.at(value, self.signals[*target].width);
                    self.flush(out);
                    let target = &self.signals[*target].name;
                    let operator = if self.block.is_some() { "=" } else { "<=" };
                    out.push(format!("{target} {operator} {value};"));
                }
                Statement::If(test, then, otherwise) => {
                    let test = self.at(test, 1);
                    self.flush(out);
                    self.conditional(&test, then, otherwise, out);
                }
                Statement::Case(test, arms, default) => {
                    let width = test.width;
                    let test = self.at(test, width);
                    self.flush(out);
                    out.push(format!("case ({test})"));
                    for (value, block) in arms {
                        let value = self.at(value, width);
                        self.arm(&value, block, out);
                    }
                    self.arm("default", default, out);
                    out.push("endcase".to_string());
                }
            }
        }
    }

    fn flush(&mut self, out: &mut Vec<String>) {
        if let Some(block) = &mut self.block {
            out.append(&mut block.pending);
        }
    }

    fn arm(&mut self, label: &str, block: &[Statement], out: &mut Vec<String>) {
        let mut body = Vec::new();
        self.statements(block, &mut body);
        if body.is_empty() {
            out.push(format!("  {label}: ;"));
        } else if let Some(line) = only(&body) {
            out.push(format!("  {label}: {line}"));
        } else {
            out.push(format!("  {label}: begin"));
            out.extend(indent(indent(body)));
            out.push("  end".to_string());
        }
    }

    /// An `if` with all its `else if`: in lines if every arm is a line, else in blocks.
    fn conditional(
        &mut self,
        test: &str,
        then: &[Statement],
        otherwise: &[Statement],
        out: &mut Vec<String>,
    ) {
        let mut arms = vec![(format!("if ({test})"), self.body(then))];
        let mut rest = otherwise;
        while let [Statement::If(test, then, otherwise)] = rest {
            let test = self.at(test, 1);
            if self.is_pending() {
                // What the test needs is computed in front of it, so it has a block around it.
                let mut body = Vec::new();
                self.flush(&mut body);
                self.conditional(&test, then, otherwise, &mut body);
                arms.push(("else".to_string(), body));
                rest = &[];
                break;
            }
            arms.push((format!("else if ({test})"), self.body(then)));
            rest = otherwise;
        }
        if !rest.is_empty() {
            arms.push(("else".to_string(), self.body(rest)));
        }
        let fits = |(head, body): &(String, Vec<String>)| {
            only(body).is_some_and(|line| line.len() + head.len() < LINE)
        };
        if arms.iter().all(fits) {
            let line = |(head, body): &(String, Vec<String>)| format!("{head} {}", body[0]);
            out.extend(arms.iter().map(line));
            return;
        }
        for (index, (head, body)) in arms.into_iter().enumerate() {
            let end = if index == 0 { "" } else { "end " };
            out.push(format!("{end}{head} begin"));
            out.extend(indent(body));
        }
        out.push("end".to_string());
    }

    fn body(&mut self, statements: &[Statement]) -> Vec<String> {
        let mut lines = Vec::new();
        self.statements(statements, &mut lines);
        lines
    }

    /// Whether assignments to scratch registers wait for the next statement.
    fn is_pending(&self) -> bool {
        let block = self.block.as_ref();
        block.is_some_and(|block| !block.pending.is_empty())
    }
}

/// The only line, if it is an assignment.
fn only(lines: &[String]) -> Option<&String> {
    let [line] = lines else {
        return None;
    };
    let is_plain = !line.starts_with("if (") && !line.starts_with("//");
    is_plain.then_some(line)
}
