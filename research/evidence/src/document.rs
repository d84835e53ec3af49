//! The document that the tables and plots go to.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use hpp_tools::figures::{Measurement, markdown};
use hpp_tools::project_root;
use plotters::coord::Shift;
use plotters::prelude::*;

/// The figures of a section of research/docs/evidence.md, and its pictures.
pub struct Document {
    measurement: Measurement,
    figures: RefCell<BTreeMap<String, String>>,
    images: PathBuf,
}

impl Document {
    /// That of a section, which is a group of figures.
    pub fn open(section: &str) -> Result<Self> {
        let root = project_root();
        Ok(Self {
            measurement: Measurement::begin(&root, section)?,
            figures: RefCell::default(),
            images: root.join("research/docs/images"),
        })
    }

    /// Takes in the text of the figure of this name, and shows it.
    pub fn put(&self, name: &str, text: &str) -> Result<()> {
        println!("{name}\n\n{text}");
        self.figures
            .borrow_mut()
            .insert(name.to_string(), text.to_string());
        Ok(())
    }

    /// Records what was taken in, and puts it on the page.
    pub fn record(self) -> Result<()> {
        self.measurement.record(self.figures.into_inner())
    }

    /// Takes in a table, whose head's cells are set off by ` | `; the first column is aligned left, the others right.
    pub fn table(&self, name: &str, head: &str, rows: &[Vec<String>]) -> Result<()> {
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
