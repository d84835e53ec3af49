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
        let mut lines = fs::read_to_string(&log).expect("a log");
        // As QEMU logs a block that a request to stop kept from running.
        let first = lines.lines().next().expect("a line").to_owned();
        let (block, _) = first
            .rsplit_once('/')
            .and_then(|(front, _)| front.rsplit_once('/'))
            .expect("flags");
        let (host, pc) = (block.split(' ').nth(2), block.rsplit('/').next());
        let stopped = format!(
            "Stopped execution of TB chain before {} [{}] _start\n",
            host.expect("a block"),
            pc.expect("an address")
        );
        lines.insert_str(0, &format!("{first}\n{stopped}"));
        fs::write(&log, lines).expect("the folder is writable");
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
        // Forms without the words of instructions, made of a log of single instructions.
        let single = name("single.log");
        // What it is called depends on the version.
        let is_logged = ["-one-insn-per-tb", "-singlestep"].iter().any(|option| {
            let arguments = [option, "-d", "exec,nochain", "-D", &single, program];
            let output = Command::new("qemu-riscv64").args(arguments).output();
            output.expect("QEMU starts").status.success()
        });
        assert!(is_logged);
        let addresses = read(&single);
        let addresses = addresses.lines().filter_map(|line| line.split('/').nth(1));
        for form in [
            "77: board.cores0.core: T0 : 0xPC @_start+4 : c_li a0, 0 : IntAlu",
            "0xPC",
        ] {
            let lines = addresses
                .clone()
                .map(|pc| form.replace("PC", pc.trim_start_matches('0')) + "\n");
            fs::write(&log, lines.collect::<String>()).expect("the folder is writable");
            out!("replay {log} --elf {program} --profile {of_log}");
            assert_eq!(read(&of_log), read(&of_trace), "{form}");
        }
    });
}
