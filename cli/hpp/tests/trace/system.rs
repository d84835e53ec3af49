//! Whole machines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use tempfile::TempDir;

use crate::{error, folder, hpp, not_tested, out};

const COMPILER: &str = "riscv64-linux-gnu-gcc";

/// What `scripts/setup-tools.sh --system` fetched, if there is a compiler too.
fn tools() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/system");
    if !tools.join("bin/qemu-system-riscv64").is_file() {
        not_tested("no QEMU for machines; scripts/setup-tools.sh --system fetches one");
        return None;
    }
    if let Err(error) = Command::new(COMPILER).arg("--version").output() {
        not_tested(&format!("{COMPILER}: {error}"));
        return None;
    }
    Some(tools)
}

fn compile(folder: &TempDir, name: &str, flags: &[&str]) -> String {
    let (stem, _) = name.split_once('.').expect("an ending");
    let file = folder.path().join(stem).display().to_string();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/programs");
    let status = Command::new(COMPILER)
        .args(["-static", "-O2", "-g", "-o", &file])
        .args(flags)
        .arg(format!("{programs}/{name}"))
        .status()
        .expect("a compiler");
    assert!(status.success(), "{name}");
    file
}

fn bare_machine(folder: &TempDir) -> String {
    let flags = ["-nostdlib", "-march=rv64imac_zicsr", "-mabi=lp64"];
    let place = ["-Wl,-Ttext=0x80000000", "-Wl,--build-id=none"];
    compile(folder, "machine.S", &[flags.as_slice(), &place].concat())
}

#[test]
fn user_code_of_a_machine_has_the_context_of_its_page_table() {
    let Some(tools) = tools() else { return };
    let folder = folder();
    let elf = bare_machine(&folder);
    let qemu = tools.join("bin/qemu-system-riscv64").display().to_string();
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (profile, trace, again) = (name("p.txt"), name("t"), name("again.txt"));
    let files = ["--profile", &profile, "--write", &trace];
    let machine = [&qemu, "-M", "virt", "-bios", "none", "-nographic"];
    let command = [
        &["trace", "--system"],
        &files[..],
        &["--"],
        &machine[..],
        &["-kernel", &elf],
    ];
    let output = hpp(&command.concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for told in [
        "context 0: ",
        "; machine level",
        "context 2: ",
        "context 3: ",
        "user code, page table at 0x8",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    let read = |file: &str| fs::read_to_string(file).expect("a profile");
    let dump = Dump::read(&read(&profile)).expect("a profile");
    let rounds = |context: u64| {
        let entries = dump.entries.values();
        let own = entries.filter(|entry| entry.descriptor.start >> 48 == context);
        own.map(|entry| entry.count).max().unwrap_or(0)
    };
    // Ten times: the first round begins at the loop's entry, the last ends with the system call.
    assert_eq!((rounds(2), rounds(3)), (9_980, 19_980), "{said}");
    assert!(rounds(0) < 100, "{said}");
    assert_eq!(dump.counter(Counter::Overflows), 0);
    let bits = ["--context-bits", "8"];
    out(&[&["replay", &trace, "--profile", &again], &bits[..]].concat());
    assert_eq!(read(&profile), read(&again));
    let one = out(&[&["replay", &trace, "--context", "3"], &bits[..]].concat());
    assert!(one.contains(" 19980  "), "{one}");
    // A path that the system call interrupts goes on with the code that the handler returns to.
    let split = hpp(&["report", &profile, "--program", &elf]);
    let split = String::from_utf8_lossy(&split.stdout);
    assert!(split.contains("context 3: "), "{split}");
    assert!(
        split.contains(", through whose code 100.0 % of it walk"),
        "{split}"
    );
}

#[test]
fn what_is_no_machine_is_told() {
    let own = env!("CARGO_BIN_EXE_hpp");
    let said = error(&["trace", "--system", "--", own]);
    assert!(
        said.contains("`hpp` cannot be traced as a machine; qemu-system-riscv64"),
        "{said}"
    );
    let folder = folder();
    let place = folder
        .path()
        .join("qemu-system-riscv64")
        .display()
        .to_string();
    let write = "printf '#!/bin/sh\\necho QEMU emulator version 7.2.1 -plugin\\n' > \"$0\" && chmod +x \"$0\"";
    assert!(
        Command::new("sh")
            .args(["-c", write, &place])
            .status()
            .expect("a shell")
            .success()
    );
    let said = error(&["trace", "--system", "--", &place]);
    assert!(
        said.contains(
            "is QEMU 7.2; the plugin needs 9.0 or later; remedy: scripts/setup-tools.sh --system"
        ),
        "{said}"
    );
    let said = error(&[
        "replay",
        crate::GZIP,
        "--context-bits",
        "2",
        "--context",
        "4",
    ]);
    assert!(
        said.contains("there is no context 4: with --context-bits 2 the last is 3"),
        "{said}"
    );
    let said = error(&["report", "/nowhere", "--program", own]);
    assert!(said.contains("cannot read /nowhere"), "{said}");
}
