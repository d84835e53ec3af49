//! Comments of a kernel. The leading ones describe its module. Others open what declares a local value. The rest stays where it is.

use rust_hdl::prelude::ast::{VerilogBlock, VerilogStatement};

use crate::names::is_identifier;

/// The comments a kernel opens with.
pub fn leading_comments(block: &VerilogBlock) -> Vec<&str> {
    block
        .iter()
        .map_while(|statement| match statement {
            VerilogStatement::Comment(text) => Some(quoted(text)),
            _ => None,
        })
        .collect()
}

/// The string inside what rust-hdl keeps of `comment!("...")`: the invocation's source, cut in varying places.
pub fn quoted(text: &str) -> &str {
    let text = text.split_once('"').map_or(text, |(_, text)| text);
    text.trim_end_matches(')').trim_end_matches('"')
}

/// `let x 3` and what it is, and its width if that is given, of what declares a local value.
pub fn declaration(
    statement: &VerilogStatement,
) -> Option<(&str, Option<usize>, &VerilogStatement)> {
    let VerilogStatement::Macro(block) = statement else {
        return None;
    };
    let [VerilogStatement::Comment(text), value] = block.as_slice() else {
        return None;
    };
    let mut spaces = text.strip_prefix("let ")?.match_indices(' ').skip(1);
    let Some((at, _)) = spaces.next() else {
        return Some((text, None, value));
    };
    Some((&text[..at + 4], text[at + 5..].parse().ok(), value))
}

/// Splits `name: text` of a circuit's first comment line into the module's base name and the text.
pub fn named_comment(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once(':')?;
    is_identifier(name.trim()).then_some((name.trim(), text.trim()))
}

/// What a circuit calls itself in its first comment line, if it does, and its comment without that.
pub fn described(comments: &[&str]) -> (Option<String>, Vec<String>) {
    let trimmed = |line: &&str| line.trim().to_string();
    let mut comment: Vec<String> = comments.iter().map(trimmed).collect();
    let named = comment.first().and_then(|line| named_comment(line));
    let named = named.map(|(name, text)| (name.to_string(), capitalised(text)));
    let base = named.map(|(name, text)| {
        comment[0] = text;
        name
    });
    (base, comment)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
