//! What the command tells the plugin, and the plugin's results.
//!
//! Both go through files in a folder that the command makes and removes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hpp_explore::Held;
use hpp_explore::trace::Header;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::emulator::Emulator;
use crate::load_address::{Code, Mapped};

/// What the plugin is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The program.
    pub header: Header,
    /// Whether a whole machine runs, not a program.
    pub is_machine: bool,
    /// The program's code.
    pub code: Code,
    /// The sizes of the profiler.
    pub geometry: Geometry,
    /// Its control registers.
    pub reset: ResetValues,
    /// Instructions of a hart after which the program is stopped.
    pub limit: Option<u64>,
    /// Where to write the record trace of the first hart of the first process; those of others are [beside](of_hart) it.
    pub write: Option<PathBuf>,
    /// Whether each hart is profiled, not the first alone.
    pub every_hart: bool,
    /// QEMU.
    pub emulator: Emulator,
    /// The plugin.
    pub plugin: PathBuf,
    /// Where the program's libraries are.
    pub sysroot: Option<PathBuf>,
    /// The command that goes on with programs after `execve`, if these and child processes are profiled.
    pub follow: Option<PathBuf>,
}

/// How the recording ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ended {
    /// The program ended.
    Exited,
    /// At the limit.
    Limit,
    /// The program asked to be replaced by another one, which runs without the plugin.
    Replaced,
}

/// The result of a hart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// Instructions of the hart.
    pub instructions: u64,
    /// Instructions of harts that are not profiled.
    pub other_instructions: u64,
    /// Child processes, which are not profiled.
    pub forks: u64,
    /// Handlers of signals that were left and not seen to begin, so that a branch and paths in them and around them are wrong.
    pub unseen_signals: u64,
    /// Of a whole machine, the roots of the page tables of user code: those of context 2, 3 and so on.
    pub spaces: Vec<u64>,
    /// The files that QEMU mapped for a program and for itself.
    pub mapped: Vec<Mapped>,
    /// Whether a program that replaces this one has a profile of its own.
    pub followed: bool,
    /// How the blocks of a program's first thread were noted.
    pub noted: Option<String>,
    /// Seconds since the hart began.
    pub seconds: f64,
    /// The profile of the hart.
    pub held: Held,
}

/// The progress of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Instructions of the hart.
    pub instructions: u64,
    /// Records of the hart.
    pub records: u64,
}

/// What the folder of a process is called, before its number.
const PROCESS: &str = "process";

/// The folder through which command and plugin talk.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The one at this path.
    pub fn new(path: &Path) -> Self {
        Self(path.into())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of a hart; for the first one this folder itself.
    pub fn of_hart(&self, hart: usize) -> Self {
        match hart {
            0 => self.clone(),
            _ => Self(self.0.join(hart.to_string())),
        }
    }

    /// Makes the folder, unless it is there.
    pub fn make(&self) -> io::Result<()> {
        fs::create_dir_all(&self.0)
    }

    /// The numbers of the harts that have a folder, in order.
    pub fn harts(&self) -> Vec<usize> {
        self.numbered("")
    }

    /// The processes, the first and others in order.
    pub fn processes(&self) -> Vec<usize> {
        self.numbered(PROCESS)
    }

    /// 0, and the numbers of the folders with this prefix.
    fn numbered(&self, before: &str) -> Vec<usize> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_prefix(before)?.parse().ok();
        let numbers = entries.filter_map(|entry| number(entry.file_name().to_str()?));
        let mut numbers: Vec<usize> = [0].into_iter().chain(numbers).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The folder of a process; for the first one this folder itself.
    pub fn of_process(&self, process: usize) -> Self {
        match process {
            0 => self.clone(),
            _ => Self(self.0.join(format!("{PROCESS}{process}"))),
        }
    }

    /// A number for a process that begins, and its folder, which is new.
    pub fn claim(&self) -> io::Result<(usize, Self)> {
        for process in 1.. {
            let folder = self.of_process(process);
            match fs::create_dir(&folder.0) {
                Ok(()) => return Ok((process, folder)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::StorageFull.into())
    }

    /// The settings.
    pub fn settings(&self) -> io::Result<Settings> {
        self.read("settings")
    }

    /// Leaves the settings.
    pub fn set_settings(&self, settings: &Settings) -> io::Result<()> {
        self.write("settings", settings)
    }

    /// The progress; zero before the plugin has written any.
    pub fn progress(&self) -> Option<Progress> {
        self.read("progress").ok()
    }

    /// Writes the progress.
    pub fn set_progress(&self, progress: Progress) -> io::Result<()> {
        self.write("progress", &progress)
    }

    /// The result or the error that the plugin wrote; `None` if it wrote none.
    pub fn outcome(&self) -> Option<Result<Outcome, String>> {
        self.read("outcome").ok()
    }

    /// Writes the result.
    pub fn set_outcome(&self, outcome: &Result<Outcome, String>) -> io::Result<()> {
        self.write("outcome", outcome)
    }

    /// The process that will write the result.
    pub fn model(&self) -> Option<i32> {
        self.read("model").ok()
    }

    /// Writes which process will write the result.
    pub fn set_model(&self, process: i32) -> io::Result<()> {
        self.write("model", &process)
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> io::Result<T> {
        Ok(serde_json::from_slice(&fs::read(self.0.join(name))?)?)
    }

    /// Written beside and renamed, so that a reader sees it whole.
    fn write<T: Serialize>(&self, name: &str, value: &T) -> io::Result<()> {
        let draft = self.0.join(format!("{name}.draft"));
        fs::write(&draft, serde_json::to_vec(value)?)?;
        fs::rename(draft, self.0.join(name))
    }
}

/// The file of a hart: for the first one the file itself, for others one beside it. `gzip.txt` is `gzip.2.txt` for hart 2.
///
/// ```
/// use hpp_qemu::session::of_hart;
/// use std::path::Path;
///
/// assert_eq!(of_hart(Path::new("runs/gzip.txt"), 0), Path::new("runs/gzip.txt"));
/// assert_eq!(of_hart(Path::new("runs/gzip.txt"), 2), Path::new("runs/gzip.2.txt"));
/// assert_eq!(of_hart(Path::new("gzip"), 2), Path::new("gzip.2"));
/// ```
pub fn of_hart(file: &Path, hart: usize) -> PathBuf {
    match hart {
        0 => file.into(),
        _ => beside(file, &hart.to_string()),
    }
}

/// The same of a process: `gzip.txt` is `gzip.process2.txt` for process 2, and `gzip.process2.1.txt` for hart 1 of it.
pub fn of_process(file: &Path, process: usize) -> PathBuf {
    match process {
        0 => file.into(),
        _ => beside(file, &format!("{PROCESS}{process}")),
    }
}

fn beside(file: &Path, part: &str) -> PathBuf {
    match file.extension() {
        None => file.with_added_extension(part),
        Some(extension) => file.with_extension(part).with_added_extension(extension),
    }
}
