//! Packets of trace encoders: runs become packets by the encoder of `riscv-etrace`, and records again.

mod recorded;
#[path = "../../../golden-model/riscv/tests/riscv_program/mod.rs"]
#[allow(dead_code, reason = "other tests need the rest")]
mod riscv_program;
mod said;

use std::io::{Cursor, Write};
use std::num::NonZeroU8;
use std::path::Path;

use hpp::etrace::Packets;
use hpp::log::ReadParts as _;
use hpp_golden::branch::BranchRecord;
use hpp_golden::ingress::{ProgramCode, Retirement, Xlen};
use hpp_riscv::Image;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use recorded::{CALL, ECALL, MRET, Read, Traps, expected, seeds, through, word};
use riscv_etrace::config::Parameters;
use riscv_etrace::generator::hart2enc::{CType, JumpType};
use riscv_etrace::generator::{self, Event, Generator, step};
use riscv_etrace::instruction::Size;
use riscv_etrace::packet::payload::{InstructionTrace, Payload};
use riscv_etrace::packet::sync::{QualStatus, Synchronization};
use riscv_etrace::packet::unit::ReferenceIOptions;
use riscv_etrace::packet::{self, encap, smi};
use riscv_etrace::types::{Context, Privilege, trap};
use riscv_program::{BASE, Flaw, JR, NOP, RET, beq, elf_file, jal};
use said::{Folder, Must};

const C_NOPS: u32 = 0x0001_0001;

const WORDS: usize = 24;

/// Functions; the first two are the handlers of exceptions and of interrupts.
const FUNCTIONS: usize = 7;

fn program(rng: &mut impl Rng, xlen: Xlen) -> Vec<u8> {
    let mut words = Vec::new();
    for function in 0..FUNCTIONS {
        for place in 0..WORDS - 1 {
            let within = |to: usize| 4 * (to as i32 - place as i32);
            let start =
                |of: usize| 4 * (of as i32 - function as i32) * WORDS as i32 - 4 * place as i32;
            words.push(match rng.random_range(0..9) {
                0 => NOP,
                1 => C_NOPS,
                2 => beq(within(rng.random_range(place + 1..WORDS))),
                // The specification lets no run go on behind a branch to itself.
                3 if place > 0 => beq(within(rng.random_range(0..place))),
                4 => jal(0, within(rng.random_range(place + 1..WORDS))),
                _ if function < 2 => NOP,
                // Nothing tells how often a loop without branches went round.
                5 if function + 1 < FUNCTIONS => {
                    jal(1, start(rng.random_range(function + 1..FUNCTIONS)))
                }
                6 => CALL,
                7 => JR,
                _ => ECALL,
            });
        }
        words.push(if function < 2 { MRET } else { RET });
    }
    let names = ["exception", "interrupt", "a", "b", "c", "d", "e"];
    let functions: Vec<_> = (0..FUNCTIONS)
        .map(|function| (names[function], (function * WORDS) as u64, WORDS as u64))
        .collect();
    elf_file(&words, &functions, xlen == Xlen::Rv32, Flaw::None)
}

const fn start(function: usize) -> u64 {
    BASE + 4 * (function * WORDS) as u64
}

/// Of exceptions and of interrupts.
const HANDLERS: [u64; 2] = [start(0), start(1)];

/// What an encoder is shown of an instruction, or of a trap.
#[derive(Clone, Debug)]
struct Step {
    at: u64,
    kind: step::Kind,
}

impl step::Step for Step {
    fn address(&self) -> u64 {
        self.at
    }

    fn kind(&self) -> step::Kind {
        self.kind
    }

    fn ctype(&self) -> CType {
        CType::Unreported
    }

    fn context(&self) -> Context {
        Context {
            privilege: Privilege::Machine,
            context: 0,
        }
    }
}

