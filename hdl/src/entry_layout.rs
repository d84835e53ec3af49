//! How an entry of the path stack lies in its memory.
//!
//! ```text
//!   | mark of a new entry | extension counter | events | length | outcomes | start |   bit 0 on the right
//! ```

use hpp_golden::config::Geometry;

/// The greatest width of a stored entry: start, outcomes, length, events, extension counter, mark of a new entry.
pub const ENTRY_BITS: usize = 184;

/// Widths of an entry's fields, and their places in a stored entry.
pub struct EntryLayout {
    pub start_bits: u32,
    pub outcome_bits: u32,
    pub length_bits: u32,
    pub events_bits: u32,
    pub extension_bits: u32,
}

impl EntryLayout {
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            start_bits: geometry.pc_bits - geometry.align,
            outcome_bits: geometry.max_branches,
            // A full path has left the stack, and the entry a split leaves behind is cleared when popped.
            length_bits: (u32::BITS - (geometry.max_branches - 1).leading_zeros()).max(1),
            events_bits: geometry.event_counter_bits,
            extension_bits: geometry.extension_bits,
        }
    }

    pub const fn outcomes_lsb(&self) -> u32 {
        self.start_bits
    }

    pub const fn length_lsb(&self) -> u32 {
        self.outcomes_lsb() + self.outcome_bits
    }

    pub const fn events_lsb(&self) -> u32 {
        self.length_lsb() + self.length_bits
    }

    pub const fn extension_lsb(&self) -> u32 {
        self.events_lsb() + self.events_bits
    }

    pub const fn blank_lsb(&self) -> u32 {
        self.extension_lsb() + self.extension_bits
    }

    pub const fn width(&self) -> u32 {
        self.blank_lsb() + 1
    }
}
