//! The profiles and programs that transcripts are about.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{Rows, TableEntry, set_index};
use hpp_golden::registers::{self, Counter, geometry0, geometry2};

use crate::folder::{Folder, dump_of, fixture, profiled, profiler};
use crate::riscv_program::{BASE, Flaw, JR, NOP, RET, beq, elf_file, jal, program};

/// `void my::sort<int*, run(int)::{lambda(int, int)#1}>(int*, int*, run(int)::{lambda(int, int)#1}) [clone .constprop.0]`.
pub const LONG: &str = "_ZN2my4sortIPiZ3runiEUliiE_EEvT_S3_T0_.constprop.0";

/// A program for RV64 that is linked with a shared library; its function `call` begins at 0x390.
const DYNAMIC: &[u8] = include_bytes!("../../../report/tests/stubs/dynamic.elf");

/// What a profiler holds after `f` was called with these outcomes of its branch, `T` taken, `N` not.
fn called(outcomes: &str) -> Dump {
    let outcomes = outcomes.bytes().map(|outcome| outcome == b'T');
    profiled(&outcomes.collect::<Vec<_>>())
}

/// A dump by the name of its file, the outcomes that it holds, and what else is so of it.
type Changed = (&'static str, &'static str, fn(&mut Dump));

const CHANGED: [Changed; 16] = [
    ("aa", "T", |dump| dump.program = Some("aa".into())),
    ("aa-TNTT", "TNTT", |dump| dump.program = Some("aa".into())),
    ("bb", "T", |dump| dump.program = Some("bb".into())),
    ("cycles", "TTTN", |dump| dump.ppcr[1] |= 1),
    ("instructions", "TTTN", |dump| dump.ppcr[1] |= 0x11),
    // Without effect where executions are counted.
    ("selected", "T", |dump| dump.ppcr[1] |= 0x10),
    ("configured", "TNT", |dump| {
        dump.configuration = Some("ab".repeat(32));
        dump.ppcr[1] = 0x31;
    }),
    ("lost", "T", |dump| {
        dump.counters[Counter::LostRecords as usize] = 7
    }),
    ("errors", "TNT", |dump| {
        dump.errors = 0b1011;
        dump.counters[Counter::LostRecords as usize] = 11_713;
    }),
    ("unknown", "T", |dump| dump.errors = 1 << 31),
    ("nothing", "", |dump| dump.counters = [0; Counter::COUNT]),
    // Narrow counters wrap in seconds.
    ("wrapped", "TTT", |dump| {
        let bits = geometry2::COUNTER_BITS;
        dump.geometry[2] = dump.geometry[2] & !bits.mask() | bits.put(32);
        dump.counters[Counter::Paths as usize] = 1;
    }),
    // Procedure extension, up to two calls.
    ("extended", "T", |dump| dump.ppcr[1] = 0x0208),
    // Events along loops' extension, up to 3 branches: retired instructions.
    ("loops", "T", |dump| dump.ppcr[1] = 0x0315),
    ("whole", "T", |dump| {
        dump.ppcr = [Rows::WHOLE_PROGRAM_PATH.to_word(), 0x0123];
    }),
    // More branches of a path, so that an entry has another word.
    ("sizes", "", |dump| {
        let put = |word: &mut u32, field: registers::Field, value| {
            *word = *word & !field.mask() | field.put(value);
        };
        put(&mut dump.geometry[0], geometry0::MAX_BRANCHES, 48);
        put(&mut dump.geometry[2], geometry2::ENTRY_WORDS, 5);
    }),
];

/// A path that `longjmp` cut short and another activation continued.
fn continued(count: u32) -> Dump {
    let mut dump = called("T");
    let (_, good) = dump.entries.pop_first().expect("a path");
    let descriptor = PathDescriptor {
        length: 2,
        outcomes: 0b11,
        ..good.descriptor
    };
    for (descriptor, count) in [(good.descriptor, 1000), (descriptor, count)] {
        let geometry = Geometry::default();
        let place = set_index(&geometry, &descriptor) as u32 * geometry.ways;
        dump.entries.insert(place, TableEntry { descriptor, count });
    }
    dump
}

