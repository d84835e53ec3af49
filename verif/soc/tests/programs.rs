//! Programs that fail, and what is no program.

use hpp_riscv::Retirement;
use hpp_soc::{Soc, firmware};
use std::io::Write;
use std::path::Path;
use verilated::tools::project_root;

/// The smallest ELF file that loads `code` at `address`.
fn elf(address: u32, code: &[u8]) -> tempfile::NamedTempFile {
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, values: &[u16]| {
        file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    let word = |file: &mut Vec<u8>, values: &[u32]| {
        file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    };
    half(&mut file, &[2, 243]); // executable, RISC-V
    word(&mut file, &[1, address, 52, 0, 0]);
    half(&mut file, &[52, 32, 1, 40, 0, 0]);
    let length = code.len() as u32;
    word(&mut file, &[1, 84, address, address, length, length, 7, 4]); // PT_LOAD
    file.extend(code);
    let mut written = tempfile::NamedTempFile::new().expect("a temporary file");
    written.write_all(&file).expect("a temporary file");
    written
}

fn refused(file: &Path) -> String {
    let soc = Soc::build(None).expect("the system builds");
    let error = soc
        .run(file, &mut |_: &Retirement| ())
        .expect_err("no program");
    format!("{error:#}")
}

#[test]
fn a_program_that_fails_says_so_and_so_does_the_core() {
    // lui t0, 0x30000; li t1, 5; sw t1, 0(t0): finish with status 5.
    let five = [0x3000_02b7_u32, 0x0050_0313, 0x0062_a023]
        .map(u32::to_le_bytes)
        .concat();
    let soc = Soc::build(None).expect("the system builds");
    let run = soc
        .run(elf(0, &five).path(), &mut |_: &Retirement| ())
        .expect("an end");
    // The store is on the bus when the run ends: it does not retire any more.
    assert_eq!((run.status, run.retired), (5, 2));
    let error = refused(elf(0, &[0; 4]).path());
    assert!(error.starts_with("the core gave up:"), "{error}");
}

#[test]
fn what_is_no_program_is_refused_with_the_reason() {
    let error = refused(Path::new(file!()));
    assert!(
        error.ends_with("No such file or directory (os error 2)"),
        "{error}"
    );
    let error = refused(&project_root().join("Cargo.toml"));
    assert!(error.contains("Cargo.toml is no ELF file"), "{error}");
    let error = refused(elf(0x8000_0000, &[0; 4]).path());
    assert!(error.contains("a segment at 0x80000000"), "{error}");
    let error = format!("{:#}", firmware("quake").expect_err("no such program"));
    assert_eq!(
        error,
        "no program `quake`: there are coremark, dhrystone, bzip2, zlib"
    );
}
