//! Tracefiles of LCOV, as each of its releases reads them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_report::{ElfFile, Program};
use hpp_riscv::code::Program as _;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use verilated::tools::tool_path;

use crate::folder::{Folder, fixture, profiler};

/// What a profiler holds after a part of the program's code ran as no input may make it: a profile lacks paths, too.
pub fn walked(elf: &Path, seed: u64) -> Dump {
    let file = ElfFile::read(elf).expect("an ELF file");
    let program = Program::from_elf(&file).expect("a program");
    let image = program.image();
    let functions: Vec<u64> = image
        .functions()
        .iter()
        .map(|function| function.address)
        .collect();
    let geometry = Geometry {
        align: 1,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..rng.random_range(1..60) {
        let mut pc = functions[rng.random_range(0..functions.len())];
        let mut record = |kind, taken, target, next| {
            profiler.profile(&BranchRecord::new(kind, taken, target, next).with_events(1));
        };
        record(BranchKind::Call, true, pc, 0);
        let mut callers = Vec::new();
        for _ in 0..rng.random_range(1..400) {
            let Some(instruction) = image.instruction(pc) else {
                break;
            };
            let next = instruction.next;
            let Some(transfer) = instruction.transfer else {
                pc = next;
                continue;
            };
            let taken = !transfer.conditional || rng.random();
            let target = match (transfer.kind, transfer.target) {
                (BranchKind::Return, _) => callers.pop(),
                (_, target) if taken => target,
                _ => Some(next),
            };
            let Some(target) = target else {
                break;
            };
            callers.extend((transfer.kind == BranchKind::Call).then_some(next));
            record(transfer.kind, taken, target, next);
            pc = target;
        }
    }
    Dump::of(&profiler)
}

/// A folder with `NAME.elf` of each language, and the sources beside it.
fn programs(compiler: &Path) -> Folder {
    let folder = Folder::words();
    std::fs::create_dir(folder.path().join("fixture")).expect("it is writable");
    for name in ["grid.elf", "main.c", "grid.rs", "shapes.cc"] {
        let place = if name.ends_with("elf") {
            String::new()
        } else {
            "fixture/".into()
        };
        folder.write(&format!("{place}{name}"), fixture(name));
    }
    let mut command = Command::new(compiler);
    command.args(
        "-O2 -g -march=rv32imac -mabi=ilp32 -nostdlib -ffreestanding -fno-exceptions -fno-rtti"
            .split(' '),
    );
    command.args([
        "-Wl,--entry=f,--unresolved-symbols=ignore-all",
        "fixture/shapes.cc",
        "-o",
        "shapes.elf",
    ]);
    let compiled = command.current_dir(folder.path()).output();
    let compiled = compiled.expect("the compiler starts");
    assert!(compiled.status.success(), "{compiled:?}");
    folder
}

/// The folders of LCOV's releases.
fn releases() -> anyhow::Result<Vec<PathBuf>> {
    let folder = tool_path("lcov")?;
    let entries = std::fs::read_dir(folder).expect("a folder");
    let releases = entries.map(|entry| entry.expect("an entry").path().join("bin"));
    Ok(releases.filter(|bin| bin.is_dir()).collect())
}

/// A function that never ran where one of its lines did, or the other way round, and branches that went nowhere on a line that ran, are errors of
/// LCOV 2.
#[test]
fn every_release_of_lcov_reads_programs_of_c_cpp_and_rust() {
    let (releases, compiler) = match (releases(), tool_path("riscv-gcc")) {
        (Ok(releases), Ok(compiler)) => (releases, compiler),
        (Err(error), _) | (_, Err(error)) => return eprintln!("NOT TESTED: {error}"),
    };
    assert!(!releases.is_empty());
    let folder = programs(&compiler);
    let seed = std::env::var("HPP_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    for name in ["words", "shapes", "grid"] {
        let dump = walked(&folder.path().join(format!("{name}.elf")), seed);
        folder.write("serial.txt", dump.to_string());
        let done = folder.run(format!(
            "export serial.txt --elf {name}.elf --format lcov -o out.info"
        ));
        assert!(
            done.error.is_empty() || done.status == 3,
            "{name}, HPP_SEED={seed}: {}",
            done.error
        );
        for bin in &releases {
            let run = |tool: &str, arguments: &str| {
                let mut command = Command::new(bin.join(tool));
                command
                    .current_dir(folder.path())
                    .args(arguments.split_whitespace());
                let output = command.output().expect("it starts");
                let said = [output.stdout, output.stderr].concat();
                (
                    output.status.success(),
                    String::from_utf8_lossy(&said).into_owned(),
                )
            };
            let (_, version) = run("genhtml", "--version");
            println!("{name}: {}", version.trim());
            // Sources of the compilers' libraries are not there.
            let missing = if version.contains(" 1.") {
                ""
            } else {
                "--synthesize-missing"
            };
            let html =
                format!("--branch-coverage --ignore-errors source {missing} -o html out.info");
            let (read, said) = run("genhtml", &html);
            let text = folder.text("out.info");
            assert!(
                read && !said.contains("inconsistent"),
                "{version}{name}, HPP_SEED={seed}: {said}{text}"
            );
        }
    }
}

/// The values of each record, by section.
fn records(text: &str) -> BTreeMap<String, Vec<(String, Vec<String>)>> {
    let mut files: BTreeMap<String, Vec<_>> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        match line.split_once(':') {
            Some(("SF", file)) => name = file.to_string(),
            Some((key, values)) => {
                let values = values.split(',').map(String::from).collect();
                files
                    .entry(name.clone())
                    .or_default()
                    .push((key.to_string(), values));
            }
            None => {}
        }
    }
    files
}

/// `hash` and `same` are inlined into `place`, which the compiler left no other copy of.
#[test]
fn a_function_that_ran_inlined_was_entered_at_the_line_of_its_definition() {
    let folder = Folder::words();
    let text = folder
        .succeeds("export words.txt --elf words.elf --format lcov")
        .out;
    let files = records(&text);
    let (_, records) = files
        .iter()
        .find(|(name, _)| name.ends_with("main.c"))
        .expect("the file");
    let source = String::from_utf8(fixture("main.c")).expect("text");
    let of = |key: &str, function: &str| {
        let found = records
            .iter()
            .find(|(k, values)| k == key && values[1] == function);
        found
            .unwrap_or_else(|| panic!("no {key} of {function}: {text}"))
            .1[0]
            .clone()
    };
    for function in ["hash", "same", "place", "count_words"] {
        let line = source.lines().position(|line| {
            line.contains(&format!(" {function}(")) || line.contains(&format!("*{function}("))
        });
        let line = line.expect("its definition") + 1;
        assert_eq!(of("FN", function), line.to_string(), "{function}");
        let ran = records
            .iter()
            .find(|(key, values)| key == "DA" && values[0] == line.to_string());
        let ran: u64 = ran.expect("its line").1[1].parse().expect("a number");
        let entered: u64 = of("FNDA", function).parse().expect("a number");
        assert!(
            0 < entered && entered <= ran,
            "{function}: {entered}, {ran}"
        );
    }
    assert_eq!(of("FNDA", "hash"), (16 * 29).to_string());
}

/// GCC's copies of a function, `words.constprop.0` and such, are the function.
#[test]
fn copies_of_a_function_go_by_its_name() {
    let text = Folder::words()
        .succeeds("export words.txt --elf words.elf --format lcov")
        .out;
    assert!(
        !text.contains(".constprop") && !text.contains("[clone"),
        "{text}"
    );
}
