//! Retirements of a core that is right, their recordings, and their records.

#![allow(dead_code, reason = "not every test needs all")]

use std::fmt::Write;

use hpp::log::ReadParts;
use hpp_explore::trace::Ending;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Ingress, ProgramCode};
use hpp_riscv::{Image, Retirement, Xlen, decode};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub const NOP: u32 = 0x0000_0013;
pub const BEQ_8: u32 = 0x0000_0463;
pub const J_16: u32 = 0x0100_006f;
pub const C_NOP: u32 = 0x0000_0001;
pub const CALL: u32 = 0x0000_80e7;
pub const RET: u32 = 0x0000_8067;
pub const MRET: u32 = 0x3020_0073;
pub const ECALL: u32 = 0x0000_0073;

/// Handlers of interrupts and of exceptions.
pub const INTERRUPT: u64 = 0x100;
pub const EXCEPTION: u64 = 0x200;

/// Retirements of a core that is right in every signal; of traps and interrupts, if there are any, the first interrupt comes after an instruction that leads
/// nowhere else.
pub fn execute(rng: &mut impl Rng, traps: bool) -> Vec<Retirement> {
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
        let trap = traps && (place == 40 || place > 0 && rng.random_range(0..20) == 0);
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
            loop_end: false,
            context: 0,
        });
        // The handler's first instruction is not interrupted.
        let may = traps && !trap && pc != INTERRUPT;
        intr = traps && place == 0 || may && rng.random_range(0..10) == 0;
        match (trap, intr) {
            (true, _) => resumes.push(instruction.next),
            (_, true) => resumes.push(next_pc),
            _ => {}
        }
        pc = if intr { INTERRUPT } else { next_pc };
    }
    retired
}

#[derive(Clone, Copy, PartialEq)]
pub enum Traps {
    /// None, and the run ends where the program asks for one, or waits for one for ever.
    Foreign,
    /// Those that the program asks for.
    None,
    /// Not right after a computed jump, of which version 1.0 has no packet.
    Few,
    All,
}

pub fn word(image: &Image, at: u64) -> u32 {
    let half = |at| {
        let bytes = image.bytes(at, 2).expect("code");
        u32::from(u16::from_le_bytes(bytes.try_into().expect("two")))
    };
    match half(at) & 3 {
        3 => half(at + 2) << 16 | half(at),
        _ => half(at),
    }
}

/// A run through a program, whose outcomes and computed targets are random, with its handlers of exceptions and of interrupts.
pub fn through(
    rng: &mut impl Rng,
    image: &Image,
    entries: &[u64],
    [exception, interrupt]: [u64; 2],
    steps: usize,
    traps: Traps,
) -> Vec<Retirement> {
    let (mut pc, mut intr) = (entries[0], false);
    let (mut run, mut calls, mut resumes) = (Vec::new(), Vec::new(), Vec::new());
    while run.len() < steps {
        let Some(instruction) = image.instruction(pc) else {
            break;
        };
        let insn = word(image, pc);
        let is_computed = |at: u64| {
            let transfer = image.instruction(at).and_then(|at| at.transfer);
            transfer.is_some_and(|transfer| transfer.target.is_none())
        };
        let computed = is_computed(pc);
        let before_computed = run
            .last()
            .is_some_and(|last: &Retirement| is_computed(last.pc));
        let may = traps == Traps::All || traps == Traps::Few && !before_computed;
        let target = instruction.transfer.and_then(|transfer| transfer.target);
        let asks = matches!(insn, ECALL | 0x0010_0073 | 0x9002);
        if traps == Traps::Foreign && (asks || target == Some(pc)) {
            break;
        }
        // The library's encoder begins with an instruction that traps, and reports a trap again whose handler traps at once, at the target of a computed jump.
        let is_first =
            run.is_empty() || intr || run.last().is_some_and(|last: &Retirement| last.trap);
        let trap =
            insn == ECALL || may && resumes.len() < 2 && !is_first && rng.random_range(0..60) == 0;
        let next_pc = match instruction.transfer {
            _ if trap => exception,
            _ if insn == MRET => resumes.pop().expect("a trap"),
            Some(transfer) if transfer.conditional && rng.random() => instruction.next,
            Some(transfer) => transfer.target.unwrap_or_else(|| {
                // No jump leads to itself.
                let random = match entries[rng.random_range(0..entries.len())] {
                    random if random == pc => entries[usize::from(entries[0] == pc)],
                    random => random,
                };
                let is_return = transfer.kind == BranchKind::Return;
                is_return.then(|| calls.pop()).flatten().unwrap_or(random)
            }),
            None => instruction.next,
        };
        let kind = instruction.transfer.map(|transfer| transfer.kind);
        if let Some(BranchKind::Call | BranchKind::IndirectCall) = kind {
            calls.push(instruction.next);
        }
        run.push(Retirement {
            intr,
            trap,
            ..Retirement::new(pc, insn, next_pc)
        });
        intr = !matches!(traps, Traps::None | Traps::Foreign)
            && !trap
            && (traps == Traps::All || !computed)
            && resumes.len() < 2
            && rng.random_range(0..40) == 0;
        if trap {
            resumes.push(instruction.next);
        } else if intr {
            resumes.push(next_pc);
        }
        pc = if intr { interrupt } else { next_pc };
    }
    run
}

