//! Logs of execution, in all forms that are known.

mod recorded;
mod said;

use std::fmt::Write;
use std::io::{Cursor, Read as _, Write as _};

use hpp::log::formats::Reader;
use hpp::log::input::decompressed;
use hpp::log::{Log, Options};
use hpp_golden::ingress::{Retirement, Xlen};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use recorded::{BEQ_8, C_NOP, CALL, J_16, MRET, NOP, RET, Read, execute, runs, seeds};
use said::{Done, Folder, Must};

/// A line for an instruction.
type Form = (&'static str, fn(u64, u64, u32) -> String);

/// `c.nop` as the word of 32 bits that it stands for.
const fn expanded(insn: u32) -> u32 {
    if insn == C_NOP { NOP } else { insn }
}

/// As the sources of each tool print it: the number of the line, the address, the word.
const FORMS: [Form; 21] = [
    ("Spike, -l", |_, pc, insn| {
        format!("core   0: 0x{pc:08x} (0x{insn:08x}) c.nop")
    }),
    ("Spike, --log-commits", |_, pc, insn| {
        format!("core   0: 3 0x{pc:08x} (0x{insn:04x}) x10 0x00000003 mem 0x80001000")
    }),
    ("Spike, -l", |n, pc, insn| {
        format!(
            "core   0: 0x{pc:08x} (0x{insn:08x}) nop\ncore   0: 3 0x{pc:08x} (0x{insn:04x}) x5  0x{n:08x}"
        )
    }),
    ("commit log of Rocket or CVA6", |_, pc, insn| {
        format!("3 0x{pc:08x} (0x{insn:08x}) x 5 0x0000000000001000")
    }),
    ("Sail", |n, pc, insn| {
        format!("[{n}] [M]: 0x{pc:08X} (0x{insn:04X}) addi x0, x0, 0x0\nx5 <- 0x{n:08X}")
    }),
    ("NEORV32", |n, pc, insn| {
        let c = if insn == C_NOP { "c." } else { "  " };
        format!(
            "{n} {} 0x{pc:08x} 0x{:08x} M {c}addi       x0, x0, 0",
            n * 3,
            expanded(insn)
        )
    }),
    ("tracer of CVA6, .dasm", |n, pc, insn| {
        format!("{n} 0x{pc:x} M (0x{insn:08x}) DASM({insn:08x})").replace(" 0x", " 0x0000")
    }),
    ("tracer of CVA6", |n, pc, insn| {
        format!("{n:8}ns {n:8} M {pc:08x} 0 {insn:08x} nop                                 ")
    }),
    ("core-v-verif", |n, pc, insn| {
        format!("{n:12}.000 ns: RVFI {n:6} {pc:08x} {insn:08x} M x 1 00000000 x 0 00000000")
    }),
    ("tracer of Ibex", |n, pc, insn| match insn & 3 {
        3 => format!("{n:15}\t{n:10}\t{pc:08x}\t{insn:08x}\taddi\tx0,x0,0\t x0:0x00000000"),
        _ => format!("{n:15}\t{n:10}\t{pc:08x}\t{insn:04x}\tc.addi\tx0,0\t"),
    }),
    ("tracer of CV32E40P", |n, pc, insn| {
        format!(
            "{n:18} {n:15} {pc:08x} {:08x} M   {}addi x0, x0, 0",
            expanded(insn),
            if insn == C_NOP { "c." } else { "" }
        )
    }),
    ("tracer of CV32E40P", |n, pc, insn| {
        format!("{n:15} ns {n:15} {pc:08x} {insn:08x} M   addi             x0, x0, 0")
    }),
    ("Rocket or Chipyard", |n, pc, insn| {
        format!(
            "C0: {n:10} [1] pc=[{pc:08x}] W[r 0=00000000][1] R[r 0=00000000] R[r20=00000033] inst=[{insn:08x}] DASM({insn:08x})\n\
             C0: {n:10} [0] pc=[{pc:08x}] W[r 0=00000000][0] R[r 0=00000000] R[r20=00000033] inst=[{insn:08x}] DASM({insn:08x})"
        )
    }),
    ("Whisper", |n, pc, insn| {
        format!("#{n} 0  M {pc:08x} {insn:08x} r 02         00001000  addi     x2, x2, 16")
    }),
    // A line for each register that changes; that of a jump is one.
    ("VeeR-ISS", |n, pc, insn| {
        let line =
            |what| format!("#{n} 0 {pc:08x} {insn:08x} {what}  00001800  addi     x2, x2, 16");
        match insn {
            NOP => format!("{}  +\n{}", line("r 02"), line("c 0300")),
            _ => line("r 02"),
        }
    }),
    ("VeeR", |n, pc, insn| {
        format!(
            "{n:10} : {:>8} 0 {pc:08x} {insn:08x} r02=00001000 ; addi",
            format!("#{n}")
        )
    }),
    ("QEMU, execlog", |_, pc, insn| {
        format!("0, 0x{pc:x}, 0x{insn:x}, \"addi                    zero,zero,0\"")
    }),
    ("riscvOVPsim", |n, pc, insn| {
        let insn = if insn & 3 == 3 {
            format!("{insn:08x}")
        } else {
            format!("{insn:04x}    ")
        };
        format!(
            "Info {n}: 'riscvOVPsim/cpu', 0x{pc:08x}(a::b()+4): Machine {insn} addi t0,zero,6\nInfo   t0 00000000 -> 00000006"
        )
    }),
    ("Renode, PCAndOpcode", |_, pc, insn| {
        format!("0x{pc:X}: 0x{insn:X}")
    }),
    ("Renode, Disassembly", |n, pc, insn| {
        let digits = if insn & 3 == 3 { 8 } else { 4 };
        format!(
            "0x{pc:08x}:   {insn:0digits$x} addi zero, zero, 0    [main+0x4 (guessed)]\nMemoryWrite with address 0x{n:X}, value 0x1"
        )
    }),
    ("--log-pattern", |n, pc, insn| {
        format!("at {n}: {pc:x}/{insn:x} retired")
    }),
];

fn calm(seed: u64) -> Vec<Retirement> {
    execute(&mut ChaCha8Rng::seed_from_u64(seed), false)
}

fn written(form: fn(u64, u64, u32) -> String, run: &[Retirement]) -> String {
    let lines = (1..).zip(run);
    lines
        .map(|(number, shown)| form(number, shown.pc, shown.insn) + "\n")
        .collect()
}

const OWN: &str = "^at [0-9]+: (?P<pc>[0-9a-f]+)/(?P<insn>[0-9a-f]+) retired";

/// The records of a log, and whether some are missing before one.
fn read(text: &str) -> Read {
    let options = Options {
        pattern: (text.starts_with("at ")).then(|| Reader::own(OWN).expect("an expression")),
        xlen: Some(Xlen::Rv32),
        ..Options::default()
    };
    let input = Cursor::new(text.as_bytes().to_vec());
    Read::all(Log::new(Box::new(input), options).expect("a log"))
}

#[test]
fn a_run_in_every_form_has_the_records_of_the_run() {
    for seed in seeds(10) {
        let run = calm(seed);
        for (name, form) in FORMS {
            let text = written(form, &run);
            let got = read(&text);
            got.ending.reason.must_begin(&format!("log ({name}) of "));
            let what = format!("HPP_SEED={seed}, {name}\n{}", &text[..400]);
            got.must_be(&run, Xlen::Rv32, &what);
        }
    }
}

/// Spike names every trap.
fn spike(run: &[Retirement]) -> String {
    let mut text = String::new();
    for (shown, next) in run.iter().zip(run.iter().skip(1).map(Some).chain([None])) {
        let (pc, insn) = (shown.pc, shown.insn);
        writeln!(text, "core   0: 0x{pc:08x} (0x{insn:08x}) DASM").expect("text");
        let epc = match next {
            _ if shown.trap => Some(("trap_illegal_instruction", pc)),
            Some(next) if next.intr => Some(("interrupt #7", shown.next_pc)),
            _ => None,
        };
        if let Some((cause, epc)) = epc {
            writeln!(text, "core   0: exception {cause}, epc 0x{epc:08x}").expect("text");
            writeln!(text, "core   0:           tval 0x00000000").expect("text");
        }
    }
    text
}

#[test]
fn traps_that_the_log_names_are_those_of_the_core() {
    for (seed, run) in runs() {
        let what = format!("HPP_SEED={seed}");
        read(&spike(&run)).must_be(&run, Xlen::Rv32, &what);
    }
}

/// Sail names no address, and what was not fetched is in no line.
#[test]
fn traps_of_sail_are_those_of_the_last_line_unless_nothing_was_fetched() {
    let got = read(
        "[0] [M]: 0x00001000 (0x0100006F) jal x0, 0x10\n\
         trapping from M to M to handle fetch-access-fault\n\
         handling exc#fetch-access-fault at priv M with tval 0x00001010\n\
         [1] [M]: 0x00000100 (0x00000013) addi x0, x0, 0x0\n\
         [2] [M]: 0x00000104 (0x00000073) ecall\n\
         handling exc#0x0B at priv M with tval 0x00000000\n\
         [3] [M]: 0x00000100 (0x00000013) addi x0, x0, 0x0\n\
         [4] [M]: 0x00000104 (0x00000013) addi x0, x0, 0x0\n",
    );
    let places = (got.records.iter()).map(|record| (record.target, record.next));
    let expected = [(0x1010, 0x1004), (0x100, 0x1010), (0x100, 0x104)];
    assert!(places.eq(expected) && got.lost == 0, "{:x?}", got.records);
}

const IBEX: fn(u64, u64, u32) -> String = FORMS[9].1;

/// `(address, instruction, whether a handler begins)`, as an Ibex that shows no `intr` logs it.
fn shown(run: &[(u64, u32, bool)]) -> Vec<Retirement> {
    let next = run.iter().skip(1).map(|&(pc, ..)| pc).chain([0]);
    let retirement = |(&(pc, insn, intr), next)| Retirement {
        intr,
        ..Retirement::new(pc, insn, next)
    };
    run.iter().zip(next).map(retirement).collect()
}

#[test]
fn an_interrupt_that_no_line_names_is_known_by_its_return() {
    let run = [
        (0x10, NOP, false),
        (0x14, J_16, false),
        (0x24, NOP, false),
        (0x100, CALL, true),
        (0x200, RET, false),
        (0x104, MRET, false),
        (0x28, BEQ_8, false),
        (0x30, NOP, false),
    ];
    let run = shown(&run);
    let got = read(&written(IBEX, &run));
    got.must_be(&run, Xlen::Rv32, "an interrupt");
    let reason = got.ending.reason;
    reason.must_contain(", 1 interrupt that no line names");
}

/// Of lines of one address in a row only the last counts, after a computed jump, too.
#[test]
fn a_line_that_is_there_twice_is_one_instruction() {
    let run = calm(7);
    let twice: Vec<_> = run.iter().flat_map(|&shown| [shown, shown]).collect();
    read(&written(IBEX, &twice)).must_be(&run, Xlen::Rv32, "doubled lines");
}

/// rvsim writes the lines of Spike with compressed instructions expanded (`findings/rvsim-expanded.sh`): a branch over two bytes is one by 4.
#[test]
fn a_compressed_branch_over_two_bytes_is_seen_where_words_are_expanded() {
    const C_BNEZ_4: u32 = 0xe391;
    const BNEZ_4: u32 = 0x0007_9263;
    let run = shown(&[
        (0x10, C_NOP, false),
        (0x12, C_BNEZ_4, false),
        (0x16, C_NOP, false),
        (0x18, C_BNEZ_4, false),
        (0x1a, C_NOP, false),
        (0x1c, C_NOP, false),
    ]);
    let line = |shown: &Retirement| {
        let insn = match shown.insn {
            C_BNEZ_4 => BNEZ_4,
            insn => expanded(insn),
        };
        format!("core   0: 0x{:08x} (0x{insn:08x})\n", shown.pc)
    };
    let got = read(&run.iter().map(line).collect::<String>());
    got.must_be(&run, Xlen::Rv32, "expanded");
    let taken = got.records.iter().map(|record| record.taken);
    assert!(taken.eq([true, false]));
}

/// No word of a hardware loop jumps back. `cv.setupi 0, 3, 3` tells where the body of two instructions ends.
#[test]
fn a_hardware_loop_s_rounds_are_branches_back() {
    let round = |next| {
        let end = Retirement::new(0x108, NOP, next);
        let loop_end = true;
        [
            Retirement::new(0x104, NOP, 0x108),
            Retirement { loop_end, ..end },
        ]
    };
    let mut run = vec![Retirement::new(0x100, 0x0031_c62b, 0x104)];
    run.extend([round(0x104), round(0x104), round(0x10c)].concat());
    run.push(Retirement::new(0x10c, J_16, 0x11c));
    run.push(Retirement::new(0x11c, NOP, 0x120));
    for (name, form) in FORMS {
        read(&written(form, &run)).must_be(&run, Xlen::Rv32, name);
    }
}

/// Spike's `-l` has one line for a loop of one instruction, and says how often it ran behind the interrupt that ended it (`findings/spike-log-repeats.sh`).
#[test]
fn a_loop_of_one_instruction_ran_as_often_as_spike_says() {
    const J_0: u32 = 0x6f;
    let mut run = shown(&[
        (0x10, NOP, false),
        (0x14, J_0, false),
        (0x14, J_0, false),
        (0x14, J_0, false),
        (0x100, NOP, true),
        (0x104, MRET, false),
        (0x18, NOP, false),
        (0x1c, NOP, false),
    ]);
    run[3].next_pc = 0x14;
    let line =
        |shown: &Retirement| format!("core   0: 0x{:08x} (0x{:08x})\n", shown.pc, shown.insn);
    let mut text: String = run[..2].iter().map(line).collect();
    text += "core   0: exception interrupt #7, epc 0x00000014\n";
    text += "core   0:           tval 0x00000000\n";
    text += "core   0: >>>>  handler\ncore   0: Executed 3 times\n";
    text.extend(run[4..].iter().map(line));
    let got = read(&text);
    got.must_be(&run, Xlen::Rv32, "repeated");
    got.ending.reason.must_contain(" 8 instructions");
    assert!(
        !got.ending.reason.contains("other line"),
        "{}",
        got.ending.reason
    );
}

/// The status, what is said, and the profile of a log.
fn profile(folder: &Folder, log: &str) -> (i32, String, String) {
    let _ = std::fs::remove_file(folder.path().join("profile.txt"));
    let (status, said) = folder
        .run(format!("replay --profile profile.txt {log}"))
        .said();
    let profile = std::fs::read_to_string(folder.path().join("profile.txt"));
    (status, said, profile.unwrap_or_default())
}

fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_ref()).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn compressed_logs_and_pipes_are_the_logs() {
    let folder = Folder::empty();
    let text = written(IBEX, &calm(3));
    folder.write("log", &text);
    folder.write("gz", [gzip(&text[..5000]), gzip(&text[5000..])].concat());
    let zst = zstd::encode_all(text.as_bytes(), 1);
    folder.write("zst", zst.expect("memory"));
    let xz = "import lzma; open('xz', 'wb').write(lzma.compress(open('log', 'rb').read()))";
    assert_eq!(folder.shell(&format!("python3 -c \"{xz}\"")).status, 0);
    let terminal = "python3 -c \"import pty; pty.spawn(['$hpp', 'replay', 'log'])\" </dev/null";
    folder.shell(terminal).said().1.must_contain(" %, ");
    let plain = profile(&folder, "log");
    assert_eq!(plain.0, 0, "{}", plain.1);
    for name in ["gz", "zst", "xz"] {
        let (status, said, profile) = profile(&folder, name);
        assert_eq!((status, &profile), (0, &plain.2), "{said}");
    }
    for command in ["replay", "explore", "check"] {
        let words = |done: Done| {
            let (status, said) = done.said();
            let last = said.replace("standard input", "log");
            let last = last.lines().last().expect("a line").split_whitespace();
            (status, last.map(str::to_owned).collect::<Vec<_>>())
        };
        let piped = folder.shell(&format!("cat gz | $hpp {command} -"));
        assert_eq!(words(piped), words(folder.run(format!("{command} log"))));
    }
}

