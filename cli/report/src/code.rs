//! Instructions as an assembler writes them.

use capstone::arch::riscv::ArchMode;
use capstone::prelude::*;
use hpp_riscv::{Image, Xlen};

/// Writes instructions in the assembler's notation.
pub struct Disassembler(Capstone);

impl Disassembler {
    /// For the program's width, with compressed instructions.
    #[must_use]
    pub fn new(image: &Image) -> Self {
        let mode = match image.xlen() {
            Xlen::Rv32 => ArchMode::RiscV32,
            Xlen::Rv64 => ArchMode::RiscV64,
        };
        let compressed = [capstone::arch::riscv::ArchExtraMode::RiscVC].into_iter();
        let built = Capstone::new()
            .riscv()
            .mode(mode)
            .extra_mode(compressed)
            .build();
        Self(built.expect("capstone is built with RISC-V"))
    }

    /// The instruction at an address, whose bytes these are; one that is not known, as a word. The target of a direct
    /// branch is written as an address.
    #[must_use]
    pub fn text(&self, bytes: &[u8], address: u64, target: Option<u64>) -> String {
        let known = self.0.disasm_count(bytes, address, 1).ok();
        let text = known.as_ref().and_then(|found| {
            let instruction = found.iter().next()?;
            let mut operands = instruction.op_str().unwrap_or_default().to_string();
            if let Some(target) = target {
                let others = operands.rsplit_once(", ").map_or("", |(others, _)| others);
                let comma = if others.is_empty() { "" } else { ", " };
                operands = format!("{others}{comma}{target:x}");
            }
            Some(
                format!("{:<7} {operands}", instruction.mnemonic()?)
                    .trim_end()
                    .to_string(),
            )
        });
        text.unwrap_or_else(|| word(bytes))
    }
}

fn word(bytes: &[u8]) -> String {
    let value = bytes
        .iter()
        .rev()
        .fold(0u64, |value, byte| value << 8 | u64::from(*byte));
    format!(
        ".{}byte  {value:#0width$x}",
        bytes.len(),
        width = 2 + 2 * bytes.len()
    )
}
