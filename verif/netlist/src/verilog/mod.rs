//! The emitted Verilog read back: from words to the tree.

mod expression;
mod module;
mod statement;
mod token;
pub(crate) mod tree;
mod words;

use anyhow::{Context, Result, bail};
use tree::Module;
use words::Parser;

/// The modules of a text as the generator writes it.
///
/// # Errors
///
/// The place of what is not of the language that the generator writes.
pub(crate) fn parse(text: &str) -> Result<Vec<Module>> {
    let mut parser = Parser::new(text);
    let mut modules = Vec::new();
    while parser.peek() == "module" {
        let module = parser.module();
        modules.push(module.with_context(|| parser.place())?);
    }
    match parser.peek() {
        "" => Ok(modules),
        word => bail!("{}: `{word}` begins no module", parser.place()),
    }
}

#[cfg(test)]
mod tests {
    use super::tree::{Expr, Item, Kind};
    use super::*;

    fn value(expression: &str) -> Expr {
        let text =
            format!("module m (\n  input wire a\n);\n  assign x = {expression};\nendmodule\n");
        let modules = parse(&text).expect("it is of the language");
        match modules[0].items[0].clone() {
            Item::Wire(_, value) => value,
            item => panic!("{item:?}"),
        }
    }

    #[test]
    fn operators_bind_as_in_verilog() {
        let Kind::Binary(or, left, _) = value("a & b == c | d").kind else {
            panic!("an operator");
        };
        assert_eq!(or, "|");
        assert!(matches!(left.kind, Kind::Binary(and, ..) if and == "&"));
        assert!(matches!(value("{2{a}}").kind, Kind::Repeat(2, _)));
        assert!(matches!(value("4'hf").kind, Kind::Number(Some(4), 15)));
        assert!(matches!(value("129'h1").kind, Kind::Wide));
    }

    #[test]
    fn words_at_power_up_have_their_places() {
        let text = "module m (\n  input wire a\n);\n  reg [3:0] cells [0:1];\n  initial begin\n    cells[1] = 4'h7;\n  end\nendmodule\n";
        let modules = parse(text).expect("it is of the language");
        let Item::Initial(words) = &modules[0].items[0] else {
            panic!("{:?}", modules[0].items);
        };
        assert_eq!((&*words[0].memory, words[0].place), ("cells", 1));
        let error = parse(&text.replace("cells[1]", "cells")).expect_err("no word");
        assert!(format!("{error:#}").contains("no word of a memory"));
    }

    #[test]
    fn what_is_not_of_the_language_is_reported_with_its_line() {
        let error = parse("module m (\n  input wire a\n);\n  casez (a)\nendmodule\n");
        let error = format!("{:#}", error.expect_err("no such item"));
        assert!(error.starts_with("line 4 of the Verilog"), "{error}");
    }
}
