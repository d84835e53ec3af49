//! `hpp check`: whether the signals of a core can be believed.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use hpp_riscv::{Retirement, Xlen, decode};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const NOP: u32 = 0x0000_0013;
const BEQ_8: u32 = 0x0000_0463;
const J_16: u32 = 0x0100_006f;
const C_NOP: u32 = 0x0000_0001;
const CALL: u32 = 0x0000_80e7;
const RET: u32 = 0x0000_8067;
const MRET: u32 = 0x3020_0073;

/// Handlers of interrupts and of exceptions.
const INTERRUPT: u64 = 0x100;
const EXCEPTION: u64 = 0x200;

/// Retirements of a core that is right in every signal; the first interrupt comes behind an instruction that leads nowhere else.
fn execute(rng: &mut impl Rng) -> Vec<Retirement> {
    let (mut pc, mut intr) = (0x1000, false);
    let mut retired = Vec::new();
    for place in 0..300 {
        let insn = match place {
            0 => NOP,
            _ => [NOP, BEQ_8, J_16, C_NOP, CALL, RET, MRET][rng.random_range(0..7)],
        };
        let instruction = decode(insn, pc, Xlen::Rv32);
        let trap = place == 40 || place > 0 && rng.random_range(0..20) == 0;
        let next_pc = match instruction.transfer {
            _ if trap => EXCEPTION,
            Some(transfer) if !transfer.conditional || rng.random() => transfer
                .target
                .unwrap_or(0x8000 + 0x100 * rng.random_range(0..64)),
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
        intr = place == 0 || !trap && rng.random_range(0..10) == 0;
        pc = if intr { INTERRUPT } else { next_pc };
    }
    retired
}

fn runs() -> impl Iterator<Item = (u64, Vec<Retirement>)> {
    let first = std::env::var("HPP_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    (first..first + 10).map(|seed| (seed, execute(&mut ChaCha8Rng::seed_from_u64(seed))))
}

fn log(run: &[Retirement]) -> String {
    let mut text = "pc_rdata,insn,trap,pc_wdata,intr\n".to_string();
    for shown in run {
        let (trap, intr) = (u8::from(shown.trap), u8::from(shown.intr));
        let (pc, insn, next) = (shown.pc, shown.insn, shown.next_pc);
        writeln!(text, "{pc:08x},0x{insn:x},{trap},{next:x},{intr}").expect("text");
    }
    text
}

/// The same as a waveform, in which every other cycle is empty.
fn waveform(run: &[Retirement]) -> String {
    let mut text = "$timescale 1ns $end\n$scope module core $end\n".to_string();
    let signals = [
        ("clk_i", 1),
        ("rvfi_valid", 1),
        ("rvfi_pc_rdata", 32),
        ("rvfi_insn", 32),
        ("rvfi_trap", 1),
        ("rvfi_pc_wdata", 32),
        ("rvfi_intr", 1),
    ];
    for (code, (name, width)) in ('a'..).zip(signals) {
        writeln!(text, "$var wire {width} {code} {name} $end").expect("text");
    }
    text += "$upscope $end\n$enddefinitions $end\n#0\n0a\nxb\n#1\n1a\n";
    for (place, shown) in (1..).zip(run) {
        let (trap, intr) = (u8::from(shown.trap), u8::from(shown.intr));
        let (pc, insn, next) = (shown.pc, shown.insn, shown.next_pc);
        let time = 4 * place;
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

fn check(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), text).expect("the folder is writable");
    let output = command(folder.path(), name, arguments);
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).expect("text"))
}

fn command(folder: &Path, name: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hpp"));
    command
        .current_dir(folder)
        .arg("check")
        .arg(name)
        .args(arguments);
    command.output().expect("hpp runs")
}

/// What is said of a run, and its exit status.
fn said(run: &[Retirement]) -> (Option<i32>, String) {
    check("run.csv", &log(run), &[])
}

/// Each retirement with the one before it.
fn with_before(run: &[Retirement]) -> impl Iterator<Item = (Retirement, Retirement)> {
    run.windows(2).map(|pair| (pair[0], pair[1]))
}

#[test]
fn a_core_that_is_right_is_believed() {
    for (seed, run) in runs() {
        let (status, text) = said(&run);
        assert_eq!(status, Some(0), "HPP_SEED={seed}: {text}");
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        let traps = with_before(&run).filter(|(before, _)| before.trap).count();
        let head = format!(
            "300 retirements, {traps} traps, {interrupts} interrupts; handlers of interrupts: 0x100 ({interrupts})\n"
        );
        assert!(text.starts_with(&head), "HPP_SEED={seed}: {text}");
        let vcd = check("run.vcd", &waveform(&run), &["--clock", "clk_i"]);
        assert_eq!(vcd, (status, text), "HPP_SEED={seed}");
    }
}

/// Hazard3 never sets `rvfi_intr`, and shows the handler as what follows an instruction that an interrupt follows.
#[test]
fn a_core_without_intr_that_shows_the_handler_as_next_is_not_believed() {
    for (seed, mut run) in runs() {
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        for place in 1..run.len() {
            if std::mem::take(&mut run[place].intr) {
                run[place - 1].next_pc = INTERRUPT;
            }
        }
        let (status, text) = said(&run);
        assert_eq!(status, Some(3), "HPP_SEED={seed}: {text}");
        let intr = format!("wrong: `intr` never seen, {interrupts} entries of a handler\n");
        let next = format!(
            "wrong: `pc_wdata` is not the next `pc_rdata`: {interrupts}, {interrupts} before a handler\n"
        );
        assert!(
            text.contains(&intr) && text.contains(&next),
            "HPP_SEED={seed}: {text}"
        );
        assert!(text.contains("--rvfi-next retirement"), "{text}");
    }
}

