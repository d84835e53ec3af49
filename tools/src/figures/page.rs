//! Marks on a page, and what is to stand between them.

use super::Group;
use std::collections::BTreeMap;
use std::path::Path;
use thiserror::Error;

pub(super) const BEGIN: &str = "<!-- fig:";
pub(super) const CLOSE: &str = " -->";
const END: &str = "<!-- / -->";

/// The name under which each group has its date, commit and command.
pub(super) const MEASURED: &str = "measured";

pub(super) type Groups = BTreeMap<String, Group>;

/// A mark that is wrong, in which line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct PageError {
    line: usize,
    problem: String,
}

impl PageError {
    pub(super) fn at(self, page: &Path) -> anyhow::Error {
        anyhow::Error::new(self).context(format!("{}", page.display()))
    }
}

/// A piece of a page.
pub(super) enum Piece<'a> {
    Text(&'a str),
    Figure { name: &'a str, content: &'a str },
}

/// The pieces, each with the line in which it begins.
pub(super) fn pieces(page: &str) -> Result<Vec<(usize, Piece<'_>)>, PageError> {
    let line = |at: usize| 1 + page[..at].matches('\n').count();
    let error = |at, problem: String| PageError {
        line: line(at),
        problem,
    };
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(begin) = page[at..].find(BEGIN).map(|found| at + found) {
        pieces.push((line(at), Piece::Text(&page[at..begin])));
        let name_at = begin + BEGIN.len();
        let (name, after) = page[name_at..]
            .split_once(CLOSE)
            .filter(|(name, _)| !name.contains(char::is_whitespace))
            .ok_or_else(|| error(begin, format!("`{BEGIN}` without a name and `{CLOSE}`")))?;
        let content = after
            .split_once(END)
            .map(|(content, _)| content)
            .filter(|content| !content.contains(BEGIN))
            .ok_or_else(|| error(begin, format!("the figure `{name}` has no end `{END}`")))?;
        pieces.push((line(begin), Piece::Figure { name, content }));
        at = name_at + name.len() + CLOSE.len() + content.len() + END.len();
    }
    pieces.push((line(at), Piece::Text(&page[at..])));
    for (line, piece) in &pieces {
        if let Piece::Text(text) = piece
            && let Some(stray) = text.find(END)
        {
            let line = line + text[..stray].matches('\n').count();
            let problem = format!("`{END}` ends no figure");
            return Err(PageError { line, problem });
        }
    }
    Ok(pieces)
}

/// Group and name of a mark.
pub(super) fn split(mark: &str) -> (&str, &str) {
    mark.split_once('.').unwrap_or((mark, ""))
}

/// What is to stand between the marks.
fn content(mark: &str, groups: &Groups) -> Result<String, String> {
    let (name, figure) = split(mark);
    let group = groups
        .get(name)
        .ok_or_else(|| format!("`{mark}`: no group `{name}`"))?;
    if figure == MEASURED {
        return Ok(group.measured());
    }
    let text = group
        .figures
        .get(figure)
        .ok_or_else(|| format!("`{}` measures no `{figure}`", group.command))?;
    Ok(match text.contains('\n') {
        true => format!(
            "\n\n{}\n\nMeasured {}.\n\n",
            text.trim_end(),
            group.measured()
        ),
        false => text.clone(),
    })
}

/// The page with every figure filled in.
pub(super) fn fill(page: &str, groups: &Groups) -> Result<String, PageError> {
    let mut filled = String::new();
    for (line, piece) in pieces(page)? {
        match piece {
            Piece::Text(text) => filled += text,
            Piece::Figure { name, .. } => {
                let content =
                    content(name, groups).map_err(|problem| PageError { line, problem })?;
                filled += &format!("{BEGIN}{name}{CLOSE}{content}{END}");
            }
        }
    }
    Ok(filled)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::figures) fn groups() -> Groups {
        let table = [
            ("luts", "1,243"),
            ("ram", "1,024"),
            ("mhz", "99.3"),
            ("all", "| `a` | 2,265 |\n| `b` | 512 |\n"),
        ];
        let figures = table.map(|(name, text)| (name.to_string(), text.to_string()));
        let group = Group {
            command: "make it".into(),
            commit: "abc".into(),
            date: "2026-11-25".into(),
            figures: figures.into(),
            ..Group::default()
        };
        BTreeMap::from([("table".to_string(), group)])
    }

    fn filled(page: &str) -> Result<String, String> {
        fill(page, &groups()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_stands_between_marks_is_replaced_and_nothing_else() {
        let page =
            "A <!-- fig:table.luts -->7<!-- / --> LUT, <!-- fig:table.measured --><!-- / -->.\n";
        let expected = "A <!-- fig:table.luts -->1,243<!-- / --> LUT, \
                        <!-- fig:table.measured -->2026-11-25 at commit abc by `make it`<!-- / -->.\n";
        assert_eq!(filled(page).as_deref(), Ok(expected));
        assert_eq!(filled(expected).as_deref(), Ok(expected));
    }

    #[test]
    fn a_block_stands_by_itself_and_has_its_date() {
        let page = "A\n\n<!-- fig:table.all -->old<!-- / -->\n\nB\n";
        let expected = "A\n\n<!-- fig:table.all -->\n\n| `a` | 2,265 |\n| `b` | 512 |\n\n\
                        Measured 2026-11-25 at commit abc by `make it`.\n\n<!-- / -->\n\nB\n";
        assert_eq!(filled(page).as_deref(), Ok(expected));
        assert_eq!(filled(expected).as_deref(), Ok(expected));
    }

    #[test]
    fn wrong_marks_are_named_with_their_line() {
        for (page, expected) in [
            (
                "\n<!-- fig:table.luts -->7",
                "line 2: the figure `table.luts` has no end `<!-- / -->`",
            ),
            (
                "<!-- fig:table.luts -->7\n<!-- fig:table.ram -->8<!-- / -->",
                "line 1: the figure `table.luts` has no end",
            ),
            ("a\n\n<!-- / -->", "line 3: `<!-- / -->` ends no figure"),
            (
                "<!-- fig:soak.rate --><!-- / -->",
                "line 1: `soak.rate`: no group `soak`",
            ),
            (
                "<!-- fig:table.x --><!-- / -->",
                "line 1: `make it` measures no `x`",
            ),
            ("<!-- fig:", "line 1: `<!-- fig:` without a name"),
        ] {
            let error = filled(page).expect_err(page);
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
