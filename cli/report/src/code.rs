//! Instructions as an assembler writes them, with the heat of the paths through them.

use capstone::arch::riscv::ArchMode;
use capstone::prelude::*;
use hpp_riscv::code::{Instruction, ProgramCode as _};
use hpp_riscv::{Image, Xlen};
use serde::Serialize;

use crate::heat::Heat;
use crate::names::shortened;
use crate::program::{Program, SourceLine};

/// An instruction with its heat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CodeLine {
    /// Its address.
    pub address: u64,
    /// As an assembler writes it, with the name of another function that a call or a jump leads to.
    pub text: String,
    /// How often it ran on the profile's paths, or the events along them.
    pub weight: u64,
    /// For a conditional branch that ran, the share of taken ones; none where events are counted.
    pub taken: Option<f64>,
    /// Its source line.
    pub source: Option<SourceLine>,
}

impl CodeLine {
    /// The instruction at an address; `None` if there is no code.
    pub fn of(
        program: &Program<'_>,
        disassembler: &Disassembler,
        heat: &Heat,
        address: u64,
    ) -> Option<Self> {
        let instruction = program.image().instruction(address)?;
        Some(Self {
            address,
            text: text(program, disassembler, address, instruction),
            weight: heat.instructions.get(&address).copied().unwrap_or(0),
            taken: heat.branches.get(&address).map(|outcomes| outcomes.share()),
            source: program.source(address),
        })
    }
}

fn text(
    program: &Program<'_>,
    disassembler: &Disassembler,
    address: u64,
    instruction: Instruction,
) -> String {
    let length = instruction.next.wrapping_sub(address);
    let bytes = program.image().bytes(address, length).unwrap_or_default();
    let target = instruction.transfer.and_then(|transfer| transfer.target);
    let text = match program.image().zcm(address) {
        Some(half) => zcm(half, program.image().xlen()),
        None => disassembler.text(bytes, address, target),
    };
    let functions = program.image().functions();
    let other = target.filter(|&target| functions.at(target) != functions.at(address));
    match other {
        Some(target) => {
            let mut place = program.place(target);
            for name in [&mut place.function, &mut place.inlined] {
                *name = name.take().map(|name| shortened(&name).into_owned());
            }
            format!("{text} <{place}>")
        }
        None => text,
    }
}

/// Writes instructions in the assembler's notation.
pub struct Disassembler(Capstone);

impl Disassembler {
    /// For the program's width, with compressed instructions.
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
        text.unwrap_or_else(|| match target {
            Some(target) => format!("{}, {target:x}", word(bytes)),
            None => word(bytes),
        })
    }
}

/// An instruction of Zcmp or Zcmt, which the library takes for `c.fsdsp`.
fn zcm(half: u32, xlen: Xlen) -> String {
    let list = half >> 4 & 0xf;
    let saved = |at: u32| format!("s{}", half >> at & 7);
    let stack = |name, sign| {
        let registers = match list {
            ..5 => "ra".to_owned(),
            5 => "ra, s0".to_owned(),
            6..15 => format!("ra, s0-s{}", list - 5),
            _ => "ra, s0-s11".to_owned(),
        };
        let count = if list == 15 { 13 } else { list - 3 };
        let bytes = match xlen {
            Xlen::Rv32 => 4,
            Xlen::Rv64 => 8,
        };
        let adjust = (count * bytes).next_multiple_of(16) + 16 * (half >> 2 & 3);
        format!("{name:<7} {{{registers}}}, {sign}{adjust}")
    };
    match half >> 8 {
        0xb8 => stack("cm.push", "-"),
        0xb9 => stack("qc.cm.pushfp", "-"),
        0xba => stack("cm.pop", ""),
        0xbc => stack("cm.popretz", ""),
        0xbe => stack("cm.popret", ""),
        0xac..=0xaf if half & 0x40 == 0 => format!("cm.mvsa01 {}, {}", saved(7), saved(2)),
        0xac..=0xaf => format!("cm.mva01s {}, {}", saved(7), saved(2)),
        _ if half >> 2 & 0xff < 32 => format!("cm.jt   {}", half >> 2 & 0xff),
        _ => format!("cm.jalt {}", half >> 2 & 0xff),
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
