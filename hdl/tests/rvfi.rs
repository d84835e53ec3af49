//! The RVFI ingress in rust-hdl simulation against the golden model.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_hdl::rvfi::RvfiIngress;
use hpp_hdl::sim::Simulator;
use hpp_riscv::{Ingress, Retirement, Xlen};
use proptest::prelude::*;

/// One cycle on the interface.
#[derive(Clone, Debug)]
struct Cycle {
    /// `None`: nothing retires.
    retirement: Option<Retirement>,
    /// What `event_in` shows.
    events: u32,
    /// The queue takes a record.
    ready: bool,
}

/// Instructions around the opcodes that matter, and any others.
fn insn() -> impl Strategy<Value = u32> {
    let opcode = prop::sample::select(vec![0x63u32, 0x6f, 0x67, 0x73, 0x13]);
    let link = prop::sample::select(vec![0u32, 1, 2, 5, 6]);
    prop_oneof![
        4 => (any::<u32>(), opcode).prop_map(|(bits, opcode)| bits & !0x7f | opcode),
        3 => (link.clone(), link.clone()).prop_map(|(rd, rs1)| rs1 << 15 | rd << 7 | 0x67),
        2 => (link.clone(), any::<u32>()).prop_map(|(rd, bits)| bits & !0xfff | rd << 7 | 0x6f),
        2 => prop::sample::select(vec![0x63u32, 0x6f, 0xa001, 0xc001, 0xe001, 0x2001]),
        2 => prop::sample::select(vec![0x0020_0073u32, 0x1020_0073, 0x2020_0073, 0x3020_0073]),
        4 => (link, any::<bool>(), any::<u16>()).prop_map(|(rs1, links, high)| {
            u32::from(high) << 16 | 0x8002 | u32::from(links) << 12 | rs1 << 7
        }),
        4 => any::<u32>(),
    ]
}

fn cycle() -> impl Strategy<Value = Cycle> {
    let retirement = (insn(), any::<u64>(), 0u64..8, 0u8..8, 0u8..8).prop_map(
        |(insn, pc, offset, trap, intr)| Retirement {
            pc,
            insn,
            next_pc: pc.wrapping_add(offset),
            trap: trap == 0,
            intr: intr == 0,
        },
    );
    (prop::option::weighted(0.8, retirement), 0u32..6, 0u8..4).prop_map(
        |(retirement, events, ready)| Cycle {
            retirement,
            events,
            ready: ready != 0,
        },
    )
}

fn cut(record: BranchRecord, geometry: &Geometry) -> BranchRecord {
    BranchRecord {
        target: record.target & Geometry::mask(geometry.pc_bits),
        next: 0,
        ..record
    }
}

fn check(geometry: &Geometry, select: u32, cycles: &[Cycle]) {
    let xlen = if geometry.pc_bits == 32 {
        Xlen::Rv32
    } else {
        Xlen::Rv64
    };
    let mask = Geometry::mask(geometry.pc_bits);
    let mut model = Ingress::new(xlen, geometry.event_bits);
    let mut simulator = Simulator::new(RvfiIngress::new(geometry));
    simulator.set("event_select", select.into());
    simulator.set("br_ready", 1);
    simulator.set("rst", 1);
    simulator.tick();
    simulator.set("rst", 0);
    let (mut expected, mut seen) = (Vec::new(), Vec::new());
    let drain = Cycle {
        retirement: None,
        events: 0,
        ready: true,
    };
    // A fresh counter: what ticked during reset does not count.
    for cycle in cycles.iter().chain([&drain; 3]) {
        simulator.set("br_ready", cycle.ready.into());
        simulator.set("event_in", cycle.events.into());
        simulator.settle();
        let retirement = cycle
            .retirement
            .filter(|_| simulator.get("rvfi_stall") == 0)
            .map(|r| Retirement {
                pc: r.pc & mask,
                next_pc: r.next_pc & mask,
                ..r
            });
        simulator.set("rvfi_valid", retirement.is_some().into());
        let shown = retirement.unwrap_or_default();
        simulator.set("rvfi_insn", shown.insn.into());
        simulator.set("rvfi_trap", shown.trap.into());
        simulator.set("rvfi_intr", shown.intr.into());
        simulator.set("rvfi_pc_rdata", shown.pc);
        simulator.set("rvfi_pc_wdata", shown.next_pc);
        simulator.settle();
        if simulator.get("br_valid") == 1 && cycle.ready {
            let get = |port| simulator.get(port);
            seen.push(BranchRecord {
                kind: BranchKind::from_code(get("br_kind") as u8),
                taken: get("br_taken") == 1,
                target: get("br_target"),
                next: 0,
                events: get("br_events") as u32,
            });
        }
        let events = match select {
            0 => 1,
            1 => u32::from(retirement.is_some()),
            _ => cycle.events,
        };
        match retirement {
            Some(retirement) => expected.extend(
                model
                    .step(&retirement, events)
                    .into_iter()
                    .map(|record| cut(record, geometry)),
            ),
            None => model.idle(events),
        }
        simulator.tick();
    }
    assert_eq!(seen, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_are_those_of_the_model(
        wide in any::<bool>(),
        event_bits in 3u32..9,
        select in 0u32..4,
        cycles in prop::collection::vec(cycle(), 1..80),
    ) {
        let geometry = Geometry {
            pc_bits: if wide { 64 } else { 32 },
            event_bits,
            align: 1,
            ..Geometry::default()
        };
        check(&geometry, select, &cycles);
    }
}
