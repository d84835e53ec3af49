//! Names: from rust-hdl's `way$0$q` to plain Verilog identifiers.

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

/// A reference of the syntax tree, `way$2$q$next`, as the name that the tree of circuits uses, `way$2$q`.
pub fn canonical(reference: &str) -> String {
    let name = reference.strip_suffix("$next").unwrap_or(reference);
    // A signal called `next` is read by its raw name.
    name.replace("r#", "")
}
