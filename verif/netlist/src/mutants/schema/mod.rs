//! All mutants of a text in one text: a register selects the active one.
//!
//! Every possible mistake becomes a choice, `((mutant_q == 16'd7) ? (a | b) : (a & b))`, so that Verilator and the compiler see a text once for
//! hundreds of mutants. The register takes its value from an input in every cycle; 0 is the original circuit. A memory that promises nothing for
//! a cell read at the edge of its write returns a wrong value there.

mod contents;
mod every;
mod pessimistic_memory;
mod writer;
mod written;

use super::operators::Operator;
use crate::verilog::parse;
use crate::verilog::tree::{Item, Module};
use anyhow::{Result, bail};
pub(crate) use contents::is_written;
use std::collections::BTreeSet;
use std::fmt;
pub(crate) use writer::BITS;
use writer::Writer;

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
    /// The text with every mutant of every module that is part of the first.
    ///
    /// # Errors
    ///
    /// If the text is not as the generator writes it.
    pub fn of(text: &str) -> Result<Self> {
        let modules = parse(text)?;
        Writer::new(text, &modules).every()
    }

    /// The text with some of the mutants of [`Schema::of`], by their numbers. All are listed.
    ///
    /// # Errors
    ///
    /// If the text is not as the generator writes it.
    pub fn part(text: &str, numbers: &BTreeSet<u32>) -> Result<Self> {
        let modules = parse(text)?;
        Writer::new(text, &modules).only(numbers).every()
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

impl Writer<'_> {
    fn every(mut self) -> Result<Schema> {
        let modules = self.modules;
        let parts = parts(modules);
        for module in modules {
            match parts.contains(module.name.as_str()) {
                true => self.module(module),
                false => self.wire_up(module),
            }
        }
        self.finish()
    }
}

/// The first module and those that it is made of; the others have no bench here.
fn parts(modules: &[Module]) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut open = vec![modules[0].name.as_str()];
    while let Some(name) = open.pop() {
        if !found.insert(name) {
            continue;
        }
        let of_name = modules.iter().filter(|module| module.name == name);
        open.extend(
            of_name
                .flat_map(|module| &module.items)
                .filter_map(|item| match item {
                    Item::Instance { module, .. } => Some(module.as_str()),
                    _ => None,
                }),
        );
    }
    found
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
    fn a_part_has_its_mutants_and_the_numbers_of_all() {
        let all = Schema::of(TEXT).expect("the generator's language");
        let wanted = BTreeSet::from([2, 5]);
        let part = Schema::part(TEXT, &wanted).expect("the generator's language");
        assert_eq!(part.mutants, all.mutants);
        for mutant in &all.mutants {
            let number = format!("16'd{})", mutant.number);
            let is_wanted = wanted.contains(&mutant.number);
            assert_eq!(part.verilog.contains(&number), is_wanted, "{mutant}");
        }
        let every: BTreeSet<u32> = all.mutants.iter().map(|mutant| mutant.number).collect();
        let whole = Schema::part(TEXT, &every).expect("the generator's language");
        assert_eq!(whole.verilog, all.verilog);
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
