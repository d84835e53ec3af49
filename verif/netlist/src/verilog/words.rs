//! A cursor over the tokens of a text.

use super::token::{Token, tokens};
use anyhow::{Result, bail};

/// What has been read of a text, and what is to come.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            tokens: tokens(text),
            at: 0,
        }
    }

    /// The line of the next word.
    pub(super) fn place(&self) -> String {
        let at = self.start();
        let line = self.text[..at].matches('\n').count() + 1;
        format!("line {line} of the Verilog")
    }

    /// The next word; empty at the end.
    pub(super) fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |token| token.text)
    }

    /// Where the next word begins.
    pub(super) fn start(&self) -> usize {
        let next = self.tokens.get(self.at);
        next.map_or(self.text.len(), |token| token.span.start)
    }

    /// Where the last word ended.
    pub(super) fn end(&self) -> usize {
        self.tokens[self.at - 1].span.end
    }

    pub(super) fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    pub(super) fn accept(&mut self, word: &str) -> bool {
        let accepted = self.peek() == word;
        self.at += usize::from(accepted);
        accepted
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<()> {
        match self.accept(word) {
            true => Ok(()),
            false => bail!("`{}` in the place of `{word}`", self.peek()),
        }
    }

    pub(super) fn name(&mut self) -> Result<String> {
        let word = self.next();
        match word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            true => Ok(word.into()),
            false => bail!("`{word}` in the place of a name"),
        }
    }
}
