//! Random retirements: instructions of every class, at addresses that distinguish every position.

use super::xlen;
use crate::stream::StreamRng;
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Extensions, decode_shown};
use hpp_hdl::IngressOptions;
use hpp_riscv::{Retirement, Xlen};
use rand::{Rng, RngExt};

/// Encodings of every class, and others: (mask of free bits, fixed bits).
const FORMS: [(u32, u32); 24] = [
    (0xffff_8f80, 0x0000_0063), // branches
    (0xffff_f000, 0x0000_006f), // jump
    (0xffff_f000, 0x0000_00ef), // call
    (0xfff0_0000, 0x0000_8067), // return
    (0xfff0_0000, 0x0003_0067), // indirect jump
    (0xfff0_0000, 0x0003_00e7), // indirect call
    (0xfff0_0000, 0x0002_82e7), // indirect call that reads its own link
    (0xfff0_0000, 0x0000_82e7), // from one link to the other
    (0xffff_ffff, 0x0000_0000), // anything
    (0x0000_0000, 0x3020_0073), // mret
    (0x0000_0000, 0x1020_0073), // sret
    (0x0000_1ffc, 0x0000_a001), // c.j
    (0x0000_1ffc, 0x0000_2001), // c.jal or c.addiw
    (0x0000_3ffc, 0x0000_c001), // c.beqz, c.bnez
    (0x0000_0f80, 0x0000_8002), // c.jr
    (0x0000_0f80, 0x0000_9002), // c.jalr
    (0x0000_02fc, 0x0000_bc02), // cm.popret, cm.popretz or c.fsdsp
    (0x0000_03fc, 0x0000_a002), // cm.jt, cm.jalt or c.fsdsp
    (0xffff_9f80, 0x0000_600b), // cv.beqimm, cv.bneimm or what a core does not know
    (0xffff_ff80, 0x0000_005b), // nds.beqc to nds.bbs, or the same
    (0xffff_ff80, 0x0000_007b), // qc.beqi to qc.bgeui, or the same
    (0xfe7f_ff80, 0x0180_001f), // 48 bits
    (0xfe0f_8f80, 0x0000_401f), // qc.e.j, qc.e.jal
    (0x0000_0380, 0x0000_1812), // qc.c.mret and others, or c.slli
];

/// `uret`. `sret` and `mret` differ from it in the bits of the privilege level.
const TRAP_RETURN: u32 = 0x0020_0073;
const TRAP_RETURN_LEVEL: u32 = 0x3000_0000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mix {
    /// Every encoding with equal probability, targets from a small and a large set.
    Uniform,
    /// Mostly branches, and handlers whose first instruction is a jump.
    Vectored,
}

#[derive(Debug, Clone)]
pub struct Retirements {
    mix: Mix,
    xlen: Xlen,
    extensions: Extensions,
    loops: bool,
    pc: u64,
    pc_mask: u64,
    after_trap: bool,
    /// The last instruction was a trap return, whose target a following interrupt hides.
    after_return: bool,
}

impl Retirements {
    /// A program for a core with addresses of that width.
    pub fn new(mix: Mix, geometry: &Geometry) -> Self {
        Self::with(mix, geometry, &IngressOptions::default())
    }

    /// The same, of a core with these extensions.
    pub fn with(mix: Mix, geometry: &Geometry, options: &IngressOptions) -> Self {
        Self {
            mix,
            extensions: options.extensions(),
            loops: options.has_loops(),
            xlen: xlen(geometry),
            pc: 0,
            pc_mask: Geometry::mask(geometry.pc_bits),
            after_trap: false,
            after_return: false,
        }
    }

    /// The next retirement. [`Retirements::advance`] then executes it.
    pub fn draw(&self, rng: &mut StreamRng) -> Retirement {
        let trap = rng.random_range(0..40) == 0;
        let odds = if self.after_return { 4 } else { 40 };
        let intr = rng.random_range(0..odds) == 0;
        let enters = intr || self.after_trap;
        // The handler of an interrupt is mostly elsewhere than the target of the last instruction.
        let pc = match intr && !self.after_trap && rng.random_range(0..4) > 0 {
            true => rng.next_u64() & self.pc_mask & !1,
            false => self.pc,
        };
        let forms = match self.mix {
            Mix::Uniform => 0..FORMS.len(),
            // Its first instruction is the jump of a vector table.
            Mix::Vectored if enters => 1..2,
            Mix::Vectored => [0..1, 0..1, 0..5, 9..11][rng.random_range(0..4)].clone(),
        };
        let (free, fixed) = FORMS[rng.random_range(forms)];
        let insn = fixed | rng.next_u32() & free;
        let decoded = decode_shown(insn, pc, self.xlen, self.extensions);
        let direct = decoded.transfer.and_then(|transfer| transfer.target);
        let target = match (rng.random_range(0..4), direct) {
            (0, _) => decoded.next,
            (3, Some(target)) => target,
            (1, _) if self.mix == Mix::Uniform => rng.random_range(0..16) * 2,
            _ => rng.next_u64() & !1,
        };
        Retirement {
            pc,
            insn,
            next_pc: target & self.pc_mask,
            trap,
            intr,
            loop_end: self.loops && rng.random_range(0..4) == 0,
            context: 0,
        }
    }

    pub fn advance(&mut self, retirement: &Retirement) {
        self.pc = retirement.next_pc;
        self.after_trap = retirement.trap;
        self.after_return = retirement.insn & !TRAP_RETURN_LEVEL == TRAP_RETURN;
    }
}
