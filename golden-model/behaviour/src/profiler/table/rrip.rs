//! Re-reference interval prediction (RRIP): the entry whose predicted next use is furthest ahead is evicted.
//!
//! The table is [skewed](super::skewed), and each entry carries a *value* of two bits:
//! 3 for one that has been used again, less the longer ago that was.
//!
//! - *Hit*: the accumulator grows, and the value is 3.
//! - *Miss with a count of 0*: nothing.
//! - *Miss, a candidate row is empty*: the path takes the first such row, with its count and the value 1.
//! - *Miss otherwise*: the entry with the least value among the candidates, the lowest way of equals, leaves. That value is subtracted from those of the
//!   others, and the path takes the row, with its count and the value 1.
//!
//! A path that came once is evicted before one that was hit again, and paths that the program no longer uses are
//! evicted soon. Evicted entries have exact counts: with those in the table they add up to all completed paths.
//!
//! Source: Jaleel et al., *High performance cache replacement using re-reference interval prediction (RRIP)*, ISCA 2010, section 4 (static prediction with hit priority, two bits; counted
//! the other way round here, so that 0 leaves at once).

use super::entries::least;
use super::{Admission, Miss, Policy};
use crate::config::Geometry;

/// Bits of a value.
pub const VALUE_BITS: u32 = 2;

/// The value of an entry that was used again.
pub const USED_AGAIN: u8 = (1 << VALUE_BITS) - 1;

/// The value of an entry that is new.
pub const NEW: u8 = 1;

/// The value of each entry.
#[derive(Clone, Debug)]
pub(super) struct Ages(Box<[u8]>);

impl Ages {
    pub(super) fn new(geometry: &Geometry) -> Self {
        Self(vec![0; geometry.entries() as usize].into())
    }
}

impl Policy for Ages {
    #[inline]
    fn hit(&mut self, number: usize) {
        self.0[number] = USED_AGAIN;
    }

    #[inline(always)]
    fn miss(&mut self, miss: Miss<'_>, _drawn: bool) -> (Admission, u32) {
        if let Some(empty) = miss.empty() {
            self.0[empty] = NEW;
            return (Admission::Taken(empty), miss.path.count);
        }
        let at = least(miss.candidates, |number| self.0[number].into());
        let least = self.0[at];
        for &number in miss.candidates {
            self.0[number] -= least;
        }
        self.0[at] = NEW;
        (Admission::Taken(at), miss.path.count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::Entries;
    use super::*;
    use crate::config::Replacement;
    use crate::path::{CompletedPath, PathDescriptor};

    fn path(number: u64) -> CompletedPath {
        CompletedPath {
            descriptor: PathDescriptor::new(4 * number),
            count: 1,
        }
    }

    #[test]
    fn values_are_those_of_the_policy() {
        let geometry = Geometry {
            sets: 2,
            ways: 3,
            replacement: Replacement::Rrip,
            ..Geometry::default()
        };
        let (mut ages, mut entries) = (Ages::new(&geometry), Entries::new(&geometry));
        // Paths that have the rows of path 0 in every way, by a search.
        let of = |number| {
            entries
                .places
                .candidates(entries.places.fold(&path(number).descriptor))
        };
        let rows: Vec<_> = of(0).collect();
        let rivals: Vec<_> = (0..)
            .filter(|&number| of(number).eq(rows.clone()))
            .take(7)
            .collect();
        let mut record = |number: usize| {
            let path = path(rivals[number]);
            let folded = entries.places.fold(&path.descriptor);
            match entries.find(folded, &path.descriptor) {
                Some(number) => ages.hit(number),
                None => {
                    let miss = Miss {
                        entries: &entries,
                        candidates: &rows,
                        path: &path,
                    };
                    let (admission, count) = ages.miss(miss, true);
                    entries.take(admission, &path.descriptor, count);
                }
            }
            [0, 1, 2].map(|way: usize| ages.0[rows[way]])
        };
        assert_eq!(
            [record(0), record(1), record(2)],
            [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
        );
        assert_eq!(record(1), [1, 3, 1], "a hit");
        assert_eq!(record(3), [1, 2, 0], "the first of the least leaves");
        assert_eq!(record(4), [1, 2, 1], "the least leaves");
        assert_eq!(record(5), [1, 1, 0]);
        assert_eq!(record(1), [1, 3, 0]);
    }
}
