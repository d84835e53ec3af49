//! What each instruction is on the trace interface, and what ingresses count and say besides.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{
    Block, Extensions, Instruction, LastStage, ProgramCode, Retire, Retirement, Rvfi, RvfiNext,
    Trace, TraceForm, Xlen, decode, events_of,
};

const NOP: u32 = 0x0000_0013;
const BEQ_8: u32 = 0x0000_0463;
const MRET: u32 = 0x3020_0073;

fn stage(pc: u64, insn: u32) -> LastStage {
    LastStage {
        pc,
        insn,
        ..LastStage::default()
    }
}

fn block(iaddr: u64, itype: u8, iretire: u8) -> Block {
    Block {
        iaddr,
        itype,
        iretire,
        ..Block::default()
    }
}

/// Instruction, where it leads from 0x100, and its type of 4 and of 3 bits: Efficient Trace for RISC-V Specification, table
/// "Instruction Type (itype) encoding" and section "Jump classification and target inference".
const TYPES: [(&str, u32, u64, u8, u8); 19] = [
    ("nop", NOP, 0x104, 0, 0),
    ("mret", MRET, 0x40, 3, 3),
    ("beq, not taken", BEQ_8, 0x104, 4, 4),
    ("beq, taken", BEQ_8, 0x108, 5, 5),
    ("jalr ra, t1", 0x0003_00e7, 0x40, 8, 6),
    ("c.jalr t1", 0x9302, 0x40, 8, 6),
    ("jal ra", 0x0080_00ef, 0x108, 9, 0),
    ("c.jal", 0x2001, 0x100, 9, 0),
    ("jr t1", 0x0003_0067, 0x40, 10, 6),
    ("c.jr t1", 0x8302, 0x40, 10, 6),
    ("j", 0x0080_006f, 0x108, 11, 0),
    ("c.j", 0xa001, 0x100, 11, 0),
    ("jalr ra, t0", 0x0002_80e7, 0x40, 12, 6),
    ("c.jalr t0", 0x9282, 0x40, 12, 6),
    ("ret", 0x0000_8067, 0x40, 13, 6),
    ("c.jr ra", 0x8082, 0x40, 13, 6),
    ("jalr gp, t1", 0x0003_01e7, 0x40, 14, 6),
    ("jalr a1, a1", 0x0005_85e7, 0x40, 14, 6),
    ("jal gp", 0x0080_01ef, 0x108, 15, 0),
];

#[test]
fn each_instruction_has_the_type_of_the_specification() {
    for (text, insn, to, long, short) in TYPES {
        for (short_itype, itype) in [(false, long), (true, short)] {
            let form = TraceForm {
                short_itype,
                ..TraceForm::default()
            };
            let block = Block::of(&Retirement::new(0x100, insn, to), Xlen::Rv32, form);
            assert_eq!(block.itype, itype, "{text}, short: {short_itype}");
        }
    }
}

#[test]
fn a_jump_to_nowhere_is_none() {
    for (text, insn) in [("c.jr zero", 0x8002), ("c.jalr zero", 0x9002)] {
        assert_eq!(decode(insn, 0x100, Xlen::Rv32).transfer, None, "{text}");
    }
}

/// Zcmp and Zcmt in the place of `c.fsdsp`: The RISC-V Instruction Set Manual, volume I, "Zcmp" and "Zcmt".
#[test]
fn returns_jumps_and_calls_of_zcmp_and_zcmt_are_records_of_a_core_that_has_them() {
    for (text, insn, to, kind) in [
        ("cm.popret {ra}, 16", 0xbe42, 0x40, BranchKind::Return),
        ("cm.jt 0", 0xa002, 0x102, BranchKind::Forward),
        ("cm.jt 31", 0xa07e, 0x100, BranchKind::Backward),
        ("cm.jalt 32", 0xa082, 0x40, BranchKind::Call),
    ] {
        let run = [(0x100, insn, to), (to, NOP, to + 4)];
        let run = run.map(|(pc, insn, next)| Retirement::new(pc, insn, next));
        for (zcm, expected) in [(true, Some((kind, true, to, 0x102))), (false, None)] {
            let extensions = Extensions {
                zcm,
                ..Extensions::default()
            };
            let rvfi = Rvfi::new(Xlen::Rv32, 8).with_extensions(extensions);
            let mut retire = Retire::new(Xlen::Rv32, 8).with_extensions(extensions);
            let mut records = [None; 3];
            let nexts = [RvfiNext::PcWdata, RvfiNext::Retirement];
            for (record, next) in records.iter_mut().zip(nexts) {
                let mut ingress = rvfi.clone().with_next(next);
                // What does not jump and retires elsewhere was interrupted.
                let follows = run.iter().flat_map(|shown| ingress.step(shown, 1));
                *record = follows.into_iter().find(|r| r.kind != BranchKind::Trap);
            }
            let stages = run.map(|shown| retire.step(&stage(shown.pc, shown.insn), 1));
            records[2] = stages[1];
            let seen = records.map(|r| r.map(|r| (r.kind, r.taken, r.target, r.next)));
            assert_eq!(seen, [expected; 3], "{text}, {zcm}");
        }
    }
}

#[test]
fn types_beyond_the_last_input_are_the_last() {
    let counted = [0, 1, 2, 3, 4, 15].map(|select| events_of(select, 2, &[5, 7]));
    assert_eq!(counted, [1, 2, 5, 7, 7, 7]);
    assert_eq!(events_of(2, 1, &[]), 0);
}

