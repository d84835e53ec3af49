//! A timing diagram on any surface that `plotters` knows.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use verilated::Samples;

/// Pixels: a cycle, a row, what a signal rises within its row, the names' column, the margin.
const CYCLE: i32 = 92;
const ROW: i32 = 34;
const SWING: i32 = 22;
const NAMES: i32 = 132;
const MARGIN: i32 = 14;

/// How far an edge leans.
const SLANT: i32 = 4;

const INK: RGBColor = RGBColor(0x20, 0x24, 0x28);
const FAINT: RGBColor = RGBColor(0xc4, 0xc8, 0xcc);
const MARK: RGBColor = RGBColor(0xdc, 0xea, 0xfb);
const VALUE: RGBColor = RGBColor(0xf6, 0xf8, 0xfa);
const PAPER: RGBColor = WHITE;

/// How a row shows its values.
#[derive(Clone, Copy)]
pub enum Format {
    /// A bit: a line, high or low.
    Bit,
    /// A word, as a text of its value.
    Word(fn(u64) -> String),
}

/// A row of the diagram.
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// How it is shown.
    pub format: Format,
    /// Its value in each cycle.
    pub samples: Samples,
    /// The cycles in which the value means something; `None`: all.
    pub meant: Option<Vec<bool>>,
}

/// A timing diagram: a clock, rows under it, and marked cycles.
pub struct Drawing {
    /// The rows, top to bottom.
    pub rows: Vec<Row>,
    /// The cycles to stress, and what to write over them.
    pub marks: Vec<(usize, &'static str)>,
    /// How many cycles there are.
    pub cycles: usize,
}

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

impl Drawing {
    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        let width = NAMES + CYCLE * pixels(self.cycles) + 2 * MARGIN;
        let height = ROW * (pixels(self.rows.len()) + 2) + 2 * MARGIN;
        (width.unsigned_abs(), height.unsigned_abs())
    }

    /// Draws it on `area`, which has its [size](Self::size).
    ///
    /// # Errors
    ///
    /// Whatever the surface says.
    pub fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        area.fill(&PAPER)?;
        self.draw_marks(area)?;
        self.draw_clock(area)?;
        for (index, row) in self.rows.iter().enumerate() {
            let base = MARGIN + ROW * (pixels(index) + 3) - (ROW - SWING) / 2;
            name(area, row.name, base)?;
            match row.format {
                Format::Bit => bits(area, row, base)?,
                Format::Word(text) => words(area, row, base, text)?,
            }
        }
        area.present()
    }

    fn draw_marks<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let bottom = MARGIN + ROW * (pixels(self.rows.len()) + 2);
        for &(cycle, text) in &self.marks {
            let left = edge(cycle);
            let corners = [(left, MARGIN + ROW), (left + CYCLE, bottom)];
            area.draw(&Rectangle::new(corners, MARK.filled()))?;
            label(
                area,
                text,
                (left + CYCLE / 2, MARGIN + ROW / 2),
                HPos::Center,
            )?;
        }
        for cycle in 0..=self.cycles {
            let line = vec![(edge(cycle), MARGIN + ROW), (edge(cycle), bottom)];
            area.draw(&PathElement::new(line, FAINT.stroke_width(1)))?;
        }
        Ok(())
    }

    /// A cycle begins at a rising edge.
    fn draw_clock<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let base = MARGIN + 2 * ROW - (ROW - SWING) / 2;
        name(area, "clk", base)?;
        let mut line = Vec::new();
        for cycle in 0..self.cycles {
            let (left, middle) = (edge(cycle), edge(cycle) + CYCLE / 2);
            line.extend([
                (left, base),
                (left, base - SWING),
                (middle, base - SWING),
                (middle, base),
                (left + CYCLE, base),
            ]);
        }
        area.draw(&PathElement::new(line, INK.stroke_width(1)))
    }
}

/// Counts of rows and cycles are small.
fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 256)
}

/// Where a cycle begins.
fn edge(cycle: usize) -> i32 {
    MARGIN + NAMES + CYCLE * pixels(cycle)
}

fn label<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    text: &str,
    place: (i32, i32),
    align: HPos,
) -> Drawn<DB> {
    let style = TextStyle::from(("sans-serif", 13).into_font())
        .color(&INK)
        .pos(Pos::new(align, VPos::Center));
    area.draw(&Text::new(text.to_string(), place, style))
}

fn name<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, text: &str, base: i32) -> Drawn<DB> {
    let place = (MARGIN + NAMES - 12, base - SWING / 2);
    label(area, text, place, HPos::Right)
}

fn bits<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, row: &Row, base: i32) -> Drawn<DB> {
    let mut line: Vec<(i32, i32)> = Vec::new();
    for (cycle, sample) in row.samples.iter().enumerate() {
        let height = base - if *sample == Some(1) { SWING } else { 0 };
        let begins = line.last().is_none_or(|last| last.1 == height);
        line.push((edge(cycle) + if begins { 0 } else { SLANT }, height));
        line.push((edge(cycle + 1), height));
    }
    area.draw(&PathElement::new(line, INK.stroke_width(2)))
}

fn words<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    row: &Row,
    base: i32,
    text: fn(u64) -> String,
) -> Drawn<DB> {
    let shown = |cycle: usize| {
        let meant = row.meant.as_ref().is_none_or(|meant| meant[cycle]);
        row.samples[cycle].filter(|_| meant)
    };
    let (top, middle) = (base - SWING, base - SWING / 2);
    for cycle in 0..row.samples.len() {
        let (left, right) = (edge(cycle), edge(cycle + 1));
        let Some(value) = shown(cycle) else {
            let line = vec![(left, middle), (right, middle)];
            area.draw(&PathElement::new(line, FAINT.stroke_width(2)))?;
            continue;
        };
        let outline = vec![
            (left, middle),
            (left + SLANT, top),
            (right - SLANT, top),
            (right, middle),
            (right - SLANT, base),
            (left + SLANT, base),
            (left, middle),
        ];
        area.draw(&Polygon::new(outline.clone(), VALUE.filled()))?;
        area.draw(&PathElement::new(outline, INK.stroke_width(1)))?;
        label(
            area,
            &text(value),
            ((left + right) / 2, middle),
            HPos::Center,
        )?;
    }
    Ok(())
}
