use super::{line, more, place};
use crate::columns::{lines, table};
use crate::diff::{Changed, Diff, PathName};
use crate::names::shortened;
use crate::numbers::{percent, thousands};
use crate::path::letters;

/// Two profiles beside each other: the paths and functions that changed most, `top` of each.
pub fn diff(diff: &Diff, top: usize) -> String {
    let [first, second] = diff.totals.map(thousands);
    let mut out = line("totals", &format!("{first} and {second}"));
    let what = match diff.paths.is_empty() {
        true => "functions",
        false => "paths",
    };
    let overlap = percent(diff.overlap);
    let overlap = format!("{overlap} of the weight is on the same {what}");
    out += &line("overlap", &overlap);
    if !diff.paths.is_empty() {
        let name = |path: &PathName| [place(&path.place), letters(&path.outcomes).into()];
        out += &changes(&diff.paths, ["path begins in", "branches"], name, top);
    }
    if !diff.functions.is_empty() {
        let name = |name: &String| [shortened(name).into()];
        out += &changes(&diff.functions, ["function"], name, top);
    }
    out
}

fn changes<T, const N: usize>(
    all: &[Changed<T>],
    heads: [&str; N],
    name: impl Fn(&T) -> [String; N],
    top: usize,
) -> String {
    let numbers = ["first", "share", "second", "share", "change"];
    let mut table = table(numbers.into_iter().chain(heads), 0..numbers.len());
    for changed in all.iter().take(top) {
        let [first, second] = changed.counts.map(thousands);
        let [share_1, share_2] = changed.shares.map(percent);
        let change = format!("{:+.1}", 100.0 * changed.change());
        let cells = [first, share_1, second, share_2, change];
        table.add_row(cells.into_iter().chain(name(&changed.what)));
    }
    format!("\n{}{}", lines(&table), more(all.len(), top, "row"))
}
