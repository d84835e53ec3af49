//! Which set a path belongs to.

use crate::config::{Geometry, IndexScheme};
use crate::path::PathDescriptor;

/// XOR of all `BITS` wide slices of `x`, by halves: `O(log(64 / BITS))`.
#[inline(always)]
const fn fold<const BITS: u32>(mut x: u64) -> u64 {
    // Begins with the greatest power of two of slices that is less than 64 bits.
    let mut shift = BITS << ((u64::BITS - 1) / BITS).ilog2();
    while shift >= BITS {
        x ^= x >> shift;
        shift /= 2;
    }
    x & Geometry::mask(BITS)
}

/// The index function of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    align: u32,
    /// Which bits of outcomes and length take part.
    branches: u64,
    /// The sizes of a tiny profiler, which folds two slices of the start and the last outcomes alone.
    tiny: Option<Geometry>,
    /// [`fold_all`] for the number of bits of a set's number.
    fold: fn(&mut [u64]),
}

impl Index {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        Self {
            align: geometry.align,
            branches: match geometry.index_scheme {
                IndexScheme::Full => u64::MAX,
                IndexScheme::Start => 0,
            },
            tiny: if geometry.is_tiny() {
                Some(*geometry)
            } else {
                None
            },
            fold: FOLDS[geometry.set_bits() as usize - 1],
        }
    }

    /// The sets of paths, of which there are no more than places in `sets`.
    #[inline]
    pub(super) fn of_all<'a>(
        &self,
        paths: impl ExactSizeIterator<Item = &'a PathDescriptor>,
        sets: &mut [u64],
    ) {
        let sets = &mut sets[..paths.len()];
        for (set, path) in sets.iter_mut().zip(paths) {
            *set = self.key(path);
        }
        (self.fold)(sets);
    }

    /// The set of a path.
    #[inline]
    pub(super) fn of(&self, path: &PathDescriptor) -> usize {
        let mut set = [self.key(path)];
        (self.fold)(&mut set);
        set[0] as usize
    }

    /// The bits that are folded. Folding is linear, so the parts of the full scheme are joined before it.
    #[inline(always)]
    const fn key(&self, path: &PathDescriptor) -> u64 {
        if let Some(geometry) = &self.tiny {
            return tiny_key(geometry, path);
        }
        path.start >> self.align ^ (path.outcomes ^ path.length as u64) & self.branches
    }
}

/// Two slices of the start's low bits, and as many bits of the marked outcomes' upper end.
const fn tiny_key(geometry: &Geometry, path: &PathDescriptor) -> u64 {
    let bits = 2 * geometry.set_bits();
    let marked = geometry.marked(path.length, path.outcomes);
    (path.start >> geometry.align) & Geometry::mask(bits)
        ^ marked >> (geometry.max_branches + 1 - bits)
}

fn fold_all<const BITS: u32>(keys: &mut [u64]) {
    for key in keys {
        *key = fold::<BITS>(*key);
    }
}

/// [`fold_all`] for 1 to 12 bits, all that a geometry may have: shifts by constants take half the time.
const FOLDS: [fn(&mut [u64]); 12] = [
    fold_all::<1>,
    fold_all::<2>,
    fold_all::<3>,
    fold_all::<4>,
    fold_all::<5>,
    fold_all::<6>,
    fold_all::<7>,
    fold_all::<8>,
    fold_all::<9>,
    fold_all::<10>,
    fold_all::<11>,
    fold_all::<12>,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_xors_every_slice() {
        let naive = |mut x: u64, bits| {
            let mut folded = 0;
            while x != 0 {
                folded ^= x & Geometry::mask(bits);
                x >>= bits;
            }
            folded
        };
        let samples = [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef];
        let samples: Vec<u64> = samples
            .into_iter()
            .chain((0..64).map(|b| 0x5_u64 << b))
            .collect();
        for (bits, fold) in (1..).zip(FOLDS) {
            let mut folded = samples.clone();
            fold(&mut folded);
            for (&x, folded) in samples.iter().zip(folded) {
                assert_eq!(folded, naive(x, bits), "{x:#x} in slices of {bits}");
            }
        }
    }
}
