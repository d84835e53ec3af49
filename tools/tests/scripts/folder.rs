//! A folder that looks like the project's, with copies of some of its scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use hpp_tools::project_root;
use tempfile::TempDir;

/// The folder.
pub struct Folder(TempDir);

impl Folder {
    /// One with these scripts.
    pub fn with(scripts: &[&str]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir(folder.path("scripts")).expect("a folder");
        for name in scripts {
            let text = fs::read_to_string(project_root().join("scripts").join(name));
            folder.program(&format!("scripts/{name}"), &text.expect("a script"));
        }
        folder
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A program in it, with the folders above it.
    pub fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        let above = path.parent().expect("a file is in a folder");
        fs::create_dir_all(above).expect("a folder");
        // Written by a child: what this process writes is busy while another thread's child still has it open.
        let mut writer = Command::new("sh");
        writer.args(["-c", "printf %s \"$1\" > \"$0\""]);
        let written = writer.arg(&path).arg(text).status();
        assert!(written.expect("a shell").success(), "{name}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
        path
    }

    /// A text in it.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }
}

/// What a command printed, and how it ended.
pub struct Ended {
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Ended {
    let output = command.stdin(Stdio::null()).output();
    let Output {
        status,
        stdout,
        stderr,
    } = output.expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ended {
        status: status.code(),
        output: text(&stdout),
        errors: text(&stderr),
    }
}

/// Whether a process is there.
pub fn is_running(process: &str) -> bool {
    let status = fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    // One that has ended and was not waited for is not.
    status.is_ok_and(|status| !status.contains(") Z "))
}

/// Waits for something, for half a minute at most.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(30), "{what}");
        sleep(Duration::from_millis(20));
    }
}