#[test]
fn addresses_wrap_at_the_width_that_the_geometry_has() {
    let geometry = Geometry {
        pc_bits: 39,
        ..Geometry::default()
    };
    let last = (1 << 39) - 4;
    let form = TraceForm::default();
    let mut rvfi = Rvfi::new(Xlen::Rv64, 8).with_geometry(&geometry);
    let mut retire = Retire::new(Xlen::Rv64, 8).with_geometry(&geometry);
    let mut trace = Trace::new(form, Xlen::Rv64, 8).with_geometry(&geometry);
    // A branch in the last word that falls through, shown with the bits above the width and without.
    for pc in [last, last | !0 << 39] {
        let mut records = Vec::new();
        for retirement in [Retirement::new(pc, BEQ_8, 0), Retirement::new(0, NOP, 4)] {
            records.extend(rvfi.step(&retirement, 1).offers.iter().map(|o| o.record));
            let stage = stage(retirement.pc, retirement.insn);
            records.extend(retire.step(&stage, 1));
        }
        for block in [block(pc, 4, 2), block(0, 0, 2)] {
            records.extend(trace.step(&block, 1).offers.iter().map(|o| o.record));
        }
        let seen = records.iter().map(|r| (r.taken, r.target, r.next));
        assert_eq!(seen.collect::<Vec<_>>(), [(false, 0, 0); 3]);
    }
}

#[test]
fn events_between_retirements_belong_to_the_later() {
    let mut ingress = Retire::new(Xlen::Rv32, 8);
    ingress.idle(5);
    assert_eq!(ingress.step(&stage(8, BEQ_8), 1), None);
    let record = ingress.step(&stage(16, NOP), 1);
    assert_eq!(record.map(|record| record.events), Some(6));

    let mut ingress = Rvfi::new(Xlen::Rv32, 8);
    ingress.idle(5);
    let row = ingress.step(&Retirement::new(8, BEQ_8, 16), 1);
    assert_eq!(row.offers.len(), 0);
    let row = ingress.step(&Retirement::new(16, NOP, 20), 1);
    assert_eq!(row.offers[0].record.events, 6);

    let form = TraceForm::default();
    let mut ingress = Trace::new(form, Xlen::Rv32, 8);
    let blocks = [(0x100, 0, 2), (0x104, 0, 0), (0x104, 5, 2), (0x200, 0, 2)];
    let row = blocks.map(|(iaddr, itype, iretire)| {
        let block = block(iaddr, itype, iretire);
        assert_eq!(Trace::is_valid(&block), iretire != 0);
        ingress.step(&block, 1)
    });
    assert_eq!(row[3].offers[0].record.events, 3);
}

#[test]
fn channels_of_a_cycle_are_one_row() {
    let mut ingress = Rvfi::new(Xlen::Rv32, 8);
    let channels = [
        Some(Retirement::new(8, BEQ_8, 16)),
        None,
        Some(Retirement::new(16, BEQ_8, 20)),
        Some(Retirement::new(20, NOP, 24)),
    ];
    let row = ingress.cycle(&channels, &[1, 2, 3, 4]);
    let records: Vec<_> = row.into_iter().collect();
    let shown: Vec<_> = records.iter().map(|r| (r.target, r.events)).collect();
    assert_eq!(shown, [(16, 1), (20, 5)]);
}

/// A trap return whose target an interrupt hides is lost, on whichever channel, and whatever follows in the cycle.
#[test]
fn a_loss_on_one_channel_is_one_of_the_cycle() {
    let mut ingress = Rvfi::new(Xlen::Rv32, 8);
    let handler = Retirement {
        intr: true,
        ..Retirement::new(0x20, NOP, 0x24)
    };
    let channels = [
        Some(Retirement::new(0x104, MRET, 0x108)),
        Some(handler),
        Some(Retirement::new(0x24, NOP, 0x28)),
    ];
    assert!(ingress.cycle(&channels, &[1; 3]).lost);
    assert!(!ingress.cycle(&channels[2..], &[1]).lost);
}

#[test]
fn targets_carry_the_context_of_what_they_lead_to() {
    let geometry = Geometry {
        context_bits: 3,
        ..Geometry::default()
    };
    let place = |address: u64| geometry.in_context(address, 5);
    let there = Retirement {
        context: 5,
        ..Retirement::new(0x20, NOP, 0x24)
    };
    let mut ingress = Rvfi::new(Xlen::Rv32, 8).with_geometry(&geometry);
    let before = ingress.step(&Retirement::new(0x104, MRET, 0x20), 1);
    assert_eq!(before.offers, []);
    let row = ingress.step(&there, 1);
    assert_eq!(row.offers[0].record.target, place(0x20));

    let form = TraceForm::default();
    let mut ingress = Trace::new(form, Xlen::Rv32, 8).with_geometry(&geometry);
    let jump = Block::of(
        &Retirement::new(0x100, 0x0080_006f, 0x108),
        Xlen::Rv32,
        form,
    );
    assert_eq!(ingress.step(&jump, 1).offers.len(), 0);
    let next = Block {
        context: 5,
        ..block(0x108, 0, 2)
    };
    let row = ingress.step(&next, 1);
    assert_eq!(row.offers[0].record.target, place(0x108));
    assert_eq!(row.offers[0].record.kind, BranchKind::Forward);
}

#[test]
fn a_reference_to_code_is_the_code() {
    struct Nops;
    impl ProgramCode for Nops {
        fn instruction(&self, address: u64) -> Option<Instruction> {
            Some(decode(NOP, address, Xlen::Rv32))
        }
    }
    fn next(program: impl ProgramCode) -> Option<u64> {
        program.instruction(8).map(|instruction| instruction.next)
    }
    assert_eq!(next(&Nops), Some(12));
}
