//! The overlaps of a sweep as an image: a group of bars for each trace, a bar for each profiler, and a line at the best
//! possible.

use anyhow::{Result, anyhow};
use hpp_explore::Measured;
use plotters::prelude::*;

use super::Explored;

/// Colours that colour-blind people distinguish (Okabe and Ito).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
];

const BAR: i32 = 14;
const GAP: i32 = 20;
const LEFT: i32 = 44;
const TOP: i32 = 14;
const HEIGHT: i32 = 240;
const FONT: (&str, i32) = ("sans-serif", 12);
const SMALL: (&str, i32) = ("sans-serif", 9);
/// What a letter of the font takes at most, on average.
const LETTER: i32 = 7;

pub fn draw(explored: &[Explored]) -> Result<String> {
    let names = legend(explored);
    let groups: i32 = explored.iter().map(|run| room(run) + GAP).sum();
    let width = (LEFT + GAP + groups).max(360);
    let height = TOP + HEIGHT + 58 + 16 * names.len() as i32;
    let mut svg = String::new();
    {
        let area =
            SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
        let canvas = Canvas { area: &area };
        area.fill(&WHITE).map_err(failed)?;
        canvas.axis(width)?;
        let mut x = LEFT + GAP;
        for run in explored {
            canvas.group(run, &names, x)?;
            x += room(run) + GAP;
        }
        canvas.names(&names)?;
        area.present().map_err(failed)?;
    }
    Ok(svg)
}

fn failed(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("the image cannot be drawn: {error}")
}

/// Whether there are not enough colours to distinguish the profilers, so that their bars have numbers.
fn is_numbered(names: &[String]) -> bool {
    names.len() > COLOURS.len()
}

fn label(measured: &Measured) -> String {
    let configuration = &measured.configuration;
    format!("{}, {}", configuration.table(), configuration.paths())
}

/// The different profilers, in the order in which they first appear.
fn legend(explored: &[Explored]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in explored
        .iter()
        .flat_map(|run| run.measured.iter().map(label))
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// What the bars of a run take, or its name, from left to right.
fn room(run: &Explored) -> i32 {
    let letters = run.name().chars().count() as i32;
    (run.measured.len() as i32 * BAR).max(letters * LETTER)
}

/// Where a part of 1 is drawn.
fn level(part: f64) -> i32 {
    TOP + HEIGHT - (part * f64::from(HEIGHT)).round() as i32
}

struct Canvas<'a, 'b> {
    area: &'a DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
}

impl Canvas<'_, '_> {
    fn text(&self, text: &str, x: i32, y: i32) -> Result<()> {
        self.words(text, x, y, FONT)
    }

    fn words(&self, text: &str, x: i32, y: i32, font: (&str, i32)) -> Result<()> {
        let text = Text::new(text.to_owned(), (x, y), font.into_font());
        self.area.draw(&text).map_err(failed)
    }

    fn bar(&self, corners: [(i32, i32); 2], colour: RGBColor) -> Result<()> {
        let bar = Rectangle::new(corners, colour.filled());
        self.area.draw(&bar).map_err(failed)
    }

    fn line(&self, points: [(i32, i32); 2], colour: RGBColor) -> Result<()> {
        let line = PathElement::new(points, colour);
        self.area.draw(&line).map_err(failed)
    }

    fn axis(&self, width: i32) -> Result<()> {
        for percent in (0..=100).step_by(20) {
            let y = level(f64::from(percent) / 100.0);
            self.line([(LEFT, y), (width - 4, y)], RGBColor(220, 220, 220))?;
            self.text(&format!("{percent} %"), 4, y - 6)?;
        }
        Ok(())
    }

    fn group(&self, run: &Explored, names: &[String], x: i32) -> Result<()> {
        for (bar, measured) in (0..).zip(&run.measured) {
            let left = x + bar * BAR;
            let label = label(measured);
            let name = names.iter().position(|name| *name == label);
            let name = name.expect("the legend has all");
            let colour = COLOURS[name % COLOURS.len()];
            let overlap = level(measured.complete.overlap);
            self.bar([(left, overlap), (left + BAR - 2, level(0.0))], colour)?;
            let best = level(measured.complete.bound);
            self.line([(left, best), (left + BAR - 2, best)], BLACK)?;
            if is_numbered(names) {
                self.words(&(name + 1).to_string(), left, level(0.0) + 4, SMALL)?;
            }
        }
        self.text(&run.name(), x, level(0.0) + 18)
    }

    fn names(&self, names: &[String]) -> Result<()> {
        for (row, name) in (0..).zip(names) {
            let y = TOP + HEIGHT + 40 + 16 * row;
            let colour = COLOURS[row as usize % COLOURS.len()];
            self.bar([(LEFT, y), (LEFT + 10, y + 10)], colour)?;
            let name = match is_numbered(names) {
                true => format!("{}: {name}", row + 1),
                false => name.clone(),
            };
            self.text(&name, LEFT + 16, y - 1)?;
        }
        let y = TOP + HEIGHT + 40 + 16 * names.len() as i32;
        self.line([(LEFT, y + 5), (LEFT + 10, y + 5)], BLACK)?;
        self.text("a bar is an overlap, a line the best one", LEFT + 16, y - 1)
    }
}
