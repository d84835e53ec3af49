//! What a profile counts, as text.

use std::fmt;

use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Ppcr, Rows};
use hpp_golden::registers::ppcr_mode;
use serde::Serialize;

/// What a profile counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// What a path's count is: executions, or events of some type.
    pub metric: String,
    /// Whether it is events along the path.
    pub events: bool,
    /// The paths: where they begin and end.
    pub paths: String,
    /// `PPCR_ROWS` and `PPCR_MODE`.
    pub ppcr: [u32; 2],
}

impl Counted {
    /// Reads it off the control register; `names` are those of the profiler's inputs of events, as far as they are known.
    pub fn of(ppcr: &Ppcr, names: &[String]) -> Self {
        Self {
            metric: match ppcr.metric {
                Metric::Executions => "executions".into(),
                Metric::Events => event(ppcr, names),
            },
            events: ppcr.metric == Metric::Events,
            paths: paths(ppcr),
            ppcr: [ppcr.rows.to_word(), ppcr.mode_word()],
        }
    }
}

/// Event type of the first input.
const FIRST_INPUT: usize = 2;

/// The selected event type, in words.
pub fn event(ppcr: &Ppcr, names: &[String]) -> String {
    let value = u32::from(ppcr.event_select);
    let input = usize::from(ppcr.event_select).checked_sub(FIRST_INPUT);
    if let Some(name) = input.and_then(|input| names.get(input)) {
        return name.replace('-', " ");
    }
    let named = ppcr_mode::EVENT_SELECT
        .values
        .iter()
        .find(|(_, v)| *v == value);
    match named {
        Some((name, _)) if *name != "EXTERNAL" => match *name {
            "INSTRUCTIONS" => "retired instructions".into(),
            name => name.to_lowercase().replace('_', " "),
        },
        _ => format!("events of type {value}"),
    }
}

/// The type of event that is a retired instruction.
pub fn instructions() -> u8 {
    let mut types = ppcr_mode::EVENT_SELECT.values.iter();
    let found = types.find(|(name, _)| *name == "INSTRUCTIONS");
    found.expect("a type of events").1 as u8
}

fn paths(ppcr: &Ppcr) -> String {
    let mut text = match ppcr.rows {
        Rows::BALL_LARUS => "Ball-Larus paths".into(),
        Rows::WHOLE_PROGRAM_PATH => {
            "paths of a whole program path, which calls and returns end".into()
        }
        rows => format!(
            "paths by rows of their own (PPCR_ROWS {:x})",
            rows.to_word()
        ),
    };
    if ppcr.backward_not_taken == BackwardNotTaken::AsBackward {
        text += ", ended also by backward branches not taken";
    }
    let across = |what: &str| match ppcr.max_extension {
        1 => format!(", extended across one {what}"),
        n => format!(
            ", extended across up to {n} {what}{}",
            if what.ends_with('h') { "es" } else { "s" }
        ),
    };
    match ppcr.extension {
        Extension::None => {}
        Extension::Loop => text += &across("backward branch"),
        Extension::Procedure => text += &across("call"),
    }
    text
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let link = if self.events { "along" } else { "of" };
        write!(f, "{} {link} {}", self.metric, self.paths)
    }
}