fn steps(image: &Image, run: &[Retirement]) -> Vec<Step> {
    let mut steps = Vec::new();
    for shown in run {
        let at = shown.pc;
        if shown.intr {
            let resumes = run_before(run, shown).next_pc;
            let info = trap::Info {
                ecause: 7,
                tval: None,
            };
            steps.push(Step {
                at: resumes,
                kind: step::Kind::Trap {
                    insn_size: None,
                    info,
                },
            });
        }
        let instruction = image.instruction(at).expect("code");
        let insn_size = match instruction.next - at {
            2 => Size::Compressed,
            _ => Size::Normal,
        };
        let kind = match instruction.transfer {
            _ if shown.trap => step::Kind::Trap {
                insn_size: (shown.insn == ECALL).then_some(insn_size),
                info: trap::Info {
                    ecause: if shown.insn == ECALL { 11 } else { 5 },
                    tval: Some(0),
                },
            },
            None => step::Kind::Retirement { insn_size },
            _ if shown.insn == MRET => step::Kind::TrapReturn { insn_size },
            Some(transfer) if transfer.conditional => step::Kind::Branch {
                insn_size,
                taken: transfer.target == Some(shown.next_pc),
            },
            Some(transfer) => step::Kind::Jump {
                insn_size,
                kind: match transfer.target {
                    Some(_) => JumpType::InferOther,
                    None => JumpType::UnferOther,
                },
                sequentially_inferable: false,
            },
        };
        steps.push(Step { at, kind });
    }
    steps
}

fn run_before<'r>(run: &'r [Retirement], shown: &Retirement) -> &'r Retirement {
    let place = run
        .iter()
        .position(|other| std::ptr::eq(other, shown))
        .expect("of the run");
    &run[place - 1]
}

/// An encoder, and how its packets lie. Those of the stamped encapsulation have 8 bits of source and time stamps.
#[derive(Clone, Copy, Debug)]
struct Form {
    framing: &'static str,
    full: bool,
    lsb: u8,
    context: bool,
}

const fn traps(step: &Step) -> bool {
    matches!(step.kind, step::Kind::Trap { .. })
}

const fn form(framing: &'static str, full: bool, lsb: u8, context: bool) -> Form {
    Form {
        framing,
        full,
        lsb,
        context,
    }
}

const FORMS: [Form; 6] = [
    form("smi", false, 1, true),
    form("smi", true, 0, false),
    form("encapsulation", false, 1, false),
    form("stamped encapsulation", false, 1, true),
    form("encapsulation", true, 1, false),
    form("esp32", true, 1, false),
];

/// Packets between two of synchronisation.
const RESYNC: usize = 40;

fn encoded(image: &Image, run: &[Retirement], form: Form) -> Vec<Vec<u8>> {
    let width = |bits| NonZeroU8::new(bits).expect("a width");
    let parameters = Parameters {
        iaddress_width_p: width(if image.xlen() == Xlen::Rv32 { 32 } else { 64 }),
        iaddress_lsb_p: form.lsb,
        nocontext_p: !form.context,
        context_width_p: width(32),
        ecause_width_p: width(5),
        ..Parameters::default()
    };
    let mut generator: Generator<Step> = generator::builder().build().expect("an encoder");
    let options = ReferenceIOptions {
        full_address: form.full,
        ..ReferenceIOptions::default()
    };
    let begins = generator.begin_qualification(options, Default::default());
    let mut payloads: Vec<InstructionTrace> = vec![begins.expect("known options").into()];
    let mut since = 0;
    for step in steps(image, run) {
        let event = (since >= RESYNC && !traps(&step)).then_some(Event::ReSync);
        if event.is_some() {
            since = 0;
        }
        let made: Vec<_> = generator
            .process_step(step, event)
            .map(Result::unwrap)
            .collect();
        since += made.len();
        payloads.extend(made);
    }
    payloads.extend(generator.end_qualification(false).map(Result::unwrap));
    let packets = payloads.into_iter().enumerate().map(|(number, payload)| {
        if form.framing == "esp32" {
            return esp32(&payload, number as u16, &parameters);
        }
        let mut buffer = [0; 80];
        let builder = packet::builder().with_params(&parameters);
        let builder = match form.framing {
            "smi" | "encapsulation" => builder,
            _ => builder.with_hart_index_width(8).with_timestamp_width(8),
        };
        let mut encoder = builder.encoder(&mut buffer);
        let normal = |flow, hart| {
            let payload = Payload::InstructionTrace(payload);
            encap::Normal::new(flow, hart, payload)
        };
        let encoded = match form.framing {
            "smi" => encoder.encode(&smi::Packet::new(0b10, 0, payload)),
            "encapsulation" => encoder.encode(&normal(0, 0)),
            _ => encoder.encode(&normal(1, 3).with_timestamp(number as u64)),
        };
        encoded.expect("room");
        let left = encoder.uncommitted();
        buffer[..buffer.len() - left].to_vec()
    });
    packets.collect()
}

