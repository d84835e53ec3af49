//! Descriptors in few words, as the table keeps them.

use super::TableEntry;
use crate::config::Geometry;
use crate::path::PathDescriptor;

/// Which word holds what; the same for every entry of a table.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    align: u32,
    /// Where the start begins in a [`ShortTag`].
    start: u32,
}

impl Layout {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        Self {
            align: geometry.align,
            start: geometry.max_branches + 1,
        }
    }

    /// Whether a start and the outcomes, with a 1 above the last of them, fit in one word.
    pub(super) const fn is_short(geometry: &Geometry) -> bool {
        geometry.start_bits() - geometry.align + geometry.max_branches < u64::BITS
    }
}

/// A whole descriptor; zero is an empty entry.
pub trait Tag: Copy + Default + Eq {
    /// The tag of a descriptor that the path stack of the same geometry makes.
    fn new(layout: Layout, path: &PathDescriptor) -> Self;
    /// The descriptor of a tag.
    fn descriptor(self, layout: Layout) -> PathDescriptor;
    /// The entry of a tag with that accumulator.
    fn entry(self, layout: Layout, count: u32) -> TableEntry {
        TableEntry {
            descriptor: self.descriptor(layout),
            count,
        }
    }
}

/// What a lookup says of an entry that it evicts.
pub trait Evicted {
    /// Of the entry with that tag and accumulator.
    fn new<T: Tag>(tag: T, layout: Layout, count: u32) -> Self;
}

impl Evicted for TableEntry {
    #[inline(always)]
    fn new<T: Tag>(tag: T, layout: Layout, count: u32) -> Self {
        tag.entry(layout, count)
    }
}

/// Nothing, where lookups are only counted.
impl Evicted for () {
    #[inline(always)]
    fn new<T: Tag>(_: T, _: Layout, _: u32) -> Self {}
}

/// In one word: the start above the outcomes, these with a 1 above the last.
pub(super) type ShortTag = u64;

impl Tag for ShortTag {
    #[inline]
    fn new(layout: Layout, path: &PathDescriptor) -> Self {
        path.start >> layout.align << layout.start | 1 << path.length | path.outcomes
    }

    fn descriptor(self, layout: Layout) -> PathDescriptor {
        let branches = self & Geometry::mask(layout.start);
        let length = branches.ilog2();
        PathDescriptor {
            start: self >> layout.start << layout.align,
            length,
            outcomes: branches ^ 1 << length,
        }
    }
}

/// In two words, for any geometry.
///
/// `branches` is the outcomes with a 1 above the last of them. A path of 64 branches has no room for that 1; the highest bit
/// of `start`, free once the bits are shifted out that are always 0, distinguishes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LongTag {
    start: u64,
    branches: u64,
}

/// The highest bit of a [`LongTag`]'s start.
const FULL: u64 = 1 << 63;

impl Tag for LongTag {
    #[inline]
    fn new(layout: Layout, path: &PathDescriptor) -> Self {
        let start = path.start >> layout.align;
        match 1_u64.checked_shl(path.length) {
            Some(end) => Self {
                start,
                branches: path.outcomes | end,
            },
            None => Self {
                start: start | FULL,
                branches: path.outcomes,
            },
        }
    }

    fn descriptor(self, layout: Layout) -> PathDescriptor {
        let start = (self.start & !FULL) << layout.align;
        if self.start & FULL != 0 {
            return PathDescriptor {
                start,
                length: u64::BITS,
                outcomes: self.branches,
            };
        }
        let length = self.branches.ilog2();
        PathDescriptor {
            start,
            length,
            outcomes: self.branches ^ 1 << length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeps<T: Tag + core::fmt::Debug>(geometry: &Geometry, start: u64) {
        let layout = Layout::new(geometry);
        for length in 0..=geometry.max_branches {
            for outcomes in [0, Geometry::mask(length.max(1)) >> u32::from(length == 0)] {
                let path = PathDescriptor {
                    start,
                    length,
                    outcomes,
                };
                assert_ne!(T::new(layout, &path), T::default());
                assert_eq!(T::new(layout, &path).descriptor(layout), path);
            }
        }
    }

    #[test]
    fn a_tag_holds_a_descriptor_of_any_length() {
        let geometry = |pc_bits, align, max_branches| Geometry {
            pc_bits,
            align,
            max_branches,
            ..Geometry::default()
        };
        for (geometry, is_short) in [
            (geometry(32, 2, 32), true),
            (geometry(33, 2, 32), true),
            (geometry(34, 2, 32), false),
            (geometry(33, 1, 32), false),
            (geometry(32, 1, 2), true),
            (geometry(64, 2, 64), false),
            (geometry(64, 1, 64), false),
            (geometry(63, 0, 64), false),
            (geometry(32, 0, 31), true),
        ] {
            assert_eq!(Layout::is_short(&geometry), is_short, "{geometry:?}");
            let last = Geometry::mask(geometry.pc_bits) & !Geometry::mask(geometry.align);
            for start in [0, last] {
                keeps::<LongTag>(&geometry, start);
                if is_short {
                    keeps::<ShortTag>(&geometry, start);
                }
            }
        }
    }
}
