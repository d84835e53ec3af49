//! Interprocedural path segments of a whole program path.
//!
//! A whole program path is the sequence of subpaths that a run takes, with the calls and returns between them. A
//! subpath ends at a call, a return or a loop's back edge. A *segment* is a part of it that crosses no back edge and
//! returns from no call that it does not make (Vaswani's thesis, sections 3.4.1 and 3.4.2).

/// A symbol of a whole program path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token<S> {
    /// A subpath.
    Subpath(S),
    /// `(`: the subpath before ended at a call.
    Call,
    /// `)`: the subpath before ended at a return.
    Return,
}

/// The longest segment from each subpath on that makes at most `calls` calls, where it makes at least one; in order, and as
/// often as they ran. O(length of the path and of all segments).
///
/// The thesis's own example, with one call:
///
/// ```
/// use hpp_paths::interprocedural::{Token, segments};
/// let read = |text: &str| -> Vec<Token<String>> {
///     let token = |word: &str| match word {
///         "(" => Token::Call,
///         ")" => Token::Return,
///         subpath => Token::Subpath(subpath.into()),
///     };
///     text.split(' ').map(token).collect()
/// };
/// let path = read("( f1p1 ( f2p2 ( f3p3 ( f4p4 f4p5 f4p6 ) f3p7 ( f5p8 ) f3p9 ) f2p10 ) )");
/// let found = segments(&path, 1);
/// let expected = ["f1p1 ( f2p2", "f2p2 ( f3p3", "f3p3 ( f4p4", "f3p7 ( f5p8 ) f3p9"].map(read);
/// assert_eq!(found, expected);
/// ```
pub fn segments<S>(path: &[Token<S>], calls: usize) -> Vec<&[Token<S>]> {
    let begins = (0..path.len()).filter(|&at| matches!(path[at], Token::Subpath(_)));
    let longest = begins.filter_map(|begin| {
        let rest = &path[begin..];
        let (length, made) = extent(rest, calls);
        (made > 0).then(|| &rest[..length])
    });
    longest.collect()
}

/// How long the longest segment is with which a path begins, and how many calls it makes. A segment ends with a subpath.
fn extent<S>(path: &[Token<S>], calls: usize) -> (usize, usize) {
    let (mut end, mut made) = (0, 0);
    let (mut depth, mut called) = (0usize, 0);
    let mut after_subpath = false;
    for (at, token) in path.iter().enumerate() {
        match token {
            // Two subpaths in a row: a back edge lies between them.
            Token::Subpath(_) if after_subpath => break,
            Token::Subpath(_) => (end, made) = (at + 1, called),
            Token::Call if called == calls => break,
            Token::Call => {
                called += 1;
                depth += 1;
            }
            Token::Return if depth == 0 => break,
            Token::Return => depth -= 1,
        }
        after_subpath = matches!(token, Token::Subpath(_));
    }
    (end, made)
}
