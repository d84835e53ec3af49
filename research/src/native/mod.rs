//! Programs of the machine at hand: x86-64 Linux programs with probes, run natively and under `hpp trace`.
//!
//! GCC writes the assembly, as for a core. The same run is seen twice: natively the probes count, and under `hpp trace` the branch
//! records tell which blocks control came to. A function that a library calls back would find the library's values in the
//! registers; the programs have none.

mod programs;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use hpp_trace::TraceReader;
use rustc_hash::FxHashMap;
use verilated::tools::command::said;
use verilated::tools::project_root;

use crate::build::Assembled;
use crate::code::Code;
use crate::counter_memory::Memory;
use crate::exact::{Follower, Profile};
use crate::isa::X86;
use crate::listing::{Listing, write};
use crate::measure::compare;
use crate::plan::Plan;
use crate::x86;

pub use programs::PROGRAMS;

/// Paths of a function, which an array counts. Functions with more are truncated.
pub const PATHS: u64 = 1 << 16;

/// How all compilers compile and link.
const OPTIONS: [&str; 6] = ["-O2", "-g0", "-w", "-fno-pie", "-no-pie", "-static"];

/// What GCC does besides where its assembly is read: nothing that would move a part of a function elsewhere.
const READABLE: [&str; 3] = [
    "-fno-asynchronous-unwind-tables",
    "-fno-reorder-blocks-and-partition",
    "-fcf-protection=none",
];

/// The sources of a program.
pub struct Native {
    folder: PathBuf,
    sources: Vec<PathBuf>,
    sample: Option<PathBuf>,
    flags: Vec<String>,
}

/// A built program.
pub struct Built {
    elf: PathBuf,
}

/// Instructions of a run, and the paths it took.
pub struct Traced {
    /// Instructions that retired, start and end of the process too.
    pub instructions: u64,
    /// The profiles, by function.
    pub profiles: Vec<Profile>,
}

impl Native {
    /// The program as a compiler makes it with these options.
    ///
    /// # Errors
    ///
    /// If it does not compile.
    pub fn compiled(&self, key: &str, compiler: &Path, options: &[&str]) -> Result<Built> {
        let folder = self.folder.join(key);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut objects = Vec::new();
        for source in &self.sources {
            let object = folder
                .join(source.file_name().unwrap_or_default())
                .with_extension("o");
            let mut command = self.command(compiler);
            command
                .args(options)
                .arg("-c")
                .arg(source)
                .arg("-o")
                .arg(&object);
            said(&mut command)?;
            objects.push(object);
        }
        self.link(folder.join("program"), compiler, options, &objects)
    }

    /// The assembly that GCC makes of it, the registers of probes left alone.
    ///
    /// # Errors
    ///
    /// If it does not compile, or is not understood.
    pub fn listing(&self) -> Result<Listing> {
        let folder = self.folder.join("listing");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for source in &self.sources {
            let mut command = self.command(Path::new("gcc"));
            command
                .args(READABLE)
                .args(x86::FREE)
                .arg("-S")
                .arg(source)
                .arg("-o");
            let name = source.file_name().unwrap_or_default();
            said(command.arg(folder.join(name).with_extension("s")))?;
        }
        Listing::read(&X86, &folder, PATHS)
    }

    /// The program with these plans, one for each function of its listing.
    ///
    /// # Errors
    ///
    /// If it does not assemble or link.
    pub fn instrumented(
        &self,
        key: &str,
        listing: &Listing,
        plans: &[Plan],
        memory: &Memory,
    ) -> Result<Built> {
        let folder = self.folder.join(key);
        listing.write(&folder, plans, &Code::new())?;
        write(&folder.join("runtime.s"), &x86::runtime(memory.0.len()))?;
        let files =
            fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let files: Vec<PathBuf> = files.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
        let is_assembly = |path: &&PathBuf| path.extension() == Some(OsStr::new("s"));
        let files: Vec<PathBuf> = files.iter().filter(is_assembly).cloned().collect();
        let options = [&["-DCOUNTERS"], &x86::FREE[..]].concat();
        self.link(folder.join("program"), Path::new("gcc"), &options, &files)
    }

    fn command(&self, compiler: &Path) -> Command {
        let mut command = Command::new(compiler);
        command.args(OPTIONS).args(&self.flags);
        command
    }

