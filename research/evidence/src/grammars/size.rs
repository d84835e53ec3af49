//! Sizes of grammars, their growth with the stream, and the time a symbol takes.

use anyhow::Result;
use hpp_paths::wpp::Sequitur;
use hpp_tools::figures::thousands;
use plotters::prelude::*;

use super::Tiled;
use crate::document::{Area, COLOURS, Document, Plot};
use crate::streams::Stream;
use crate::subpaths::overhead::now;

/// Points of a growth curve, and runs of which the fastest counts.
const POINTS: usize = 24;
const RUNS: usize = 5;

pub fn fill(document: &Document, streams: &[Stream], tiled: &[Tiled]) -> Result<()> {
    let mut rows = Vec::new();
    for (stream, tiled) in streams.iter().zip(tiled) {
        let blocks = stream.blocks();
        rows.push(row(stream, "paths", &tiled.numbers, tiled.paths.len()));
        let distinct = blocks.iter().collect::<rustc_hash::FxHashSet<_>>().len();
        rows.push(row(stream, "blocks", &blocks, distinct));
    }
    let head = "program | symbols are | stream | distinct | rules | grammar | stream, bytes | \
        grammar, bytes | ratio | bits an instruction";
    document.table("grammar-size", head, &rows)?;
    document.table(
        "grammar-time",
        "program | paths | ns a path | half as many | a quarter",
        &tiled.iter().map(times).collect::<Vec<_>>(),
    )?;
    document.plot("grammar-growth", &Growth(tiled))
}

fn row<T: Clone + Eq + core::hash::Hash>(
    stream: &Stream,
    kind: &str,
    symbols: &[T],
    distinct: usize,
) -> Vec<String> {
    let mut sequitur = Sequitur::new();
    sequitur.extend(symbols.iter().cloned());
    let grammar = sequitur.grammar();
    // Each symbol in as many bits as tell all of them apart.
    let width = u64::from(distinct.next_power_of_two().ilog2());
    let [plain, small] = [symbols.len() as u64 * width, grammar.bits()];
    vec![
        stream.name.to_owned(),
        kind.to_owned(),
        thousands(symbols.len() as u64),
        thousands(distinct as u64),
        thousands(grammar.rules().len() as u64),
        thousands(grammar.symbols() as u64),
        thousands(plain.div_ceil(8)),
        thousands(small.div_ceil(8)),
        format!("{:.1}", plain as f64 / small as f64),
        format!("{:.4}", small as f64 / stream.retired as f64),
    ]
}

/// Nanoseconds a symbol on the whole stream, its first half and its first quarter: linear if they are alike.
fn times(tiled: &Tiled) -> Vec<String> {
    let time = |part: usize| {
        let numbers = &tiled.numbers[..tiled.numbers.len() / part];
        let once = || {
            let start = now();
            let mut sequitur = Sequitur::new();
            sequitur.extend(numbers.iter().copied());
            let time = now() - start;
            assert_eq!(sequitur.stream_length(), numbers.len() as u64);
            1e9 * time / numbers.len() as f64
        };
        (0..RUNS).map(|_| once()).fold(f64::MAX, f64::min)
    };
    let mut row = vec![tiled.name.to_owned(), thousands(tiled.numbers.len() as u64)];
    row.extend([1, 2, 4].map(|part| format!("{:.0}", time(part))));
    row
}

/// Symbols of the grammar over those of the stream.
struct Growth<'a>(&'a [Tiled]);

impl Plot for Growth<'_> {
    fn size(&self) -> (u32, u32) {
        (560, 400)
    }

    fn draw(&self, area: &Area<'_>) -> Result<()> {
        let longest = self.0.iter().map(|tiled| tiled.numbers.len()).max();
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(
                (100.0..longest.unwrap_or(1) as f64).log_scale(),
                (10.0..1e5).log_scale(),
            )?;
        let plain = |value: &f64| thousands(*value as u64);
        chart
            .configure_mesh()
            .x_desc("paths executed")
            .y_desc("symbols in the grammar")
            .x_label_formatter(&plain)
            .y_label_formatter(&plain)
            .max_light_lines(0)
            .draw()?;
        for (tiled, colour) in self.0.iter().zip(COLOURS) {
            let style = colour.stroke_width(2);
            chart
                .draw_series(LineSeries::new(growth(tiled), style))?
                .label(tiled.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], style));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .border_style(BLACK.mix(0.2))
            .background_style(WHITE)
            .draw()?;
        Ok(())
    }
}

/// The size of the grammar at points that lie evenly on a logarithmic axis.
fn growth(tiled: &Tiled) -> Vec<(f64, f64)> {
    let length = tiled.numbers.len() as f64;
    let mut sequitur = Sequitur::new();
    let mut seen = 0;
    (0..=POINTS)
        .map(|point| {
            let end = 100.0 * (length / 100.0).powf(point as f64 / POINTS as f64);
            let end = (end as usize).min(tiled.numbers.len());
            sequitur.extend(tiled.numbers[seen..end].iter().copied());
            seen = end;
            (end as f64, sequitur.grammar().symbols() as f64)
        })
        .collect()
}
