//! Overlap: how much of one profile another one holds.
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// The overlap of two profiles, from 0 to 1: the sum over all paths of the smaller of the shares
/// the path has in each profile. 1 for equal profiles, 0 for profiles without a common path, and
/// the same in either order. A profile without any count overlaps only with another such.
///
/// The measure by which Vaswani's thesis judges the hardware's profiles (section 5.5, there in
/// percent, after Arnold and Ryder, 2001), against the complete profile of the same run. O(n).
///
/// ```
/// use hpp_paths::metrics::overlap;
/// use std::collections::HashMap;
/// let complete = HashMap::from([("abc", 6), ("abd", 2)]);
/// let table = HashMap::from([("abc", 3), ("xyz", 1)]);
/// assert_eq!(overlap(&complete, &table), 0.75);
/// ```
pub fn overlap<K: Eq + Hash, S: BuildHasher, T: BuildHasher>(
    one: &HashMap<K, u64, S>,
    other: &HashMap<K, u64, T>,
) -> f64 {
    let total = |counts: &mut dyn Iterator<Item = &u64>| counts.map(|&c| u128::from(c)).sum();
    let totals: [u128; 2] = [total(&mut one.values()), total(&mut other.values())];
    let [all_one, all_other] = totals.map(|t| t as f64);
    if totals.contains(&0) {
        return f64::from(u8::from(totals == [0, 0]));
    }
    let shared = |(path, &count): (&K, &u64)| {
        let matching = other.get(path).copied().unwrap_or(0);
        f64::min(count as f64 / all_one, matching as f64 / all_other)
    };
    one.iter().map(shared).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_profiles_overlap_with_each_other_only() {
        let (empty, full) = (HashMap::new(), HashMap::from([(1, 1)]));
        assert_eq!(overlap(&empty, &empty), 1.0);
        assert_eq!(overlap(&empty, &full), 0.0);
        assert_eq!(overlap(&full, &empty), 0.0);
    }

    #[test]
    fn only_shares_count() {
        let one = HashMap::from([(1, 10), (2, 30)]);
        let scaled = HashMap::from([(1, 1), (2, 3)]);
        assert_eq!(overlap(&one, &scaled), 1.0);
        let reversed = HashMap::from([(1, 3), (2, 1)]);
        assert_eq!(overlap(&one, &reversed), 0.5);
        assert_eq!(overlap(&reversed, &one), 0.5);
    }
}
