//! Stubs of the procedure linkage table go by the functions that they call: beside objdump, in programs with and without shared libraries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use hpp_report::{ElfFile, Program};

const CALLS: &str = include_str!("stubs/calls.c");

/// The stubs of a program, by their first address; and whether it loads libraries.
fn stubs(file: &Path) -> (BTreeMap<u64, String>, bool) {
    let file = ElfFile::read(file).expect("a file");
    let program = Program::named(&file).expect("a program");
    let functions = program.image().functions().iter();
    let stubs = functions.filter(|function| function.name.ends_with("@plt"));
    for stub in stubs.clone() {
        for at in stub.address..stub.end() {
            assert_eq!(program.place(at).function.as_ref(), Some(&stub.name));
        }
    }
    let all = stubs
        .map(|stub| (stub.address, stub.name.clone()))
        .collect();
    (all, program.image().loads_libraries())
}

#[test]
fn stubs_of_riscv_programs_have_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stubs");
    let named = |stubs: &[(u64, &str)]| {
        stubs
            .iter()
            .map(|(at, name)| (*at, (*name).to_owned()))
            .collect()
    };
    let dynamic = named(&[(0x370, "add@plt"), (0x380, "sub@plt")]);
    assert_eq!(stubs(&folder.join("dynamic.elf")), (dynamic, true));
    let file = ElfFile::read(&folder.join("dynamic.elf")).expect("a file");
    let program = Program::named(&file).expect("a program");
    for at in [0x350, 0x36e] {
        assert_eq!(program.place(at).function.as_deref(), Some("PLT0"));
    }
    let chosen = named(&[(0x101a0, "add@plt")]);
    assert_eq!(stubs(&folder.join("chosen.elf")), (chosen, false));
}

/// What objdump calls stubs. It does not say which function is chosen at run time, of which there is one.
fn objdump(folder: &Path, is_chosen: bool) -> BTreeMap<u64, String> {
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn", "program"])
        .current_dir(folder)
        .output()
        .expect("binutils come with the compiler");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let stub = |line: &str| {
        let (address, name) = line.strip_suffix(">:")?.split_once(" <")?;
        let name = match name.strip_suffix("@plt") {
            Some(name) if !name.starts_with('*') => name,
            None if name != ".plt" || !is_chosen => return None,
            _ => "add",
        };
        let address = u64::from_str_radix(address, 16).expect("an address");
        Some((address, format!("{name}@plt")))
    };
    text.lines().filter_map(stub).collect()
}

#[test]
fn stubs_of_x86_64_programs_are_those_of_objdump() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("calls.c"), CALLS).expect("a file");
    let cc = |arguments: &str| {
        let mut command = Command::new("cc");
        let command = command
            .args(arguments.split(' '))
            .current_dir(folder.path());
        let output = command.output().expect("the compiler starts");
        assert!(output.status.success(), "{output:?}");
    };
    cc("-O1 -DLIBRARY -shared -fPIC -nostdlib -o libcalls.so calls.c");
    for flags in [
        "libcalls.so",
        "libcalls.so -no-pie",
        "libcalls.so -fcf-protection -Wl,-z,ibtplt",
        "libcalls.so -fno-plt -Wl,-z,now",
        "-DCHOSEN -static",
    ] {
        cc(&format!("-O1 -nostdlib -o program calls.c {flags}"));
        let (own, loads_libraries) = stubs(&folder.path().join("program"));
        assert_eq!(
            own,
            objdump(folder.path(), flags.contains("CHOSEN")),
            "{flags}"
        );
        assert_eq!(own.is_empty(), flags.contains("-fno-plt"), "{flags}");
        assert_eq!(loads_libraries, flags.contains(".so"), "{flags}");
    }
}
