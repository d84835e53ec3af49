//! The RVFI ingress in rust-hdl simulation against the golden model.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_hdl::rvfi::RvfiIngress;
use hpp_hdl::sim::Simulator;
use hpp_ingress::{Buffer, Ingress, Retirement, Xlen};
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

/// The circuit with the test bench's side of its ports, and the model.
struct Bench {
    simulator: Simulator<RvfiIngress>,
    model: Ingress,
    buffer: Buffer,
    select: u32,
    /// Records offered and taken, each with the mark that some are missing before it.
    seen: Vec<(BranchRecord, bool)>,
    expected: Vec<(BranchRecord, bool)>,
    lost: usize,
}

impl Bench {
    fn new(geometry: &Geometry, select: u32) -> Self {
        let xlen = if geometry.pc_bits == 32 {
            Xlen::Rv32
        } else {
            Xlen::Rv64
        };
        let mut simulator = Simulator::new(RvfiIngress::new(geometry));
        simulator.set("event_select", select.into());
        simulator.reset();
        // What ticked after the reset's last cycle is what the model begins with.
        Self {
            simulator,
            model: Ingress::new(xlen, geometry.event_bits),
            buffer: Buffer::default(),
            select,
            seen: Vec::new(),
            expected: Vec::new(),
            lost: 0,
        }
    }

    /// One cycle; `polite`: the core does not retire while it is asked not to.
    fn cycle(&mut self, geometry: &Geometry, cycle: &Cycle, polite: bool) {
        let stalls = self.buffer.stalls();
        let mask = Geometry::mask(geometry.pc_bits);
        let retirement = cycle.retirement.filter(|_| !(polite && stalls));
        let retirement = retirement.map(|r| Retirement {
            pc: r.pc & mask,
            next_pc: r.next_pc & mask,
            ..r
        });
        let shown = retirement.unwrap_or_default();
        let simulator = &mut self.simulator;
        simulator.set("records_ready", cycle.ready.into());
        simulator.set("event_in", cycle.events.into());
        simulator.set("rvfi_valid", retirement.is_some().into());
        simulator.set("rvfi_insn", shown.insn.into());
        simulator.set("rvfi_trap", shown.trap.into());
        simulator.set("rvfi_intr", shown.intr.into());
        simulator.set("rvfi_pc_rdata", shown.pc);
        simulator.set("rvfi_pc_wdata", shown.next_pc);
        simulator.settle();
        assert_eq!(simulator.get("rvfi_stall") == 1, stalls);
        assert_eq!(
            simulator.get("records_valid") == 1,
            self.buffer.front().is_some()
        );
        let offered = self.buffer.front().filter(|_| cycle.ready);
        if let Some((record, after_loss)) = offered {
            let get = |port| simulator.get(port);
            let seen = BranchRecord {
                kind: BranchKind::from_code(get("records_kind") as u8),
                taken: get("records_taken") == 1,
                target: get("records_target"),
                next: 0,
                events: get("records_events") as u32,
            };
            self.seen.push((seen, get("records_after_loss") == 1));
            self.expected.push((cut(record, geometry), after_loss));
        }
        let events = match self.select {
            0 => 1,
            1 => u32::from(retirement.is_some()),
            _ => cycle.events,
        };
        let kept = match retirement {
            Some(retirement) => {
                let records = self.model.step(&retirement, events);
                self.buffer.store(records)
            }
            None => {
                self.model.idle(events);
                true
            }
        };
        if offered.is_some() {
            self.buffer.take();
        }
        assert_eq!(self.simulator.get("records_lost") == 1, !kept);
        self.lost += usize::from(!kept);
        self.simulator.tick();
    }
}

/// Runs cycles and compares everything; returns how many retirements lost their records.
fn check(geometry: &Geometry, select: u32, cycles: &[Cycle], polite: bool) -> usize {
    let mut bench = Bench::new(geometry, select);
    let drain = Cycle {
        retirement: None,
        events: 0,
        ready: true,
    };
    for cycle in cycles.iter().chain([&drain; 9]) {
        bench.cycle(geometry, cycle, polite);
    }
    assert_eq!(bench.seen, bench.expected);
    bench.lost
}

fn retire(pc: u64, insn: u32, next_pc: u64, intr: bool) -> Cycle {
    Cycle {
        retirement: Some(Retirement {
            pc,
            insn,
            next_pc,
            trap: false,
            intr,
        }),
        events: 0,
        ready: true,
    }
}

/// `j`, `beq` forward, `beq` backward.
const JUMP: u32 = 0x0100_006f;
const FORWARD: u32 = 0x0000_0463;
const BACKWARD: u32 = 0xfe00_0ee3;

/// A vectored handler's jump makes two records, and a branch retires right after it: it was lost, and the path
/// `2000:TT` was reported where `TNT` was executed.
#[test]
fn a_branch_right_after_a_vectored_handler_s_jump_is_kept() {
    let geometry = Geometry::default();
    let cycles = [
        retire(0x2000, JUMP, 0x2010, true),
        retire(0x2010, FORWARD, 0x2014, false),
        retire(0x2014, BACKWARD, 0x2010, false),
    ];
    let mut bench = Bench::new(&geometry, 1);
    let drain = Cycle {
        retirement: None,
        events: 0,
        ready: true,
    };
    for cycle in cycles.iter().chain([&drain; 4]) {
        bench.cycle(&geometry, cycle, false);
    }
    let outcomes: Vec<(BranchKind, bool)> =
        bench.seen.iter().map(|(r, _)| (r.kind, r.taken)).collect();
    let expected = [
        (BranchKind::Trap, true),
        (BranchKind::Forward, true),
        (BranchKind::Forward, false),
        (BranchKind::Backward, true),
    ];
    assert_eq!((outcomes.as_slice(), bench.lost), (&expected[..], 0));
}

/// Traps without one record-free cycle between them fill the buffer; what is lost then is said.
#[test]
fn a_core_that_never_waits_loses_records_in_the_open() {
    let geometry = Geometry::default();
    let traps = vec![retire(0x2000, JUMP, 0x2010, true); 20];
    assert!(check(&geometry, 1, &traps, false) > 0);
    assert_eq!(
        check(&geometry, 1, &traps, true),
        0,
        "a polite core loses nothing"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_are_those_of_the_model(
        wide in any::<bool>(),
        event_bits in 3u32..9,
        select in 0u32..4,
        polite in any::<bool>(),
        cycles in prop::collection::vec(cycle(), 1..80),
    ) {
        let geometry = Geometry {
            pc_bits: if wide { 64 } else { 32 },
            event_bits,
            align: 1,
            ..Geometry::default()
        };
        let lost = check(&geometry, select, &cycles, polite);
        prop_assert!(!polite || lost == 0);
    }
}
