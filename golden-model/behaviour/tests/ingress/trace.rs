//! The trace ingress against the records of RVFI, and on streams in the columns of the specification's reference flow.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Block, Ingress, Retirement, Trace, TraceForm, Xlen, decode};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{PathStack, Ppcr};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Two rounds of a loop with a call, a branch that falls through and an exception, as the reference flow would show them to an encoder.
const LOOP: &str = include_str!("files/loop.encoder_input.csv");

fn forms() -> [TraceForm; 2] {
    [false, true].map(|single| TraceForm {
        single,
        ..TraceForm::default()
    })
}

/// The blocks of a stream with the columns `itype_0`, `iaddr_0`, `iretire_0` and `ilastsize_0` among others; addresses are
/// hexadecimal.
fn blocks(csv: &str) -> Vec<Block> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name| {
        header
            .iter()
            .position(|column| *column == name)
            .expect(name)
    };
    let [itype, iaddr, iretire, ilastsize] =
        ["itype_0", "iaddr_0", "iretire_0", "ilastsize_0"].map(column);
    lines
        .map(|line| {
            let values: Vec<&str> = line.split(',').collect();
            assert_eq!(values.len(), header.len(), "{line}");
            let number = |column: usize| values[column].parse().expect("a decimal number");
            Block {
                itype: number(itype),
                iaddr: u64::from_str_radix(values[iaddr], 16).expect("a hexadecimal number"),
                iretire: number(iretire),
                ilastsize: number(ilastsize),
                context: 0,
            }
        })
        .collect()
}

fn records(form: TraceForm, blocks: &[Block]) -> Vec<BranchRecord> {
    let mut ingress = Trace::new(form, Xlen::Rv32, 8);
    let all = blocks.iter();
    all.flat_map(|block| ingress.step(block, 1)).collect()
}

fn paths(records: &[BranchRecord]) -> BTreeMap<PathDescriptor, u64> {
    let mut stack = PathStack::new(&Geometry::default(), Ppcr::ball_larus());
    let mut paths = BTreeMap::new();
    for path in records.iter().filter_map(|record| stack.step(record)) {
        *paths.entry(path.descriptor).or_default() += 1;
    }
    paths
}

#[test]
fn a_stream_in_the_reference_flows_columns_makes_its_records() {
    let seen = records(forms()[1], &blocks(LOOP));
    let shown: Vec<_> = seen.iter().map(|r| (r.kind, r.taken, r.target)).collect();
    let round = |branch: (BranchKind, bool, u64)| {
        [
            (BranchKind::Call, true, 0x200),
            branch,
            (BranchKind::Return, true, 0x108),
        ]
    };
    let mut expected = round((BranchKind::Forward, false, 0x204)).to_vec();
    expected.push((BranchKind::Backward, true, 0x100));
    expected.extend(round((BranchKind::Forward, true, 0x208)));
    expected.extend([
        (BranchKind::Forward, false, 0x10a),
        (BranchKind::Trap, true, 0x400),
        (BranchKind::TrapReturn, true, 0x10e),
        (BranchKind::Forward, true, 0x180),
    ]);
    assert_eq!(shown, expected);
}

/// A program that goes where its instructions lead, at even addresses; every so often an exception.
#[derive(Debug, Clone)]
struct Executed {
    insn: u32,
    taken: bool,
    target: u64,
    exception: bool,
}

fn step() -> impl Strategy<Value = Executed> {
    let insn = prop::sample::select(vec![
        0x0000_0013u32, // nop
        0x0001,         // c.nop
        0x0000_0463,    // beq +8
        0xfe00_0ce3,    // beq -8
        0xc001,         // c.beqz +0
        0x0100_006f,    // j +16
        0xff1f_f06f,    // j -16
        0x0100_00ef,    // jal ra, +16
        0x2011,         // c.jal
        0x0000_8067,    // ret
        0x8082,         // c.jr ra
        0x0003_0067,    // jr t1
        0x0003_00e7,    // jalr t1
        0x0000_82e7,    // jalr t0, ra
        0x3020_0073,    // mret
    ]);
    (insn, any::<bool>(), 0u64..512, 0u8..16).prop_map(|(insn, taken, target, exception)| {
        Executed {
            insn,
            taken,
            target: 0x1_0000 + 2 * target,
            exception: exception == 0,
        }
    })
}

/// What retires, with the address of each exception in front of the handler.
fn run(steps: &[Executed]) -> Vec<(Option<u64>, Retirement)> {
    let mut pc = 0x1_0100;
    let mut run = Vec::new();
    for step in steps {
        let raised = step.exception.then_some(pc);
        if raised.is_some() {
            pc = 0x1_0400;
        }
        let instruction = decode(step.insn, pc, Xlen::Rv32);
        let next_pc = match instruction.transfer {
            None => instruction.next,
            Some(transfer) if transfer.conditional && !step.taken => instruction.next,
            Some(transfer) => transfer.target.unwrap_or(step.target),
        };
        let retirement = Retirement {
            pc,
            insn: step.insn,
            next_pc,
            trap: false,
            intr: raised.is_some(),
            loop_end: false,
            context: 0,
        };
        run.push((raised, retirement));
        pc = next_pc;
    }
    run
}

proptest! {
    /// Every record but that of the last instruction, which waits for the next: the same, but for the direction of a branch that
    /// was not taken. So the paths are the same.
    #[test]
    fn blocks_make_the_records_of_the_retirements(steps in prop::collection::vec(step(), 1..200)) {
        let run = run(&steps);
        let mut rvfi = Ingress::new(Xlen::Rv32, 8);
        let expected: Vec<BranchRecord> = run
            .iter()
            .flat_map(|(_, retirement)| rvfi.step(retirement, 0))
            .map(|record| BranchRecord {
                kind: if record.taken { record.kind } else { BranchKind::Forward },
                ..record
            })
            .collect();
        for form in forms() {
            let mut blocks = Vec::new();
            for (raised, retirement) in &run {
                blocks.extend(raised.map(Block::exception));
                blocks.push(Block::of(retirement, Xlen::Rv32, form));
            }
            let seen: Vec<BranchRecord> = records(form, &blocks)
                .into_iter()
                .map(|record| BranchRecord { events: 0, ..record })
                .collect();
            let known = &expected[..seen.len()];
            for (seen, expected) in seen.iter().zip(known) {
                // A direction is that of the target; the model of RVFI has it from the instruction.
                prop_assert_eq!(
                    (seen.kind, seen.taken, seen.target),
                    (expected.kind, expected.taken, expected.target)
                );
            }
            prop_assert!(expected.len() - seen.len() <= 1);
            prop_assert_eq!(paths(&seen), paths(known));
        }
    }
}
