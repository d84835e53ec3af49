//! The page that the tables go to.

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::Result;
use verilated::tools::figures::{Measurement, markdown};

/// The figures of a section of research/docs/evidence.md.
pub struct Document {
    measurement: Measurement,
    figures: RefCell<BTreeMap<String, String>>,
}

impl Document {
    /// That of a section, which is a group of figures.
    pub fn open(section: &str) -> Result<Self> {
        Ok(Self {
            measurement: Measurement::begin(section)?,
            figures: RefCell::default(),
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
}

pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
