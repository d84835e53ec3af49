//! The memories among the modules, for integrators who replace them.

use hpp_hdl::ram::{self, SameEdge, organisation};
use serde::Serialize;

/// A module that is a memory: one write port and one read port on one clock, or one port of a tiny profiler; what is read shows a cycle after its address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Name of the module.
    pub module: String,
    /// How many of it the profiler has.
    pub instances: u32,
    /// Cells.
    pub depth: u32,
    /// Bits of a cell.
    pub width: u32,
    /// Equal parts of a cell that are written each by itself.
    pub parts: u32,
    /// What a read returns when the same cell is written at the same clock edge.
    pub same_cell: SameCell,
    /// What the cells must hold at power-up.
    pub at_power_up: PowerUp,
}

/// What the cells of a memory must hold at power-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PowerUp {
    /// Anything: nothing looks at it.
    Any,
    /// The words of the module's `initial` block.
    Words,
}

/// What a read returns when the same cell is written at the same clock edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SameCell {
    /// Anything, unknown bits as well: nothing looks at it.
    Any,
    /// The new word.
    New,
}

impl Memory {
    /// The memory that a module's text is; `None` if it is something else.
    pub fn of(module: &str, text: &str, instances: impl Fn() -> u32) -> Option<Self> {
        let organisation = organisation(text)?;
        Some(Self {
            module: module.to_string(),
            instances: instances(),
            depth: organisation.depth,
            width: organisation.width,
            parts: organisation.parts,
            same_cell: match organisation.same_edge {
                SameEdge::Any => SameCell::Any,
                SameEdge::New => SameCell::New,
            },
            at_power_up: match organisation.power_up {
                ram::PowerUp::Any => PowerUp::Any,
                ram::PowerUp::Words => PowerUp::Words,
            },
        })
    }
}
