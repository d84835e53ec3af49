//! Phases of a program, recognised by the paths of each window.
//!
//! A window belongs to the first phase whose first window it overlaps with at least as much as is asked for; if there is none, a
//! phase begins with it.

use hpp_golden::profiler::ExactProfile;

/// The overlap from which on two windows are of one phase, if nobody asks for another.
pub const ALIKE: f64 = 0.5;

/// The phase of each window, numbered from 0 in the order in which they begin. `O(n p)` for *n* paths in all windows and *p* phases.
///
/// ```
/// use hpp_explore::phases::phases;
/// use hpp_golden::path::PathDescriptor;
/// use hpp_golden::profiler::ExactProfile;
///
/// let window = |counts: [u64; 2]| {
///     let mut profile = ExactProfile::new();
///     profile.add(PathDescriptor::new(4), counts[0]);
///     profile.add(PathDescriptor::new(8), counts[1]);
///     profile
/// };
/// let windows = [window([9, 1]), window([1, 9]), window([8, 2]), window([0, 9])];
/// assert_eq!(phases(&windows, 0.5), [0, 1, 0, 1]);
/// ```
pub fn phases(windows: &[ExactProfile], alike: f64) -> Vec<usize> {
    let mut first: Vec<&ExactProfile> = Vec::new();
    let mut phase_of = |window| {
        let known = first.iter().position(|one| overlap(one, window) >= alike);
        known.unwrap_or_else(|| {
            first.push(window);
            first.len() - 1
        })
    };
    windows.iter().map(&mut phase_of).collect()
}

/// The overlap of two exact profiles, from 0 to 1; that of two empty ones is 1.
fn overlap(one: &ExactProfile, other: &ExactProfile) -> f64 {
    let totals = [one.total(), other.total()];
    if totals.contains(&0) {
        return f64::from(u8::from(totals == [0, 0]));
    }
    let [all_one, all_other] = totals.map(|total| total as f64);
    let shared = |(path, count): (_, u64)| {
        f64::min(count as f64 / all_one, other.get(path) as f64 / all_other)
    };
    one.iter().map(shared).sum()
}