/// What a profiler holds after procedures at these addresses were called, each of which has a taken branch if it is said so.
fn calls(addresses: impl IntoIterator<Item = u64>, branches: bool) -> Dump {
    let call = |address| {
        let forward = (BranchKind::Forward, true, address + 8);
        [(BranchKind::Call, true, address)]
            .into_iter()
            .chain(branches.then_some(forward))
            .chain([(BranchKind::Return, true, 0x20000)])
    };
    dump_of(&Geometry::default(), addresses.into_iter().flat_map(call))
}

/// What a profiler holds after a function here was called 1,000 times, whose last instruction jumps to `leaf`.
fn tail_calls(hop: u64, kind: BranchKind, leaf: u64) -> Dump {
    let call = [
        (BranchKind::Call, true, hop),
        (kind, true, leaf),
        (BranchKind::Return, true, 0x20000),
    ];
    dump_of(&Geometry::default(), [call; 1000].into_iter().flatten())
}

/// A profile of 39 bits under a kernel, and its program: the other bits of its addresses are ones.
fn kernel(folder: &Folder) {
    let geometry = Geometry {
        pc_bits: 39,
        ..Geometry::default()
    };
    let high = 0xffff_ffff_8000_0000;
    let branches = [
        (BranchKind::Call, true, BASE | high),
        (BranchKind::Forward, true, (BASE + 8) | high),
        (BranchKind::Return, true, 0x20000),
    ];
    folder.write("kernel.txt", dump_of(&geometry, branches).to_string());
    let elf = elf_file(&[beq(8), NOP, RET], &[("f", 0, 3)], false, Flaw::None);
    let [base, high] = [BASE, BASE | high].map(u64::to_le_bytes);
    folder.write("kernel.elf", replaced(elf, &base, &high));
}

/// A file in which other bytes stand wherever these do.
pub fn replaced(mut file: Vec<u8>, bytes: &[u8], others: &[u8]) -> Vec<u8> {
    assert_eq!(bytes.len(), others.len());
    let windows = file.windows(bytes.len()).enumerate();
    let places = windows.filter(|(_, window)| *window == bytes);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "{}", String::from_utf8_lossy(bytes));
    for at in places {
        file[at..at + others.len()].copy_from_slice(others);
    }
    file
}

/// What a profiler holds after `zcmp` of `attributes.elf` was called three times, its branch taken twice, and `g` before it.
fn zcmp() -> Dump {
    let mut profiler = profiler(&Geometry {
        align: 1,
        ..Geometry::default()
    });
    for branch in [0x1011a, 0x10114, 0x1011a] {
        for (kind, target, next) in [
            (BranchKind::Call, 0x100f4, 0x10000),
            (BranchKind::Return, 0x10000, 0x10106),
            (BranchKind::Call, 0x10106, 0x20000),
            (BranchKind::Forward, branch, 0x10114),
            (BranchKind::Return, 0x20000, 0x10124),
        ] {
            let taken = target != 0x10114;
            profiler.profile(&BranchRecord::new(kind, taken, target, next).with_events(1));
        }
    }
    Dump::of(&profiler)
}

