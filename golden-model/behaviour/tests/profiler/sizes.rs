//! What follows from the sizes of a profiler.

use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::profiler::ContextFilter;

#[test]
fn an_access_waits_for_a_scan_of_sixteen_or_a_whole_lookup() {
    let longest = |lookup, ways| {
        let geometry = Geometry {
            lookup,
            ways,
            ..Geometry::default()
        };
        geometry.longest_access()
    };
    for ways in 1..=32 {
        assert_eq!(longest(LookupScheme::Parallel, ways), 17);
        let sequential = longest(LookupScheme::Sequential, ways);
        assert_eq!(sequential, 17.max(ways + 9), "{ways} ways");
        let policy = |replacement| Geometry {
            replacement,
            ways,
            ..Geometry::default()
        };
        let [rrip, shadow] = [Replacement::Rrip, Replacement::Shadow].map(policy);
        assert_eq!(rrip.longest_access(), 17.max(2 * ways + 11));
        assert_eq!(shadow.longest_access(), 2 * ways + 58);
    }
}

#[test]
fn a_context_is_shown_if_it_has_the_values_bits_under_the_mask() {
    for (mask, value, context) in
        (0..8).flat_map(|mask| (0..64).map(move |rest| (mask, rest / 8, rest % 8)))
    {
        let filter = ContextFilter { mask, value };
        let differs =
            (0..3).any(|bit| mask >> bit & 1 == 1 && value >> bit & 1 != context >> bit & 1);
        assert_eq!(filter.shows(context), !differs, "{filter:?}, {context}");
    }
}
