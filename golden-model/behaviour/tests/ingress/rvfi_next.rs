//! An instruction leads to where the next one retires (`RvfiNext::Retirement`): the records are those of the same retirements with a right
//! `rvfi_pc_wdata` and `rvfi_intr`.

use hpp_golden::branch::BranchKind;
use hpp_golden::ingress::{CycleRecords, Offer, Retirement, Rvfi, RvfiNext, Xlen, decode};
use proptest::prelude::*;

const NOP: u32 = 0x0000_0013;
const BEQ_8: u32 = 0x0000_0463;
const J_16: u32 = 0x0100_006f;
const C_BEQZ_8: u32 = 0x0000_c401;
const CALL: u32 = 0x0000_80e7;
const RET: u32 = 0x0000_8067;
const ECALL: u32 = 0x0000_0073;
const MRET: u32 = 0x3020_0073;

/// Handlers of an interrupt and of an exception.
const INTERRUPT: u64 = 0x100;
const EXCEPTION: u64 = 0x200;

fn retire(pc: u64, insn: u32) -> Retirement {
    Retirement {
        pc,
        insn,
        ..Retirement::default()
    }
}

/// Kind, target and mark of each record, and the losses, where the core shows nonsense as `intr` and `next_pc`.
fn followed(retirements: &[Retirement]) -> (Vec<(BranchKind, u64, bool)>, usize) {
    let nonsense = |retirement: &Retirement| Retirement {
        intr: !retirement.intr,
        next_pc: !retirement.next_pc,
        ..*retirement
    };
    let mut ingress = Rvfi::new(Xlen::Rv32, 8).with_next(RvfiNext::Retirement);
    let shown = retirements.iter().map(nonsense);
    let rows: Vec<CycleRecords> = shown.map(|shown| ingress.step(&shown, 1)).collect();
    let lost = rows.iter().filter(|row| row.lost).count();
    let part = |offer: Offer| (offer.record.kind, offer.record.target, offer.after_loss);
    let offers = rows.into_iter().flat_map(|row| row.offers);
    (offers.map(part).collect(), lost)
}

#[test]
fn the_next_retirement_tells_outcomes_targets_and_interrupts() {
    let ecall = Retirement {
        trap: true,
        ..retire(0x40, ECALL)
    };
    let run = [
        retire(0x10, BEQ_8),
        retire(0x14, BEQ_8),
        retire(0x1c, RET),
        retire(0x3c, NOP),
        ecall,
        retire(EXCEPTION, MRET),
        retire(0x44, J_16),
        retire(INTERRUPT, MRET),
        retire(0x54, NOP),
        retire(INTERRUPT, MRET),
        retire(0x58, NOP),
    ];
    let expected = vec![
        (BranchKind::Forward, 0x14, false),
        (BranchKind::Forward, 0x1c, false),
        (BranchKind::Return, 0x3c, false),
        (BranchKind::Trap, EXCEPTION, false),
        (BranchKind::TrapReturn, 0x44, false),
        (BranchKind::Forward, 0x54, false),
        (BranchKind::Trap, INTERRUPT, false),
        (BranchKind::TrapReturn, 0x54, false),
        (BranchKind::Trap, INTERRUPT, false),
        (BranchKind::TrapReturn, 0x58, false),
    ];
    assert_eq!(followed(&run), (expected, 0));
}

#[test]
fn an_interrupt_hides_where_a_branch_a_return_or_a_trap_return_led() {
    let known = [retire(0x10, NOP), retire(INTERRUPT, NOP)];
    let entered = (BranchKind::Trap, INTERRUPT, false);
    let hidden = (BranchKind::Trap, INTERRUPT, true);
    for (insn, kind) in [
        (BEQ_8, None),
        (RET, Some(BranchKind::Return)),
        (MRET, Some(BranchKind::TrapReturn)),
    ] {
        let again = [retire(0x104, insn), retire(INTERRUPT, NOP)];
        let own = kind.map(|kind| (kind, 0x108, false));
        let expected: Vec<_> = [entered].into_iter().chain(own).chain([hidden]).collect();
        assert_eq!(followed(&[known, again].concat()), (expected, 1));
    }
    // Nobody has seen the handler yet, and a return may lead anywhere.
    let first = [retire(0x104, RET), retire(INTERRUPT, NOP)];
    let expected = vec![(BranchKind::Return, INTERRUPT, false)];
    assert_eq!(followed(&first), (expected, 0));
}