/// A packet of ESP32-C6's unit, by its manual: of version 1.0, with a header of three bytes.
fn esp32(payload: &InstructionTrace, number: u16, parameters: &Parameters) -> Vec<u8> {
    let flag = u64::from;
    // Values with their widths.
    let fields = match payload {
        InstructionTrace::Synchronization(Synchronization::Start(start)) => {
            let address = start.address >> 1;
            vec![
                (3, 2),
                (0, 2),
                (flag(start.branch), 1),
                (1, 1),
                (address, 31),
            ]
        }
        InstructionTrace::Synchronization(Synchronization::Trap(trap)) => {
            assert!(trap.thaddr, "version 1.0 has no other");
            let (cause, value) = (trap.info.ecause.into(), trap.info.tval);
            let mut fields = vec![(3, 2), (1, 2), (flag(trap.branch), 1), (1, 1), (cause, 5)];
            let interrupt = flag(value.is_none());
            fields.extend([
                (interrupt, 1),
                (trap.address >> 1, 31),
                (value.unwrap_or(0), 32),
            ]);
            fields
        }
        InstructionTrace::Synchronization(Synchronization::Support(support)) => {
            let status = match support.qual_status {
                QualStatus::NoChange => 0,
                QualStatus::EndedRep => 1,
                QualStatus::TraceLost => 2,
                QualStatus::EndedNtr => 3,
            };
            vec![(3, 2), (3, 2), (flag(support.ienable), 1), (status, 2)]
        }
        _ => {
            let mut buffer = [0; 40];
            let builder = packet::builder().with_params(parameters);
            let mut encoder = builder.with_compression(false).encoder(&mut buffer);
            encoder.encode(payload).expect("room");
            let left = encoder.uncommitted();
            return with_header(&buffer[..buffer.len() - left], number);
        }
    };
    let bits = |(value, width): (u64, u8)| (0..width).map(move |place| value >> place & 1 != 0);
    let bits: Vec<bool> = fields.into_iter().flat_map(bits).collect();
    let last = *bits.last().expect("one");
    let byte = |bits: &[bool]| {
        let bit = |at: usize| u8::from(*bits.get(at).unwrap_or(&last)) << at;
        (0..8).map(bit).sum()
    };
    let bytes: Vec<u8> = bits.chunks(8).map(byte).collect();
    with_header(&bytes, number)
}

fn with_header(bytes: &[u8], number: u16) -> Vec<u8> {
    let [low, high] = number.to_le_bytes();
    [&[bytes.len() as u8 + 3, low, high], bytes].concat()
}

fn read(image: &Image, bytes: &[u8]) -> Read {
    let input = Box::new(Cursor::new(bytes.to_vec()));
    Read::all(Packets::new(input, image.clone(), None, None).expect("packets"))
}

/// Packets that encoder_model.py of riscv-trace-spec (2026, `iaddress_width_p=32`, `context_width_p=32`) made of the run below.
const OF_THE_REFERENCE: &str = "411f47730000000000404289104109428900410946890100\
    0000fc410a48770000008025032041f24162428508414f";

#[test]
fn packets_of_the_reference_encoder_are_followed() {
    let words = [
        NOP,
        jal(1, 36),
        beq(-4),
        ECALL,
        NOP,
        RET, // it begins here
        NOP,
        NOP,
        MRET,
        NOP, // the handler
        C_NOPS,
        beq(8),
        NOP,
        RET, // a function
        NOP,
        NOP,
        NOP,
        beq(8),
        NOP,
        NOP,
        NOP, // where it returns to
    ];
    let elf = elf_file(&words, &[("all", 0, 21)], true, Flaw::None);
    let image = Image::from_elf(&elf, None).expect("a program");
    let mut at = vec![0, 4];
    for round in 0..5 {
        at.extend([40, 42, 44]);
        at.extend((round % 2 == 0).then_some(48));
        at.extend([52, 8]);
        at.extend((round < 4).then_some(4));
    }
    at.extend([12, 24, 28, 32, 16, 20, 64, 68, 72, 76, 80]);
    let shown = |(at, next): (&u64, &u64)| {
        let insn = word(&image, BASE + at);
        Retirement {
            trap: insn == ECALL,
            ..Retirement::new(BASE + at, insn, BASE + next)
        }
    };
    let run: Vec<_> = at.iter().zip(&at[1..]).map(shown).collect();
    let digits: Vec<_> = OF_THE_REFERENCE.bytes().collect();
    let byte = |pair: &[u8]| {
        u8::from_str_radix(str::from_utf8(pair).expect("digits"), 16).expect("a byte")
    };
    let bytes: Vec<u8> = digits.chunks(2).map(byte).collect();
    let got = read(&image, &bytes);
    got.must_be(&run, image.xlen(), "the reference");
    got.ending.reason.must_begin(
        "13 packets of a trace encoder (smi, 32 bits of addresses), 45 instructions of hart 0",
    );
}