    fn link(
        &self,
        elf: PathBuf,
        compiler: &Path,
        options: &[&str],
        parts: &[PathBuf],
    ) -> Result<Built> {
        // Its `main` is the process's own.
        let main = elf.with_extension("main.o");
        let own = project_root().join("research/instrument/native.c");
        let plain: Vec<&&str> = options
            .iter()
            .filter(|o| !o.starts_with("-fprofile"))
            .collect();
        let mut command = Command::new(compiler);
        command.args(OPTIONS).args(&plain).arg("-c").arg(own);
        said(command.arg("-o").arg(&main))?;
        let mut command = self.command(compiler);
        // LLVM's runtime is not asked for.
        match options.contains(&"-DLLVM") {
            true => command.args(plain),
            false => command.args(options),
        };
        command.args(parts).args(&self.sample).arg(main);
        said(command.arg("-o").arg(&elf))?;
        Ok(Built { elf })
    }
}

impl Built {
    /// Runs it natively so many times over. Returns seconds of processor time, and its counters by word if it has some.
    ///
    /// # Errors
    ///
    /// If it fails.
    pub fn run(&self, rounds: u32) -> Result<(f64, FxHashMap<u32, u64>)> {
        let file = self.elf.with_extension("counters");
        fs::write(&file, []).with_context(|| format!("cannot write {}", file.display()))?;
        let folder = self.elf.parent().unwrap_or(Path::new("."));
        let output = Command::new(&self.elf)
            .arg(rounds.to_string())
            .arg(&file)
            .current_dir(folder)
            .output()
            .with_context(|| format!("cannot run {}", self.elf.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(
            output.status.success(),
            "{}: {}: {said}",
            self.elf.display(),
            output.status
        );
        let seconds: f64 = said.trim().parse().context("no time")?;
        let memory = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let counters = memory
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes));
        let counters = (0..).zip(counters).filter(|(_, count)| *count > 0);
        Ok((seconds, counters.collect()))
    }

    /// Runs it once under `hpp trace`. `listing` is that of a program with symbols of blocks.
    ///
    /// # Errors
    ///
    /// If it cannot be traced, or goes where the graphs do not.
    pub fn trace(&self, listing: Option<&Listing>) -> Result<Traced> {
        let file = self.elf.with_extension("hpptrace");
        let mut command = Command::new(project_root().join("target/release/hpp"));
        command
            .args(["trace", "--write"])
            .arg(&file)
            .arg("--")
            .arg(&self.elf);
        said(&mut command).context("`cargo build --release --bin hpp` makes it")?;
        let functions = listing.map_or(&[][..], |listing| &listing.functions);
        let places: BTreeMap<u64, Vec<(usize, usize)>> = match listing {
            Some(_) => Assembled::read(self.elf.clone(), functions)?
                .places
                .into_iter()
                .collect(),
            None => BTreeMap::new(),
        };
        let opened =
            File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut reader = TraceReader::new(BufReader::new(opened))?;
        let mut follower = Follower::new(functions);
        let (mut instructions, mut at) = (0, None);
        while let Some((records, numbers)) = reader.next_chunk()? {
            for record in numbers.iter().map(|&number| &records[number as usize]) {
                instructions += u64::from(record.events);
                for (_, blocks) in places.range(at.unwrap_or(record.next)..record.next) {
                    follower.arrive_at(blocks)?;
                }
                follower.branch(record.kind)?;
                at = Some(if record.taken {
                    record.target
                } else {
                    record.next
                });
            }
        }
        Ok(Traced {
            instructions,
            profiles: follower.into_profiles(),
        })
    }

    /// Runs it natively and under `hpp trace`, and compares. Returns the traced run, how many different things were counted, and how often.
    ///
    /// # Errors
    ///
    /// If a counter is not what it should be.
    pub fn checked(&self, listing: &Listing, plans: &[Plan]) -> Result<(Traced, (usize, u64))> {
        let (_, memory) = self.run(1)?;
        let traced = self.trace(Some(listing))?;
        let counted = compare(plans, &traced.profiles, &listing.functions, &memory);
        let counted = counted.with_context(|| self.elf.display().to_string())?;
        Ok((traced, counted))
    }
}
