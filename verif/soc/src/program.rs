//! The program to run: one of `fpga/firmware`, or the user's own.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::core::Core;
use object::Object;

use super::ProfilerSources;
use super::firmware::{PROGRAMS, counting, make_firmware_in};

/// A program, as a command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramSource {
    /// One of [`PROGRAMS`].
    Named(String),
    Elf(PathBuf),
    /// A folder with C and assembly sources, to be built by the Makefile of `fpga/firmware`.
    Sources(PathBuf),
}

impl ProgramSource {
    /// Its ELF file for a core, built if it has to be.
    ///
    /// # Errors
    ///
    /// If a tool is missing (the message says what to run), or the compiler fails.
    pub fn elf(&self, core: Core) -> Result<PathBuf> {
        match self {
            ProgramSource::Named(name) => make_firmware_in(name, core, &[]),
            ProgramSource::Elf(path) => {
                check_compressed(path, core)?;
                Ok(path.clone())
            }
            ProgramSource::Sources(folder) => build(folder, core, &[]),
        }
    }

    /// The same, built for a profiler other than the [system's own](ProfilerSources::generate). A program that is built already is taken to be.
    pub fn elf_for(&self, core: Core, profiler: &ProfilerSources) -> Result<PathBuf> {
        let variables = [format!("PROFILER={}", profiler.folder.display())];
        match self {
            ProgramSource::Named(name) => make_firmware_in(name, core, &variables),
            ProgramSource::Elf(_) => self.elf(core),
            ProgramSource::Sources(folder) => build(folder, core, &variables),
        }
    }

    /// The same, built so that its paths count `executions`, `cycles`, `instructions`, or one of the core's
    /// [events](hpp_fpga::core::About::events). However it counts, its code
    /// is at the same addresses.
    pub fn elf_counting(&self, core: Core, events: &str) -> Result<PathBuf> {
        let variables = counting(core, events)?;
        match self {
            ProgramSource::Named(name) => make_firmware_in(name, core, &variables),
            ProgramSource::Elf(path) => bail!(
                "{} is built and counts what it was built to count; give its sources to have it count {events}",
                path.display()
            ),
            ProgramSource::Sources(folder) => build(folder, core, &variables),
        }
    }
}

impl FromStr for ProgramSource {
    type Err = anyhow::Error;

    /// The name of one of [`PROGRAMS`], or the path of an ELF file or of a folder of sources.
    fn from_str(text: &str) -> Result<Self> {
        if PROGRAMS.contains(&text) {
            return Ok(ProgramSource::Named(text.into()));
        }
        let path = Path::new(text);
        if path.is_dir() {
            return Ok(ProgramSource::Sources(path.into()));
        }
        if path.is_file() {
            let is_source = path.extension().is_some_and(|e| e == "c" || e == "S");
            ensure!(
                !is_source,
                "{text} is a source; give the folder that it is in, all of whose .c and .S files are built"
            );
            return Ok(ProgramSource::Elf(path.into()));
        }
        bail!(
            "no program and no file `{text}`; give one of {}, an ELF file, or a folder of sources",
            PROGRAMS.join(", ")
        )
    }
}

impl fmt::Display for ProgramSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramSource::Named(name) => f.write_str(name),
            ProgramSource::Elf(path) | ProgramSource::Sources(path) => path.display().fmt(f),
        }
    }
}

/// Refuses a program with compressed instructions for a core without: it would trap at the first.
fn check_compressed(path: &Path, core: Core) -> Result<()> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let file = object::File::parse(&*bytes)
        .with_context(|| format!("{} is no ELF file", path.display()))?;
    let compressed = matches!(
        file.flags(),
        object::FileFlags::Elf { e_flags, .. } if e_flags.0 & object::elf::EF_RISCV_RVC.0 != 0
    );
    ensure!(
        !compressed || core.about().isa.contains('c'),
        "{} has compressed instructions, and {} does not know them; compile it with -march={}",
        path.display(),
        core.about().name,
        core.about().isa
    );
    Ok(())
}

/// Builds a folder of sources for a core.
fn build(folder: &Path, core: Core, variables: &[String]) -> Result<PathBuf> {
    let folder = folder
        .canonicalize()
        .with_context(|| format!("cannot read {}", folder.display()))?;
    let sources = |extension| {
        let entries = folder.read_dir().ok();
        let mut files = entries.into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|e| e == extension))
    };
    ensure!(
        sources("c") || sources("S"),
        "{} holds no .c and no .S file to build",
        folder.display()
    );
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    // Make takes blanks, colons and dollars for its own.
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    ensure!(
        folder.display().to_string().chars().all(plain),
        "{}: make needs a path of letters, digits and `/._-+`",
        folder.display()
    );
    let target = format!("own-{name}");
    let sources = format!("SOURCES={}", folder.display());
    make_firmware_in(&target, core, &[&[sources], variables].concat())
}
