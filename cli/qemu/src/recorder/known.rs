//! The state that decides which record and path a block makes.
//!
//! That is the block that ran before it, the instructions since the last branch, the entry on top of the path stack, and where the block begins. All but
//! the last are a [state](hpp_explore::states).

use hpp_golden::profiler::StackEntry;

/// What is known between two blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Known {
    /// The number of the block that runs; none before the first, and in an entry that waits for a return.
    pub block: Option<u32>,
    /// Instructions since the last branch, without the block's own.
    pub carried: u32,
    /// The block was interrupted, and now goes on.
    pub resumed: bool,
    /// The block leaves a handler: what it leads back to.
    pub back: Back,
    /// The context of user code.
    pub space: u8,
    /// The entry on top of the path stack; none if it is empty, or if paths are found elsewhere.
    pub top: Option<StackEntry>,
}

/// What a handler was left for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Back {
    /// Not decided yet.
    #[default]
    Unknown,
    /// No block that is known to be interrupted.
    Nowhere,
    /// The interrupted block of this number.
    To(u32),
}

impl Known {
    /// Whether a path begins here, or goes on after a call.
    #[must_use]
    pub fn begins_path(&self) -> bool {
        self.top.is_none_or(|top| top.descriptor.length == 0) && self.carried == 0
    }
}
