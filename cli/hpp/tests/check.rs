//! `hpp check`: whether the signals of a core are right.

mod recorded;
mod said;

use std::collections::HashSet;

use hpp_riscv::{Retirement, Xlen, decode};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use recorded::*;

use said::{Folder, Must};

fn check(name: &str, text: impl AsRef<[u8]>, options: &str) -> (i32, String) {
    let folder = Folder::empty();
    folder.write(name, text);
    folder.run(format!("check {name}{options}")).said()
}

/// What is said of a run, and its exit status.
fn said(run: &[Retirement]) -> (i32, String) {
    check("run.csv", log(run), "")
}

#[test]
fn a_recording_may_come_through_a_pipe() {
    let (seed, run) = runs().next().expect("a run");
    for (name, text, options) in [
        ("run.csv", log(&run), ""),
        ("run.vcd", waveform(&run), " --clock clk_i"),
    ] {
        let folder = Folder::empty();
        folder.write(name, text);
        let piped = folder.shell(&format!("cat {name} | $hpp check -{options}"));
        let read = folder.run(format!("check {name}{options}"));
        assert_eq!(piped, read, "HPP_SEED={seed}");
    }
}

fn with_before(run: &[Retirement]) -> impl Iterator<Item = (Retirement, Retirement)> {
    run.windows(2).map(|pair| (pair[0], pair[1]))
}

#[test]
fn a_core_that_is_right_passes() {
    for (seed, run) in runs() {
        let (status, text) = said(&run);
        assert_eq!(status, 0, "HPP_SEED={seed}: {text}");
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        let traps = with_before(&run).filter(|(before, _)| before.trap).count();
        let head = format!(
            "300 retirements, {traps} traps, {interrupts} interrupts; handlers of interrupts: 0x100 ({interrupts})\n"
        );
        assert!(text.starts_with(&head), "HPP_SEED={seed}: {text}");
        let vcd = check("run.vcd", waveform(&run), " --clock clk_i");
        assert_eq!(vcd, (status, text), "HPP_SEED={seed}");
    }
}

/// Hazard3 never sets `rvfi_intr`, and shows the handler as what follows an instruction that an interrupt follows.
#[test]
fn a_core_without_intr_that_shows_the_handler_as_next_does_not_pass() {
    for (seed, mut run) in runs() {
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        for place in 1..run.len() {
            if std::mem::take(&mut run[place].intr) {
                run[place - 1].next_pc = INTERRUPT;
            }
        }
        let (status, text) = said(&run);
        println!("HPP_SEED={seed}: {text}");
        assert_eq!(status, 3, "HPP_SEED={seed}: {text}");
        let intr = format!("wrong: `intr` never seen, {interrupts} entries of a handler\n");
        let jumps = with_before(&run).filter(|(before, after)| {
            let jumps = decode(before.insn, before.pc, Xlen::Rv32)
                .transfer
                .is_some();
            after.pc == INTERRUPT && !before.trap && jumps
        });
        let jumps = jumps.count();
        let next = format!(
            "wrong: `pc_wdata` of a jump or branch is not the next `pc_rdata`: {jumps}, {jumps} before a handler\n"
        );
        text.must_contain(&intr);
        text.must_contain(&next);
        text.must_contain("--rvfi-next retirement");
    }
}

/// Any single wrong field of a transfer is reported.
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
            assert_eq!(status, 3, "HPP_SEED={seed}, {place}: {text}");
            text.must_contain("wrong: `intr` is ");
            run[place].intr = shown.intr;
            run[place - 1].next_pc = INTERRUPT;
            let (status, text) = said(&run);
            let is_read = !matches!(before.insn, NOP | C_NOP);
            let expected = if is_read { 3 } else { 0 };
            assert_eq!(status, expected, "HPP_SEED={seed}, {place}: {text}");
        }
    }
}

/// A core whose `pc_wdata` is right of transfers alone: nothing else of it is read.
#[test]
fn a_wrong_next_address_of_what_makes_no_record_is_harmless() {
    for (seed, mut run) in runs() {
        let mut wrong = 0;
        for shown in &mut run[1..299] {
            if matches!(shown.insn, NOP | C_NOP) && !shown.trap {
                shown.next_pc ^= 0x40;
                wrong += 1;
            }
        }
        let (status, text) = said(&run);
        assert_eq!(status, 0, "HPP_SEED={seed}: {text}");
        let harmless = format!("harmless: `pc_wdata` is wrong {wrong} times where");
        assert!(text.contains(&harmless), "HPP_SEED={seed}: {text}");
    }
}

/// A right core's retirements around an interrupt that displaces an instruction of each kind; of one that is wrong, the displaced instruction
/// retires before the handler, too.
fn displacing(rng: &mut ChaCha8Rng, is_right: bool, shows_handler: bool) -> Vec<Retirement> {
    let mut run = Vec::new();
    let mut pc = 0x1000;
    for place in 0..20 {
        let insn = [NOP, BEQ_8, J_16, C_NOP, CALL, RET][rng.random_range(0..6)];
        let instruction = decode(insn, pc, Xlen::Rv32);
        let next = match instruction.transfer {
            Some(transfer) if !transfer.conditional || rng.random() => {
                transfer.target.unwrap_or(0x4000 + 0x100 * place)
            }
            _ => instruction.next,
        };
        let displaced = Retirement::new(pc, insn, next);
        if rng.random_range(0..3) == 0 && place > 0 || place == 10 {
            if !is_right {
                let next_pc = if shows_handler { INTERRUPT } else { next };
                run.push(Retirement {
                    next_pc,
                    ..displaced
                });
            }
            let first = Retirement::new(INTERRUPT, NOP, INTERRUPT + 4);
            run.push(Retirement {
                intr: true,
                ..first
            });
            run.push(Retirement::new(INTERRUPT + 4, MRET, pc));
        }
        run.push(displaced);
        pc = next;
    }
    run
}

