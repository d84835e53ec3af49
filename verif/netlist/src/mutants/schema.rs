//! All mutants of a text in one text: a register says which of them lives.
//!
//! Every place that a mistake may be in becomes a choice, `((mutant_q == 16'd7) ? (a | b) : (a & b))`, so that Verilator and the
//! compiler see the text once, whatever the number of mutants. The register takes its value from an input in every cycle; 0
//! is the circuit as it was.

use super::operators::{Operator, instead};
use super::parse::parse;
use super::tree::{Expr, Item, Kind, Module, Statement, StatementKind};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::fmt;

/// The input that says which mutant lives.
pub const INPUT: &str = "mutant_";

/// One mistake in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// What the input has to say.
    pub number: u32,
    /// The module it is in.
    pub module: String,
    /// The line of the text.
    pub line: usize,
    /// The kind of mistake.
    pub operator: Operator,
    /// What stands there.
    pub from: String,
    /// What stands there instead.
    pub to: String,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            module,
            line,
            operator,
            from,
            to,
            ..
        } = self;
        write!(f, "{module}:{line} {operator}: {from} => {to}")
    }
}

/// A text with all its mutants.
#[derive(Debug, Clone)]
pub struct Schema {
    /// The Verilog.
    pub verilog: String,
    /// The mutants in it, by their numbers from 1 on.
    pub mutants: Vec<Mutant>,
}

impl Schema {
    /// The text with every mutant of every module.
    ///
    /// # Errors
    ///
    /// If the text is not as the generator writes it.
    pub fn of(text: &str) -> Result<Self> {
        let modules = parse(text)?;
        let mut writer = Writer::new(text, &modules);
        for module in &modules {
            writer.module(module);
        }
        writer.finish()
    }

    /// The text with these mistakes, each the text that it stands for (an expression, or a statement with its semicolon) and what is in
    /// its place.
    ///
    /// # Errors
    ///
    /// If the text is not as the generator writes it, or does not have such a place in that module.
    pub fn directed<'a>(
        text: &str,
        mistakes: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>,
    ) -> Result<Self> {
        let modules = parse(text)?;
        let mut writer = Writer::new(text, &modules);
        for module in &modules {
            writer.wire_up(module);
        }
        for (name, from, to) in mistakes {
            let Some(module) = modules.iter().find(|module| module.name == name) else {
                bail!("there is no module `{name}`");
            };
            writer.mistake(module, from, to)?;
        }
        writer.finish()
    }
}

/// Widths of the number of a mutant.
const BITS: u32 = 16;

struct Writer<'a> {
    text: &'a str,
    modules: &'a [Module],
    /// What is written in the place of what.
    edits: Vec<(std::ops::Range<usize>, String)>,
    mutants: Vec<Mutant>,
}

impl<'a> Writer<'a> {
    fn new(text: &'a str, modules: &'a [Module]) -> Self {
        Self {
            text,
            modules,
            edits: Vec::new(),
            mutants: Vec::new(),
        }
    }

    fn finish(mut self) -> Result<Schema> {
        if self.mutants.len() >= 1 << BITS {
            bail!(
                "{} mutants are too many for their numbers",
                self.mutants.len()
            );
        }
        self.edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut verilog = String::new();
        let mut at = 0;
        for (span, edit) in self.edits {
            if span.start < at {
                bail!("two mistakes in one place: `{}`", &self.text[span]);
            }
            verilog += &self.text[at..span.start];
            verilog += &edit;
            at = span.end;
        }
        verilog += &self.text[at..];
        Ok(Schema {
            verilog,
            mutants: self.mutants,
        })
    }

    fn insert(&mut self, at: usize, text: String) {
        self.edits.push((at..at, text));
    }

    /// Gives a module, and the instances in it, the number of the mutant.
    fn wire_up(&mut self, module: &Module) {
        let top = module.name == self.modules[0].name;
        let (input, held) = if top {
            let clocked = format!(
                "\n  reg [{high}:0] mutant_q;\n  always @(posedge clk) mutant_q <= {INPUT};",
                high = BITS - 1
            );
            (INPUT, clocked)
        } else {
            ("mutant_q", String::new())
        };
        self.insert(
            module.ports_at,
            format!("input wire [{}:0] {input}, ", BITS - 1),
        );
        self.insert(module.items_at, held);
        for item in &module.items {
            if let Item::Instance { connections_at, .. } = item {
                self.insert(*connections_at, ".mutant_q(mutant_q), ".into());
            }
        }
    }

