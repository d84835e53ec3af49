//! Instructions of any encoding, for a tiny profiler.

use hpp_riscv::LastStage;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Retirements of any word, including control transfers. A branch continues, or jumps within its range.
#[derive(Debug)]
pub(super) struct Words {
    rng: StdRng,
    pc: u32,
}

/// Major opcodes of transfers, and one that is not a transfer.
const OPCODES: [u32; 4] = [0x63, 0x67, 0x6f, 0x33];

/// Trap returns and similar encodings.
const RETURNS: [u32; 5] = [
    0x3020_0073,
    0x1020_0073,
    0x0020_0073,
    0x0010_0073,
    0x3020_0173,
];

impl Words {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: StdRng::seed_from_u64(seed),
            pc: 0,
        }
    }

    /// The next output of the last stage.
    pub(super) fn step(&mut self) -> LastStage {
        let pc = self.pc;
        let insn = self.word();
        let trap = self.rng.random_range(0..64) == 0;
        let is_branch = insn & 0x7f == 0x63 && !trap;
        self.pc = match self.rng.random_range(0..3) {
            0 => pc.wrapping_add(4),
            _ if is_branch => pc.wrapping_add_signed(4 * self.rng.random_range(-1024..1024)),
            _ => self.rng.random::<u32>() & !3,
        };
        LastStage {
            pc: pc.into(),
            insn,
            trap,
            ..LastStage::default()
        }
    }

    fn word(&mut self) -> u32 {
        let rng = &mut self.rng;
        let word: u32 = rng.random();
        // Few bits are set and few registers are used, as in programs.
        let word = match rng.random_range(0..4) {
            0 => word,
            1 => word & rng.random::<u32>() & rng.random::<u32>(),
            2 => 1 << rng.random_range(7..32),
            _ => {
                word & !(0x1f << 7 | 0x1f << 15)
                    | [0, 1, 5, 8][rng.random_range(0..4)] << 7
                    | [0, 1, 5, 8][rng.random_range(0..4)] << 15
            }
        };
        let word = match rng.random_range(0..8) {
            0 => word | 3,
            1 => {
                RETURNS[rng.random_range(0..RETURNS.len())]
                    ^ word & rng.random::<u32>() & 0x8000_0000
            }
            _ => word & !0x7f | OPCODES[rng.random_range(0..OPCODES.len())],
        };
        // Compressed instructions that are not transfers.
        match rng.random_range(0..16) {
            0 => word & !3,
            _ => word,
        }
    }
}
