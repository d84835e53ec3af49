//! What becomes of a count that does not fit into its accumulator.

use super::Lookup;
use crate::config::Geometry;

/// The accumulators of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    maximum: u32,
}

impl Accumulator {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        Self {
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
        }
    }

    /// As much of a count as fits.
    #[inline(always)]
    pub(super) fn limited(self, count: u64) -> u32 {
        count.min(u64::from(self.maximum)) as u32
    }

    /// Whether a count fits.
    #[inline(always)]
    pub(super) const fn fits(self, count: u64) -> bool {
        count <= self.maximum as u64
    }

    /// A path is found whose accumulator this is: it grows. Where it cannot, it saturates, or if it `RESTARTS` begins again, since a drain takes the entry;
    /// `evicted` is what is known of that, with the count it had.
    #[inline(always)]
    pub(super) fn grow<const RESTARTS: bool, E>(
        self,
        accumulator: &mut u32,
        count: u64,
        evicted: impl FnOnce(u32) -> E,
    ) -> Lookup<E> {
        let sum = u64::from(*accumulator) + count;
        let fits = self.fits(sum);
        if RESTARTS && !fits {
            let before = core::mem::replace(accumulator, self.limited(count));
            return Lookup::Restarted {
                evicted: evicted(before),
            };
        }
        *accumulator = self.limited(sum);
        Lookup::Hit { saturated: !fits }
    }
}
