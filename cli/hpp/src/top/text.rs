use anstyle::{AnsiColor, Style};
use hpp_report::columns::{lines, table, wrap};
use hpp_report::names::shortened;
use hpp_report::numbers::{percent, thousands};

use super::view::View;

const HEADING: Style = Style::new().bold();
const CRITICAL: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();

/// The place, the counters' rates, the profile's health, and the paths that counted most. Cells are wrapped where the table is wider than `width` characters.
pub fn write(place: &str, view: &View, width: Option<u16>) -> String {
    let rate = |name: &str| match view.rates.get(name) {
        Some(rate) => format!("{}/s", whole(*rate)),
        None => thousands(view.counters.get(name).copied().unwrap_or(0)),
    };
    let mut text = format!(
        "{HEADING}{place}{HEADING:#}  {:.0} s\nrecords {}  paths {}  in the table {}  lost {}\n{} of {} entries; {}\n",
        view.time,
        rate("records"),
        rate("paths"),
        view.hits.map_or("-".into(), percent),
        rate("lost_records"),
        view.held,
        view.entries,
        view.counted
    );
    for finding in &view.health.findings {
        let style = if finding.critical { CRITICAL } else { NOTE };
        text += &format!("{style}! {}{style:#}\n", finding.text);
    }
    let heads = ["count/s", "share", "count", "function", "lines", "outcomes"];
    let mut table = table(heads, 0..3);
    wrap(&mut table, width);
    for row in &view.paths {
        table.add_row([
            row.rate.map_or("-".into(), whole),
            percent(row.share),
            thousands(row.count),
            shortened(&row.place).into(),
            row.lines.clone().unwrap_or_default(),
            row.outcomes.clone(),
        ]);
    }
    text + "\n" + &lines(&table)
}

fn whole(rate: f64) -> String {
    thousands(rate.round() as u64)
}
