//! Bars by program, as the documents' figures have them.

use anyhow::Result;
use plotters::prelude::*;

use crate::document::{Area, COLOURS, Plot};

/// A group of bars for each program.
pub struct Bars<'a> {
    /// What they show.
    pub description: &'a str,
    /// The bars of a group, at most as many as there are colours.
    pub labels: &'a [&'a str],
    /// The programs and their values.
    pub programs: Vec<(&'static str, Vec<f64>)>,
}

impl Plot for Bars<'_> {
    fn size(&self) -> (u32, u32) {
        (640, 360)
    }

    fn draw(&self, area: &Area<'_>) -> Result<()> {
        let values = self.programs.iter().flat_map(|(_, values)| values);
        let highest = values.copied().fold(0.0, f64::max);
        let groups = self.programs.len();
        // Room on the right for the labels.
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .x_label_area_size(34)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..groups as f64 + 1.3, 0.0..highest * 1.08)?;
        let name = |x: &f64| {
            let group = (x - 0.5).round();
            let at_centre = (x - 0.5 - group).abs() < 1e-6;
            let program = self.programs.get(group.max(0.0) as usize);
            program
                .filter(|_| at_centre)
                .map_or(String::new(), |p| p.0.to_owned())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .y_desc(self.description)
            .x_labels(2 * groups + 3)
            .x_label_formatter(&name)
            .y_label_formatter(&|value| format!("{value:.1}"))
            .max_light_lines(0)
            .set_tick_mark_size(LabelAreaPosition::Bottom, 4)
            .draw()?;
        let width = 0.8 / self.labels.len() as f64;
        for (series, (label, colour)) in self.labels.iter().zip(COLOURS).enumerate() {
            let bar = |(group, (_, values)): (usize, &(_, Vec<f64>))| {
                let left = group as f64 + 0.1 + series as f64 * width;
                Rectangle::new(
                    [(left, 0.0), (left + width, values[series])],
                    colour.filled(),
                )
            };
            chart
                .draw_series(self.programs.iter().enumerate().map(bar))?
                .label(*label)
                .legend(move |(x, y)| {
                    Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled())
                });
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .border_style(BLACK.mix(0.2))
            .background_style(WHITE)
            .draw()?;
        Ok(())
    }
}
