//! One program on every core: the profiler behind each sees the same paths.
//!
//! The program is built for the instruction set that all have, and depends on nothing but its input, so the paths are those
//! of its code; what differs from core to core is when they come.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use hpp_fpga::core::Core;
use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use hpp_report::PathBlock;
use hpp_riscv::{Loops, Retirement, Xlen, decode};
use hpp_soc::{Profiled, ProfilerSources, ProgramSource, Soc, firmware_of};
use verilated::tools::project_root;

/// Bytes that zlib packs and unpacks, and its least memory: with more, half of the instructions would be those that zero it,
/// and SERV takes some forty cycles for an instruction.
const SIZES: [(&str, u32); 3] = [
    ("SAMPLE_BYTES", 512),
    ("ZLIB_WBITS", 9),
    ("ZLIB_MEM_LEVEL", 1),
];

/// Sets of the table: few, since SERV takes long to print an entry.
const SETS: u32 = 16;

/// The program, built for a set of instructions that both cores have.
fn profile_of(core: Core, built_for: Core) -> Profiled {
    let elf = firmware_of("zlib", built_for, &SIZES);
    let elf = elf.expect("the program builds");
    let sources = ProfilerSources::for_core_with_sets(core, SETS).expect("a profiler");
    let profiled = Profiled::run(core, &elf, &sources, |_| ())
        .unwrap_or_else(|error| panic!("{}: {error:#}", core.about().name));
    assert_eq!(profiled.dump, profiled.expected, "{}", core.about().name);
    profiled
}

/// Built for the smallest instruction set of all.
fn profile(core: Core) -> Profiled {
    profile_of(core, Core::Serv)
}

static PICORV32: LazyLock<Profiled> = LazyLock::new(|| profile(Core::PicoRv32));

/// The program's paths and counters on this core are those on PicoRV32, and nothing is lost.
fn same_paths(core: Core) {
    let (here, there) = (profile(core), &*PICORV32);
    let counter = |dump: &Dump, counter: Counter| dump.counters[counter as usize];
    assert!(counter(&here.dump, Counter::Paths) > 10_000);
    assert_eq!(here.dump.errors, 0);
    assert_eq!(counter(&here.dump, Counter::LostRecords), 0);
    assert_eq!(here.exact, there.exact, "{}", core.about().name);
    assert_eq!(here.dump.profile(), there.dump.profile());
}

verilated::tests! {
    vexriscv_has_the_paths_of_picorv32: same_paths(Core::VexRiscv);
    ibex_with_two_stages_has_the_paths_of_picorv32: same_paths(Core::Ibex);
    ibex_with_three_stages_has_the_paths_of_picorv32: same_paths(Core::IbexMaxperf);
    cv32e40p_has_the_paths_of_picorv32: same_paths(Core::Cv32e40p);
    cv32e40x_has_the_paths_of_picorv32: same_paths(Core::Cv32e40x);
    serv_has_the_paths_of_picorv32: same_paths(Core::Serv);
}

/// The program with compressed instructions, on cores that have them; they differ in where their devices are.
fn compressed_profile(core: Core) -> Profiled {
    profile_of(core, core)
}

static PICORV32_COMPRESSED: LazyLock<Profiled> =
    LazyLock::new(|| compressed_profile(Core::PicoRv32));

#[test]
fn vexriscv_with_compressed_instructions_has_the_paths_of_picorv32() {
    let vexriscv = compressed_profile(Core::VexRiscvImac);
    assert_eq!(vexriscv.exact, PICORV32_COMPRESSED.exact);
}

#[test]
fn cva6_has_the_paths_of_picorv32() {
    let cva6 = compressed_profile(Core::Cva6);
    assert_eq!(cva6.dump.errors, 0);
    assert_eq!(cva6.dump.counters[Counter::LostRecords as usize], 0);
    assert_eq!(cva6.exact, PICORV32_COMPRESSED.exact);
}

#[test]
fn a_folder_of_sources_is_a_program() {
    let folder = project_root().join("fpga/firmware/example");
    let program: ProgramSource = folder.display().to_string().parse().expect("a program");
    let elf = program.elf(Core::PicoRv32).expect("it builds");
    let sources = ProfilerSources::for_core(Core::PicoRv32).expect("a profiler");
    longest_way_down(Core::PicoRv32, &elf, &sources);
}

/// How often each path ran that a compiler's code has: by its outcomes, and the function and the source line of each of its blocks.
fn by_line(code: &str) -> BTreeMap<(String, Vec<String>), u64> {
    let folder = project_root().join("verif/soc/tests/zcmp").join(code);
    let sources = ProfilerSources::for_core(Core::Cv32e40x).expect("a profiler");
    let elf = ProgramSource::Sources(folder).elf(Core::Cv32e40x);
    let elf = elf.expect("it builds");
    let profiled = Profiled::run(Core::Cv32e40x, &elf, &sources, |_| ()).expect("a profile");
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(profiled.dump.errors, 0);
    assert!(
        (profiled.overlap() - 1.0).abs() < 1e-9,
        "every path is held"
    );
    let mut all = BTreeMap::new();
    for path in &profiled.report.paths {
        let place = |block: &PathBlock| {
            let line = block.source.as_ref().map(|source| source.line);
            format!("{:?} {line:?}", block.function)
        };
        let blocks = path.blocks.iter().map(place).collect();
        *all.entry((path.outcomes.clone(), blocks)).or_default() += path.count;
    }
    all
}

