//! The picture of `docs/architecture.md`: the data's way from a retiring instruction to a report.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels: a box, the room between two, the margin.
const BOX: (i32, i32) = (178, 52);
const GAP: (i32, i32) = (86, 58);
const MARGIN: i32 = 20;

const INK: RGBColor = RGBColor(0x20, 0x24, 0x28);
const FAINT: RGBColor = RGBColor(0x60, 0x66, 0x6c);
const CHIP: RGBColor = RGBColor(0xdc, 0xea, 0xfb);
const HOST: RGBColor = RGBColor(0xe6, 0xf4, 0xe4);
const OUTSIDE: RGBColor = RGBColor(0xf6, 0xf8, 0xfa);

/// A box.
pub struct Part {
    /// Column and row, from 0.
    pub place: (i32, i32),
    /// What it is.
    pub name: &'static str,
    /// Where it is in the repository; empty if it is not part of it.
    pub folder: &'static str,
}

/// What goes from one box to another.
pub struct Way {
    from: (i32, i32),
    to: (i32, i32),
    what: &'static str,
}

const fn part(place: (i32, i32), name: &'static str, folder: &'static str) -> Part {
    Part {
        place,
        name,
        folder,
    }
}

const fn way(from: (i32, i32), to: (i32, i32), what: &'static str) -> Way {
    Way { from, to, what }
}

/// The boxes: the first row is on the chip, the others on the host.
pub const PARTS: [Part; 16] = [
    part((0, 0), "a core", ""),
    part((1, 0), "ingress", "hdl/src/ingress"),
    part((2, 0), "branch queue", "hdl/src/queue.rs"),
    part((3, 0), "path stack", "hdl/src/path_stack"),
    part((4, 0), "hot path table", "hdl/src/table"),
    part((5, 0), "registers, bus", "hdl/src/registers"),
    part((1, 1), "model: ingress", "golden-model/ingress"),
    part(
        (3, 1),
        "model: profiler",
        "golden-model/behaviour/src/profiler",
    ),
    part((5, 1), "driver, firmware", "fpga/driver"),
    part((2, 1), "trace files", "golden-model/trace"),
    part((0, 2), "a program (ELF)", ""),
    part((1, 2), "code, functions", "golden-model/riscv"),
    part((2, 2), "graphs, numberings", "golden-model/paths"),
    part((5, 2), "dump, profile", "golden-model/behaviour/src/dump"),
    part((4, 2), "report", "cli/report"),
    part((3, 2), "the command hpp", "cli/hpp/src"),
];

const WAYS: [Way; 14] = [
    way((0, 0), (1, 0), "retirements"),
    way((1, 0), (2, 0), "records"),
    way((2, 0), (3, 0), "records"),
    way((3, 0), (4, 0), "paths"),
    way((4, 0), (5, 0), "entries"),
    way((5, 0), (5, 1), "words"),
    way((5, 1), (5, 2), "text"),
    way((5, 2), (4, 2), "profile"),
    way((4, 2), (3, 2), "shares"),
    way((0, 2), (1, 2), "bytes"),
    way((1, 2), (2, 2), "blocks"),
    way((2, 2), (3, 2), "numbers"),
    way((1, 1), (2, 1), "records"),
    way((2, 1), (3, 1), "records"),
];

type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// The picture as SVG.
///
/// # Panics
///
/// Never: a text takes everything.
pub fn svg() -> String {
    let mut text = String::new();
    let size = corner((5, 2));
    let size = (size.0 + BOX.0 + MARGIN, size.1 + BOX.1 + MARGIN);
    let size = (size.0.unsigned_abs(), size.1.unsigned_abs());
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    draw(&area).expect("a text takes everything");
    drop(area);
    text
}

fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>) -> Drawn<DB> {
    area.fill(&WHITE)?;
    for part in &PARTS {
        draw_part(area, part)?;
    }
    for way in &WAYS {
        draw_way(area, way)?;
    }
    // The circuits and the model are held against each other.
    for column in [1, 3] {
        let (left, top) = corner((column, 0));
        let middle = left + BOX.0 / 2;
        let line = [(middle, top + BOX.1), (middle, top + BOX.1 + GAP.1)];
        for y in (line[0].1 + 4..line[1].1).step_by(8) {
            let dash = vec![(middle, y), (middle, y + 4)];
            area.draw(&PathElement::new(dash, FAINT.stroke_width(1)))?;
        }
        let place = (middle + 6, top + BOX.1 + GAP.1 / 2);
        write(area, "lockstep", place, FAINT, HPos::Left)?;
    }
    area.present()
}

/// The upper left corner of a box.
fn corner((column, row): (i32, i32)) -> (i32, i32) {
    let x = MARGIN + column * (BOX.0 + GAP.0);
    (x, MARGIN + row * (BOX.1 + GAP.1))
}

fn draw_part<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, part: &Part) -> Drawn<DB> {
    let (left, top) = corner(part.place);
    let corners = [(left, top), (left + BOX.0, top + BOX.1)];
    let paper = match (part.folder, part.place.1) {
        ("", _) => OUTSIDE,
        (_, 0) => CHIP,
        _ => HOST,
    };
    area.draw(&Rectangle::new(corners, paper.filled()))?;
    area.draw(&Rectangle::new(corners, INK.stroke_width(1)))?;
    let middle = left + BOX.0 / 2;
    if part.folder.is_empty() {
        return write(
            area,
            part.name,
            (middle, top + BOX.1 / 2),
            INK,
            HPos::Center,
        );
    }
    write(area, part.name, (middle, top + 18), INK, HPos::Center)?;
    write(area, part.folder, (middle, top + 36), FAINT, HPos::Center)
}

fn draw_way<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, way: &Way) -> Drawn<DB> {
    let (from, to) = (corner(way.from), corner(way.to));
    let centre = |(x, y): (i32, i32)| (x + BOX.0 / 2, y + BOX.1 / 2);
    let (a, b) = (centre(from), centre(to));
    let (dx, dy) = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
    let start = (a.0 + dx * BOX.0 / 2, a.1 + dy * BOX.1 / 2);
    let end = (b.0 - dx * BOX.0 / 2, b.1 - dy * BOX.1 / 2);
    area.draw(&PathElement::new(vec![start, end], INK.stroke_width(1)))?;
    let wing = |side: i32| (end.0 - dx * 8 + dy * side, end.1 - dy * 8 + dx * side);
    area.draw(&Polygon::new(vec![end, wing(4), wing(-4)], INK.filled()))?;
    let middle = ((start.0 + end.0) / 2, (start.1 + end.1) / 2);
    match dx {
        0 => write(area, way.what, (middle.0 + 6, middle.1), INK, HPos::Left),
        _ => write(area, way.what, (middle.0, middle.1 - 10), INK, HPos::Center),
    }
}

fn write<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    text: &str,
    place: (i32, i32),
    colour: RGBColor,
    align: HPos,
) -> Drawn<DB> {
    let style = TextStyle::from(("sans-serif", 13).into_font())
        .color(&colour)
        .pos(Pos::new(align, VPos::Center));
    area.draw(&Text::new(text.to_string(), place, style))
}
