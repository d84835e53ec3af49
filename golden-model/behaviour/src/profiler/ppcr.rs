//! The Path Profiler Control Register: the [rows](super::rows) of all kinds of branches, and a mode word.
//!
//! The mode word says what a completed path counts and how far a path may extend.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3.

use serde::{Deserialize, Serialize};

use super::rows::Rows;
use crate::config::Geometry;
use crate::registers::ppcr_mode;

/// What a completed path adds to its accumulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// 1: accumulators count executions.
    #[default]
    Executions = 0,
    /// The path's event counter: accumulators count events along the path.
    Events = 1,
}

/// What a backward branch does that is not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackwardNotTaken {
    /// The same as a forward branch: no back edge was traversed.
    #[default]
    AsForward = 0,
    /// The same as any backward branch.
    AsBackward = 1,
}

/// What a path may extend across.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extension {
    /// Nothing: the rows apply as they are.
    #[default]
    None = 0,
    /// Backward branches.
    Loop = 1,
    /// Direct calls and the returns from them.
    Procedure = 2,
}

/// The whole register: rows and modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ppcr {
    /// The operations of each kind.
    pub rows: Rows,
    /// What a completed path adds to its accumulator.
    pub metric: Metric,
    /// What a backward branch does that is not taken.
    pub backward_not_taken: BackwardNotTaken,
    /// What a path may extend across.
    pub extension: Extension,
    /// The event type the core is asked to count, 4 bits.
    pub event_select: u8,
    /// How many backward branches or calls a path may extend across;
    /// [`extension_bits`](Geometry::extension_bits) wide.
    pub max_extension: u8,
}

impl Ppcr {
    /// Ball-Larus paths, executions, no extension.
    pub fn ball_larus() -> Self {
        Self::default()
    }

    /// The path sequence of a whole program path, executions, no extension.
    pub fn whole_program_path() -> Self {
        Self {
            rows: Rows::WHOLE_PROGRAM_PATH,
            ..Self::default()
        }
    }

    /// The `PPCR_MODE` register.
    pub fn mode_word(&self) -> u32 {
        ppcr_mode::METRIC.put(self.metric as u32)
            | ppcr_mode::BACKWARD_NOT_TAKEN.put(self.backward_not_taken as u32)
            | ppcr_mode::EXTENSION.put(self.extension as u32)
            | ppcr_mode::EVENT_SELECT.put(u32::from(self.event_select))
            | ppcr_mode::MAX_EXTENSION.put(u32::from(self.max_extension))
    }

    /// Takes a `PPCR_MODE` word; the reserved extension 3 is stored as none, and the maximum keeps the bits
    /// an extension counter of this geometry has.
    pub fn write_mode(&mut self, word: u32, geometry: &Geometry) {
        self.metric = match ppcr_mode::METRIC.get(word) {
            0 => Metric::Executions,
            _ => Metric::Events,
        };
        self.backward_not_taken = match ppcr_mode::BACKWARD_NOT_TAKEN.get(word) {
            0 => BackwardNotTaken::AsForward,
            _ => BackwardNotTaken::AsBackward,
        };
        self.extension = match ppcr_mode::EXTENSION.get(word) {
            1 => Extension::Loop,
            2 => Extension::Procedure,
            _ => Extension::None,
        };
        self.event_select = ppcr_mode::EVENT_SELECT.get(word) as u8;
        let limit = Geometry::mask(geometry.extension_bits) as u32;
        self.max_extension = (ppcr_mode::MAX_EXTENSION.get(word) & limit) as u8;
    }
}
