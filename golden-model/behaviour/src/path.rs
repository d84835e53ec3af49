//! Path descriptors: how hardware names a path without storing its blocks.
//!
//! Source: Vaswani's thesis, section 5.2.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The most branches any geometry lets a path record.
pub const MAX_BRANCHES: u32 = 64;

/// A path: its first instruction and the outcomes of the branches recorded along it.
///
/// Together with the program's code a descriptor determines the basic blocks of the path. The bits of `outcomes`
/// at and above `length` are 0, so equal paths have equal descriptors.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct PathDescriptor {
    /// Address of the path's first instruction, and above its [`pc_bits`](crate::config::Geometry::pc_bits) the context, if the geometry
    /// has contexts.
    pub start: u64,
    /// How many branches were recorded, at most [`MAX_BRANCHES`].
    pub length: u32,
    /// Bit *i* is the outcome of the *i*-th recorded branch.
    pub outcomes: u64,
}

impl PathDescriptor {
    /// A path that begins at `start` and has recorded nothing yet.
    pub const fn new(start: u64) -> Self {
        Self {
            start,
            length: 0,
            outcomes: 0,
        }
    }

    /// Appends the outcome of one more branch.
    ///
    /// # Panics
    ///
    /// If the path already holds [`MAX_BRANCHES`] branches, in builds with debug assertions.
    #[inline]
    pub const fn record(&mut self, taken: bool) {
        debug_assert!(self.length < MAX_BRANCHES);
        self.outcomes |= (taken as u64) << self.length;
        self.length += 1;
    }

    /// The outcome of the *i*-th recorded branch, `None` at and above `length`.
    pub const fn outcome(&self, i: u32) -> Option<bool> {
        if i < self.length {
            Some(self.outcomes >> i & 1 == 1)
        } else {
            None
        }
    }
}

impl fmt::Display for PathDescriptor {
    /// `0x80000010:TTN`: the start and the outcomes in the order they were recorded.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}:", self.start)?;
        for i in 0..self.length {
            f.write_str(if self.outcome(i) == Some(true) {
                "T"
            } else {
                "N"
            })?;
        }
        Ok(())
    }
}

/// A path that has left the path stack, with what it adds to its accumulator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CompletedPath {
    /// Which path.
    pub descriptor: PathDescriptor,
    /// 1 when the metric is executions, the path's event counter when it is events.
    pub count: u32,
}

/// A path that completed several times, one after another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The path.
    pub path: CompletedPath,
    /// How often it completed, at least once.
    pub times: u32,
}

/// A path that has a number, the place where it stands among others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The path.
    pub path: CompletedPath,
    /// How often it has completed.
    pub times: u64,
    /// The entry of the hot path table in which it was last; another's if it never was in one.
    pub(crate) place: u32,
}

impl Numbered {
    /// One that has not completed yet.
    #[must_use]
    pub const fn new(path: CompletedPath) -> Self {
        let (times, place) = (0, 0);
        Self { path, times, place }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_recorded_from_bit_zero_upwards() {
        let mut path = PathDescriptor::new(0x8000_0010);
        for taken in [true, true, false] {
            path.record(taken);
        }
        assert_eq!(
            path,
            PathDescriptor {
                start: 0x8000_0010,
                length: 3,
                outcomes: 0b011
            }
        );
        assert_eq!(path.outcome(3), None);
        assert_eq!(path.to_string(), "0x80000010:TTN");
    }
}
