//! Damaged programs, dumps and profiles: no panic, no endless loop, whatever the damage.

use hpp_golden::dump::Dump;
use hpp_report::{
    By, ElfFile, Graphs, Heat, Profile, ProfileError, Program, Report, annotate, text,
};
use object::{Object, ObjectSection};
use proptest::prelude::*;

const ELF: &[u8] = include_bytes!("../../hpp/tests/profiles/fixture/words.elf");
/// Names of C++ and D, whose scopes are looked for in the debug information.
const NAMES: &[u8] = include_bytes!("names/names.elf");
const DUMP: &str = include_str!("../../hpp/tests/profiles/fixture/words.txt");

fn profile() -> Profile {
    Profile::of(&Dump::read(DUMP).expect("a whole dump")).expect("a profiler's")
}

/// Where the entries of a program's debug information are in its file.
fn debug_info(bytes: &[u8]) -> std::ops::Range<usize> {
    let file = object::File::parse(bytes).expect("an ELF file");
    let section = file.section_by_name(".debug_info").expect("it has some");
    let (start, size) = section.file_range().expect("it is in the file");
    start as usize..(start + size) as usize
}

/// Looks every place of a program's code up.
fn look_up(bytes: Vec<u8>) {
    let file = ElfFile::new(bytes);
    let program = Program::named(&file).expect("its code is whole");
    for function in program.image().functions().iter() {
        for address in (function.address..function.end()).step_by(2) {
            let _ = program.place(address);
        }
    }
}

/// A function whose declaration is said to be inside itself was followed without an end.
#[test]
fn a_function_that_is_declared_inside_itself_has_a_name_or_none() {
    const LAMBDA: u32 = 0x1e8;
    let info = debug_info(NAMES);
    for at in info.start..info.end - 4 {
        let field = at..at + 4;
        let value = NAMES[field.clone()].iter().rev();
        let value = value.fold(0, |value, byte| value << 8 | usize::from(*byte));
        // What may be a reference to an entry becomes one to the lambda.
        if (0x20..info.len()).contains(&value) {
            let mut bytes = NAMES.to_vec();
            bytes[field].copy_from_slice(&LAMBDA.to_le_bytes());
            look_up(bytes);
        }
    }
}

/// Everything that is made of a program and a profile.
fn use_all(profile: &Profile, program: &Program<'_>) {
    for by in [By::Count, By::Instructions] {
        ranked(profile, program, by);
    }
}

fn ranked(profile: &Profile, program: &Program<'_>, by: By) {
    let report = Report::new(profile, Some(program), Some(by)).expect("executions are counted");
    assert_eq!(report.paths.len(), profile.counts.len());
    let own = report.functions.iter().map(|total| total.own);
    assert_eq!(own.fold(0, u64::saturating_add), report.total);
    for total in &report.functions {
        assert!(total.own <= total.inclusive && total.inclusive <= report.total);
    }
    let _ = text::write(&report, usize::MAX, Some(80));
    let heat = Heat::of(profile, program);
    for function in program.image().functions().iter().take(40) {
        let _ = annotate(profile, &report, &heat, program, function, 4);
    }
    let graphs = Graphs::new(profile, &report, program);
    assert_eq!(graphs.routes.len(), report.paths.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Half of the damage is in the headers and the tables of symbols, at the beginning and the end.
    #[test]
    fn a_damaged_program_is_refused_or_read(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = ELF.to_vec();
        for (at, byte, part) in damage {
            let at = match part {
                0 => at.index(512),
                1 => bytes.len() - 1 - 4 * at.index(512),
                _ => at.index(bytes.len()),
            };
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let file = ElfFile::new(bytes);
        if let Ok(program) = Program::from_elf(&file) {
            use_all(&profile(), &program);
        }
    }

    /// Entries may refer to any other, also to those around or inside of them.
    #[test]
    fn damaged_debug_information_has_other_names_or_none(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = NAMES.to_vec();
        let info = debug_info(&bytes);
        for (at, byte) in damage {
            bytes[info.start + at.index(info.len())] = byte;
        }
        look_up(bytes);
    }

    #[test]
    fn any_paths_are_reported(
        paths in prop::collection::vec((0u64..0x4000, 0u32..33, any::<u32>(), 1u64..), 0..20),
    ) {
        let mut profile = profile();
        for (start, length, outcomes, count) in paths {
            let path = hpp_golden::path::PathDescriptor {
                start: start & !1,
                length,
                outcomes: u64::from(outcomes) & ((1u64 << length) - 1),
            };
            profile.counts.insert(path, count);
        }
        let file = ElfFile::new(ELF.to_vec());
        let program = Program::from_elf(&file).expect("a whole program");
        use_all(&profile, &program);
    }

    #[test]
    fn a_damaged_profile_is_refused_with_its_place(
        at: prop::sample::Index,
        with in "[0-9a-z\",:{}\\[\\]-]{0,3}",
    ) {
        let text = profile().to_json();
        let at = at.index(text.len() - 1);
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        if let Err(ProfileError::Form(reason)) = Profile::from_json(&damaged) {
            let placed = ["line ", "no profiler ", "the path ", "version "];
            prop_assert!(placed.iter().any(|start| reason.starts_with(start)), "{reason}");
        }
    }
}