/// What a core does: an instruction, its outcome or target, and what comes after it.
#[derive(Clone, Copy, Debug)]
struct Executed {
    insn: u32,
    choice: u64,
    traps: bool,
    interrupted: bool,
}

fn step() -> impl Strategy<Value = Executed> {
    let insns = [NOP, BEQ_8, J_16, C_BEQZ_8, CALL, RET, MRET];
    let step = (
        proptest::sample::select(insns.to_vec()),
        0u64..64,
        0u8..12,
        0u8..6,
    );
    step.prop_map(|(insn, choice, trap, interrupt)| Executed {
        insn,
        choice,
        traps: trap == 0,
        interrupted: interrupt == 0,
    })
}

/// The retirements of a core that executes them, each right in every field. The handler of interrupts is known from the first on.
fn execute(steps: &[Executed]) -> Vec<Retirement> {
    let first = Executed {
        insn: NOP,
        choice: 0,
        traps: false,
        interrupted: true,
    };
    let (mut pc, mut intr) = (0x1000, false);
    let mut retired = Vec::new();
    for step in [&first].into_iter().chain(steps) {
        let instruction = decode(step.insn, pc, Xlen::Rv32);
        let anywhere = 0x8000 + 0x100 * step.choice;
        let next_pc = match instruction.transfer {
            _ if step.traps => EXCEPTION,
            None => instruction.next,
            Some(transfer) if transfer.conditional && step.choice % 2 == 0 => instruction.next,
            Some(transfer) => transfer.target.unwrap_or(anywhere),
        };
        retired.push(Retirement {
            next_pc,
            trap: step.traps,
            intr,
            ..retire(pc, step.insn)
        });
        intr = step.interrupted && !step.traps;
        pc = if intr { INTERRUPT } else { next_pc };
    }
    retired
}

/// What the ingress can say after an instruction whose interrupt hides where it led.
fn hide(row: &mut CycleRecords, before: &Retirement) {
    let instruction = decode(before.insn, before.pc, Xlen::Rv32);
    match instruction.transfer.filter(|_| !before.trap) {
        Some(transfer) if transfer.conditional => drop(row.offers.remove(0)),
        Some(transfer) if transfer.target.is_none() => {
            row.offers[0].record.target = instruction.next;
        }
        _ => return,
    }
    row.lost = true;
    row.offers.last_mut().expect("the trap's").after_loss = true;
}

proptest! {
    /// Both make the same records, but of what an interrupt hides.
    #[test]
    fn both_make_the_same_of_a_core_that_is_right(steps in prop::collection::vec(step(), 1..60)) {
        let run = execute(&steps);
        let mut trusting = Rvfi::new(Xlen::Rv32, 8);
        let mut following = Rvfi::new(Xlen::Rv32, 8).with_next(RvfiNext::Retirement);
        for (place, shown) in run.iter().enumerate() {
            let mut expected = trusting.step(shown, 1);
            prop_assert!(!expected.lost);
            if shown.intr {
                hide(&mut expected, &run[place - 1]);
            }
            let mut seen = following.step(shown, 1);
            // Where the handler returns to is not known either.
            if expected.lost {
                for row in [&mut expected, &mut seen] {
                    row.offers.last_mut().expect("the trap's").record.next = 0;
                }
            }
            prop_assert_eq!(seen, expected);
        }
    }
}
