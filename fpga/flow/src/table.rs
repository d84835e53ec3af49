//! Figures as tables of Markdown, and their place in a document.

use std::path::Path;

use crate::error::{FlowError, Result};
use crate::flow::{read, write};
use crate::stat::Usage;

/// What was measured of one design on one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Cells of the design alone.
    pub usage: Usage,
    /// Median of the highest frequencies over the seeds, in MHz; none if the device is too small.
    pub mhz: Option<f64>,
}

impl Figure {
    /// `LUT / FF / RAM / MHz` as a table's cell.
    pub fn cell(&self) -> String {
        let mhz = self.mhz.map_or("–".to_string(), |mhz| format!("{mhz:.0}"));
        format!("{} / {mhz}", counts(&self.usage))
    }
}

fn counts(usage: &Usage) -> String {
    format!(
        "{} / {} / {}",
        thousands(usage.luts),
        thousands(usage.flip_flops),
        usage.block_rams
    )
}

/// A number with its thousands set off by commas.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table: the head's cells, then the rows'. The first column is aligned left, the others right.
pub fn markdown(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n", head.join(" | "));
    let rules: Vec<&str> = (0..head.len())
        .map(|column| if column == 0 { "---" } else { "---:" })
        .collect();
    text += &format!("| {} |\n", rules.join(" | "));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

/// Puts `content` between the lines `<!-- NAME -->` and `<!-- end of NAME -->` of the document.
///
/// # Errors
///
/// If the document cannot be read or written, or a marker is missing; the document is then as it was.
pub fn replace_in_file(path: &Path, name: &str, content: &str) -> Result<()> {
    write(path, &replaced(path, name, content)?)
}

/// Whether [`replace_in_file`] will find its place, before anybody works for hours on what belongs there.
///
/// # Errors
///
/// As those of [`replace_in_file`].
pub fn check_markers(path: &Path, name: &str) -> Result<()> {
    replaced(path, name, "").map(drop)
}

fn replaced(path: &Path, name: &str, content: &str) -> Result<String> {
    replace(&read(path)?, name, content).map_err(|marker| FlowError::MarkerMissing {
        path: path.to_path_buf(),
        marker,
    })
}

/// As [`replace_in_file`], on a text; the error is the marker that is missing.
pub fn replace(document: &str, name: &str, content: &str) -> std::result::Result<String, String> {
    let (begin, end) = (
        format!("<!-- {name} -->"),
        format!("<!-- end of {name} -->"),
    );
    let (before, rest) = document.split_once(&begin).ok_or_else(|| begin.clone())?;
    let (_, after) = rest.split_once(&end).ok_or_else(|| end.clone())?;
    Ok(format!("{before}{begin}\n{content}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_off() {
        let written = [0, 999, 1_000, 83_640, 1_234_567].map(thousands);
        assert_eq!(written, ["0", "999", "1,000", "83,640", "1,234,567"]);
    }

    #[test]
    fn a_table_replaces_what_stood_between_the_markers() {
        let document = "# A\n<!-- sizes -->\nold\n<!-- end of sizes -->\nB\n";
        let table = markdown(&["device", "LUT"], &[vec!["HX8K".into(), thousands(1612)]]);
        let once = replace(document, "sizes", &table).expect("both markers");
        assert_eq!(
            once,
            "# A\n<!-- sizes -->\n| device | LUT |\n| --- | ---: |\n| HX8K | 1,612 |\n<!-- end of sizes -->\nB\n"
        );
        assert_eq!(replace(&once, "sizes", &table), Ok(once));
    }

    #[test]
    fn the_missing_marker_is_named() {
        assert_eq!(replace("x", "sizes", ""), Err("<!-- sizes -->".to_string()));
        assert_eq!(
            replace("<!-- sizes -->", "sizes", ""),
            Err("<!-- end of sizes -->".to_string())
        );
    }

    #[test]
    fn a_design_that_does_not_fit_has_no_frequency() {
        let usage = Usage {
            luts: 1290,
            flip_flops: 800,
            block_rams: 31,
            ..Usage::default()
        };
        let cell = |mhz| Figure { usage, mhz }.cell();
        assert_eq!(cell(None), "1,290 / 800 / 31 / –");
        assert_eq!(cell(Some(101.6)), "1,290 / 800 / 31 / 102");
    }
}