pub fn seeds(count: u64) -> impl Iterator<Item = u64> {
    let first = std::env::var("HPP_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    first..first + count
}

pub fn runs() -> impl Iterator<Item = (u64, Vec<Retirement>)> {
    seeds(10).map(|seed| (seed, execute(&mut ChaCha8Rng::seed_from_u64(seed), true)))
}

/// What the ingress makes of a run; nobody knows where the last instruction led.
pub fn expected(run: &[Retirement], xlen: Xlen) -> Vec<BranchRecord> {
    let geometry = Geometry {
        pc_bits: if xlen == Xlen::Rv32 { 32 } else { 64 },
        ..Geometry::default()
    };
    let mut ingress = Ingress::new(xlen, 16).with_geometry(&geometry);
    let known = &run[..run.len().saturating_sub(1)];
    let records = known.iter().flat_map(|shown| ingress.step(shown, 1));
    records.collect()
}

/// What was read of a log or of packets.
pub struct Read {
    pub records: Vec<BranchRecord>,
    /// Places where records are missing.
    pub lost: usize,
    pub ending: Ending,
}

impl Read {
    /// Reads the source to its end.
    pub fn all(mut source: impl ReadParts) -> Self {
        let (mut records, mut lost) = (Vec::new(), 0);
        loop {
            let parts = source.next_parts().expect("what can be read");
            if parts.is_empty() {
                let ending = source.ending();
                return Self {
                    records,
                    lost,
                    ending,
                };
            }
            for (after_loss, numbers) in parts {
                lost += usize::from(after_loss && !records.is_empty());
                let all = source.records();
                records.extend(numbers.iter().map(|&number| all[number as usize]));
            }
        }
    }

    /// It is the whole of a run, with what its last instruction may have led to.
    #[track_caller]
    pub fn must_be(&self, run: &[Retirement], xlen: Xlen, what: &str) {
        let (got, expected) = (&self.records, expected(run, xlen));
        let mut pairs = got.iter().zip(&expected);
        let differs = pairs.position(|(got, known)| got != known);
        let about = differs.unwrap_or(got.len().min(expected.len()));
        let near = about.saturating_sub(2)..about + 2;
        assert!(
            differs.is_none() && (expected.len()..=expected.len() + 2).contains(&got.len()),
            "{what}: {} and {} records, at {about}: {:x?} for {:x?}",
            got.len(),
            expected.len(),
            got.get(near.clone()),
            expected.get(near),
        );
        let is_whole = self.lost == 0 && self.ending.left_out.is_empty();
        assert!(is_whole, "{what}: {:?}", self.ending);
    }
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
