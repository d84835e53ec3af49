//! A text with mutants: which text replaces which, and the list of mutants.

use super::super::operators::Operator;
use super::contents::WrongWord;
use super::{INPUT, Mutant, Schema};
use crate::verilog::tree::{Expr, Item, Module, Span};
use anyhow::{Result, bail};
use std::collections::BTreeSet;

/// Width of the number of a mutant.
pub(crate) const BITS: u32 = 16;

/// A text and the changes to it.
pub(super) struct Writer<'a> {
    pub(super) text: &'a str,
    pub(super) modules: &'a [Module],
    /// What is written in the place of what.
    pub(super) edits: Vec<(Span, String)>,
    mutants: Vec<Mutant>,
    /// Mistakes in words that the memories of a module hold from power-up on.
    pub(super) words: Vec<WrongWord>,
    /// Those that are written; `None`: all.
    wanted: Option<&'a BTreeSet<u32>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(text: &'a str, modules: &'a [Module]) -> Self {
        Self {
            text,
            modules,
            edits: Vec::new(),
            mutants: Vec::new(),
            words: Vec::new(),
            wanted: None,
        }
    }

    /// The same that writes only mutants of these numbers. All are counted.
    pub(super) fn only(self, wanted: &'a BTreeSet<u32>) -> Self {
        Self {
            wanted: Some(wanted),
            ..self
        }
    }

    /// Whether the mutant of that number is to be written.
    pub(super) fn writes(&self, number: u32) -> bool {
        self.wanted.is_none_or(|wanted| wanted.contains(&number))
    }

    pub(super) fn finish(mut self) -> Result<Schema> {
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

    pub(super) fn insert(&mut self, at: usize, text: String) {
        self.edits.push((at..at, text));
    }

    /// Gives a module, and the instances in it, the number of the mutant; a memory becomes [`pessimistic`](Self::pessimistic).
    pub(super) fn wire_up(&mut self, module: &Module) {
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
        self.pessimistic(module);
        for item in &module.items {
            if let Item::Instance { connections_at, .. } = item {
                self.insert(*connections_at, ".mutant_q(mutant_q), ".into());
            }
        }
    }

    /// One mutant more of an expression.
    pub(super) fn choice(
        &mut self,
        module: &Module,
        expression: &Expr,
        operator: Operator,
        other: &str,
        written: &str,
    ) -> String {
        let from = self.text[expression.span.clone()].to_owned();
        let number = self.add(module, expression.span.start, operator, &from, other);
        match self.writes(number) {
            true => format!("((mutant_q == {BITS}'d{number}) ? ({other}) : {written})"),
            false => written.to_owned(),
        }
    }

    pub(super) fn add(
        &mut self,
        module: &Module,
        at: usize,
        operator: Operator,
        from: &str,
        to: &str,
    ) -> u32 {
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
}
