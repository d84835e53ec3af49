//! Marks on a page: what stands between them, and what stands outside that should not.

use super::Group;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use thiserror::Error;

const BEGIN: &str = "<!-- fig:";
const CLOSE: &str = " -->";
const END: &str = "<!-- / -->";

/// The name under which each group has its date, commit and command.
const MEASURED: &str = "measured";

type Groups = BTreeMap<String, Group>;

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
enum Piece<'a> {
    Text(&'a str),
    Figure { name: &'a str, content: &'a str },
}

/// The pieces, each with the line in which it begins.
fn pieces(page: &str) -> Result<Vec<(usize, Piece<'_>)>, PageError> {
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
fn split(mark: &str) -> (&str, &str) {
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

/// Copies of figures outside of marks, and groups without their date on the page, each as `line: what`.
///
/// A number of four digits and more that a figure has is a copy on any page, one of three digits and a decimal point on a
/// page that shows the group. Round numbers and powers of two are sizes that somebody chose, and stand for themselves.
pub(super) fn faults(page: &str, groups: &Groups) -> Result<Vec<String>, PageError> {
    let pieces = pieces(page)?;
    let mut shown: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for (line, piece) in &pieces {
        if let Piece::Figure { name, content } = piece {
            let (group, figure) = split(name);
            let dated = figure == MEASURED || content.contains('\n');
            shown.entry(group).or_insert((*line, false)).1 |= dated;
        }
    }
    let mut faults: Vec<String> = shown
        .iter()
        .filter(|(_, (_, dated))| !dated)
        .map(|(group, (line, _))| {
            format!("{line}: the page shows no `{BEGIN}{group}.{MEASURED}{CLOSE}`, so nobody sees how old it is")
        })
        .collect();
    let known = known(groups, &shown.keys().copied().collect());
    for (first, piece) in &pieces {
        let Piece::Text(text) = piece else { continue };
        for (offset, line) in text.lines().enumerate() {
            for number in numbers(line) {
                if let Some(names) = known.get(&plain(number)) {
                    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                    let names = names.join(" or ");
                    faults.push(format!(
                        "{}: `{number}` is typed; it is the figure {names}",
                        first + offset
                    ));
                }
            }
        }
    }
    Ok(faults)
}

/// The numbers that must not be typed, and the figures that have them.
fn known(groups: &Groups, shown: &BTreeSet<&str>) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (group, figure, text) in groups.iter().flat_map(|(name, group)| {
        let figures = group.figures.iter();
        figures.map(move |(figure, text)| (name, figure, text))
    }) {
        for number in numbers(text).map(plain) {
            let digits = significant(&number);
            let telling = digits >= 4
                || digits == 3 && number.contains('.') && shown.contains(group.as_str());
            if telling && !is_power_of_two(&number) {
                known
                    .entry(number)
                    .or_default()
                    .insert(format!("{group}.{figure}"));
            }
        }
    }
    known
}

/// The numbers of a text that stand by themselves: `1,243` and `99.3`, but not the digits of `ecp5` or `0x40`.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !(letter.is_alphanumeric() || "_,.-".contains(letter)));
    words
        .map(|word| word.trim_matches([',', '.', '-']))
        .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .filter(|word| {
            word.chars()
                .all(|letter| letter.is_ascii_digit() || ",.".contains(letter))
        })
        .filter(|word| word.matches('.').count() <= 1)
}

fn plain(number: &str) -> String {
    number.replace(',', "")
}

/// Digits without zeros in front, and without those at the end of a whole number.
fn significant(number: &str) -> usize {
    let end = if number.contains('.') {
        number
    } else {
        number.trim_end_matches('0')
    };
    let digits = end.trim_start_matches(['0', '.']);
    digits.chars().filter(char::is_ascii_digit).count()
}

fn is_power_of_two(number: &str) -> bool {
    number.parse().is_ok_and(u64::is_power_of_two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Groups {
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

    fn found(page: &str) -> Vec<String> {
        faults(page, &groups()).expect("the marks are right")
    }

    #[test]
    fn a_typed_copy_is_found_on_any_page() {
        let typed = "1: `1,243` is typed; it is the figure `table.luts`";
        assert_eq!(found("It takes 1,243."), [typed]);
        assert_eq!(
            found("a\n| `b` | 2265 |"),
            ["2: `2265` is typed; it is the figure `table.all`"]
        );
    }

    #[test]
    fn what_is_chosen_or_short_or_part_of_a_word_is_no_copy() {
        for page in [
            "1,024 entries",
            "512",
            "99.3 %",
            "`x1243`",
            "0x1243",
            "1,243,000",
            "1.1.243",
            "12-1243",
        ] {
            assert_eq!(found(page), Vec::<String>::new(), "{page}");
        }
    }

    #[test]
    fn three_digits_and_a_point_tell_on_a_page_about_it() {
        let page = "<!-- fig:table.measured -->x<!-- / -->\n99.3 %";
        assert_eq!(
            found(page),
            ["2: `99.3` is typed; it is the figure `table.mhz`"]
        );
    }

    #[test]
    fn a_figure_without_its_date_on_the_page_is_found() {
        let faults = found("\n<!-- fig:table.luts -->1,243<!-- / -->");
        assert!(
            faults[0].starts_with("2: the page shows no `<!-- fig:table.measured -->`"),
            "{faults:?}"
        );
        assert_eq!(faults.len(), 1);
    }
}
