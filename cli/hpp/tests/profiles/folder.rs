//! A folder with a profile and its program, and the command run in it.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::riscv_program::{NOP, RET, beq, program};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Profiler, ResetValues};
use serde_json::Value;
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
    pub fn new(serial: impl Display) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        folder.write("serial.txt", serial.to_string());
        folder.write("f.elf", elf());
        folder
    }

    /// With `words.txt` and `words.elf` of the fixture.
    pub fn words() -> Self {
        let folder = Self::new("");
        for name in ["words.txt", "words.elf"] {
            folder.write(name, fixture(name));
        }
        folder
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).expect("a file in a temporary folder");
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a text in the folder")
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs `hpp` in it, with arguments that have no blanks, as people write them.
    pub fn run(&self, arguments: impl AsRef<str>) -> Done {
        self.hpp(&arguments.as_ref().split(' ').collect::<Vec<_>>())
    }

    /// The same, which succeeds.
    #[track_caller]
    pub fn succeeds(&self, arguments: impl AsRef<str>) -> Done {
        let done = self.run(arguments);
        assert_eq!(done.status, 0, "{}", done.error);
        done
    }

    /// What it writes then, as JSON.
    pub fn json(&self, arguments: impl AsRef<str>) -> Value {
        self.run(arguments).json()
    }

    pub fn hpp(&self, arguments: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hpp"));
        Done::of(command.args(arguments).current_dir(self.path()))
    }
}

impl Done {
    /// Of a command that ends by itself.
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the command starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            status: output.status.code().expect("it ends by itself"),
            out: text(output.stdout),
            error: text(output.stderr),
        }
    }

    /// Its output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON")
    }
}

/// A profiler that is enabled.
pub fn profiler(geometry: &Geometry) -> Profiler {
    Profiler::new(geometry, &ResetValues::enabled()).expect("a legal configuration")
}

/// What a profiler holds after `f` of [`elf`] was called three times, its branch taken twice.
pub fn dump() -> Dump {
    profiled(&[true, false, true])
}

/// What a profiler holds after `f` of [`elf`] was called with these outcomes of its branch.
pub fn profiled(outcomes: &[bool]) -> Dump {
    let mut profiler = profiler(&Geometry::default());
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