fn functions() -> Vec<u64> {
    (2..FUNCTIONS).map(start).collect()
}

/// A random program, and a run of it.
fn random(seed: u64, xlen: Xlen, length: usize, which: Traps) -> (Vec<u8>, Image, Vec<Retirement>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let elf = program(&mut rng, xlen);
    let image = Image::from_elf(&elf, None).expect("a program");
    let mut run = through(&mut rng, &image, &functions(), HANDLERS, length, which);
    // A trap is reported with the first instruction of its handler, so no trace ends in one.
    while steps(&image, &run).last().is_some_and(traps) {
        run.pop();
    }
    (elf, image, run)
}

#[test]
fn runs_become_packets_and_are_the_same_again() {
    for seed in seeds(40) {
        for form in FORMS {
            let xlen = match (form.framing, seed % 2) {
                ("esp32", _) | (_, 0) => Xlen::Rv32,
                _ => Xlen::Rv64,
            };
            let traps = match (form.framing, seed % 4) {
                (_, 0 | 1) => Traps::None,
                ("esp32", _) => Traps::Few,
                _ => Traps::All,
            };
            let what = format!("seed {seed}, {form:?}");
            let (_, image, run) = random(seed, xlen, 2000, traps);
            let got = read(&image, &encoded(&image, &run, form).concat());
            got.must_be(&run, image.xlen(), &what);
            let instructions = format!(" {} instructions of", run.len());
            assert!(
                got.ending.reason.contains(&instructions),
                "{what}: {:?}",
                got.ending
            );
        }
    }
}

#[test]
fn compiled_programs_do_so_too() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles");
    for path in ["fixture/words.elf", "orders/orders.elf"] {
        let path = tests.join(path);
        let elf = std::fs::read(&path).expect("a program");
        let image = Image::from_elf(&elf, None).expect("a program");
        let functions = image.functions().iter();
        let entries: Vec<u64> = functions.map(|function| function.address).collect();
        let mut all = 0;
        // Many a walk soon ends.
        for seed in seeds(200) {
            if all > 5_000 {
                break;
            }
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let run = through(&mut rng, &image, &entries, HANDLERS, 20_000, Traps::Foreign);
            all += run.len();
            if run.len() < 100 {
                continue;
            }
            for form in &FORMS[..5] {
                let got = read(&image, &encoded(&image, &run, *form).concat());
                let what = format!("{}, seed {seed}, {form:?}", path.display());
                got.must_be(&run, image.xlen(), &what);
            }
        }
        assert!(all > 5_000, "{}: {all} instructions", path.display());
    }
}

