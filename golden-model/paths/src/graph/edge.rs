//! The data of an edge as the text formats have them: the branch that takes it.
use serde::{Deserialize, Serialize};

/// How the branch that takes an edge looks to a profiler that watches branches retire.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum EdgeClass {
    /// A direct branch to a higher address, or falling through.
    #[default]
    Forward,
    /// A direct branch to its own or a lower address.
    Backward,
    /// A computed jump.
    Indirect,
}

impl EdgeClass {
    /// Whether such a profiler ends a path when control takes an edge of this class.
    pub fn breaks(self) -> bool {
        self != EdgeClass::Forward
    }
}

/// A transfer of control from one block to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// What kind of branch takes it.
    pub class: EdgeClass,
    /// The outcome that is recorded with it; `None` where nothing branches or it is not recorded.
    pub outcome: Option<bool>,
    /// How often the edge ran, where that was measured.
    pub weight: Option<u64>,
}