/// `cm.push` and `cm.popret` of two compilers that branch alike with them and without. (With -O2 LLVM 23 repeats the short return in place of a jump.)
#[test]
fn a_program_with_zcmp_has_the_paths_it_has_without() {
    for compiler in ["clang", "gcc"] {
        let (zcmp, plain) = (format!("{compiler}-zcmp"), format!("{compiler}-plain"));
        let (zcmp, plain) = (by_line(&zcmp), by_line(&plain));
        assert_eq!(zcmp, plain, "{compiler}");
        assert!(zcmp.len() > 30, "{compiler}: {}", zcmp.len());
    }
}

/// The end of a loop's body is a branch back, as the code has it and as the core shows it.
#[test]
fn hardware_loops_of_cv32e40p_are_paths() {
    let folder = project_root().join("verif/soc/tests/corev");
    let core = Core::Cv32e40pPulp;
    let sources = ProfilerSources::for_core(core).expect("a profiler");
    let elf = ProgramSource::Sources(folder).elf(core).expect("it builds");
    let profiled = Profiled::run(core, &elf, &sources, |_| ()).expect("a profile");
    assert_eq!(profiled.dump, profiled.expected);
    assert!(
        (profiled.overlap() - 1.0).abs() < 1e-9,
        "every path is held"
    );
    let paths = profiled.report.paths.iter();
    let of_work = paths.filter(|path| path.place.function.as_deref() == Some("work"));
    let mut counts: Vec<_> = of_work
        .map(|path| (path.blocks.len(), path.outcomes.as_str(), path.count))
        .collect();
    counts.sort_unstable();
    // Of twelve calls, three each have 1, 2, 3 and 4 rounds of the inner loop in each of four rounds of the outer one.
    let mut expected = [
        // From the entry, and from the outer loop's start: one round of the inner loop of several, or its only one and a round of the outer one.
        (1, "T", 9),
        (1, "T", 9 * 3),
        (2, "NT", 3),
        (2, "NT", 3 * 2),
        // From the inner loop's start: a round that is not the last; the last one, and a round of the outer loop.
        (1, "T", 3 * 4 * (1 + 2)),
        (2, "NT", 9 * 3),
        // Out of both loops, and over the branch or not.
        (4, "NNN", 3),
        (4, "NNT", 9),
    ];
    expected.sort_unstable();
    assert_eq!(counts, expected);

    // What the instructions set up is what the core shows.
    let mut loops = Loops::default();
    let mut ends = 0;
    let mut follows = |shown: &Retirement| {
        let decoded = decode(shown.insn, shown.pc, Xlen::Rv32);
        let ends_loop = loops.execute(shown.insn, shown.pc, decoded) != decoded;
        assert_eq!(ends_loop, shown.loop_end, "{shown:x?}");
        ends += u32::from(ends_loop);
    };
    let soc = Soc::with_profiler(core, &sources).expect("a system");
    soc.run(&elf, &mut follows).expect("it runs");
    assert_eq!(ends, 12 * 4 + 3 * 4 * (1 + 2 + 3 + 4));
}

#[test]
fn a_tiny_profiler_on_serv_agrees_with_the_model() {
    let folder = project_root().join("fpga/firmware/example");
    let program: ProgramSource = folder.display().to_string().parse().expect("a program");
    let sources = ProfilerSources::tiny().expect("a profiler");
    let elf = program.elf_for(Core::Serv, &sources).expect("it builds");
    let profiled = longest_way_down(Core::Serv, &elf, &sources);
    assert_eq!(profiled.dump.counters[Counter::LostRecords as usize], 0);
    assert!(profiled.overlap() > 0.8, "{}", profiled.overlap());
}

/// Runs the example on a core with this profiler.
fn longest_way_down(core: Core, elf: &Path, sources: &ProfilerSources) -> Profiled {
    let profiled = Profiled::run(core, elf, sources, |_| ()).expect("a profile");
    // The longest way down from a number below 1000 has 178 steps.
    assert!(
        profiled.run.uart.starts_with("178"),
        "{}",
        profiled.run.uart
    );
    assert_eq!(profiled.dump, profiled.expected);
    assert_eq!(
        profiled.report.paths[0].place.function.as_deref(),
        Some("main")
    );
    profiled
}

#[test]
fn a_program_for_another_instruction_set_is_refused() {
    let elf = ProgramSource::Named("zlib".into())
        .elf(Core::PicoRv32)
        .expect("the program builds");
    let error = ProgramSource::Elf(elf)
        .elf(Core::Serv)
        .expect_err("refused");
    assert!(
        error.to_string().ends_with(
            "has compressed instructions, and SERV does not know them; compile it with -march=rv32i"
        ),
        "{error}"
    );
}
