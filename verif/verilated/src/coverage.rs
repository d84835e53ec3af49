//! Line and toggle coverage, read from the file Verilator's runtime writes.
//!
//! The file has a heading and one line for each point, `C '...' COUNT`, where the quoted text is
//! fields `\x01 key \x02 value`: `f` file, `l` line, `n` column, `page` kind and module, `o` comment,
//! `S` the lines the point stands for, `h` hierarchy.

use crate::error::{AtPath, Error, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// What a point counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Executions of a block, or of one side of a branch.
    Line,
    /// Changes of one bit.
    Toggle,
}

/// One place in the source whose executions are counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    pub kind: Kind,
    /// Source file.
    pub file: String,
    /// Line of the source, counted from 1.
    pub line: u32,
    /// Column of the source, counted from 1.
    pub column: u32,
    pub module: String,
    /// The module's instance, by its way from the top.
    pub instance: String,
    /// Which branch (`if`, `else`, ...) or which bit (`count[3]`).
    pub what: String,
}

/// Counts of points, those of each instance of a module by themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    points: BTreeMap<Point, u64>,
}

impl Coverage {
    /// Reads a coverage file.
    pub fn read(path: &Path) -> Result<Self> {
        let text = String::from_utf8_lossy(&std::fs::read(path).at(path)?).into_owned();
        let mut coverage = Self::default();
        for (index, line) in text.lines().enumerate() {
            let Some(point) = line.strip_prefix("C '") else {
                continue;
            };
            let (point, count) = parse(point).map_err(|reason| Error::Coverage {
                path: path.to_path_buf(),
                line: index + 1,
                reason,
            })?;
            *coverage.points.entry(point).or_default() += count;
        }
        Ok(coverage)
    }

    /// Adds another run's counts.
    pub fn merge(&mut self, other: &Self) {
        for (point, count) in &other.points {
            *self.points.entry(point.clone()).or_default() += count;
        }
    }

    /// Every point with its count, in the order of kind, file and line.
    pub fn points(&self) -> impl Iterator<Item = (&Point, u64)> {
        self.points.iter().map(|(point, count)| (point, *count))
    }

    /// Points of a kind that were reached, and how many there are.
    pub fn reached(&self, kind: Kind) -> (usize, usize) {
        let of_kind = || self.points().filter(|(point, _)| point.kind == kind);
        (
            of_kind().filter(|(_, count)| *count > 0).count(),
            of_kind().count(),
        )
    }

    /// Points of a kind that were never reached.
    pub fn missed(&self, kind: Kind) -> impl Iterator<Item = &Point> {
        self.points()
            .filter(move |(p, count)| p.kind == kind && *count == 0)
            .map(|(p, _)| p)
    }
}

/// One point, after the opening `C '`.
fn parse(text: &str) -> std::result::Result<(Point, u64), &'static str> {
    let (fields, count) = text.rsplit_once("' ").ok_or("expected `C '...' COUNT`")?;
    let count = count
        .trim()
        .parse()
        .map_err(|_| "expected a count after the point")?;
    let field = |name: &str| {
        fields
            .split('\u{1}')
            .filter_map(|field| field.split_once('\u{2}'))
            .find_map(|(key, value)| (key == name).then_some(value))
    };
    let number = |name| field(name).and_then(|value| value.parse().ok());
    let page = field("page").ok_or("the point has no page")?;
    let (kind, module) = page
        .split_once('/')
        .ok_or("expected a page `kind/module`")?;
    let kind = match kind {
        "v_toggle" => Kind::Toggle,
        "v_line" | "v_branch" => Kind::Line,
        _ => return Err("the point is neither line, branch nor toggle coverage"),
    };
    let point = Point {
        kind,
        file: field("f").ok_or("the point has no file")?.to_string(),
        line: number("l").ok_or("the point has no line")?,
        column: number("n").unwrap_or(0),
        module: module.to_string(),
        instance: field("h").unwrap_or_default().to_string(),
        what: field("o").unwrap_or_default().to_string(),
    };
    Ok((point, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "\u{1}f\u{2}a.v\u{1}l\u{2}7\u{1}n\u{2}3\u{1}t\u{2}line\u{1}page\u{2}v_line/top\
                        \u{1}o\u{2}if\u{1}h\u{2}TOP.top' 12";

    #[test]
    fn a_point_is_read() {
        let (point, count) = parse(LINE).expect("legal");
        assert_eq!(
            (point.kind, point.line, point.column, count),
            (Kind::Line, 7, 3, 12)
        );
        assert_eq!(
            (&*point.file, &*point.module, &*point.instance, &*point.what),
            ("a.v", "top", "TOP.top", "if")
        );
    }

    #[test]
    fn what_is_missing_is_said() {
        assert_eq!(parse("no end"), Err("expected `C '...' COUNT`"));
        assert_eq!(parse("x' y"), Err("expected a count after the point"));
        assert_eq!(parse("x' 1"), Err("the point has no page"));
    }

    #[test]
    fn merging_adds_counts() {
        let (point, _) = parse(LINE).expect("legal");
        let one = Coverage {
            points: BTreeMap::from([(point.clone(), 0)]),
        };
        let mut sum = one.clone();
        assert_eq!(sum.missed(Kind::Line).collect::<Vec<_>>(), [&point]);
        sum.merge(&Coverage {
            points: BTreeMap::from([(point, 2)]),
        });
        assert_eq!(
            (one.reached(Kind::Line), sum.reached(Kind::Line)),
            ((0, 1), (1, 1))
        );
    }
}