/// A loop at one address: two rounds in context 0, one in context 3; and a return that leads elsewhere.
fn contexts(filter: u32) -> Dump {
    let geometry = Geometry {
        context_bits: 2,
        stack_check: true,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    profiler.write(registers::CONTEXT.offset, filter);
    for (kind, context) in [
        (BranchKind::Backward, 0),
        (BranchKind::Backward, 0),
        (BranchKind::Backward, 0),
        (BranchKind::Backward, 3),
        (BranchKind::Backward, 3),
        (BranchKind::Call, 0),
        (BranchKind::TrapReturn, 0),
    ] {
        let target = geometry.in_context(0x1_0000, context);
        profiler.profile(&BranchRecord::new(kind, true, target, 0x1_0000));
    }
    Dump::of(&profiler)
}

/// Three harts with two contexts each: a loop at one address, three rounds of hart 0 in context 1, one of hart 2 in context 0.
fn harts() -> Dump {
    let geometry = Geometry {
        context_bits: 3,
        harts: 3,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    for (hart, context) in [(0, 1), (0, 1), (2, 0), (0, 1), (2, 0), (0, 1)] {
        let target = geometry.of_hart().in_context(0x1_0000, context);
        profiler.offer(
            hart,
            &BranchRecord::new(BranchKind::Backward, true, target, 0x1_0000),
        );
        profiler.step(hart);
    }
    Dump::of(&profiler)
}

/// 240 rounds of twelve loops, with a table of four entries. What left is taken out of the drain, `taken` entries at most.
fn drained(taken: usize) -> Dump {
    let geometry = Geometry {
        sets: 2,
        ways: 2,
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    let mut left = Vec::new();
    for round in 0..=240 {
        let target = 0x1_0000 + 4 * (round % 12);
        profiler.profile(&BranchRecord::new(BranchKind::Backward, true, target, 0));
        if left.len() < taken {
            left.extend(profiler.take_left());
        }
    }
    let mut dump = Dump::of(&profiler);
    let drained = dump.drained.as_mut().expect("it has a drain");
    for entry in left {
        *drained.left.entry(entry.descriptor).or_default() += u64::from(entry.count);
    }
    dump
}

pub fn profiles() -> Folder {
    let folder = Folder::words();
    for name in ["orders.txt", "orders.elf"] {
        folder.write(name, fixture(&format!("../orders/{name}")));
    }
    let attributes = "../../../../../golden-model/riscv/tests/files/attributes.elf";
    folder.write("attributes.elf", fixture(attributes));
    let write = |name: &str, dump: &Dump| folder.write(&format!("{name}.txt"), dump.to_string());
    for outcomes in ["T", "N", "TN", "TT", "TNT", "TTNN", "TTTN"] {
        write(outcomes, &called(outcomes));
    }
    write("none", &called(""));
    for (name, outcomes, change) in CHANGED {
        let mut dump = called(outcomes);
        change(&mut dump);
        write(name, &dump);
    }
    write("continued-5", &continued(5));
    write("continued-50", &continued(50));
    write("continued-5000", &continued(5000));
    let forward = tail_calls(0x10000, BranchKind::Forward, 0x10008);
    write("tail-calls", &forward);
    let backward = tail_calls(0x10004, BranchKind::Backward, 0x10000);
    write("backward", &backward);
    write("zcmp", &zcmp());
    write("contexts", &contexts(0));
    write("context-3", &contexts(0x0003));
    write("harts", &harts());
    write("drained", &drained(usize::MAX));
    write("overflowing", &drained(10));
    let libraries = || (0..300).map(|number| 0x4000_0000 + 8 * number);
    write("libraries", &calls(libraries().chain([0x390; 100]), false));
    write("made", &calls(libraries().chain([0x10008; 100]), false));
    write(
        "another",
        &calls((0..300).map(|number| 0x10000 + 4 * number), true),
    );
    write("far", &calls([0x4000_0000], false));
    write(
        "left",
        &calls([0x10000; 50].into_iter().chain([0x1000c]), true),
    );
    for (name, counter, count) in [
        ("deep", Counter::Overflows, 4310),
        ("underflow", Counter::Underflows, 1),
        ("underflows", Counter::Underflows, 2),
    ] {
        let mut dump = calls([0x10000], true);
        dump.counters[counter as usize] = count;
        write(name, &dump);
    }
    kernel(&folder);
    logs(&folder);
    programs(&folder);
    folder
}

/// Logs with other text, several dumps, and damage.
fn logs(folder: &Folder) {
    let (taken, not_taken) = (called("T").to_string(), called("N").to_string());
    let text = called("TNT").to_string();
    let console = format!("boot: ok\r\n{}$ ", text.replace('\n', "\r\n"));
    folder.write("console.txt", console);
    folder.write("two.txt", format!("{taken}noise\n{not_taken}"));
    folder.write(
        "cut.txt",
        format!("{text}{text}{}", &text[..text.len() / 2]),
    );
    folder.write("line.txt", text.replace("errors 0", "errors"));
    folder.write("trace", "HPPTRACE\u{1}");
    // What a person may have made of a merged profile.
    let merged = folder.run("merge TNT.txt").out;
    folder.write("align.json", merged.replace("\"align\": 2", "\"align\": 3"));
    folder.write("runs.json", merged.replace("\"runs\": 1", "\"runs\": -1"));
}

fn programs(folder: &Folder) {
    let f = [beq(8), NOP, RET, RET];
    for (name, code, functions) in [
        ("g", &f[..], &[("g", 0, 3)][..]),
        ("long", &f, &[(LONG, 0, 3)]),
        ("parts", &f, &[("f", 1, 1), ("f", 2, 1)]),
        ("f-and-g", &f, &[("f", 0, 3), ("g", 3, 1)]),
        ("longjmp", &f, &[("f", 0, 3), ("longjmp", 3, 1)]),
        (
            "calls-long",
            &[jal(1, 8), RET, RET],
            &[("f", 0, 2), (LONG, 2, 1)],
        ),
        ("unwind", &f, &[("f", 0, 3), ("_Unwind_Resume", 3, 1)]),
        // Go's linker marks functions in assembly.
        ("go", &f, &[("f", 0, 3), ("runtime.gogo.abi0", 3, 1)]),
        ("jump", &[jal(0, 8), JR, RET], &[("work", 0, 3)]),
        ("return", &[RET], &[("f", 0, 1)]),
        (
            "tail-calls",
            &[NOP, jal(0, 4), NOP, NOP, RET],
            &[("hop", 0, 2), ("leaf", 2, 3)],
        ),
        (
            "backward",
            &[RET, jal(0, -4)],
            &[("leaf", 0, 1), ("hop", 1, 1)],
        ),
        ("returns", &[RET; 400], &[("f", 0, 400)]),
        (
            "alike",
            &[RET, NOP, RET],
            &[
                ("_ZN1a1f17h0123456789abcdefE", 0, 1),
                ("_ZN1a1f17hfedcba9876543210E", 1, 2),
            ],
        ),
        (
            "heap",
            &[beq(8), NOP, RET, RET, RET],
            &[
                ("_ZN4heap4pushEi", 0, 3),
                ("_ZN4heap3popEi", 3, 1),
                ("_ZN4heap3popEl", 4, 1),
            ],
        ),
    ] {
        folder.write(&format!("{name}.elf"), program(code, functions));
    }
    folder.write("dynamic.elf", DYNAMIC);
    // Programs for x86-64, whose code nobody reads.
    const E_MACHINE: usize = 18;
    let functions = [("f", 0, 3), ("siglongjmp", 3, 1)];
    for (name, functions) in [("x86", &functions[..1]), ("x86-longjmp", &functions)] {
        let mut elf = elf_file(&f, functions, false, Flaw::None);
        elf[E_MACHINE..E_MACHINE + 2].copy_from_slice(&object::elf::EM_X86_64.0.to_le_bytes());
        folder.write(&format!("{name}.elf"), elf);
    }
    let zcmp = Flaw::Architecture("rv32i2p1_f2p2_d2p2_c2p0_zcmp1p0");
    let code = [beq(8), 0xbe62_0001, RET];
    folder.write("zcmp.elf", elf_file(&code, &[("f", 0, 3)], true, zcmp));
    // Two instructions of Zcmp or Zcmt in each word.
    let code = [
        0xb856_b842,
        0xbcb2_be62,
        0xac26_baf2,
        0xa00e_afe2,
        0x0001_a3fe,
    ];
    for (name, is_32) in [("zcm32.elf", true), ("zcm64.elf", false)] {
        let zcm = Flaw::Architecture("rv32i2p1_c2p0_zcmp1p0_zcmt1p0");
        folder.write(name, elf_file(&code, &[("f", 0, 5)], is_32, zcm));
    }
}
