//! Mistakes in what memories hold from power-up on.

use super::super::operators::{Operator, constants};
use super::writer::{BITS, Writer};
use crate::verilog::tree::{Expr, Item, Kind, Module, Statement, StatementKind, Word};

/// A wrong word of a memory.
#[derive(Debug)]
pub(super) struct WrongWord {
    number: u32,
    memory: String,
    place: u32,
    /// What is read there.
    wrong: String,
}

impl Writer<'_> {
    /// The constants among the words: those of a memory that nothing writes, and of another one those that are not 0, because no reset would bring them back.
    pub(super) fn contents(&mut self, module: &Module, words: &[Word]) {
        for word in words {
            let Kind::Number(Some(width), value) = word.value.kind else {
                continue;
            };
            let Word { memory, place, .. } = word;
            if value == 0 && is_written(module, memory) {
                continue;
            }
            let cell = |word: &str| format!("{memory}[{place}] = {word}");
            let from = cell(&self.text[word.value.span.clone()]);
            for wrong in constants(width, value) {
                let at = word.value.span.start;
                let number = self.add(module, at, Operator::Constant, &from, &cell(&wrong));
                if self.writes(number) {
                    self.words.push(WrongWord {
                        number,
                        memory: memory.clone(),
                        place: *place,
                        wrong,
                    });
                }
            }
        }
    }

    /// A word that is read from a memory: the number of the mutant is not known yet at power-up.
    pub(super) fn read(&self, expression: &Expr, memory: &str, place: &Expr) -> String {
        let at = &self.text[place.span.clone()];
        let right = self.text[expression.span.clone()].to_owned();
        let wrong = self.words.iter().filter(|word| word.memory == memory);
        wrong.fold(right, |read, word| {
            let lives = format!(
                "(mutant_q == {BITS}'d{}) & ({at} == {})",
                word.number, word.place
            );
            format!("(({lives}) ? {} : {read})", word.wrong)
        })
    }
}

/// Whether a module writes a memory after power-up.
pub(crate) fn is_written(module: &Module, memory: &str) -> bool {
    module.items.iter().any(|item| match item {
        Item::Always { body, .. } => assigns(body, memory),
        _ => false,
    })
}

fn assigns(statement: &Statement, memory: &str) -> bool {
    match &statement.kind {
        StatementKind::Block(all) => all.iter().any(|one| assigns(one, memory)),
        StatementKind::If(_, then, otherwise) => {
            let otherwise = otherwise.as_ref();
            assigns(then, memory) || otherwise.is_some_and(|other| assigns(other, memory))
        }
        StatementKind::Assign { target, .. } => target.as_deref() == Some(memory),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Schema;

    const TEXT: &str = "module rom (
  input  wire clk,
  input  wire [0:0] address,
  output wire [3:0] word
);
  reg [3:0] cells [0:1];
  reg [3:0] word_q;
  initial begin
    cells[0] = 4'h0;
    cells[1] = 4'h7;
  end
  always @(posedge clk) word_q <= cells[address];
  assign word = word_q;
endmodule
";

    fn words(text: &str) -> Vec<String> {
        let schema = Schema::of(text).expect("the generator's language");
        let mutants = schema.mutants.iter();
        let words = mutants.filter(|mutant| mutant.from.contains("] = "));
        words
            .map(|mutant| format!("{} -> {}", mutant.from, mutant.to))
            .collect()
    }

    #[test]
    fn a_wrong_word_is_read_in_its_place() {
        let schema = Schema::of(TEXT).expect("the generator's language");
        let read = "(((mutant_q == 16'd2) & (address == 0)) ? 4'hf : \
                    (((mutant_q == 16'd1) & (address == 0)) ? 4'h1 : cells[address]))";
        assert!(schema.verilog.contains(read), "{}", schema.verilog);
        assert!(schema.verilog.contains("cells[1] = 4'h7;"));
        assert_eq!(words(TEXT).len(), 4);
    }

    #[test]
    fn a_word_of_0_that_may_be_written_is_no_constant() {
        let write = "always @(posedge clk) if (clk) cells[0] <= 4'h1; else word_q";
        let text = TEXT.replace("always @(posedge clk) word_q", write);
        let found = words(&text);
        assert_eq!(found[0], "cells[1] = 4'h7 -> cells[1] = 4'h8");
        assert_eq!(found.len(), 2);
    }
}