    fn module(&mut self, module: &Module) {
        self.wire_up(module);
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

    /// A statement, in a clocked block or not, behind a reset or not; `assigned` has what has a value in any case.
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
                    self.insert(
                        statement.span.start,
                        format!("begin if (mutant_q != {BITS}'d{number}) "),
                    );
                    self.insert(statement.span.end, " end".into());
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
            Kind::Name(_) | Kind::Number(..) | Kind::Wide | Kind::Index(..) | Kind::Slice(..) => {
                self.text[expression.span.clone()].to_owned()
            }
        }
    }

    /// One mutant more of an expression.
    fn choice(
        &mut self,
        module: &Module,
        expression: &Expr,
        operator: Operator,
        other: &str,
        written: &str,
    ) -> String {
        let from = self.text[expression.span.clone()].to_owned();
        let number = self.add(module, expression.span.start, operator, &from, other);
        format!("((mutant_q == {BITS}'d{number}) ? ({other}) : {written})")
    }

    fn add(&mut self, module: &Module, at: usize, operator: Operator, from: &str, to: &str) -> u32 {
        let number = self.mutants.len() as u32 + 1;
        self.mutants.push(Mutant {
            number,
            module: module.name.clone(),
            line: self.text[..at].matches('\n').count() + 1,
            operator,
            from: from.to_owned(),
            to: to.to_owned(),
        });
        number
    }

    /// A mistake that somebody wrote down.
    fn mistake(&mut self, module: &Module, from: &str, to: &str) -> Result<()> {
        let (start, end) = (module.items_at, self.end_of(module));
        let mut places = self.text[start..end].match_indices(from);
        let Some((at, _)) = places.next() else {
            bail!("`{}` has no `{from}`", module.name);
        };
        if places.next().is_some() {
            bail!("`{}` has more than one `{from}`", module.name);
        }
        let span = start + at..start + at + from.len();
        let number = self.add(module, span.start, Operator::Logic, from, to);
        // Several mistakes in one place: the one before is what stands there for this one.
        let before = self.edits.iter().position(|(place, _)| *place == span);
        let stands = before.map(|index| self.edits.remove(index).1);
        let stands = stands.unwrap_or_else(|| from.to_owned());
        let lives = format!("mutant_q == {BITS}'d{number}");
        let edit = match from.ends_with(';') {
            true => format!("if ({lives}) begin {to} end else begin {stands} end"),
            false => format!("(({lives}) ? ({to}) : ({stands}))"),
        };
        self.edits.push((span, edit));
        Ok(())
    }

    fn end_of(&self, module: &Module) -> usize {
        let rest = &self.text[module.items_at..];
        module.items_at + rest.find("endmodule").unwrap_or(rest.len())
    }
}

fn is_bit(module: &Module, name: &str) -> bool {
    module
        .signal(name)
        .is_some_and(|signal| signal.width == Some(1) && !signal.array)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module top (
  input  wire clk,
  output reg  [1:0] q
);
  wire carry;

  below inner (
    .q(q),
    .carry(carry)
  );

  always @(posedge clk) begin
    q <= q + {1'b0, carry};
  end
endmodule

module below (
  input  wire [1:0] q,
  output wire carry
);
  assign carry = q[0] & q[1];
endmodule
";

    #[test]
    fn every_place_is_a_choice_by_number() {
        let schema = Schema::of(TEXT).expect("the generator's language");
        for (index, mutant) in schema.mutants.iter().enumerate() {
            assert_eq!(mutant.number as usize, index + 1);
            let number = format!("16'd{})", mutant.number);
            assert!(schema.verilog.contains(&number), "{mutant}");
        }
        let dropped = "begin if (mutant_q != 16'd";
        assert!(schema.verilog.contains(dropped));
        assert!(schema.verilog.contains(".mutant_q(mutant_q), .q(q)"));
        let forgotten = |m: &&Mutant| m.from == "q[0] & q[1]" && m.to == "q[0]";
        assert_eq!(schema.mutants.iter().filter(forgotten).count(), 1);
    }

    #[test]
    fn a_mistake_that_is_written_down_has_one_place() {
        let one = Schema::directed(TEXT, [("below", "q[0] & q[1]", "q[0] | q[1]")]);
        assert_eq!(one.expect("it is there").mutants.len(), 1);
        let none = Schema::directed(TEXT, [("below", "q[2]", "q[0]")]).expect_err("not there");
        assert_eq!(none.to_string(), "`below` has no `q[2]`");
        let many = Schema::directed(TEXT, [("below", "q", "0")]).expect_err("too often");
        assert_eq!(many.to_string(), "`below` has more than one `q`");
    }
}
