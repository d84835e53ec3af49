//! A look on a terminal.

use std::time::Duration;

use anyhow::{Context, Result};
use hpp_report::names::shortened;
use hpp_report::numbers::{percent, thousands};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Style, Stylize};
use ratatui::text::Line;
use ratatui::widgets::{Cell, Paragraph, Row as TableRow, Table, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::view::{Row, View};

/// Columns from which outcomes are shown beside lines.
const WIDE: u16 = 110;

/// The terminal, which is as it was before once this goes.
pub struct Screen {
    terminal: DefaultTerminal,
    place: String,
    /// Counts of the whole profile, not since the last look.
    totals: bool,
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.terminal.show_cursor();
        ratatui::restore();
    }
}

/// What a key asks for.
pub enum Action {
    /// No key came in time.
    Nothing,
    End,
    /// To look no more, or again.
    Wait,
    Redraw,
}

impl Screen {
    /// Takes the terminal.
    pub fn new(place: String) -> Result<Self> {
        let terminal = ratatui::try_init().inspect_err(|_| ratatui::restore());
        Ok(Self {
            terminal: terminal.context("cannot use this terminal; --json writes lines")?,
            place,
            totals: false,
        })
    }

    /// What the next key asks for, if one comes in time.
    pub fn action(&mut self, time: Duration) -> Result<Action> {
        const KEYS: &str = "cannot read keys";
        if !event::poll(time).context(KEYS)? {
            return Ok(Action::Nothing);
        }
        let key = match event::read().context(KEYS)? {
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => return Ok(Action::Redraw),
        };
        Ok(match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Action::End,
            KeyCode::Char('q') | KeyCode::Esc => Action::End,
            KeyCode::Char(' ') => Action::Wait,
            KeyCode::Char('t') => {
                self.totals = !self.totals;
                Action::Redraw
            }
            _ => Action::Redraw,
        })
    }

    pub fn draw(&mut self, view: &View, waits: bool) -> Result<()> {
        let (place, totals) = (&self.place, self.totals);
        let drawn = self
            .terminal
            .draw(|frame| draw(frame, place, view, totals, waits));
        drawn.map(drop).context("cannot write to the terminal")
    }
}

fn draw(frame: &mut Frame<'_>, place: &str, view: &View, totals: bool, waits: bool) {
    let width = frame.area().width;
    let head = Paragraph::new(head(place, view));
    let health = Paragraph::new(health(view)).wrap(Wrap { trim: true });
    // Findings leave two thirds of the screen to the paths.
    let most = frame.area().height / 3;
    let lines = lines(view, width).min(most);
    let [top, middle, rest, foot] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(lines),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    frame.render_widget(head, top);
    frame.render_widget(health, middle);
    frame.render_widget(table(view, totals, width, rest.height), rest);
    let state = if waits { "waiting; " } else { "" };
    let keys = format!("{state}space waits   t since last look or all   q ends");
    frame.render_widget(Line::from(keys).dim(), foot);
}

fn head<'a>(place: &'a str, view: &View) -> Vec<Line<'a>> {
    let time = format!("  {:.0} s", view.time);
    let rate = |name: &str| match view.rates.get(name) {
        Some(rate) => format!("{}/s", whole(*rate)),
        None => thousands(view.counters.get(name).copied().unwrap_or(0)),
    };
    let hits = view.hits.map_or("-".into(), percent);
    vec![
        Line::from(vec![place.bold(), time.into()]),
        Line::from(format!(
            "records {}  paths {}  in the table {hits}  lost {}",
            rate("records"),
            rate("paths"),
            rate("lost_records")
        )),
        Line::from(format!(
            "{} of {} entries; {}",
            view.held, view.entries, view.counted
        )),
    ]
}

fn health(view: &View) -> Vec<Line<'_>> {
    let finding = |finding: &'_ hpp_report::Finding| {
        let line = Line::from(format!("! {}", finding.text));
        match finding.critical {
            true => line.red().bold(),
            false => line.yellow(),
        }
    };
    view.health.findings.iter().map(finding).collect()
}

/// Lines that the findings take at a width, words being up to ten characters.
fn lines(view: &View, width: u16) -> u16 {
    let room = usize::from(width.max(20) - 10);
    let lines = |finding: &hpp_report::Finding| finding.text.len().div_ceil(room);
    let sum: usize = view.health.findings.iter().map(lines).sum();
    u16::try_from(sum).unwrap_or(u16::MAX)
}

fn table<'a>(view: &'a View, totals: bool, width: u16, height: u16) -> Table<'a> {
    let mut paths: Vec<&Row> = view.paths.iter().collect();
    let all = totals || view.interval.is_none();
    if all {
        paths.sort_by_key(|row| std::cmp::Reverse(row.count));
    }
    let rows = paths.into_iter().take(height.into());
    let is_wide = width >= WIDE;
    let right = |text: String| Cell::from(Line::from(text).right_aligned());
    let row = |row: &'a Row| {
        let (number, share) = match row.rate.filter(|_| !all) {
            Some(rate) => (whole(rate), row.share),
            None => (thousands(row.count), row.share_of_all),
        };
        let lines = row.lines.as_deref().unwrap_or("");
        let mut cells = vec![
            right(number),
            right(percent(share)),
            Cell::from(shortened(&row.place)),
        ];
        // Without lines, and where there is room, the outcomes distinguish paths of one start.
        match (is_wide, row.lines.is_some()) {
            (true, _) => cells.extend([Cell::from(lines), Cell::from(&*row.outcomes)]),
            (false, true) => cells.push(Cell::from(lines)),
            (false, false) => cells.push(Cell::from(&*row.outcomes)),
        }
        TableRow::new(cells)
    };
    let first = if all { "count" } else { "count/s" };
    let columns = [
        (right(first.into()), Constraint::Length(13)),
        (right("share".into()), Constraint::Length(7)),
        (Cell::from("function"), Constraint::Fill(3)),
        (Cell::from("lines"), Constraint::Fill(2)),
        (Cell::from("outcomes"), Constraint::Fill(1)),
    ];
    let columns = columns.into_iter().take(if is_wide { 5 } else { 4 });
    let (head, widths): (Vec<_>, Vec<_>) = columns.unzip();
    let head = TableRow::new(head).style(Style::new().bold().underlined());
    Table::new(rows.map(row), widths)
        .header(head)
        .column_spacing(2)
}

/// A rate without its fraction.
fn whole(rate: f64) -> String {
    thousands(rate.round() as u64)
}
