//! What a branch record does to the recorder, kept with the edge that it lies on.

use hpp_explore::stack::After;
use hpp_explore::states::NONE;

/// What a branch record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    /// Its number, if records are kept.
    pub(super) record: u32,
    /// The number of the path it completes; [`NONE`] if it completes none.
    pub(super) path: u32,
    pub(super) stack: After,
    pub(super) splits: bool,
    pub(super) saturates: bool,
    pub(super) signal: Signal,
}

impl Effect {
    /// One that leads on.
    pub(super) const NOTHING: Self = Self {
        record: NONE,
        path: NONE,
        stack: After::Stays,
        splits: false,
        saturates: false,
        signal: Signal::None,
    };

    /// What it changes.
    pub(super) fn reach(&self) -> Reach {
        let rest = Self {
            record: NONE,
            path: NONE,
            ..*self
        };
        match (rest.is_nothing(), self.path) {
            (false, _) => Reach::More,
            (true, NONE) => Reach::Branch,
            (true, _) => Reach::Path,
        }
    }

    /// Whether it only continues, without a record.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::NOTHING
    }
}

/// What a record changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach {
    /// The state alone.
    Branch,
    /// That, and a path completes.
    Path,
    /// What waits, what was interrupted, or the tally as well.
    More,
}

/// What a record has to do with signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    None,
    /// A handler begins. The block of this number may have ended or not; where it led to is seen when it goes on.
    Interrupts(u32),
    /// A handler is left. There is no record before it is known what for.
    Leaves,
    /// The block of this number, which was interrupted, goes on.
    Resumes(u32),
}
