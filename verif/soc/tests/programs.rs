//! Real programs on the simulated system come to their own correct results.

use hpp_riscv::Retirement;
use hpp_soc::{Run, Soc, firmware};
use std::io::Write;
use std::path::Path;
use verilated::tools::project_root;

/// Runs a program without the profiler and checks that its retirements are one thread of execution.
fn run(name: &str) -> Run {
    let elf = firmware(name).expect("the program builds");
    let soc = Soc::build(None).expect("the system builds");
    let mut expected = 0;
    let run = soc
        .run(&elf, &mut |retirement: &Retirement| {
            assert_eq!(
                retirement.pc, expected,
                "the address the last instruction announced"
            );
            assert!(!retirement.trap && !retirement.intr);
            expected = retirement.next_pc;
        })
        .expect("the program ends");
    assert_eq!(run.status, 0, "{}", run.uart);
    run
}

/// The figures CoreMark's own `core_main.c` knows for a performance run of 2000 bytes.
#[test]
fn coremark_validates_itself() {
    let run = run("coremark");
    for line in [
        "seedcrc          : 0xe9f5",
        "[0]crclist       : 0xe714",
        "[0]crcmatrix     : 0x1fd7",
        "[0]crcstate      : 0x8e3a",
        "Correct operation validated. See README.md for run and reporting rules.",
    ] {
        assert!(
            run.uart.lines().any(|printed| printed == line),
            "{line} in\n{}",
            run.uart
        );
    }
    let ticks: u64 = run
        .uart
        .lines()
        .find_map(|line| line.strip_prefix("Total ticks      : "))
        .and_then(|ticks| ticks.parse().ok())
        .expect("CoreMark prints its time");
    assert!(
        (run.cycles * 9 / 10..run.cycles).contains(&ticks),
        "{ticks} of {} cycles",
        run.cycles
    );
}

/// Dhrystone prints every variable and, below it, what it should be.
#[test]
fn dhrystone_finds_what_it_should() {
    let run = run("dhrystone");
    let mut last = "";
    let mut compared = 0;
    for line in run.uart.lines() {
        if let Some(should_be) = line.trim_start().strip_prefix("should be:") {
            let should_be = should_be.trim();
            let value = last.split_once(':').map_or("", |(_, value)| value.trim());
            if should_be == "Number_Of_Runs + 10" {
                assert_eq!(value, "510");
            } else if !should_be.starts_with("(implementation-dependent)") {
                assert_eq!(value, should_be, "{last}");
            }
            compared += 1;
        }
        last = line;
    }
    assert_eq!(compared, 22, "{}", run.uart);
}

#[test]
fn zlib_gets_back_what_it_packed() {
    assert!(run("zlib").uart.ends_with("unpacked equal\n"));
}

#[test]
fn bzip2_gets_back_what_it_packed() {
    assert!(run("bzip2").uart.ends_with("unpacked equal\n"));
}

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

/// The error of running `file`.
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
