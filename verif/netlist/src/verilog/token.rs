//! The tokens of the emitted Verilog, each with its place.

use std::ops::Range;

/// A word: what it is, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// As it is written.
    pub text: &'a str,
    /// Where it is, in bytes.
    pub span: Range<usize>,
}

/// Operators of more than one character, the longest first.
const LONG: [&str; 9] = ["<=", ">=", "==", "!=", "<<", ">>", "&&", "||", "(*"];

/// The words of a text without blanks, comments, attributes and compiler directives.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(length) = text[at..].chars().next().map(char::len_utf8) {
        let rest = &text[at..];
        let blank = skipped(rest);
        if blank > 0 {
            at += blank;
            continue;
        }
        let length = word(rest).max(length);
        tokens.push(Token {
            text: &rest[..length],
            span: at..at + length,
        });
        at += length;
    }
    tokens
}

/// The length of what is no word at the beginning of a text.
fn skipped(text: &str) -> usize {
    let line = || text.find('\n').unwrap_or(text.len());
    if text.starts_with(char::is_whitespace) {
        text.find(|c: char| !c.is_whitespace())
            .unwrap_or(text.len())
    } else if text.starts_with("//") || text.starts_with('`') {
        line()
    } else if text.starts_with("(* ") {
        text.find("*)").map_or(text.len(), |end| end + 2)
    } else {
        0
    }
}

/// The length of the word at the beginning of a text; 0 of a single character.
fn word(text: &str) -> usize {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '$');
    if text.starts_with(inside) {
        return text.find(|c| !inside(c)).unwrap_or(text.len());
    }
    let long = LONG.iter().find(|operator| text.starts_with(**operator));
    long.map_or(0, |operator| operator.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_attributes_are_no_words() {
        let text = "`default_nettype none\n(* ram_style = \"block\" *)\nreg [3:0] a; // Is b.\na <= 4'hf<<b;";
        let words: Vec<_> = tokens(text).iter().map(|token| token.text).collect();
        assert_eq!(words.join(" "), "reg [ 3 : 0 ] a ; a <= 4'hf << b ;");
    }

    #[test]
    fn always_at_star_is_no_attribute() {
        let words: Vec<_> = tokens("always @(*) x = y;")
            .iter()
            .map(|token| token.text)
            .collect();
        assert_eq!(words[..5], ["always", "@", "(*", ")", "x"]);
    }
}
