//! What becomes of a count that does not fit into its accumulator.

use super::Lookup;
use crate::config::Geometry;

/// The accumulators of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accumulator {
    maximum: u32,
    /// Whether the entry is evicted and begins again, since a drain takes what is evicted; else the accumulator saturates.
    restarts: bool,
}

impl Accumulator {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        Self {
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            restarts: geometry.has_drain(),
        }
    }

    /// The same that saturate, with a drain or without.
    #[inline(always)]
    pub(super) const fn saturating(self) -> Self {
        Self {
            restarts: false,
            ..self
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

    /// A path is found whose accumulator this is; `evicted` is what is known of its entry, were it evicted with that count.
    #[inline(always)]
    pub(super) fn grow<E>(
        self,
        accumulator: &mut u32,
        count: u64,
        evicted: impl FnOnce(u32) -> E,
    ) -> Lookup<E> {
        let sum = u64::from(*accumulator) + count;
        let fits = self.fits(sum);
        if self.restarts && !fits {
            let before = core::mem::replace(accumulator, self.limited(count));
            return Lookup::Restarted {
                evicted: evicted(before),
            };
        }
        *accumulator = self.limited(sum);
        Lookup::Hit { saturated: !fits }
    }
}
