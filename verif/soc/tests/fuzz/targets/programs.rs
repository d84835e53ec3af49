use super::Target;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_report::{ElfFile, Graphs, Heat, Profile, Program, Report, annotate, text};
use hpp_riscv::procedures::Targets;
use hpp_riscv::{Blocks, FunctionGraph, Procedures, Starts};

const DUMP: &str = include_str!("../../../../../cli/hpp/tests/profiles/fixture/words.txt");
const LOOP_32: &[u8] = include_bytes!("../seeds/loop32.elf");
const LOOP_64: &[u8] = include_bytes!("../seeds/loop64.elf");

pub const TARGET: Target = Target {
    name: "elf",
    run,
    seeds: || vec![LOOP_32.to_vec(), LOOP_64.to_vec()],
};

/// Everything that is made of a program alone, and of a program and a profile of another one.
fn run(input: &[u8]) {
    let file = ElfFile::new(input.to_vec());
    let Ok(program) = Program::from_elf(&file) else {
        return;
    };
    let image = program.image();
    let functions = image.functions();
    let blocks = Blocks::recover(image, functions, &Starts::Assumed);
    let _ = Procedures::recover(image, functions, &Targets::default());
    let profile = Profile::of(&Dump::read(DUMP).expect("a whole dump")).expect("a profiler's");
    let report = Report::new(&profile, Some(&program), None).expect("ranked by what is counted");
    assert_eq!(report.paths.len(), profile.counts.len());
    let _ = text::write(&report, usize::MAX, None);
    let heat = Heat::of(&profile, &program);
    for function in functions.iter().take(8) {
        let _ = FunctionGraph::new(&blocks, functions, function, BackwardNotTaken::default());
        let _ = annotate(&profile, &report, &heat, &program, function, 4);
    }
    let _ = Graphs::new(&profile, &report, &program);
}
