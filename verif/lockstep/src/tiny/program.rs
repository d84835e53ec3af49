//! Programs for a tiny profiler, in instructions of 32 bits with their targets.

use hpp_riscv::LastStage;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// An endless run of a last stage.
#[derive(Debug)]
pub struct Run {
    rng: StdRng,
    /// Probability of an instruction that is not a transfer, of 256.
    plain: u8,
    /// Probability of a forward branch among the transfers, of 256.
    forward: u16,
    /// Probability of a trap, of 4096.
    traps: u16,
    places: u32,
    pc: u32,
    returns: Vec<u32>,
    handlers: Vec<(u32, u32)>,
}

const HANDLERS: u32 = 0x8000;

impl Run {
    /// The run of a program, determined by the seed.
    pub fn new(seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        Self {
            plain: rng.random_range(0..200),
            forward: [0, 0, 224, 255][rng.random_range(0..4)],
            traps: [0, 8, 64, 512][rng.random_range(0..4)],
            places: [4, 16, 64, 512][rng.random_range(0..4)],
            rng,
            pc: 0,
            returns: Vec::new(),
            handlers: Vec::new(),
        }
    }

    /// The same run with forward branches as its only transfers, or without a preference for them.
    #[must_use]
    pub fn straight(self, is_straight: bool) -> Self {
        Self {
            forward: if is_straight { 255 } else { 0 },
            ..self
        }
    }

    /// The same program without instructions that are no transfers.
    #[must_use]
    pub fn dense(self) -> Self {
        Self { plain: 0, ..self }
    }

    /// The next output of the last stage.
    pub fn step(&mut self) -> LastStage {
        let pc = self.pc;
        if self.rng.random_range(0..4096) < self.traps {
            let left = self.rng.random_range(0..12);
            self.handlers.push((pc, left));
            self.pc = HANDLERS + 4 * self.rng.random_range(0..4);
            return LastStage {
                pc: pc.into(),
                insn: self.rng.random(),
                trap: true,
                ..LastStage::default()
            };
        }
        let (insn, next) = self.instruction();
        self.pc = next;
        LastStage {
            pc: pc.into(),
            insn,
            ..LastStage::default()
        }
    }

    fn place(&mut self) -> u32 {
        4 * self.rng.random_range(0..self.places)
    }

    fn instruction(&mut self) -> (u32, u32) {
        let (pc, link) = (self.pc, self.pc.wrapping_add(4));
        if let Some((back, left)) = self.handlers.last_mut() {
            if *left == 0 {
                let back = *back;
                self.handlers.pop();
                return (0x3020_0073, back);
            }
            *left -= 1;
        }
        if self.rng.random_range(0..256) < u32::from(self.plain) && pc < HANDLERS + 0x4000 {
            return (
                [0x13, 0x0000_0033, 0x0000_0003][self.rng.random_range(0..3)],
                link,
            );
        }
        if self.rng.random_range(0..256) < self.forward && pc < 0x4000 {
            let next = [link, pc + 8][self.rng.random_range(0..2)];
            return (branch(8, 0), next);
        }
        // The instruction at an address mostly stays the same.
        let kind = match self.rng.random_range(0..8) {
            0 => self.rng.random(),
            _ => pc.wrapping_mul(0x9e37_79b9),
        };
        match kind >> 28 {
            0..=6 => {
                let offset = [-40_i32, -24, -8, -4, 0, 4, 8, 12, 20, 48][(kind >> 8) as usize % 10];
                let funct3 = [0, 1, 4, 5, 6, 7][(kind >> 16) as usize % 6];
                let taken = self.rng.random_range(0..3) > 0;
                let target = pc.wrapping_add_signed(offset);
                let next = if taken && target < HANDLERS + 0x8000 {
                    target
                } else {
                    link
                };
                (branch(offset, funct3), next)
            }
            7..=8 => {
                let target = self.place();
                (jump(target.wrapping_sub(pc), 0), target)
            }
            9..=10 => {
                let target = self.place();
                self.returns.push(link);
                (
                    jump(target.wrapping_sub(pc), [1, 5][kind as usize & 1]),
                    target,
                )
            }
            11 => {
                let target = self.place();
                self.returns.push(link);
                (through(1, [6, 1, 5][kind as usize % 2]), target)
            }
            12 => (through(0, 6), self.place()),
            _ => {
                let target = self.returns.pop();
                let target = target.unwrap_or_else(|| self.place());
                (through(0, [1, 5][kind as usize & 1]), target)
            }
        }
    }
}

const fn branch(offset: i32, funct3: u32) -> u32 {
    let bits = offset as u32;
    (bits >> 12 & 1) << 31
        | (bits >> 5 & 0x3f) << 25
        | 0x0031_0000
        | funct3 << 12
        | (bits >> 1 & 15) << 8
        | (bits >> 11 & 1) << 7
        | 0x63
}

const fn jump(bits: u32, rd: u32) -> u32 {
    (bits >> 20 & 1) << 31
        | (bits >> 1 & 0x3ff) << 21
        | (bits >> 11 & 1) << 20
        | (bits >> 12 & 0xff) << 12
        | rd << 7
        | 0x6f
}

const fn through(rd: u32, rs1: u32) -> u32 {
    rs1 << 15 | rd << 7 | 0x67
}
