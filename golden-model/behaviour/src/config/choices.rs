//! Choices of a configuration: engine, index, lookup, replacement.

use serde::{Deserialize, Serialize};

/// What a profiler is built of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// Parts that work side by side: queue, detector, table, counters, registers.
    #[default]
    Full = 0,
    /// One memory and a microprogram, for the smallest devices.
    Tiny = 1,
}

/// What the hot path table computes its set index from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IndexScheme {
    /// `fold(start >> align) ^ fold(outcomes) ^ fold(length)`: the three fields of the thesis's best scheme (section 5.5.2), folded in this project's way.
    #[default]
    Full,
    /// The start address alone, for experiments: the circuits do not have it.
    Start,
}

/// How the hot path table looks a path up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LookupScheme {
    /// All ways of a set at once: a path a cycle.
    Parallel,
    /// One way after another: fewer memories and comparisons, several cycles a path, and a core that may have to wait.
    #[default]
    Sequential,
}

/// What the hot path table does with a path that is not in it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Replacement {
    /// It replaces the least frequently used entry of its set: the thesis's policy.
    #[default]
    Lfu = 0,
    /// It must show that it is hot before it replaces another; see [`shadow`](crate::profiler::table::shadow).
    Shadow = 1,
    /// It replaces the entry whose next use seems furthest ahead, so that few are evicted; see [`rrip`](crate::profiler::table::rrip).
    Rrip = 2,
}

impl Replacement {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Lfu, Self::Shadow, Self::Rrip];

    /// Its number in the register `GEOMETRY3`.
    pub const fn code(self) -> u32 {
        self as u32
    }

    /// The policy with that number.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.code() == code)
    }

    /// Its name in commands and configurations.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// What it does, as the help of a command says it.
    pub const fn meaning(self) -> &'static str {
        self.words().1
    }

    #[rustfmt::skip]
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Lfu => ("lfu", "It replaces the least frequently used entry of its set"),
            Self::Shadow => ("shadow", "It must show that it is hot before it replaces another"),
            Self::Rrip => (
                "rrip",
                "It replaces the entry whose predicted next use is furthest ahead: few entries are evicted",
            ),
        }
    }

    /// Whether every way has its own hash.
    #[inline]
    pub const fn is_skewed(self) -> bool {
        !matches!(self, Self::Lfu)
    }

    /// Whether it decides by chance: each path that is looked up moves its shift register on.
    #[inline]
    pub const fn draws(self) -> bool {
        matches!(self, Self::Shadow)
    }
}

impl core::fmt::Display for Replacement {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
