//! Hardware loops of CORE-V: what jumps back without an instruction.
//!
//! A core has two. Each has a start, an end and a count of rounds. The last instruction before the end is not a transfer itself. After it control
//! goes to the start while rounds are left, else on. To path profiling that instruction is a [conditional branch back](Instruction::ending_loop).
//!
//! Source: the CV32E40P user manual, "CORE-V Hardware Loop feature" and the encodings of `cv.start` to `cv.setup`. They are on RV32 alone, and so is this.

use crate::ingress::code::Instruction;

/// What an instruction does to the addresses of a hardware loop. An address that is set is `Some(None)` if it comes from a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopSetup {
    /// Which loop: 0 or 1.
    pub number: usize,
    /// It sets the start.
    pub start: Option<Option<u64>>,
    /// It sets the end, the address after the body.
    pub end: Option<Option<u64>>,
}

impl LoopSetup {
    /// What the instruction `insn` at `pc` does; `None` if it sets no address of a loop.
    pub fn of(insn: u32, pc: u64) -> Option<Self> {
        let (long, short) = (insn >> 20, insn >> 15 & 0x1f);
        if insn & 0x707f != 0x402b {
            return None;
        }
        let after = |words: u32| Some(pc.wrapping_add(4 * u64::from(words)) & 0xffff_ffff);
        let (start, end) = match (insn >> 8 & 0xf, long, short) {
            (0, _, 0) => (Some(after(long)), None),
            (1, 0, _) => (Some(None), None),
            (2, _, 0) => (None, Some(after(long))),
            (3, 0, _) => (None, Some(None)),
            (6, ..) => (Some(after(1)), Some(after(short))),
            (7, ..) => (Some(after(1)), Some(after(long))),
            _ => return None,
        };
        let number = (insn >> 7 & 1) as usize;
        Some(Self { number, start, end })
    }
}

/// The hardware loops of a core, as the instructions that it executes set them up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// Start and end of each, where they are known.
    loops: [(Option<u64>, Option<u64>); 2],
}

impl Loops {
    /// The instruction at `pc` with the word `insn`, which is executed: it may set up a loop, or be the last of one's body. `decoded` is what it is
    /// otherwise.
    #[must_use = "it may be the end of a loop"]
    pub fn execute(&mut self, insn: u32, pc: u64, decoded: Instruction) -> Instruction {
        if let Some(setup) = LoopSetup::of(insn, pc) {
            let (start, end) = &mut self.loops[setup.number];
            *start = setup.start.unwrap_or(*start);
            *end = setup.end.unwrap_or(*end);
        }
        let ends = |&&(_, end): &&(_, Option<u64>)| end == Some(decoded.next);
        match self.loops.iter().find(ends) {
            Some(&(start, _)) => decoded.ending_loop(start),
            None => decoded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingress::{Xlen, decode};

    /// The manual's table of encodings: bits 31 to 20 and 19 to 15 are 3 and 2.
    #[test]
    fn each_setup_sets_what_the_manual_says() {
        let of = |function: u32, long: u32, short: u32, number: u32| {
            let insn = long << 20 | short << 15 | 0x402b | function << 8 | number << 7;
            LoopSetup::of(insn, 0x100).map(|setup| (setup.number, setup.start, setup.end))
        };
        assert_eq!(of(0, 3, 0, 0), Some((0, Some(Some(0x10c)), None)));
        assert_eq!(of(1, 0, 2, 1), Some((1, Some(None), None)));
        assert_eq!(of(2, 3, 0, 1), Some((1, None, Some(Some(0x10c)))));
        assert_eq!(of(3, 0, 2, 0), Some((0, None, Some(None))));
        assert_eq!([of(4, 3, 0, 0), of(5, 0, 2, 0)], [None; 2], "the count");
        let both = |end| Some((0, Some(Some(0x104)), Some(Some(end))));
        assert_eq!((of(6, 3, 2, 0), of(7, 3, 2, 0)), (both(0x108), both(0x10c)));
        let reserved = [of(0, 3, 2, 0), of(1, 3, 2, 0), of(8, 0, 0, 0)];
        assert_eq!(reserved, [None; 3]);
    }

    #[test]
    fn the_last_instruction_of_a_body_leads_back_or_on() {
        let mut loops = Loops::default();
        let mut run = |insn, pc| {
            loops
                .execute(insn, pc, decode(insn, pc, Xlen::Rv32))
                .transfer
        };
        // cv.setupi 0, 3, 16: up to 0x110.
        assert_eq!(run(0x0032_462b, 0x100), None);
        let nop = 0x13;
        assert_eq!(run(nop, 0x104), None);
        let back = run(nop, 0x10c).expect("a branch");
        assert_eq!((back.target, back.conditional), (Some(0x104), true));
        // cv.end 0, t0: somewhere.
        assert_eq!(run(0x0002_c32b, 0x110), None);
        assert_eq!(run(nop, 0x10c), None);
    }
}
