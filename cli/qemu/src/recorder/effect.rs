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
    pub(super) const NOTHING: Self = Self {
        record: NONE,
        path: NONE,
        stack: After::Stays,
        splits: false,
        saturates: false,
        signal: Signal::None,
    };

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

    /// Whether it only moves on to another state, without a record.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::NOTHING
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Reach {
    Branch,
    /// The state, and a path completes.
    Path,
    /// The waiting states, the interrupted blocks or the tally as well.
    More,
}

/// What a record has to do with signals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    None,
    /// A handler begins. It interrupted the block of this number; whether that block had ended is known when it continues.
    Interrupts(u32),
    /// A handler is left. Its record waits until it is known where the program continues.
    Leaves,
    /// The interrupted block of this number continues.
    Resumes(u32),
}
