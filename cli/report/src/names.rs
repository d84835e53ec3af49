//! Names of functions as C++ and Rust write them in full, and shorter.

use std::borrow::Cow;

/// Most characters of a name in a column; a table with longer ones is wider than a screen.
const WIDTH: usize = 60;

/// A name for a column. A long one has `...` in the place of its arguments: first of a function's, then of a template's, which tell its instances apart. If
/// that is not enough, it loses its result, then its outermost scopes one by one, and at last what a name without scopes begins with.
pub fn shortened(name: &str) -> Cow<'_, str> {
    let is_long = |name: &str| name.chars().count() > WIDTH;
    if !is_long(name) {
        return name.into();
    }
    let mut short = folded(name, "(");
    if is_long(&short) {
        short = folded(name, "<(");
    }
    if is_long(&short) {
        short = bare(&short).into();
    }
    while is_long(&short)
        && let Some((start, end)) = scope(&short)
    {
        short.replace_range(start..end, "");
    }
    let length = short.chars().count();
    if length > WIDTH {
        let tail = short.chars().skip(length - (WIDTH - 3));
        short = format!("...{}", tail.collect::<String>());
    }
    short.into()
}

/// A function's name alone, with its scopes: no result, and `...` for arguments.
pub fn plain(name: &str) -> String {
    folded(bare(name), "<(")
}

/// Where the first scope is before a name that is a word: `a::` of `a::b`.
fn scope(name: &str) -> Option<(usize, usize)> {
    let is_word =
        |text: &str| text.starts_with(|first: char| first.is_alphanumeric() || first == '_');
    let mut end = 0;
    for piece in pieces(name) {
        let start = end;
        end += piece.text().len();
        let inside = name[end..].strip_prefix("::");
        if is_word(piece.text()) && inside.is_some_and(is_word) {
            return Some((start, end + 2));
        }
    }
    None
}

/// A name with `...` for the arguments that begin with one of these brackets.
fn folded(name: &str, brackets: &str) -> String {
    let fold = |piece| match piece {
        Piece::Arguments(text) if text.len() > 2 && brackets.contains(&text[..1]) => {
            match text.starts_with('<') {
                true => "<...>",
                false => "(...)",
            }
        }
        piece => piece.text(),
    };
    pieces(name).map(fold).collect()
}

/// A function's name without what its language writes around it: type of the result, parameters, what a compiler says of a copy.
pub(crate) fn bare(name: &str) -> &str {
    let mut start = 0;
    // Rust's `<a::B as c::D>::e` has blanks in its scope.
    let scope = closed(name).filter(|_| name.starts_with('<'));
    let mut at = scope.unwrap_or(0);
    let mut is_operator = false;
    for piece in pieces(&name[at..]) {
        let after = at + piece.text().len();
        match piece {
            Piece::Arguments(text) if text.starts_with('(') && !name[after..].starts_with("::") => {
                break;
            }
            Piece::Plain(" ") if name[after..].starts_with('[') => break,
            // Of `operator new` and `operator bool` the blank is part of the name.
            Piece::Plain(" ") if !is_operator => start = after,
            Piece::Plain(text) => is_operator |= text.starts_with(OPERATOR),
            Piece::Arguments(_) => {}
        }
        at = after;
    }
    &name[start.min(at)..at]
}

/// A bare name without the arguments of its template.
pub(crate) fn without_arguments(name: &str) -> &str {
    let last = pieces(name).last();
    let Some(Piece::Arguments(arguments)) = last.filter(|last| last.text().starts_with('<')) else {
        return name;
    };
    name[..name.len() - arguments.len()].trim_end()
}

const OPERATOR: &str = "operator";

/// What C++ calls a namespace without a name.
const UNNAMED: &str = "(anonymous namespace)";

#[derive(Clone, Copy)]
enum Piece<'a> {
    /// A word, a character, or brackets that are no arguments.
    Plain(&'a str),
    /// Arguments of a template or a function, with their brackets.
    Arguments(&'a str),
}

impl<'a> Piece<'a> {
    const fn text(self) -> &'a str {
        match self {
            Self::Plain(text) | Self::Arguments(text) => text,
        }
    }
}

fn pieces(name: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let piece = piece(rest, rest.len() == name.len())?;
        rest = &rest[piece.text().len()..];
        Some(piece)
    })
}

