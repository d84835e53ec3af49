use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_riscv::{Function, Functions};
use hpp_riscv::{Instruction, ProgramCode, Transfer};
use proptest::prelude::*;

/// Instructions of 4 bytes each, from address 0.
#[derive(Clone, Debug)]
pub struct Code(pub Vec<Option<Transfer>>);

impl ProgramCode for Code {
    fn instruction(&self, address: u64) -> Option<Instruction> {
        if !address.is_multiple_of(4) {
            return None;
        }
        let transfer = *self.0.get(usize::try_from(address / 4).ok()?)?;
        Some(Instruction {
            next: address + 4,
            transfer,
        })
    }
}

/// A transfer as an instruction has it.
pub fn transfer(kind: BranchKind, conditional: bool, target: Option<u64>) -> Option<Transfer> {
    Some(Transfer {
        kind,
        conditional,
        target,
    })
}

pub const FUNCTIONS: u64 = 5;
pub const WORDS: u64 = 14;

/// Functions of equal size: branches inside and tail calls between them, calls, jump tables, returns anywhere. The last
/// one is a trap handler.
pub fn code() -> impl Strategy<Value = Code> {
    let word = (0..16_u8, 0..WORDS, 0..FUNCTIONS - 1);
    prop::collection::vec(word, (FUNCTIONS * WORDS) as usize).prop_map(|words| {
        let transfers = words.iter().zip(0_u64..).map(|(&(what, to, other), i)| {
            let own = 4 * (i / WORDS * WORDS + to);
            let entry = 4 * WORDS * other;
            let jump = |conditional, target| {
                let kind = if target <= 4 * i {
                    BranchKind::Backward
                } else {
                    BranchKind::Forward
                };
                transfer(kind, conditional, Some(target))
            };
            let handler = i / WORDS == FUNCTIONS - 1;
            let leave = if handler {
                BranchKind::TrapReturn
            } else {
                BranchKind::Return
            };
            match what {
                _ if i % WORDS == WORDS - 1 => transfer(leave, false, None),
                0..5 => jump(true, own),
                5 if own > 4 * i => jump(false, own),
                6 => transfer(leave, false, None),
                7 if !handler => jump(to.is_multiple_of(2), entry),
                8 => transfer(BranchKind::Indirect, false, None),
                9 => transfer(BranchKind::Call, false, Some(entry)),
                10 => transfer(BranchKind::IndirectCall, false, None),
                _ => None,
            }
        });
        Code(transfers.collect())
    })
}

#[allow(dead_code, reason = "not every test that has random code asks for it")]
pub fn backward_not_taken() -> impl Strategy<Value = BackwardNotTaken> {
    let settings = [BackwardNotTaken::AsForward, BackwardNotTaken::AsBackward];
    prop::sample::select(settings.to_vec())
}

pub fn functions() -> Functions {
    let function = |i| Function::new(format!("f{i}"), 4 * WORDS * i, 4 * WORDS);
    Functions::new((0..FUNCTIONS).map(function).collect())
}
