//! Exact profiles, fast.

use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::ExactProfile;

/// Places in front of the profile; a power of two.
const PLACES: usize = 1 << 12;

/// An exact profile with the paths of late in front of it: most paths ran a moment ago.
#[derive(Clone, Debug)]
pub struct Counts {
    front: Box<[(PathDescriptor, u64)]>,
    profile: ExactProfile,
}

impl Default for Counts {
    fn default() -> Self {
        Self::new()
    }
}

impl Counts {
    /// An empty profile.
    #[must_use]
    pub fn new() -> Self {
        Self {
            front: vec![Default::default(); PLACES].into(),
            profile: ExactProfile::new(),
        }
    }

    /// Adds the count of a path. Constant time on average.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) {
        let place = &mut self.front[place::<PLACES>(&path.descriptor)];
        if place.0 == path.descriptor {
            place.1 += u64::from(path.count);
        } else {
            self.profile.add(place.0, place.1);
            *place = (path.descriptor, path.count.into());
        }
    }

    /// Adds the counts of a path that completed so many times. Constant time on average.
    pub fn add(&mut self, path: &CompletedPath, times: u64) {
        let count = u64::from(path.count).saturating_mul(times);
        self.profile.add(path.descriptor, count);
    }

    /// The profile. `O(1)` but for what waits in front, of a fixed size.
    pub fn profile(&mut self) -> &ExactProfile {
        for place in &mut self.front {
            self.profile.add(place.0, core::mem::take(&mut place.1));
        }
        &self.profile
    }

    /// The profile, after which this one is empty.
    pub fn take(&mut self) -> ExactProfile {
        self.profile();
        core::mem::take(&mut self.profile)
    }
}

/// Where among so many places, a power of two, a path is looked for first.
#[inline]
pub(crate) const fn place<const PLACES: usize>(path: &PathDescriptor) -> usize {
    let bits = path.start.rotate_left(24) ^ path.outcomes ^ (path.length as u64) << 16;
    (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - PLACES.ilog2())) as usize
}