/// What is known before the place, and again from the second packet of synchronisation after it.
#[test]
fn where_packets_are_missing_the_run_is_known_again_soon() {
    let mut tried = 0;
    // Packets of seed 25 once fitted another encoder better.
    for seed in seeds(20).chain([25]) {
        for form in FORMS {
            let (_, image, run) = random(seed, Xlen::Rv32, 3000, Traps::None);
            let packets = encoded(&image, &run, form);
            let at = packets.len() / 2;
            // Some programs soon go round in a loop.
            if packets.len() < 6 * RESYNC {
                continue;
            }
            tried += 1;
            let what = format!("seed {seed}, {form:?}, without packet {at}");
            let missing = [&packets[..at], &packets[at + 1..]].concat();
            let got = read(&image, &missing.concat());
            let all = expected(&run, image.xlen());
            let equal = |(got, known): &(&BranchRecord, &BranchRecord)| got == known;
            let front = got.records.iter().zip(&all).take_while(equal).count();
            // The last records are those of all.
            let back = got.records.iter().rev();
            let back = back.skip_while(|record| Some(*record) != all.last());
            let back = back.zip(all.iter().rev()).take_while(equal).count();
            assert!(
                front + back + all.len() / 4 > all.len(),
                "{what}: {front} and {back} of {}; {:?}",
                all.len(),
                got.ending
            );
            if form.framing == "esp32" {
                let said = got.ending.left_out.join("\n");
                said.must_contain(&format!(
                    "packets in 1 gap of their numbers, the first before packet {}",
                    at + 1
                ));
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn packets_that_begin_or_end_within_a_run_say_so() {
    for form in FORMS {
        let (_, image, run) = random(7, Xlen::Rv32, 3000, Traps::None);
        let packets = encoded(&image, &run, form);
        let got = read(&image, &packets[3..].concat());
        let said = got.ending.left_out.join("\n");
        said.must_contain(" before one that says where the run is, the first packet 1");
        let mut bytes = packets.concat();
        let last = packets[packets.len() - 1].len();
        bytes.truncate(bytes.len() - last - 1);
        let got = read(&image, &bytes);
        got.ending.left_out.join("\n").must_contain("the end: ");
        let all = expected(&run, image.xlen());
        let pairs = got.records.iter().zip(&all);
        let front = pairs.take_while(|(got, known)| got == known).count();
        assert!(front + 3 * RESYNC > got.records.len(), "{form:?}");
    }
}

#[test]
fn the_commands_take_packets_of_any_form_by_their_content() {
    let folder = Folder::empty();
    let (elf, image, run) = random(3, Xlen::Rv32, 2000, Traps::None);
    folder.write("program", &elf);
    let bytes = encoded(&image, &run, FORMS[5]).concat();
    folder.write("raw", &bytes);
    // As firmware prints it, after the zeros that the unit writes first.
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    folder.write("hex", digits + "\n");
    folder.write("zeros", [&[0; 14], &bytes[..]].concat());
    folder.write("zst", zstd::encode_all(&bytes[..], 1).expect("memory"));
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&bytes).expect("memory");
    folder.write("gz", gz.finish().expect("memory"));
    let profile = |name: &str| {
        folder.succeeds(format!("replay {name} --elf program --profile profile"));
        folder.text("profile")
    };
    let plain = profile("raw");
    for name in ["hex", "zeros", "zst", "gz"] {
        assert_eq!(profile(name), plain, "{name}");
    }
    folder.succeeds("explore raw --elf program");
    // What cannot be read.
    let (other, _, _) = random(4, Xlen::Rv64, 10, Traps::None);
    folder.write("other", &other);
    for (arguments, what) in [
        ("", "raw: it is no text; remedy: --elf"),
        (
            " --elf other",
            "raw: it is no text, and no packets of a trace encoder that ran this program (--elf); remedy: ",
        ),
        (
            " --elf program --encoder framing=smi",
            "no packets of a trace encoder that ran this program",
        ),
        (
            " --elf program --encoder framing=usb",
            "--encoder: `framing=usb` is none of framing=esp32, ",
        ),
        (
            " --elf program --encoder iaddress_width_p=x",
            "--encoder: `iaddress_width_p=x` is none of framing and iaddress_width_p, ",
        ),
        (
            " --elf program --isa rv32",
            "raw: packets of a trace encoder; --isa and --log-pattern are for logs",
        ),
        (
            " --elf program --hart 5",
            "raw: hart 5 is in no packet; those there are: 0; remedy: --hart",
        ),
    ] {
        let done = folder.run(format!("replay raw{arguments}"));
        assert_eq!(done.status, 1, "{}", done.error);
        done.error.must_contain(what);
    }
}

/// Bytes of any kind make no panic.
#[test]
fn noise_is_no_packets() {
    let (_, image, run) = random(9, Xlen::Rv32, 2000, Traps::All);
    for seed in seeds(60) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let form = FORMS[seed as usize % 5];
        let mut bytes = encoded(&image, &run, form).concat();
        for _ in 0..rng.random_range(0..100) {
            let place = rng.random_range(0..bytes.len());
            bytes[place] = rng.random();
        }
        if seed % 10 == 0 {
            rng.fill(&mut bytes[..]);
        }
        let input = Box::new(Cursor::new(bytes));
        if let Ok(mut packets) = Packets::new(input, image.clone(), None, None) {
            while packets.next_parts().is_ok_and(|parts| !parts.is_empty()) {}
        }
    }
}
