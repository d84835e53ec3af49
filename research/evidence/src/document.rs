//! The document that the tables and plots go to.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use hpp_fpga::table::{markdown, replace_in_file};
use hpp_tools::project_root;
use plotters::coord::Shift;
use plotters::prelude::*;

/// research/docs/evidence.md and its pictures.
pub struct Document {
    path: PathBuf,
    images: PathBuf,
}

impl Document {
    pub fn open() -> Result<Self> {
        let docs = project_root().join("research/docs");
        let path = docs.join("evidence.md");
        fs::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self {
            path,
            images: docs.join("images"),
        })
    }

    /// Puts a text between the markers of this name, and shows it.
    pub fn put(&self, name: &str, text: &str) -> Result<()> {
        println!("{name}\n\n{text}");
        Ok(replace_in_file(&self.path, name, text)?)
    }

    /// Puts a table there; the first column is aligned left, the others right.
    pub fn table(&self, name: &str, head: &[&str], rows: &[Vec<String>]) -> Result<()> {
        self.put(name, &markdown(head, rows))
    }

    /// Draws research/docs/images/evidence-NAME.svg.
    pub fn plot(&self, name: &str, plot: &impl Plot) -> Result<()> {
        let path = self.images.join(format!("evidence-{name}.svg"));
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, plot.size()).into_drawing_area();
            area.fill(&WHITE)?;
            plot.draw(&area)?;
            area.present()?;
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}\n", path.display());
        Ok(())
    }
}

/// Where plots are drawn.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A drawing.
pub trait Plot {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws it on a white area of this size.
    fn draw(&self, area: &Area<'_>) -> Result<()>;
}

/// The colours of lines.
pub const COLOURS: [RGBColor; 4] = [
    RGBColor(0x1f, 0x5f, 0xa8),
    RGBColor(0xc0, 0x45, 0x2c),
    RGBColor(0x3a, 0x8a, 0x4a),
    RGBColor(0x80, 0x50, 0xa0),
];

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
