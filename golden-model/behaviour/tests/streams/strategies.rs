//! Random geometries, control registers and streams.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Engine, Geometry, IndexScheme, LookupScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Ppcr, Row, Rows};
use proptest::prelude::*;
use proptest::sample::select;

/// Any legal geometry, small ones more often: they reach their limits sooner.
pub fn geometry() -> impl Strategy<Value = Geometry> {
    let table = (
        prop_oneof![4 => 1..4_u32, 1 => 1..=12_u32],
        prop_oneof![4 => 1..=5_u32, 1 => 1..=16_u32],
        prop_oneof![Just(IndexScheme::Full), Just(IndexScheme::Start)],
        prop_oneof![Just(LookupScheme::Parallel), Just(LookupScheme::Sequential)],
    );
    let stack = (
        prop_oneof![4 => 1..=6_u32, 1 => 1..=64_u32, 1 => Just(64)],
        prop_oneof![4 => 1..=3_u32, 1 => 1..=8_u32],
        1..=6_u32,
        1..=8_u32,
    );
    let widths = (
        32..=64_u32,
        0..=2_u32,
        1..=32_u32,
        1..=32_u32,
        8..=32_u32,
        32..=64_u32,
    );
    let guards = (prop_oneof![Just(0), 0..=8_u32], any::<bool>());
    (table, stack, widths, guards).prop_map(|(table, stack, widths, guards)| Geometry {
        sets: 1 << table.0,
        ways: table.1,
        index_scheme: table.2,
        lookup: table.3,
        replacement: Replacement::Lfu,
        max_branches: stack.0,
        stack_depth: 1 << stack.1,
        queue_depth: 1 << stack.2,
        extension_bits: stack.3,
        pc_bits: widths.0.min(63 + widths.1),
        align: widths.1,
        event_bits: widths.2,
        event_counter_bits: widths.3.min(widths.4),
        accumulator_bits: widths.4,
        counter_bits: widths.5,
        context_bits: guards
            .0
            .min(63 + widths.1.min(1) - widths.0.min(63 + widths.1)),
        harts: 1,
        stack_check: guards.1,
        drain_depth: 0,
        triggers: false,
        engine: Engine::Full,
    })
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = select(Row::all().collect::<Vec<_>>());
    prop_oneof![
        Just(Rows::BALL_LARUS),
        Just(Rows::WHOLE_PROGRAM_PATH),
        proptest::array::uniform8(row).prop_map(Rows),
    ]
}

/// Any control register that fits this many extension bits.
pub fn ppcr(extension_bits: u32) -> impl Strategy<Value = Ppcr> {
    let limit = Geometry::mask(extension_bits) as u8;
    (
        rows(),
        select(vec![Metric::Executions, Metric::Events]),
        select(vec![
            BackwardNotTaken::AsForward,
            BackwardNotTaken::AsBackward,
        ]),
        select(vec![Extension::None, Extension::Loop, Extension::Procedure]),
        prop_oneof![0..=limit.min(3), 0..=limit],
    )
        .prop_map(
            |(rows, metric, backward_not_taken, extension, max_extension)| Ppcr {
                rows,
                metric,
                backward_not_taken,
                extension,
                event_select: 0,
                max_extension,
            },
        )
}

/// A record; targets repeat often enough for paths to do so.
pub fn record() -> impl Strategy<Value = BranchRecord> {
    let target = prop_oneof![
        8 => (0..6_u64).prop_map(|k| 0x8000_0000 + 4 * k),
        1 => any::<u64>(),
    ];
    let next = (0..6_u64).prop_map(|k| 0x8000_0000 + 2 * k);
    let events = prop_oneof![4 => 0..4_u32, 2 => 0..300_u32, 1 => any::<u32>()];
    (0..8_u8, any::<bool>(), target, next, events).prop_map(
        |(code, taken, target, next, events)| {
            let kind = BranchKind::from_code(code);
            BranchRecord::new(kind, taken, target, next).with_events(events)
        },
    )
}
