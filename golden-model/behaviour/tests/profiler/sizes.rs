//! What follows from the sizes of a profiler, and of what it shows and takes.

use crate::*;
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
        assert_eq!(shadow.longest_access(), ways + 51);
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

/// A core may drive the constant low bits of an address, and those above it, with anything, also while its record waits.
#[test]
fn a_record_that_waits_is_the_same_whatever_its_address_has_beyond_its_bits() {
    for (pc_bits, context_bits, align, same) in [
        (32, 0, 2, 0x3),
        (32, 0, 1, 0x1),
        (32, 0, 1, 1 << 40),
        (40, 3, 1, 1 << 43 | 1),
        (64, 0, 2, 0x2),
    ] {
        let geometry = Geometry {
            pc_bits,
            context_bits,
            align,
            queue_depth: 2,
            ..small()
        };
        let mut profiler = turned(geometry, 0);
        for target in [0x100, 0x200] {
            profiler.offer(0, &branch(BranchKind::Backward, target));
        }
        let offered = [0, same, 0].map(|beyond| branch(BranchKind::Backward, 0x300 ^ beyond));
        for record in &offered {
            assert_eq!(profiler.offer(0, record), Offer::Stalled);
        }
        let lost = |profiler: &Profiler| profiler.counters().get(Counter::LostRecords);
        assert_eq!(lost(&profiler), 0, "{same:#x}");
        let other = branch(BranchKind::Backward, 0x300 ^ 1 << align);
        profiler.offer(0, &other);
        assert_eq!(lost(&profiler), 1, "{same:#x}");
    }
}
