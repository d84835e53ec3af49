//! A folder with a profile and its program, and the command run in it.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::riscv_program::{NOP, RET, beq, program};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Profiler, ResetValues};
use tempfile::TempDir;

/// What a command did.
pub struct Done {
    /// Its exit status.
    pub status: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub error: String,
}

/// A folder of files.
pub struct Folder(TempDir);

impl Folder {
    /// With `serial.txt` and `f.elf`.
    pub fn new(serial: &str) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        folder.write("serial.txt", serial.as_bytes());
        folder.write("f.elf", &elf());
        folder
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path().join(name), content).expect("a file in a temporary folder");
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `hpp` in it, with arguments that have no blanks, as people write them.
    pub fn run(&self, arguments: &str) -> Done {
        self.hpp(&arguments.split(' ').collect::<Vec<_>>())
    }

    /// Runs `hpp` in it.
    pub fn hpp(&self, arguments: &[&str]) -> Done {
        let output = Command::new(Path::new(env!("CARGO_BIN_EXE_hpp")))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .expect("the command starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Done {
            status: output.status.code().expect("it ends by itself"),
            out: text(output.stdout),
            error: text(output.stderr),
        }
    }
}

/// What a profiler holds after `f` of [`elf`] was called three times, its branch taken twice.
pub fn dump() -> Dump {
    profiled(&[true, false, true])
}

/// What a profiler holds after `f` of [`elf`] was called with these outcomes of its branch.
pub fn profiled(outcomes: &[bool]) -> Dump {
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let mut profiler = Profiler::new(&Geometry::default(), &reset).expect("the default profiler");
    for &taken in outcomes {
        for (kind, taken, target) in [
            (BranchKind::Call, true, 0x10000),
            (BranchKind::Forward, taken, 0x10008 - 4 * u64::from(!taken)),
            (BranchKind::Return, true, 0x20000),
        ] {
            profiler.profile(&BranchRecord::new(kind, taken, target, 0).with_events(1));
        }
    }
    Dump::of(&profiler)
}

/// The fixture's file of this name.
pub fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/profiles/fixture");
    fs::read(folder.join(name)).expect("a fixture")
}

/// A function with a branch over one instruction.
pub fn elf() -> Vec<u8> {
    program(&[beq(8), NOP, RET], &[("f", 0, 3)])
}