/// What stands before the instructions of Renode's binary traces.
fn of_renode(version: u8, width: u8, name: &str) -> Vec<u8> {
    let front = [
        b"ReTrace".as_slice(),
        &[version, width, u8::from(!name.is_empty())],
    ]
    .concat();
    let length = name.len() as u8;
    match name {
        "" => front,
        _ => [front, vec![0, length], name.into()].concat(),
    }
}

/// The example of a memory access among Renode's own tests (execution-tracing.robot).
#[test]
fn renode_s_binary_traces_are_lines() {
    let own = b"\x00\x20\x00\x00\x04\xb7\x05\x03\x00\x00\x04\x20\x00\x00\x04\x37\xe5\x00\x00\x00\
        \x08\x20\x00\x00\x04\x23\x20\xb5\x00\x01\x03\x00\xe0\x00\x00\x00\x00\x00\x00\x00";
    let text = |bytes: Vec<u8>| {
        let mut text = String::new();
        let mut read = decompressed(Cursor::new(bytes)).expect("a trace");
        read.read_to_string(&mut text).expect("a whole one");
        text
    };
    let front = of_renode(2, 4, "riscv32 rv32imacv");
    assert_eq!(front.len(), 29);
    let expected = "renode 00002000 000305b7\nrenode 00002004 0000e537\nrenode 00002008 00b52023\n";
    assert_eq!(text([&front, own.as_slice()].concat()), expected);
    for (seed, version) in seeds(4).flat_map(|seed| [(seed, 2), (seed, 4)]) {
        let run = calm(seed);
        let mut bytes = of_renode(version, 4, "riscv32 rv32imac");
        for (place, shown) in run.iter().enumerate() {
            let length = if shown.insn & 3 == 3 { 4 } else { 2 };
            bytes.extend((shown.pc as u32).to_le_bytes());
            bytes.push(length);
            bytes.extend(&shown.insn.to_le_bytes()[..length.into()]);
            let access = if version == 2 { 9 } else { 25 };
            let [memory, vector, atomic] =
                [(1, access), (2, 16), (3, 3 + 16)].map(|(kind, size)| {
                    let mut part = vec![2; size + 1];
                    part[0] = kind;
                    part
                });
            let parts = [memory, vector, atomic, vec![0]];
            // None, one, or more.
            bytes.extend(parts[3 - place % 4..].concat());
        }
        let read = read(&text(bytes));
        read.ending
            .reason
            .must_begin("log (Renode, binary) of 300 lines");
        read.must_be(&run, Xlen::Rv32, &format!("HPP_SEED={seed}"));
    }
}

