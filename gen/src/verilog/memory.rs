//! The memories among the modules, for integrators who replace them.

use hpp_hdl::ram::{SameEdge, organisation};
use serde::Serialize;

/// A module that is a memory: one write port and one read port on one clock; what is read shows a cycle after its address.
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
    /// Whether all cells must be 0 at power-up; whatever they hold is fine otherwise.
    pub zero_at_power_up: bool,
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
    pub(super) fn of(module: &str, text: &str, instances: impl Fn() -> u32) -> Option<Self> {
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
            zero_at_power_up: organisation.zeroed,
        })
    }
}
