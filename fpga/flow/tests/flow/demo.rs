//! The boards' demonstration program: built anew for whatever it depends on, and for nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use verilated::tools::command::make;

use hpp_fpga::board::{Board, TableOptions};
use hpp_fpga::core::Core;
use hpp_fpga::demo::demonstration;
use hpp_fpga::image::memory_image;
use hpp_fpga::profiler::Profiler;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the project's folder")
}

fn profiler() -> Profiler {
    let board = Board::by_key("hx8k").expect("a board");
    let profiler = board.profiler(&root(), Core::PicoRv32, &TableOptions::default());
    profiler.expect("a profiler")
}

/// What of a program is loaded; the names of the linker's temporary files are in the rest.
fn loaded(elf: &Path) -> String {
    memory_image(&fs::read(elf).expect("a program"), 4_096).expect("it is whole")
}

#[test]
fn the_demonstration_is_built_anew_for_another_memory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path();
    let profiler = profiler();
    let elf = demonstration(&root(), 1_024, &profiler, out).expect("it is built");
    let small = loaded(&elf);
    let program = fs::read(&elf).expect("a program");
    let refused = |bytes: &[u8], words| memory_image(bytes, words).unwrap_err().to_string();
    let error = refused(&program, 16);
    assert!(
        error.ends_with("the memory has 0x40; remedy: link it with --defsym=ram_bytes=0x40"),
        "{error}"
    );
    assert_eq!(refused(b"MZ", 4), "not an ELF file");
    // As the next board does, but the profiler's files are those of before.
    let made = |bytes: u32| {
        let folder = |name: &str| format!("{name}={}", out.display());
        let status = make(&root().join("fpga/boards/demo"))
            .args([folder("OUT"), folder("PROFILER")])
            .arg(format!("RAM_BYTES={bytes}"))
            .status();
        assert!(status.expect("make").success());
        let written = elf.metadata().and_then(|file| file.modified());
        (loaded(&elf), written.expect("a time"))
    };
    let (large, written) = made(8_192);
    assert!(small != large, "the stack begins at the end of the memory");
    assert!(made(8_192) == (large, written), "nothing differs");
    assert!(made(4_096).0 == small);
}

#[test]
fn those_who_build_one_demonstration_at_a_time_get_it_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let profiler = profiler();
    let build = || {
        let elf = demonstration(&root(), 1_024, &profiler, folder.path()).expect("it is built");
        loaded(&elf)
    };
    let alone = build();
    std::thread::scope(|scope| {
        let builders: Vec<_> = (0..4).map(|_| scope.spawn(build)).collect();
        for builder in builders {
            assert!(builder.join().expect("it ends") == alone);
        }
    });
}