#[test]
fn what_no_trace_of_renode_has_is_refused() {
    let folder = Folder::empty();
    let entry = b"\x00\x20\x00\x00\x00";
    for (bytes, said) in [
        (of_renode(3, 4, ""), "a trace of Renode of version 3"),
        (
            of_renode(4, 4, "armv7a cortex-a9"),
            "no RISC-V: \"armv7a cortex-a9\"",
        ),
        (of_renode(4, 0, "riscv32 rv32i"), "addresses of 0 bytes"),
        (b"ReTrace\x04".to_vec(), "ends within its first bytes"),
        (
            [&of_renode(4, 4, ""), entry.as_slice()].concat(),
            "has no instructions; remedy: --elf",
        ),
        (
            b"0x297\n0x13\n".to_vec(),
            "has no instructions; remedy: --elf",
        ),
    ] {
        folder.write("trace", gzip(bytes));
        for command in ["replay", "explore"] {
            let (status, all) = folder.run(format!("{command} trace")).said();
            assert_eq!(status, 1, "{all}");
            all.must_contain(said);
        }
    }
}

#[test]
fn a_waveform_is_no_log() {
    let folder = Folder::empty();
    folder.write("run.vcd", include_bytes!("recorded/whole.vcd"));
    for command in ["replay", "explore", "subpaths"] {
        let (status, all) = folder.run(format!("{command} run.vcd")).said();
        assert_eq!(status, 1, "{all}");
        all.must_contain("run.vcd: a waveform, of which `hpp check` judges the signals");
    }
}