/// Minerva retires what an interrupt displaces, with the handler or the target as `pc_wdata`, and again after `mret`: a path began at the
/// target that was never executed, and `hpp check` found nothing, or advised what makes it worse.
#[test]
fn a_core_that_shows_displaced_instructions_as_retired_does_not_pass() {
    for seed in 0..20 {
        let run =
            |is_right, shows| displacing(&mut ChaCha8Rng::seed_from_u64(seed), is_right, shows);
        let (status, text) = said(&run(true, false));
        assert_eq!(status, 0, "seed {seed}: {text}");
        for shows_handler in [false, true] {
            let run = run(false, shows_handler);
            let interrupts = run.iter().filter(|shown| shown.intr).count();
            let (status, text) = said(&run);
            assert_eq!(status, 3, "seed {seed}: {text}");
            let times = if interrupts == 1 { "time" } else { "times" };
            text.must_contain(&format!("after the trap return: {interrupts} {times};"));
        }
    }
}

/// Ibex retires each operation of `cm.popret` with its address and the expanded word. One that is interrupted begins again.
#[test]
fn operations_of_one_instruction_are_a_sequence() {
    for seed in 0..20 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let mut run = vec![
            Retirement::new(0x10, CALL, 0x40),
            Retirement::new(0x40, NOP, 0x44),
        ];
        let operations = rng.random_range(2..8);
        let (load, shown) = (0x0001_2083, if rng.random() { 0x46 } else { 0x44 });
        let operation = Retirement::new(0x44, load, shown);
        let first = Retirement::new(INTERRUPT, MRET, 0x44);
        if rng.random() {
            run.extend(vec![operation; rng.random_range(1..operations)]);
            run.push(Retirement {
                intr: true,
                ..first
            });
        }
        run.extend(vec![operation; operations]);
        match rng.random() {
            true => run.push(Retirement::new(0x44, RET, 0x14)),
            // `cm.push`: the program goes on two bytes further.
            false => {
                run.push(Retirement::new(0x44, 0xff01_0113, 0x46));
                run.push(Retirement::new(0x46, RET, 0x14));
            }
        }
        run.push(Retirement::new(0x14, NOP, 0x18));
        let (status, text) = said(&run);
        assert_eq!(status, 0, "seed {seed}: {text}");
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        text.must_contain(&format!(" {interrupts} interrupt"));
    }
}

/// Where a hardware loop closes, and after an instruction of an extension that nothing here knows, the core's `intr` was "never seen", and the
/// remedy invented interrupts. Interrupts of the same recording are told apart.
#[test]
fn words_after_which_a_core_goes_elsewhere_are_named_and_are_no_interrupts() {
    for (seed, run) in runs() {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let interrupts = run.iter().filter(|shown| shown.intr).count();
        let returns: HashSet<u64> = with_before(&run)
            .filter(|(before, _)| before.insn == MRET)
            .map(|(_, after)| after.pc)
            .collect();
        let (mut times, mut mixed) = (0, Vec::new());
        for place in 0..run.len() {
            mixed.push(run[place]);
            // Where no trap return leads to what follows the word.
            let after = run
                .get(place + 1)
                .is_some_and(|next| !next.intr && !returns.contains(&(next.pc + 4)));
            if after && !run[place].trap && run[place].insn != MRET && rng.random_range(0..8) == 0 {
                // Custom-0, which leads to somewhere and comes back.
                let (here, there) = (run[place].next_pc, 0xf_0000);
                let last = mixed.last_mut().expect("there is one");
                assert_eq!(last.next_pc, here);
                mixed.push(Retirement::new(here, 0x0000_000b, there));
                mixed.push(Retirement::new(there, RET, here));
                times += 1;
            }
        }
        let (status, text) = said(&mixed);
        assert_eq!(status, 3, "HPP_SEED={seed}: {text}");
        text.must_contain(&format!(
            " {interrupts} interrupts; handlers of interrupts: 0x100 ({interrupts})\n"
        ));
        text.must_contain(&format!(": after 0x0000000b ({times}); remedy:"));
        assert!(!text.contains("`intr`"), "HPP_SEED={seed}: {text}");
    }
}

/// What a reset separates leads nowhere: neither the last instruction before it nor the first after it is an interrupt's.
#[test]
fn a_reset_inside_a_recording_is_no_entry_of_a_handler() {
    for (seed, run) in runs() {
        let (head, tail) = (&run[..100], &run[..200]);
        let logged = check("run.csv", log_of_runs(&[head, tail, head]), "");
        assert_eq!(logged.0, 0, "HPP_SEED={seed}: {}", logged.1);
        logged.1.must_contain(" interrupts, 2 resets;");
        for (name, arguments) in [
            ("rst_ni", " --clock clk_i"),
            ("por", " --clock clk_i --reset por=0"),
        ] {
            let recorded = waveform_of_runs(&[head, tail, head], name);
            let shown = check("run.vcd", &recorded, arguments);
            assert_eq!(shown, logged, "HPP_SEED={seed}, {name}");
        }
        // A reset that nobody names.
        let joined = [head, tail].concat();
        let (status, text) = said(&joined);
        let last = decode(head[99].insn, head[99].pc, Xlen::Rv32);
        let computed = last
            .transfer
            .is_some_and(|transfer| transfer.target.is_none());
        if !head[99].trap && !computed {
            assert_eq!(status, 3, "HPP_SEED={seed}: {text}");
            let note = "note: 0x1000, where the recording begins, is reached 1 time without `intr`; remedy, if these are resets: --reset";
            assert!(text.contains(note), "HPP_SEED={seed}: {text}");
        }
    }
}
