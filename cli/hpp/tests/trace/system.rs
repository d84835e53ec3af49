use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use object::{Object, ObjectSection};
use tempfile::TempDir;

use crate::said::Must;
use crate::{HPP, error, folder, hpp, not_tested, program_that_says, write_by_child};

/// The compiler for programs of RISC-V machines.
const RISCV: &str = "riscv64-linux-gnu-gcc";

/// What `scripts/setup-tools.sh --system` fetched, if there is a compiler too.
fn tools(compiler: &str) -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/system");
    if !tools.join("bin/qemu-system-x86_64").is_file() {
        not_tested("no QEMU for machines; scripts/setup-tools.sh --system fetches one");
        return None;
    }
    if let Err(error) = Command::new(compiler).arg("--version").output() {
        not_tested(&format!("{compiler}: {error}"));
        return None;
    }
    Some(tools)
}

/// The emulator of this name, of each QEMU that was fetched. Says what is not tested for want of one.
fn every_qemu(tools: &Path, name: &str) -> Vec<String> {
    let folders = fs::read_dir(tools.join("..")).into_iter().flatten();
    let places = folders.flatten().map(|entry| entry.path());
    let is_one = |place: &PathBuf| {
        let name = place.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with("system") && !name.ends_with(".fetching"))
    };
    let files = places
        .filter(is_one)
        .map(|place| place.join("bin").join(name));
    let files: Vec<_> = files.filter(|file| file.is_file()).collect();
    if files.len() < 2 {
        not_tested("no QEMU 11 for machines; scripts/setup-tools.sh --system sid fetches one");
    }
    files
        .iter()
        .map(|file| file.display().to_string())
        .collect()
}

fn compile(compiler: &str, folder: &TempDir, name: &str, flags: &[&str]) -> String {
    let (stem, _) = name.split_once('.').expect("an ending");
    let file = folder.path().join(stem).display().to_string();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/programs");
    let status = Command::new(compiler)
        .args(["-static", "-O2", "-g", "-o", &file])
        .args(flags)
        .arg(format!("{programs}/{name}"))
        .status()
        .expect("a compiler");
    assert!(status.success(), "{name}");
    file
}

fn bare_machine(folder: &TempDir, flags: &[&str]) -> String {
    let place = ["-nostdlib", "-Wl,-Ttext=0x80000000", "-Wl,--build-id=none"];
    compile(RISCV, folder, "machine.S", &[flags, &place].concat())
}

#[test]
fn user_code_of_a_machine_has_the_context_of_its_page_table() {
    let of_32 = ["-march=rv32imac_zicsr", "-mabi=ilp32", "-Wl,-melf32lriscv"];
    user_code_has_contexts("qemu-system-riscv32", 32, &of_32);
    let of_64 = ["-march=rv64imac_zicsr", "-mabi=lp64"];
    user_code_has_contexts("qemu-system-riscv64", 48, &of_64);
}

fn user_code_has_contexts(emulator: &str, pc_bits: u32, flags: &[&str]) {
    let Some(tools) = tools(RISCV) else { return };
    for qemu in every_qemu(&tools, emulator) {
        user_code_has_contexts_under(&qemu, pc_bits, flags);
    }
}