#[test]
fn a_damaged_compressed_log_says_so() {
    let folder = Folder::empty();
    let mut bytes = gzip(written(IBEX, &calm(4)));
    let middle = bytes.len() / 2;
    folder.write("cut", &bytes[..middle]);
    let (status, said, cut) = profile(&folder, "cut");
    assert_eq!(status, 3, "{said}");
    said.must_contain("not in the trace: what comes after line ");
    assert!(!cut.is_empty());
    bytes[middle..middle + 40].fill(0x55);
    folder.write("damaged", &bytes);
    let (status, said, _) = profile(&folder, "damaged");
    assert_eq!(status, 1, "{said}");
    said.must_begin("hpp: damaged: after line ");
    said.must_contain("; remedy: copy it again");
}

/// Bytes of any kind make no panic.
#[test]
fn noise_is_no_log() {
    let folder = Folder::empty();
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let lines = written(IBEX, &calm(6));
    for round in 0..40 {
        let mut noise: Vec<u8> = lines.bytes().collect();
        for _ in 0..200 {
            let place = rng.random_range(0..noise.len());
            noise[place] = rng.random();
        }
        if round == 0 {
            noise = (0..200_000).map(|_| rng.random()).collect();
        }
        folder.write("noise", &noise);
        let (status, said) = folder.run("replay noise").said();
        assert!(matches!(status, 0 | 1 | 3), "{said}");
    }
}
