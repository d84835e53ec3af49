//! Copies of figures that stand outside of marks.

use super::page::{BEGIN, CLOSE, Groups, MEASURED, PageError, Piece, pieces, split};
use std::collections::{BTreeMap, BTreeSet};

/// Copies of figures outside of marks, and groups without their date on the page, each as `line: what`.
///
/// On a page that shows the group, a number is a copy that has four digits, or three and a decimal point and is a figure
/// by itself. On another page it is one if it has four digits, is a figure by itself, and its paragraph or table names what
/// the figure counts, the last part of its name. Round numbers and powers of two are sizes that somebody chose. Code, in a
/// line or fenced, stands for itself.
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
    let undated = shown.iter().filter(|(_, (_, dated))| !dated);
    let mut faults: Vec<String> = undated
        .map(|(group, (line, _))| {
            format!("{line}: the page shows no `{BEGIN}{group}.{MEASURED}{CLOSE}`, so its age is not shown")
        })
        .collect();
    let known = known(groups, &shown.keys().copied().collect());
    let lines: Vec<&str> = page.lines().collect();
    for (line, number) in typed(&pieces) {
        let about = paragraph(&lines, line - 1);
        let names = known.get(&plain(number)).into_iter().flatten();
        let names: Vec<String> = names
            .filter(|known| known.here || about.contains(known.counted()))
            .map(|known| format!("`{}`", known.name))
            .collect();
        if !names.is_empty() {
            let names = names.join(" or ");
            faults.push(format!(
                "{line}: {number} is typed; it is the figure {names}"
            ));
        }
    }
    Ok(faults)
}

/// The numbers outside of marks and code, each with its line.
fn typed<'a>(pieces: &[(usize, Piece<'a>)]) -> Vec<(usize, &'a str)> {
    let mut typed = Vec::new();
    let mut fenced = false;
    for (first, piece) in pieces {
        let Piece::Text(text) = piece else { continue };
        for (line, text) in (*first..).zip(text.lines()) {
            let is_fence = text.trim_start().starts_with("```");
            fenced ^= is_fence;
            if !fenced && !is_fence {
                let prose = text.split('`').step_by(2);
                typed.extend(prose.flat_map(numbers).map(|number| (line, number)));
            }
        }
    }
    typed
}

/// The lines around one up to the next empty ones, in small letters.
fn paragraph(lines: &[&str], at: usize) -> String {
    let is_empty = |line: &&str| line.trim().is_empty();
    let begin = lines[..at]
        .iter()
        .rposition(is_empty)
        .map_or(0, |empty| empty + 1);
    let end = lines[at..].iter().position(is_empty);
    let end = end.map_or(lines.len(), |empty| at + empty);
    lines[begin..end.max(begin)].join("\n").to_lowercase()
}

/// A figure that has a number.
struct Known {
    name: String,
    /// Whether the page shows its group.
    here: bool,
}

impl Known {
    /// What it counts: `lut` of `table.default.hx8k.luts`.
    fn counted(&self) -> &str {
        let last = self.name.rsplit('.').next().unwrap_or_default();
        last.trim_end_matches('s')
    }
}

/// The numbers that must not be typed, and the figures that have them.
fn known(groups: &Groups, shown: &BTreeSet<&str>) -> BTreeMap<String, Vec<Known>> {
    let mut known: BTreeMap<String, Vec<Known>> = BTreeMap::new();
    for (group, figures) in groups.iter().map(|(name, group)| (name, &group.figures)) {
        let here = shown.contains(group.as_str());
        for (figure, text) in figures {
            let block = text.contains('\n');
            let is_telling = |number: &String| match significant(number) {
                0..=2 => false,
                3 => here && !block && number.contains('.'),
                _ => (here || !block) && !is_power_of_two(number),
            };
            let name = format!("{group}.{figure}");
            for number in numbers(text).map(plain).filter(is_telling) {
                let names = known.entry(number).or_default();
                if names.last().is_none_or(|last| last.name != name) {
                    let name = name.clone();
                    names.push(Known { name, here });
                }
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
    use super::super::page::tests::groups;
    use super::*;

    fn found(page: &str) -> Vec<String> {
        faults(page, &groups()).expect("the marks are right")
    }

    #[test]
    fn a_typed_copy_is_found_on_any_page() {
        let typed = "1: 1,243 is typed; it is the figure `table.luts`";
        assert_eq!(found("It takes 1,243\nLUT4."), [typed]);
        let page = "<!-- fig:table.measured -->x<!-- / -->\n| `b` | 2265 |";
        assert_eq!(
            found(page),
            ["2: 2265 is typed; it is the figure `table.all`"]
        );
        assert_eq!(found("| `b` | 2265 |"), Vec::<String>::new());
    }

    #[test]
    fn what_is_chosen_or_short_or_part_of_a_word_is_no_copy() {
        for page in [
            "1,024 LUT",
            "1,243 files",
            "1,243\n\nLUT",
            "512",
            "99.3 %",
            "`1243`",
            "```text\n1,243\n```",
            "ecp1243",
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
            ["2: 99.3 is typed; it is the figure `table.mhz`"]
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
