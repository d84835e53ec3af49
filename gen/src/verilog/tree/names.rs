//! Names: from rust-hdl's `way$0$q` and `way[i+1]$q` to plain Verilog identifiers.

use std::collections::BTreeMap;

use crate::names::is_reserved;

/// Whether `name` is a plain identifier: a letter, then letters, digits and underscores.
pub fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `way$0$q` as an identifier: `way_0_q`; reserved words get a trailing underscore.
pub fn plain(name: &str) -> String {
    let mut text = name.replace('$', "_");
    if is_reserved(&text) {
        text.push('_');
    }
    text
}

/// Rewrites a reference of the syntax tree, `way[i+1]$q$next`, as the name the tree of circuits uses, `way$2$q`.
///
/// `loops` holds the value of every enclosing loop variable. `None`: an index that is not arithmetic on loop
/// variables and numbers.
pub fn canonical(reference: &str, loops: &BTreeMap<String, usize>) -> Option<String> {
    let mut out = String::new();
    let mut rest = reference.strip_suffix("$next").unwrap_or(reference);
    while let Some((before, after)) = rest.split_once('[') {
        let (index, after) = after.split_once(']')?;
        out.push_str(before);
        out.push('$');
        out.push_str(&evaluate(index, loops)?.to_string());
        rest = after;
    }
    out.push_str(rest);
    let plain = out.replace("..", "$").replace('.', "$").replace("::", "$");
    // A signal called `next` is read by its raw name.
    Some(plain.replace("r#", ""))
}

/// Value of an index: `+ - * / %` and parentheses over numbers and loop variables.
pub fn evaluate(text: &str, loops: &BTreeMap<String, usize>) -> Option<usize> {
    let mut parser = Index { rest: text, loops };
    let value = parser.sum()?;
    parser.rest.is_empty().then_some(value)
}

struct Index<'a> {
    rest: &'a str,
    loops: &'a BTreeMap<String, usize>,
}

impl Index<'_> {
    fn eat(&mut self, symbol: char) -> bool {
        let rest = self.rest.strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<usize> {
        let mut value = self.product()?;
        loop {
            if self.eat('+') {
                value = value.checked_add(self.product()?)?;
            } else if self.eat('-') {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<usize> {
        let mut value = self.operand()?;
        loop {
            if self.eat('*') {
                value = value.checked_mul(self.operand()?)?;
            } else if self.eat('/') {
                value = value.checked_div(self.operand()?)?;
            } else if self.eat('%') {
                value = value.checked_rem(self.operand()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn operand(&mut self) -> Option<usize> {
        if self.eat('(') {
            let value = self.sum()?;
            return self.eat(')').then_some(value);
        }
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match self.loops.get(word) {
            Some(value) => Some(*value),
            None => word
                .trim_end_matches("usize")
                .trim_end_matches('_')
                .parse()
                .ok(),
        }
    }
}
