//! Random instructions, geometries and manners.

use hpp_golden::config::Geometry;
use proptest::prelude::*;

use crate::bench::{Cycle, INPUTS, Manner};

/// `j`, `beq` forward and backward, `mret`, nothing.
pub const JUMP: u32 = 0x0100_006f;
pub const FORWARD: u32 = 0x0000_0463;
pub const BACKWARD: u32 = 0xfe00_0ee3;
pub const MRET: u32 = 0x3020_0073;
pub const NOP: u32 = 0x0000_0013;

/// Instructions around the opcodes that matter, and any others.
pub fn insn() -> impl Strategy<Value = u32> {
    let opcode = prop::sample::select(vec![0x63u32, 0x6f, 0x67, 0x73, 0x13]);
    let link = prop::sample::select(vec![0u32, 1, 2, 5, 6]);
    prop_oneof![
        4 => (any::<u32>(), opcode).prop_map(|(bits, opcode)| bits & !0x7f | opcode),
        3 => (link.clone(), link.clone()).prop_map(|(rd, rs1)| rs1 << 15 | rd << 7 | 0x67),
        2 => (link.clone(), any::<u32>()).prop_map(|(rd, bits)| bits & !0xfff | rd << 7 | 0x6f),
        2 => prop::sample::select(vec![0x63u32, 0x6f, 0xa001, 0xc001, 0xe001, 0x2001]),
        3 => prop::sample::select(vec![0x0020_0073u32, 0x1020_0073, 0x2020_0073, MRET]),
        4 => (link, any::<bool>(), any::<u16>()).prop_map(|(rs1, links, high)| {
            u32::from(high) << 16 | 0x8002 | u32::from(links) << 12 | rs1 << 7
        }),
        4 => any::<u32>(),
    ]
}

/// RV32, and RV64 with addresses of any width, with compressed instructions, and event counters that saturate soon.
pub fn geometry() -> impl Strategy<Value = Geometry> {
    let guards = (0u32..=8, any::<bool>());
    let pc_bits = prop_oneof![Just(32u32), Just(64), 33u32..64];
    (pc_bits, 3u32..9, guards).prop_map(|(pc_bits, event_bits, guards)| Geometry {
        pc_bits,
        event_bits,
        align: 1,
        context_bits: if pc_bits > 56 { 0 } else { guards.0 },
        stack_check: guards.1,
        drain_depth: 0,
        ..Geometry::default()
    })
}

/// Addresses around 0, beneath which the last ones are, whatever their width.
pub fn near_zero() -> impl Strategy<Value = u64> {
    (-24i64..24).prop_map(|half_words| (2 * half_words).cast_unsigned())
}

/// Any address, often one around 0.
pub fn address() -> impl Strategy<Value = u64> {
    prop_oneof![any::<u64>(), near_zero()]
}

/// So many inputs of events, and the type selected, perhaps beyond the last.
pub fn events() -> impl Strategy<Value = (u32, u8)> {
    (1..=INPUTS as u32, 0u8..6)
}

/// How the core behaves.
pub fn manner() -> impl Strategy<Value = Manner> {
    prop::sample::select(vec![Manner::Polite, Manner::Late, Manner::Deaf])
}

/// Cycles in most of which something is shown.
pub fn cycles<S: Clone + core::fmt::Debug + 'static>(
    shown: impl Strategy<Value = S> + 'static,
) -> impl Strategy<Value = Vec<Cycle<S>>> {
    let cycle = (
        prop::option::weighted(0.8, shown),
        [0u32..6, 0..6, 0..6],
        0u8..4,
    );
    let cycle = cycle.prop_map(|(shown, events, ready)| Cycle {
        shown,
        events,
        ready: ready != 0,
    });
    prop::collection::vec(cycle, 1..80)
}
