//! Retirements of a core that is right, and their recordings.

use std::fmt::Write;

use hpp_riscv::{Retirement, Xlen, decode};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const NOP: u32 = 0x0000_0013;
pub const BEQ_8: u32 = 0x0000_0463;
pub const J_16: u32 = 0x0100_006f;
pub const C_NOP: u32 = 0x0000_0001;
pub const CALL: u32 = 0x0000_80e7;
pub const RET: u32 = 0x0000_8067;
pub const MRET: u32 = 0x3020_0073;

/// Handlers of interrupts and of exceptions.
pub const INTERRUPT: u64 = 0x100;
pub const EXCEPTION: u64 = 0x200;

/// Retirements of a core that is right in every signal; the first interrupt comes after an instruction that leads nowhere else.
pub fn execute(rng: &mut impl Rng) -> Vec<Retirement> {
    let (mut pc, mut intr) = (0x1000, false);
    let mut retired = Vec::new();
    // Where trap returns lead.
    let mut resumes = Vec::new();
    for place in 0..300 {
        let insns = [NOP, BEQ_8, J_16, C_NOP, CALL, RET, MRET];
        let insn = match insns[rng.random_range(0..insns.len())] {
            _ if place == 0 => NOP,
            // Outside a handler a trap return would start another task, at an address that an interrupt may have left.
            MRET if resumes.is_empty() => NOP,
            // Nor does one lead to itself.
            MRET if resumes.last() == Some(&pc) => NOP,
            insn => insn,
        };
        let instruction = decode(insn, pc, Xlen::Rv32);
        let trap = place == 40 || place > 0 && rng.random_range(0..20) == 0;
        let next_pc = match instruction.transfer {
            _ if trap => EXCEPTION,
            _ if insn == MRET => resumes.pop().expect("there is one"),
            Some(transfer) if !transfer.conditional || rng.random() => transfer
                .target
                // Never to itself.
                .unwrap_or(0x8000 + 0x100 * (pc >> 8 & 63 ^ rng.random_range(1..64))),
            _ => instruction.next,
        };
        retired.push(Retirement {
            pc,
            insn,
            next_pc,
            trap,
            intr,
            context: 0,
        });
        // The handler's first instruction is not interrupted.
        intr = place == 0 || !trap && pc != INTERRUPT && rng.random_range(0..10) == 0;
        match (trap, intr) {
            (true, _) => resumes.push(instruction.next),
            (_, true) => resumes.push(next_pc),
            _ => {}
        }
        pc = if intr { INTERRUPT } else { next_pc };
    }
    retired
}

pub fn runs() -> impl Iterator<Item = (u64, Vec<Retirement>)> {
    let first = std::env::var("HPP_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    (first..first + 10).map(|seed| (seed, execute(&mut ChaCha8Rng::seed_from_u64(seed))))
}

pub fn log(run: &[Retirement]) -> String {
    log_of_runs(&[run])
}

/// Several runs, with a reset before each but the first.
pub fn log_of_runs(runs: &[&[Retirement]]) -> String {
    let mut text = "pc_rdata,insn,trap,pc_wdata,intr,reset\n".to_string();
    for (number, run) in runs.iter().enumerate() {
        for (place, shown) in run.iter().enumerate() {
            let (trap, intr) = (u8::from(shown.trap), u8::from(shown.intr));
            let (pc, insn, next) = (shown.pc, shown.insn, shown.next_pc);
            let reset = u8::from(number > 0 && place == 0);
            writeln!(text, "{pc:08x},0x{insn:x},{trap},{next:x},{intr},{reset}").expect("text");
        }
    }
    text
}

/// The same as a waveform, in which every other cycle is empty.
pub fn waveform(run: &[Retirement]) -> String {
    waveform_of_runs(&[run], "rst_ni")
}

/// Several runs, each after a reset in which `valid` is undefined; the reset is 0 then.
pub fn waveform_of_runs(runs: &[&[Retirement]], reset: &str) -> String {
    let mut text = "$timescale 1ns $end\n$scope module core $end\n".to_string();
    let signals = [
        ("clk_i", 1),
        ("rvfi_valid", 1),
        ("rvfi_pc_rdata", 32),
        ("rvfi_insn", 32),
        ("rvfi_trap", 1),
        ("rvfi_pc_wdata", 32),
        ("rvfi_intr", 1),
        (reset, 1),
    ];
    for (code, (name, width)) in ('a'..).zip(signals) {
        writeln!(text, "$var wire {width} {code} {name} $end").expect("text");
    }
    text += "$upscope $end\n$enddefinitions $end\n";
    let resets = runs
        .iter()
        .map(|run| std::iter::once(None).chain(run.iter().map(Some)));
    for (place, shown) in resets.flatten().enumerate() {
        let time = 4 * place;
        let Some(shown) = shown else {
            writeln!(text, "#{time}\n0a\nxb\n0h\n#{}\n1a", time + 1).expect("text");
            writeln!(text, "#{}\n0a\n0b\n1h", time + 2).expect("text");
            continue;
        };
        let (trap, intr) = (u8::from(shown.trap), u8::from(shown.intr));
        let (pc, insn, next) = (shown.pc, shown.insn, shown.next_pc);
        writeln!(text, "#{time}\n0a\n0b\n#{}\n1a", time + 1).expect("text");
        writeln!(
            text,
            "#{}\n0a\n1b\nb{pc:b} c\nb{insn:b} d\n{trap}e\nb{next:b} f\n{intr}g",
            time + 2
        )
        .expect("text");
        writeln!(text, "#{}\n1a", time + 3).expect("text");
    }
    text
}
