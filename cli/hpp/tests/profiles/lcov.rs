//! Tracefiles of LCOV, as each of its releases reads them.

use std::path::{Path, PathBuf};

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_report::{ElfFile, Program};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use verilated::tools::tool_path;

use crate::folder::{Done, Folder, fixture, profiler};
use crate::recorded::{Traps, expected, through};

/// What a profiler holds after a part of the program's code ran as no input may make it: a profile lacks paths, too.
pub fn walked(elf: &Path, seed: u64) -> Dump {
    let file = ElfFile::read(elf).expect("an ELF file");
    let program = Program::from_elf(&file).expect("a program");
    let image = program.image();
    let functions = image.functions().iter();
    let mut entries: Vec<u64> = functions.map(|function| function.address).collect();
    let mut profiler = profiler(&Geometry {
        align: 1,
        ..Geometry::default()
    });
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..rng.random_range(1..60) {
        let first = rng.random_range(0..entries.len());
        entries.swap(0, first);
        let call = BranchRecord::new(BranchKind::Call, true, entries[0], 0);
        profiler.profile(&call.with_events(1));
        let steps = rng.random_range(1..400);
        let run = through(rng, image, &entries, [0; 2], steps, Traps::Foreign);
        for record in expected(&run, image.xlen()) {
            profiler.profile(&record);
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
            ""
        } else {
            "fixture/"
        };
        folder.write(&format!("{place}{name}"), fixture(name));
    }
    let flags = "-O2 -g -march=rv32imac -mabi=ilp32 -nostdlib -ffreestanding -fno-exceptions -fno-rtti \
                 -Wl,--entry=f,--unresolved-symbols=ignore-all fixture/shapes.cc -o shapes.elf";
    let words: Vec<&str> = flags.split_whitespace().collect();
    let (status, said) = Done::of(&mut folder.command(compiler, &words)).said();
    assert_eq!(status, 0, "{said}");
    folder
}

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
            let run = |arguments: &str| {
                let words: Vec<&str> = arguments.split_whitespace().collect();
                Done::of(&mut folder.command(bin.join("genhtml"), &words)).said()
            };
            let (_, version) = run("--version");
            println!("{name}: {}", version.trim());
            // Sources of the compilers' libraries are not there.
            let missing = match version.contains(" 1.") {
                true => "",
                false => "--synthesize-missing",
            };
            let html =
                format!("--branch-coverage --ignore-errors source {missing} -o html out.info");
            let (status, said) = run(&html);
            let text = folder.text("out.info");
            assert!(
                status == 0 && !said.contains("inconsistent"),
                "{version}{name}, HPP_SEED={seed}: {said}{text}"
            );
        }
    }
}