/// Any single lie about a transfer is told.
#[test]
fn one_wrong_signal_is_enough() {
    for (seed, run) in runs() {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..3 {
            let mut run = run.clone();
            let place = rng.random_range(1..run.len() - 1);
            let (before, shown) = (run[place - 1], run[place]);
            let computed = matches!(before.insn, CALL | RET | MRET);
            if before.trap || computed && !shown.intr {
                continue; // what is not looked at, or may be so
            }
            run[place].intr = !shown.intr;
            let (status, text) = said(&run);
            assert_eq!(status, Some(3), "HPP_SEED={seed}, {place}: {text}");
            assert!(
                text.contains("wrong: `intr` is "),
                "HPP_SEED={seed}, {place}: {text}"
            );
            run[place].intr = shown.intr;
            run[place - 1].next_pc = INTERRUPT;
            let (status, text) = said(&run);
            assert_eq!(status, Some(3), "HPP_SEED={seed}, {place}: {text}");
        }
    }
}

/// Ibex shows the address behind `mret`, which no ingress reads.
#[test]
fn a_wrong_next_address_of_a_trap_return_is_harmless() {
    let retire = |pc, insn, next_pc| Retirement {
        pc,
        insn,
        next_pc,
        ..Retirement::default()
    };
    let entry = Retirement {
        intr: true,
        ..retire(INTERRUPT, MRET, 0x104)
    };
    let run = [retire(0x10, NOP, 0x14), entry, retire(0x14, NOP, 0x18)];
    let (status, text) = said(&run);
    assert_eq!(status, Some(0), "{text}");
    assert!(
        text.contains("harmless: `pc_wdata` of 1 trap returns"),
        "{text}"
    );
    assert!(text.contains("not seen: no trap"), "{text}");
    assert!(text.contains("As far as the recording goes"), "{text}");
}

/// Instructions that are shown expanded, and traps that did not happen, are nothing that another RVFI ingress makes up for.
#[test]
fn signals_that_mislead_every_ingress_are_refused() {
    let retire = |pc, insn, trap| Retirement {
        pc,
        insn,
        trap,
        ..Retirement::default()
    };
    let expanded = [retire(0x10, NOP, false), retire(0x12, NOP, false)];
    let (status, text) = said(&expanded);
    assert_eq!(status, Some(3), "{text}");
    assert!(
        text.contains("1 times the next one is 2 bytes on"),
        "{text}"
    );
    let (status, text) = said(&[retire(0x10, NOP, true), retire(0x14, NOP, false)]);
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("wrong: `trap` is 1"), "{text}");
    assert!(text.contains("cannot be put behind"), "{text}");
}

#[test]
fn bad_input_is_named_with_its_place() {
    let few = "pc_rdata,insn,trap\n10,13,0\n14,13,0\n";
    let (status, text) = check("run.csv", few, &[]);
    assert_eq!(status, Some(3), "{text}");
    assert!(text.contains("there is no `intr`") && text.contains("there is no `pc_wdata`"));
    for (name, text, what) in [
        ("run.csv", "", "run.csv: it is empty"),
        (
            "run.csv",
            "pc_rdata,insn\n",
            "line 1: the column `trap` is missing",
        ),
        ("run.csv", "pc_rdata,insn,trap,x\n", "line 1: no column `x`"),
        (
            "run.csv",
            "pc_rdata,insn,trap,insn\n",
            "line 1: the column `insn` is there twice",
        ),
        ("run.csv", "pc_rdata,insn,trap\n", "nothing retires"),
        ("run.csv", "pc_rdata,insn,trap\n1,2\n", "line 2: 2 fields"),
        (
            "run.csv",
            "pc_rdata,insn,trap\n1,2,z\n",
            "line 2: `z` is no hexadecimal",
        ),
        (
            "run.csv",
            "pc_rdata,insn,trap\n1,123456789,0\n",
            "line 2: insn has 32 bits",
        ),
        ("run.vcd", "pc_rdata", "run.vcd"),
        ("run.vcd", &waveform(&[]), "no signal `clk`"),
        ("run.wave", &waveform(&[]), "no signal `clk`"),
    ] {
        let (status, said) = check(name, text, &[]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(what), "{said}");
    }
    let whole = waveform(&[Retirement::default()]);
    for (vcd, what) in [
        (
            whole.replace("b0 d", &format!("b{:b} d", 1_u64 << 32)),
            "rvfi_insn has more than 32 bits",
        ),
        (
            format!("{whole}#8\n0axb\n#9\n1a\n").replace("0axb", "0a\nxb"),
            "rvfi_valid is undefined in cycle 3",
        ),
    ] {
        let (status, said) = check("run.vcd", &vcd, &["--clock", "clk_i"]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(what), "{said}");
    }
    let wide = whole.replace("b0 c", &format!("b1{:064b} c", 0));
    let (status, said) = check("run.vcd", &wide, &["--clock", "clk_i"]);
    assert_eq!(status, Some(1), "{said}");
    let what = "rvfi_pc_rdata: a signal of 65 bits; a sample has at most 64; remedy: of a core with several channels";
    assert!(said.contains(what), "{said}");
}
