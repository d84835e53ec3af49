//! Streams of branch records with register accesses in between.

use super::Target;
use super::bytes::Bytes;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{ExactProfile, Profiler, ResetValues};

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

/// The table holds no more than passed by, and the profile prints and reads back.
fn run(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let geometry = geometry(&mut bytes);
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let Ok(mut profiler) = Profiler::new(&geometry, &reset) else {
        return;
    };
    let mut exact = ExactProfile::new();
    while !bytes.is_empty() {
        if bytes.between(0, 7) == 0 {
            let (offset, value) = (bytes.between(0, 63) * 4, bytes.any());
            profiler.write_lanes(offset, value, bytes.any::<u8>() & 15);
            profiler.read(bytes.between(0, 63) * 4);
        }
        for _ in 0..bytes.between(1, 20) {
            let path = profiler.profile(&record(&mut bytes, &geometry));
            path.iter().for_each(|path| exact.record(path));
        }
    }
    let dump = Dump::of(&profiler);
    assert!(dump.entries.len() <= geometry.entries() as usize);
    assert!(dump.entries.len() <= exact.len());
    assert_eq!(Dump::read(&dump.to_string()), Ok(dump));
}
