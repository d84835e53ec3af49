//! A row: an entry, and the shadow in it.

use super::super::TableEntry;
use super::super::tag::{Layout, LongTag, Tag};

/// A row of a way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub tag: LongTag,
    /// The accumulator; 0 if the row is empty.
    pub count: u32,
    pub fingerprint: u16,
    /// The shadow's count when it was written; 0 if there is none.
    shadow: u8,
    /// k modulo 4 when it was written.
    stamp: u8,
}

impl Row {
    pub const fn is_used(&self) -> bool {
        self.count > 0
    }

    pub fn entry(&self, layout: Layout) -> TableEntry {
        self.tag.entry(layout, self.count)
    }

    /// The count of the shadow, halved as often as k has grown since.
    #[inline]
    pub const fn shadow(&self, k: u32) -> u8 {
        self.shadow >> ((k as u8).wrapping_sub(self.stamp) & 3)
    }

    pub const fn set_shadow(&mut self, k: u32, count: u8) {
        (self.shadow, self.stamp) = (count, k as u8 & 3);
    }
}