fn user_code_has_contexts_under(qemu: &str, pc_bits: u32, flags: &[&str]) {
    let folder = folder();
    let elf = bare_machine(&folder, flags);
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (profile, trace, again) = (name("p.txt"), name("t"), name("again.txt"));
    let machine = format!("{qemu} -M virt -bios none -nographic -kernel {elf}");
    let output = hpp!("trace --system --profile {profile} --write {trace} -- {machine}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for expected in [
        "context 0: ",
        "; machine level",
        "context 2: ",
        "context 3: ",
        "user code, page table at 0x80002000",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let read = |file: &str| fs::read_to_string(file).expect("a profile");
    let dump = Dump::read(&read(&profile)).expect("a profile");
    let rounds = |context: u64| {
        let entries = dump.entries.values();
        let own = entries.filter(|entry| entry.descriptor.start >> pc_bits == context);
        own.map(|entry| entry.count).max().unwrap_or(0)
    };
    // Ten times: the first round begins at the loop's entry, the last ends with the system call.
    assert_eq!((rounds(2), rounds(3)), (9_980, 19_980), "{said}");
    assert!(rounds(0) < 100, "{said}");
    assert_eq!(dump.counter(Counter::Overflows), 0);
    out!("replay {trace} --profile {again} --context-bits 8");
    assert_eq!(read(&profile), read(&again));
    let one = out!("replay {trace} --context 3 --context-bits 8");
    one.must_contain(" 19980  ");
    let each = out!("replay {trace} --each-context --context-bits 8");
    // A table this large holds everything, alone and shared, and the rows add up.
    let rows: Vec<Vec<&str>> = (each.lines().skip(3))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let counted = |row: &Vec<&str>| -> u64 {
        let number = row[row.len() - 5].replace(',', "");
        number.parse().expect("a number")
    };
    let (all, contexts) = rows.split_last().expect("rows");
    assert_eq!(all[0], "all", "{each}");
    assert_eq!(
        contexts.iter().map(counted).sum::<u64>(),
        counted(all),
        "{each}"
    );
    assert_eq!(counted(all), dump.counter(Counter::Paths), "{each}");
    assert!(
        contexts.iter().any(|row| row[..2] == ["context", "3"]),
        "{each}"
    );
    for row in &rows {
        assert_eq!(
            row[row.len() - 4..],
            ["100.00", "%", "100.00", "%"],
            "{each}"
        );
    }
    // A path that the system call interrupts goes on with the code that the handler returns to.
    let split = hpp(&["report", &profile, "--program", &elf]);
    let split = String::from_utf8_lossy(&split.stdout);
    split.must_contain("context 3: ");
    split.must_contain("; 100.0 % of its paths are in ");
}

/// A device and memory in its place make the same records, of as many instructions, whatever ends the block that accesses it.
#[test]
fn an_access_to_a_device_is_no_branch_whatever_ends_its_block() {
    let bare = [
        "-march=rv64imac_zicsr",
        "-mabi=lp64",
        "-Wl,-Ttext=0x80000000",
    ];
    let machine = ["qemu-system-riscv64", "-M", "virt", "-bios", "none"];
    // The time, and memory.
    let places = ["0x200bff8", "0x80010000"];
    accesses_are_no_branches(RISCV, "device.S", &bare, &machine, places);
    let bare = ["-m32", "-Wl,-melf_i386", "-Wl,-Ttext=0x100000"];
    let machine = ["qemu-system-x86_64", "-device", "isa-debug-exit"];
    // The interrupt controller, and memory.
    let places = ["0xfee00020", "0x110000"];
    let compiler = "x86_64-linux-gnu-gcc";
    accesses_are_no_branches(compiler, "device_x86.S", &bare, &machine, places);
}

fn accesses_are_no_branches(
    compiler: &str,
    program: &str,
    flags: &[&str],
    machine: &[&str],
    places: [&str; 2],
) {
    let Some(tools) = tools(compiler) else { return };
    let folder = folder();
    for qemu in every_qemu(&tools, machine[0]) {
        let [device, memory] = places.map(|place| {
            let place = format!("-Wl,--defsym=place={place}");
            let bare = ["-nostdlib", "-Wl,--build-id=none", &place];
            let elf = compile(compiler, &folder, program, &[flags, &bare].concat());
            let given = ["-nographic", "-kernel", &elf];
            own_paths(&folder, &elf, &[&[&*qemu], &machine[1..], &given].concat()).0
        });
        assert_eq!(device, memory, "{qemu}, {program}");
        assert!(memory.len() > 8, "{memory:?}");
    }
}

#[test]
fn a_timer_changes_no_path_of_what_it_interrupts() {
    let Some(tools) = tools(RISCV) else { return };
    let folder = folder();
    for qemu in every_qemu(&tools, "qemu-system-riscv64") {
        let [(interrupted, handler), (alone, none)] = ["0x80", "0"].map(|timer| {
            let timer = format!("-Wl,--defsym=timer={timer}");
            let bare = ["-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib", &timer];
            let place = [
                "-Wl,--build-id=none",
                "-Wl,--section-start=.start=0x80000000",
                "-Wl,-Ttext=0x80001000",
            ];
            let elf = compile(RISCV, &folder, "timer.S", &[&bare[..], &place].concat());
            let machine = ["-M", "virt", "-bios", "none", "-nographic", "-kernel", &elf];
            own_paths(&folder, &elf, &[&[&*qemu], &machine[..]].concat())
        });
        assert_eq!(interrupted, alone, "{qemu}");
        assert!(alone.len() > 2 && handler > none, "{alone:?}");
    }
}

/// An interrupt that waits for the return from a handler begins before what was interrupted goes on. It adds no path, and each run of the handler counts.
#[test]
fn interrupts_that_follow_at_once_are_counted() {
    let Some(tools) = tools(RISCV) else { return };
    let folder = folder();
    let bare = ["-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib"];
    let place = [
        "-Wl,--build-id=none",
        "-Wl,--section-start=.start=0x80000000",
    ];
    let elf = compile(RISCV, &folder, "crowded.S", &[&bare[..], &place].concat());
    for qemu in every_qemu(&tools, "qemu-system-riscv64") {
        let machine = ["-M", "virt", "-bios", "none", "-nographic", "-kernel", &elf];
        for check in [&[][..], &["--stack-check"]] {
            let file = folder.path().join("profile").display().to_string();
            let trace = ["trace", "--system", "--profile", &file, "--sets", "64"];
            let output = hpp(&[&trace[..], check, &["--", &qemu], &machine].concat());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let dump =
                Dump::read(&fs::read_to_string(&file).expect("a profile")).expect("a profile");
            let entries = dump.entries.values();
            let mut counts: BTreeMap<_, _> = entries
                .map(|entry| (entry.descriptor.to_string(), entry.count))
                .collect();
            let [handled, later] =
                ["0x80000040:", "0x80000028:T"].map(|path| counts.remove(path).unwrap_or_default());
            // Without the first iteration, whose path began before, and the last.
            assert!(handled > 9 && handled == later + 2, "{qemu} {check:?}");
            let alone = [
                ("0x80000000:T", 1),
                ("0x80000020:NT", 1),
                ("0x80000020:T", 1_999_998),
            ];
            let alone = alone.map(|(path, count)| (path.to_owned(), count));
            // The machine may still wait a while for its end.
            counts.retain(|path, _| {
                !path.starts_with("0x80000028:") && !path.starts_with("0x8000003a:")
            });
            assert!(counts.into_iter().eq(alone), "{qemu} {check:?}: {dump:?}");
        }
    }
}

/// The first, too, before a handler was seen: here most come at a return. On a core without page tables.
#[test]
fn the_first_interrupts_are_no_returns() {
    let Some(tools) = tools(RISCV) else { return };
    let folder = folder();
    let bare = [
        "-march=rv64imac_zicsr",
        "-mabi=lp64",
        "-nostdlib",
        "-DCALLS",
    ];
    let place = ["-Wl,--section-start=.start=0x80000000"];
    let elf = compile(RISCV, &folder, "crowded.S", &[&bare[..], &place].concat());
    let file = folder.path().join("profile").display().to_string();
    for qemu in every_qemu(&tools, "qemu-system-riscv64") {
        let machine = "-M virt -cpu sifive-e51 -bios none -nographic -kernel";
        for _ in 0..4 {
            let output = hpp!("trace --system --profile {file} -- {qemu} {machine} {elf}");
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let text = fs::read_to_string(&file).expect("a profile");
            let dump = Dump::read(&text).expect("a profile");
            assert_eq!(dump.counter(Counter::Underflows), 0, "{qemu}: {text}");
        }
        let said = error(&["trace", "--system", "--", &qemu, "-kernel", "/nowhere"]);
        said.must_contain("QEMU ended before the machine ran");
    }
}

/// The paths that begin in a program, and the instructions of each; and how many others there are.
fn own_paths(folder: &TempDir, elf: &str, machine: &[&str]) -> (Vec<(String, u32)>, usize) {
    let file = folder.path().join("profile").display().to_string();
    let hpp_ = ["trace", "--system", "--profile", &file, "--sets", "2048"];
    let model = ["--stack-check", "--metric", "instructions", "--"];
    let output = hpp(&[&hpp_[..], &model, machine].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let dump = Dump::read(&fs::read_to_string(&file).expect("a profile")).expect("a profile");
    let bytes = fs::read(elf).expect("a program");
    let code = object::File::parse(&*bytes).expect("an ELF file");
    let code = code.section_by_name(".text").expect("code");
    let code = code.address()..code.address() + code.size();
    let entries = dump.entries.values();
    let own = entries.filter(|entry| code.contains(&entry.descriptor.start));
    let own = own.map(|entry| (entry.descriptor.to_string(), entry.count));
    let own: Vec<_> = own.collect();
    let others = dump.entries.len() - own.len();
    (own, others)
}

/// A machine by its bare name, that is neither on the PATH nor fetched, and then fetched.
#[test]
fn a_machine_that_is_not_installed_is_looked_for_where_it_is_fetched() {
    let folder = folder();
    let command = folder.path().join("hpp");
    write_by_child("cp", &[HPP.as_ref(), &command]);
    let says = |chosen: Option<&str>| {
        let output = Command::new(&command)
            .args(["trace", "--system", "--", "qemu-system-riscv32"])
            .env("PATH", "/nowhere")
            .envs(chosen.map(|folder| ("HPP_QEMU", folder)))
            .output();
        String::from_utf8(output.expect("the command starts").stderr).expect("UTF-8")
    };
    says(Some("/other")).must_contain("there is no qemu-system-riscv32 in /other, which HPP_QEMU");
    let said = says(None);
    said.must_contain(
        "there is no qemu-system-riscv32 on the PATH; remedy: scripts/setup-tools.sh --system",
    );
    let fetched = folder.path().join(".tools/system/bin");
    fs::create_dir_all(&fetched).expect("a folder");
    fs::write(fetched.join("qemu-system-riscv32"), "no program").expect("a file");
    let said = says(None);
    said.must_contain(".tools/system/bin/qemu-system-riscv32");
}

#[test]
fn what_is_no_machine_is_reported() {
    let folder = folder();
    let place = folder.path().join("qemu-system-riscv64");
    program_that_says(&place, "QEMU emulator version 7.2.1 -plugin");
    let place = place.display().to_string();
    let said = error(&["trace", "--system", "--", &place]);
    said.must_contain(
        "is QEMU 7.2; the plugin needs 9.0 or later; remedy: scripts/setup-tools.sh --system",
    );
    let said = error(&["report", "/nowhere", "--program", HPP]);
    said.must_contain("cannot read /nowhere");
}

/// An archive for the kernel to unpack, in the format `newc`: programs, and the console.
fn initrd(programs: &[&str]) -> Vec<u8> {
    let mut archive = Vec::new();
    let mut add = |name: &str, mode: u32, data: &[u8], device: (u32, u32)| {
        let (length, size) = (name.len() as u32 + 1, data.len() as u32);
        let (major, minor) = device;
        archive.extend(b"070701");
        for field in [1, mode, 0, 0, 1, 0, size, 0, 0, major, minor, length, 0] {
            archive.extend(format!("{field:08x}").into_bytes());
        }
        for part in [format!("{name}\0").as_bytes(), data] {
            archive.extend(part);
            archive.resize(archive.len().next_multiple_of(4), 0);
        }
    };
    for name in ["dev", "proc"] {
        add(name, 0o40755, &[], (0, 0));
    }
    add("dev/console", 0o20600, &[], (5, 1));
    for file in programs {
        let name = Path::new(file).file_name().expect("a name");
        let data = fs::read(file).expect("a program");
        add(&name.to_string_lossy(), 0o100_755, &data, (0, 0));
    }
    add("TRAILER!!!", 0, &[], (0, 0));
    archive
}

/// The kernel as an ELF file, with the functions that the system names when it is booted once more.
fn kernel_elf(folder: &TempDir, machine: &[&str], words: &str) -> String {
    let elf = folder.path().join("vmlinux.elf").display().to_string();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/kernel-elf.py");
    let mut command = Command::new("python3");
    command.args([script, &elf]).args(machine).arg(words);
    assert!(command.status().expect("Python").success());
    elf
}

#[test]
fn the_paths_of_linux_and_its_programs_are_distinguished() {
    are_distinguished(
        RISCV,
        &["qemu-system-riscv64", "-M", "virt"],
        "vmlinux",
        "machine level",
        0.95,
    );
}

#[test]
fn the_paths_of_linux_and_its_programs_are_distinguished_on_x86_64() {
    are_distinguished(
        "x86_64-linux-gnu-gcc",
        &["qemu-system-x86_64"],
        "vmlinuz-x86_64",
        "outside of long mode",
        // A quarter is what unpacks the kernel, in long mode too.
        0.7,
    );
}

/// Boots the kernel on the machine and looks whose the paths are: at least this share of the kernel's walk.
fn are_distinguished(compiler: &str, machine: &[&str], kernel: &str, expected: &str, share: f64) {
    let Some(tools) = tools(compiler) else { return };
    let folder = folder();
    let programs =
        ["init", "sort", "sieve"].map(|name| compile(compiler, &folder, &format!("{name}.c"), &[]));
    let programs = programs.each_ref().map(String::as_str);
    let disk = crate::write(&folder, "initrd", &initrd(&programs));
    let of = |name: &str| tools.join(name).display().to_string();
    let profile = folder.path().join("linux.txt").display().to_string();
    let (qemu, kernel) = (of(&format!("bin/{}", machine[0])), of(kernel));
    let given = ["-kernel", &kernel, "-initrd", &disk, "-append"];
    let memory = ["-m", "512M", "-nographic"];
    let machine = [&[&*qemu], &machine[1..], &memory, &given].concat();
    let words = "console=ttyS0 nokaslr quiet";
    let hpp_ = ["trace", "--system", "--replacement", "shadow"];
    let to = ["--profile", &profile, "--"];
    let output = hpp(&[&hpp_[..], &to, &machine, &[words]].concat());
    let (said, error) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert_eq!(output.status.code(), Some(0), "{error}");
    said.must_contain("init: both ended");
    error.must_contain(expected);
    let elf = kernel_elf(&folder, &machine, &format!("{words} symbols"));
    let programs = [&*elf, programs[0], programs[1], programs[2]];
    let given = programs.map(|program| ["--program", program]).concat();
    let report = hpp(&[&["report", &profile, "--format", "json"], &given[..]].concat());
    let parts: serde_json::Value = serde_json::from_slice(&report.stdout).expect("JSON");
    let parts = parts.as_array().expect("contexts");
    let of_context = |context: u64| parts.iter().find(|part| part["context"] == context);
    assert_eq!(of_context(1).expect("the kernel")["program"], programs[0]);
    let walks = |part: &serde_json::Value| part["walks"].as_f64().expect("a share");
    let walk = walks(of_context(1).expect("the kernel"));
    assert!(walk > share, "{walk}: {error}");
    for (program, function) in [(programs[2], "compare"), (programs[3], "main")] {
        let part = parts.iter().find(|part| part["program"] == program);
        let part = part.unwrap_or_else(|| panic!("{program}: {error}"));
        assert!(walks(part) > 0.99, "{error}");
        let paths = part["report"]["paths"].as_array().expect("paths");
        let named = |path: &&serde_json::Value| path["place"]["function"] == function;
        let hot = paths.iter().take(3).find(named);
        let hot = hot.unwrap_or_else(|| panic!("{function}: {error}"));
        assert!(hot["count"].as_u64().expect("a count") > 100_000);
    }
}

/// Zcmp's returns, and Zcmt's calls and jumps.
#[test]
fn a_machine_with_zcmp_and_zcmt_is_recorded() {
    let Some(tools) = tools(RISCV) else { return };
    let folder = folder();
    let of_32 = ["-march=rv32imac_zicsr", "-mabi=ilp32", "-Wl,-melf32lriscv"];
    let place = ["-nostdlib", "-Wl,-Ttext=0x80000000", "-Wl,--build-id=none"];
    let elf = compile(RISCV, &folder, "zcm.S", &[&of_32[..], &place].concat());
    let qemu = tools.join("bin/qemu-system-riscv32").display().to_string();
    let profile = folder.path().join("p.txt").display().to_string();
    let machine = "-M virt -cpu rv32,d=false,zcmp=true,zcmt=true -bios none -nographic";
    let output = hpp!("trace --system --profile {profile} -- {qemu} {machine} -kernel {elf}");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = out!("report {profile} --elf {elf}");
    report.must_contain("walk through the program's code");
    report.must_contain("health    good");
    let dump = Dump::read(&fs::read_to_string(&profile).expect("a profile")).expect("a profile");
    let mut counts: Vec<u32> = dump.entries.values().map(|entry| entry.count).collect();
    counts.sort_unstable();
    // Once round from the entry, to the end, and 998 times back; the function 249 times over its `nop`.
    let expected = [1, 1, 249, 750, 998];
    assert!(
        expected.iter().all(|count| counts.contains(count)),
        "{counts:?}"
    );
}

/// A C program of two compilers with Zcmp and without: each path by the lines that it walks.
#[test]
fn a_program_compiled_with_zcmp_has_the_paths_it_has_without() {
    let Some(tools) = tools(RISCV) else { return };
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../verif/soc/tests/zcmp");
    for qemu in every_qemu(&tools, "qemu-system-riscv32") {
        let paths = |name: &str| {
            let folder = folder();
            let source = format!("{programs}/{name}/program.S");
            let of_32 = ["-march=rv32imac_zicsr", "-mabi=ilp32", "-Wl,-melf32lriscv"];
            let place = ["-nostdlib", "-Wl,-Ttext=0x80000000", "-Wl,--build-id=none"];
            let elf = compile(
                RISCV,
                &folder,
                "bare.S",
                &[&of_32[..], &place, &[&source]].concat(),
            );
            let profile = folder.path().join("p.txt").display().to_string();
            let machine = "-M virt -cpu rv32,d=false,zcmp=true -bios none -nographic";
            let output =
                hpp!("trace --system --profile {profile} -- {qemu} {machine} -kernel {elf}");
            assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
            let report = out!("report {profile} --elf {elf} --format json --top 0");
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            let paths = report["paths"].as_array().expect("paths");
            let mut all = BTreeMap::new();
            for path in paths
                .iter()
                .filter(|path| path["place"]["function"] != "_start")
            {
                let blocks = path["blocks"].as_array().expect("blocks");
                let lines = blocks
                    .iter()
                    .map(|block| format!("{} {}", block["function"], block["source"]["line"]));
                let key = (path["outcomes"].to_string(), lines.collect::<Vec<_>>());
                *all.entry(key).or_insert(0) += path["count"].as_u64().expect("a count");
            }
            all
        };
        for compiler in ["clang", "gcc"] {
            let with = paths(&format!("{compiler}-zcmp"));
            assert_eq!(
                with,
                paths(&format!("{compiler}-plain")),
                "{qemu}: {compiler}"
            );
            assert!(with.len() > 30, "{compiler}: {with:?}");
        }
    }
}