fn piece(rest: &str, is_first: bool) -> Option<Piece<'_>> {
    let first = rest.chars().next()?;
    if rest.starts_with(UNNAMED) {
        return Some(Piece::Plain(UNNAMED));
    }
    let is_arguments = match first {
        // Rust begins a name with a type in brackets: `<a::B as c::D>::e`.
        '<' => !is_first,
        '(' => true,
        '{' => false,
        _ => return Some(Piece::Plain(&rest[..word(rest).max(first.len_utf8())])),
    };
    let length = closed(rest);
    Some(match (is_arguments, first, length) {
        (true, _, Some(length)) => Piece::Arguments(&rest[..length]),
        (false, '{', Some(length)) => Piece::Plain(&rest[..length]),
        _ => Piece::Plain(&rest[..1]),
    })
}

/// Bytes of the word that a text begins with; of an operator with its symbol, as in `operator<<<int>` or `operator()(int)`.
fn word(text: &str) -> usize {
    const SYMBOLS: [&str; 11] = [
        "()", "<=>", "->*", "->", "<<=", ">>=", "<<", ">>", "<=", "<", ">",
    ];
    let is_end = |character: char| !(character.is_alphanumeric() || character == '_');
    let end = text.find(is_end).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    let symbol = SYMBOLS
        .iter()
        .find(|symbol| word == OPERATOR && after.starts_with(**symbol));
    end + symbol.map_or(0, |symbol| symbol.len())
}

/// Bytes up to the bracket that belongs to the first one, with it.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        match character {
            '<' | '(' | '{' | '[' => depth += 1,
            // The arrow of a function's type.
            '>' if before == '-' => {}
            '>' | ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
        before = character;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_names_are_shown_without_arguments() {
        for (name, short) in [
            ("Ring<int, 16>::put(int)", "Ring<int, 16>::put(int)"),
            // Two instances of a template are two functions.
            (
                "int total<int>(shapes::Box<int> const*, shapes::Box<int> const*, int)",
                "int total<int>(...)",
            ),
            (
                "void my::sort<int*, run(int)::{lambda(int, int)#1}>(int*, int*, run(int)::{lambda(int, int)#1}) [clone .constprop.0]",
                "void my::sort<...>(...) [clone .constprop.0]",
            ),
            (
                "std::ostream& (anonymous namespace)::operator<< <std::pair<int, long> >(std::ostream&, int)",
                "std::ostream& (anonymous namespace)::operator<< <...>(...)",
            ),
            (
                "<alloc::collections::btree::map::BTreeMap<Key, Value, A> as core::ops::drop::Drop>::drop",
                "<btree::map::BTreeMap<...> as core::ops::drop::Drop>::drop",
            ),
            (
                "a_function_of_c_with_a_name_that_goes_on_and_on_and_on_and_on_and_on",
                "...of_c_with_a_name_that_goes_on_and_on_and_on_and_on_and_on",
            ),
        ] {
            assert_eq!(shortened(name), short);
        }
    }

    #[test]
    fn a_bare_name_has_no_result_and_no_parameters() {
        for (name, plain) in [
            ("ack(int, int)", "ack"),
            ("Ring<int, 16>::sum() const", "Ring<int, 16>::sum"),
            (
                "void my::sort<int*, f(int)::{lambda(int)#1}>(int*) [clone .part.0]",
                "my::sort<int*, f(int)::{lambda(int)#1}>",
            ),
            (
                "main::{lambda(int)#2}::operator()(int) const",
                "main::{lambda(int)#2}::operator()",
            ),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            (
                "f(int)::{lambda()#1}::operator()() const",
                "f(int)::{lambda()#1}::operator()",
            ),
            ("operator new(unsigned long)", "operator new"),
            ("a::B::operator bool() const", "a::B::operator bool"),
            ("int cooperator()", "cooperator"),
            ("bool a::operator< <int>(int)", "a::operator< <int>"),
            ("alloc::vec::Vec<T>::push", "alloc::vec::Vec<T>::push"),
            ("<a::B<T> as c::D>::e", "<a::B<T> as c::D>::e"),
            ("memcpy", "memcpy"),
            ("", ""),
        ] {
            assert_eq!(bare(name), plain, "{name}");
        }
    }

    #[test]
    fn a_template_goes_by_its_name() {
        for (name, plain) in [
            ("my::sort<int*, f(int)::{lambda(int)#1}>", "my::sort"),
            ("a::operator< <int>", "a::operator<"),
            ("a::operator<", "a::operator<"),
            ("Ring<int, 16>::sum", "Ring<int, 16>::sum"),
            ("memcpy", "memcpy"),
        ] {
            assert_eq!(without_arguments(name), plain, "{name}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_shortened_to_the_width(name in "[a-c<>(){} :\\[\\]é-]{0,200}") {
            prop_assert!(shortened(&name).chars().count() <= WIDTH);
            prop_assert!(name.contains(bare(&name)));
        }
    }
}
