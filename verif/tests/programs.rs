//! Real programs on the simulated system come to their own correct results.

use hpp_golden::riscv::Retirement;
use hpp_verif::soc::{Run, Soc, firmware};

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
