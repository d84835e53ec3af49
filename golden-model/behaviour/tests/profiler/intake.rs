//! A record that waits.

use crate::*;

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
        let mut profiler = profiler(Geometry {
            pc_bits,
            context_bits,
            align,
            queue_depth: 2,
            ..small()
        });
        profiler.write(CONTROL, 1);
        for target in [0x100, 0x200] {
            profiler.offer(&branch(BranchKind::Backward, target));
        }
        let offered = [0, same, 0].map(|beyond| branch(BranchKind::Backward, 0x300 ^ beyond));
        for record in &offered {
            assert_eq!(profiler.offer(record), Offer::Stalled);
        }
        let lost = |profiler: &Profiler| profiler.counters().get(Counter::LostRecords);
        assert_eq!(lost(&profiler), 0, "{same:#x}");
        let other = branch(BranchKind::Backward, 0x300 ^ 1 << align);
        profiler.offer(&other);
        assert_eq!(lost(&profiler), 1, "{same:#x}");
    }
}
