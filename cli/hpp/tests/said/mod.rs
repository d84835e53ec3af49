//! The command run in a folder, and what its texts must be.

#![allow(dead_code, reason = "not every test needs all")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// What a text must be; where it is not, the test ends and shows all of it.
pub trait Must {
    fn must_contain(&self, part: &str);
    fn must_begin(&self, start: &str);
}

impl Must for str {
    #[track_caller]
    fn must_contain(&self, part: &str) {
        assert!(self.contains(part), "no {part:?} in {self}");
    }

    #[track_caller]
    fn must_begin(&self, start: &str) {
        assert!(self.starts_with(start), "no {start:?} before {self}");
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct Done {
    pub status: i32,
    pub out: String,
    pub error: String,
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

    /// Its status, and all that it wrote.
    pub fn said(self) -> (i32, String) {
        (self.status, self.out + &self.error)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).expect("JSON")
    }
}

/// A folder of files, in which commands run.
pub struct Folder(TempDir);

impl Folder {
    pub fn empty() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path().join(name), content).expect("a file in a temporary folder");
    }

    #[track_caller]
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).expect("a text in the folder")
    }

    /// A program to be run in it.
    pub fn command(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command.args(arguments).current_dir(self.path());
        command
    }

    pub fn hpp(&self, arguments: &[&str]) -> Done {
        Done::of(&mut self.command(env!("CARGO_BIN_EXE_hpp"), arguments))
    }

    /// Runs a script of the shell, for which `$hpp` is the command.
    pub fn shell(&self, script: &str) -> Done {
        let mut command = self.command("sh", &["-c", script]);
        Done::of(command.env("hpp", env!("CARGO_BIN_EXE_hpp")))
    }

    /// Runs `hpp` with arguments that have no blanks, as people write them.
    pub fn run(&self, arguments: impl AsRef<str>) -> Done {
        self.hpp(&arguments.as_ref().split(' ').collect::<Vec<_>>())
    }

    #[track_caller]
    pub fn succeeds(&self, arguments: impl AsRef<str>) -> Done {
        let done = self.run(arguments);
        assert_eq!(done.status, 0, "{}", done.error);
        done
    }

    pub fn json(&self, arguments: impl AsRef<str>) -> Value {
        self.run(arguments).json()
    }
}
