//! QEMU's own log of a program, beside `hpp trace` of it.

use std::fs;
use std::process::Command;

use crate::guests::with_riscv;
use crate::not_tested;
use crate::said::Must;

/// Without a C library, whose loops depend on the environment.
const FREESTANDING: &[&str] = &[
    "-nostdlib",
    "-nostartfiles",
    "-ffreestanding",
    "-Wl,--build-id",
];

#[test]
fn the_log_of_qemu_is_the_trace_of_the_program() {
    with_riscv(FREESTANDING, "freestanding", |folder, program| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (log, trace) = (name("qemu.log"), name("run.hpptrace"));
        let arguments = ["-d", "exec,nochain", "-D", &log, program];
        let Ok(status) = Command::new("qemu-riscv64").args(arguments).status() else {
            return not_tested("no qemu-riscv64, whose log is read");
        };
        assert!(status.success());
        hpp!("trace --write {trace} -- {program}");
        let (of_log, of_trace) = (name("log.txt"), name("trace.txt"));
        let said = out!("replay {log} --elf {program} --profile {of_log}");
        said.must_contain("; log (QEMU, -d exec) of ");
        out!("replay {trace} --profile {of_trace}");
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&of_log), read(&of_trace));
        out!("report {of_log} --elf {program}").must_contain("pick");
        let rows = |line: &str| {
            let lines = line
                .lines()
                .map(|line| line.split(',').skip(2).collect::<Vec<_>>());
            format!("{:?}", lines.collect::<Vec<_>>())
        };
        let explored = out!("explore {log} --elf {program} --entries 8,32 --format csv");
        let expected = out!("explore {trace} --entries 8,32 --format csv");
        assert_eq!(rows(&explored), rows(&expected));
    });
}
