//! Streams of branch records with register accesses in between.

use super::Target;
use super::bytes::Bytes;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Profiler, ResetValues};

pub const TARGET: Target = Target {
    name: "records",
    run,
    seeds: || {
        let loops: Vec<u8> = (0..=255).flat_map(|i: u8| [i & 3, 1, i % 7]).collect();
        vec![loops, (0..=255).rev().collect()]
    },
};

fn geometry(bytes: &mut Bytes<'_>) -> Geometry {
    Geometry {
        sets: 1 << bytes.between(0, 3),
        ways: bytes.between(1, 5),
        max_branches: bytes.between(1, 64),
        stack_depth: 1 << bytes.between(1, 4),
        queue_depth: 1 << bytes.between(1, 3),
        pc_bits: bytes.between(32, 64),
        event_counter_bits: bytes.between(1, 8),
        accumulator_bits: bytes.between(8, 32),
        index_scheme: match bytes.any() {
            true => IndexScheme::Full,
            false => IndexScheme::Start,
        },
        ..Geometry::default()
    }
}

fn record(bytes: &mut Bytes<'_>, geometry: &Geometry) -> BranchRecord {
    let place: u8 = bytes.any();
    BranchRecord {
        kind: BranchKind::from_code(place >> 5),
        taken: place & 0x10 != 0,
        target: (u64::from(place & 0xf) << 2) & Geometry::mask(geometry.pc_bits),
        next: u64::from(bytes.any::<u8>()) << 2,
        events: u32::from(bytes.any::<u8>()),
    }
}

/// Records one by one and in slices make the same profile, the table holds no more than passed by, and the profile prints and
/// reads back.
fn run(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let geometry = geometry(&mut bytes);
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let Ok(mut one_by_one) = Profiler::new(&geometry, &reset) else {
        return;
    };
    let mut in_slices = one_by_one.clone();
    while !bytes.is_empty() {
        if bytes.between(0, 7) == 0 {
            let (offset, value) = (bytes.between(0, 63) * 4, bytes.any());
            let lanes = bytes.any::<u8>() & 15;
            one_by_one.write_lanes(offset, value, lanes);
            in_slices.write_lanes(offset, value, lanes);
            let offset = bytes.between(0, 63) * 4;
            assert_eq!(one_by_one.read(offset), in_slices.read(offset));
        }
        let count = bytes.between(1, 20);
        let records: Vec<_> = (0..count).map(|_| record(&mut bytes, &geometry)).collect();
        let single: Vec<_> = records
            .iter()
            .filter_map(|record| one_by_one.profile(record))
            .collect();
        let mut sliced = Vec::new();
        in_slices.run(&records, |paths| sliced.extend_from_slice(paths));
        assert_eq!(single, sliced);
    }
    let dump = Dump::of(&one_by_one);
    assert_eq!(dump, Dump::of(&in_slices));
    assert!(dump.entries.len() <= geometry.entries() as usize);
    assert_eq!(Dump::read(&dump.to_string()), Ok(dump));
}
