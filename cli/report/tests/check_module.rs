//! The module that checks a core's signals in a simulation says what `hpp check` says of its recording.

#[path = "../../hpp/tests/recorded/mod.rs"]
#[allow(dead_code, reason = "the tests of `hpp check` itself use the rest")]
mod recorded;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use hpp_report::Recorded;
use hpp_report::recorded::Judge;
use hpp_riscv::{Retirement, Xlen};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use recorded::*;
use verilated::tools::tool_path;

/// The module, from which the generator makes that of a configuration.
const CHECK: &str = include_str!("../../../gen/templates/check.sv");

/// The module for one channel or more, and a bench that shows it what is in `run.hex`: each cycle's reset, and the channels in order.
fn bench(folder: &Path, channels: usize, parameters: &str, cycles: usize) {
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("the folder is writable");
    };
    write("hpp_check.sv", CHECK);
    let (n, last) = (channels, cycles - 1);
    write(
        "bench.sv",
        &format!(
            "module bench;
               reg clk = 0, rst;
               reg [{n}-1:0] valid, trap, intr;
               reg [32*{n}-1:0] pc, insn, next;
               hpp_check #(.NRET({n}){parameters}) check (
                 .clk(clk), .rst(rst), .rvfi_valid(valid), .rvfi_insn(insn), .rvfi_trap(trap), .rvfi_intr(intr),
                 .rvfi_pc_rdata(pc), .rvfi_pc_wdata(next)
               );
               reg [99*{n}:0] run [0:{last}];
               integer i;
               initial begin
                 $readmemh(\"run.hex\", run);
                 for (i = 0; i <= {last}; i = i + 1) begin
                   {{rst, valid, trap, intr, pc, insn, next}} = run[i];
                   #1 clk = 1;
                   #1 clk = 0;
                 end
                 check.report();
                 $finish;
               end
             endmodule
            "
        ),
    );
}

/// A cycle: whether it is a reset, and what each channel shows.
type Cycle = (bool, Vec<Option<Retirement>>);

fn hexadecimal(cycles: &[Cycle]) -> String {
    let mut text = String::new();
    for (reset, channels) in cycles {
        let mut bits = String::from(if *reset { "1" } else { "0" });
        let mut all = |width: usize, part: fn(&Retirement) -> u64| {
            for shown in channels.iter().rev() {
                let value = shown.as_ref().map_or(0, part);
                write!(bits, "{value:0width$b}").expect("text");
            }
        };
        all(1, |_| 1);
        all(1, |shown| shown.trap.into());
        all(1, |shown| shown.intr.into());
        all(32, |shown| shown.pc);
        all(32, |shown| shown.insn.into());
        all(32, |shown| shown.next_pc);
        let wide = format!("{:0>width$}", bits, width = bits.len().next_multiple_of(4));
        for digit in wide.as_bytes().chunks(4) {
            let digit = digit
                .iter()
                .fold(0, |value, bit| 2 * value + u32::from(bit - b'0'));
            write!(text, "{digit:x}").expect("text");
        }
        text.push('\n');
    }
    text
}

/// Several runs, each after a reset, with gaps, on so many channels.
fn cycles(runs: &[&[Retirement]], channels: usize, rng: &mut ChaCha8Rng) -> Vec<Cycle> {
    let mut cycles = Vec::new();
    for run in runs {
        cycles.push((true, vec![Some(run[0]); channels]));
        let mut left = run.iter();
        while left.len() > 0 {
            let mut shown = vec![None; channels];
            for place in &mut shown {
                if rng.random_range(0..3) > 0 {
                    *place = left.next().copied();
                }
            }
            cycles.push((false, shown));
        }
    }
    cycles
}

fn tool(name: &str) -> Command {
    Command::new(tool_path(name).unwrap_or_else(|error| panic!("{error}")))
}

/// What the module prints.
fn simulated(cycles: &[Cycle], channels: usize, parameters: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    bench(folder.path(), channels, parameters, cycles.len());
    std::fs::write(folder.path().join("run.hex"), hexadecimal(cycles)).expect("it is writable");
    let arguments = ["-g2012", "-o", "sim", "bench.sv", "hpp_check.sv"];
    let mut said = String::new();
    for command in [
        tool("iverilog").args(arguments),
        tool("vvp").args(["-n", "sim"]),
    ] {
        let output = command
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        said = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert!(output.status.success(), "{said}");
    }
    said
}

/// Whether the signals in a log are right, and what `hpp check` says of them.
fn judged(log: &str) -> (bool, String) {
    let recorded = Recorded::from_log(log).expect("a log");
    let judge = Judge::new(&recorded, Xlen::Rv32);
    (judge.is_right(), judge.text())
}

/// Mistakes of a core, each in some places: none, or one of several kinds.
fn mistaken(run: &mut [Retirement], rng: &mut ChaCha8Rng) {
    let kinds = rng.random_range(0..16u32);
    for place in 1..run.len() - 1 {
        let (handler, next) = (run[place + 1].pc, run[place + 1].intr);
        let shown = &mut run[place];
        if kinds & 1 != 0 && rng.random_range(0..4) == 0 {
            shown.intr = false;
        }
        if kinds & 2 != 0 && next {
            shown.next_pc = handler;
        }
        if kinds & 4 != 0 && rng.random_range(0..20) == 0 {
            shown.next_pc ^= 0x20;
        }
        if kinds & 8 != 0 && rng.random_range(0..40) == 0 {
            shown.trap = !shown.trap;
        }
    }
}

#[test]
fn it_says_what_hpp_check_says_of_the_recording() {
    let mut said = Vec::new();
    for (seed, run) in runs() {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let (mut first, mut second) = (run.clone(), run[..rng.random_range(1..300)].to_vec());
        mistaken(&mut first, rng);
        if second.len() > 2 {
            mistaken(&mut second, rng);
        }
        let channels = rng.random_range(1..=4);
        let cycles = cycles(&[&first, &second], channels, rng);
        let simulated = simulated(&cycles, channels, "");
        let (right, text) = judged(&log_of_runs(&[&first, &second]));
        let findings =
            |text: &str| text.replace("--reset names the signal (a log has a column reset)", "rst");
        assert_eq!(
            simulated,
            findings(&text),
            "HPP_SEED={seed}, {channels} channels"
        );
        said.push((right, text));
    }
    let some = |what: &str| said.iter().any(|(_, text)| text.contains(what));
    assert!(some("wrong: ") && some("harmless: "), "{said:?}");
    assert!(said.iter().any(|(right, _)| !right), "{said:?}");
}

/// The ports that a core has not, and a run without interrupts and traps.
#[test]
fn ports_that_are_missing_are_reported() {
    let run: Vec<Retirement> = (0..4)
        .map(|place| Retirement::new(0x10 + 4 * place, NOP, 0x14 + 4 * place))
        .collect();
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let cycles = cycles(&[&run], 1, rng);
    let parameters = ", .HAS_INTR(0), .HAS_PC_WDATA(0)";
    let few = "pc_rdata,insn,trap\n10,13,0\n14,13,0\n18,13,0\n1c,13,0\n";
    assert_eq!(simulated(&cycles, 1, parameters), judged(few).1);
    assert_eq!(simulated(&cycles, 1, ""), judged(&log(&run)).1);
    let nothing = simulated(&cycles[..1], 1, "");
    assert!(nothing.starts_with("nothing retires; remedy"), "{nothing}");
}
