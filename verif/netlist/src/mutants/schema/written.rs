//! Mutants written down by hand.

use super::super::operators::Operator;
use super::writer::{BITS, Writer};
use crate::verilog::tree::Module;
use anyhow::{Result, bail};

impl Writer<'_> {
    /// A mistake that somebody wrote down.
    pub(super) fn mistake(&mut self, module: &Module, from: &str, to: &str) -> Result<()> {
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
