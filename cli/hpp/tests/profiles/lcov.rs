//! Tracefiles of LCOV, as each of its releases reads them.

use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_report::{ElfFile, Program};
use hpp_riscv::code::ProgramCode as _;
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
