//! The system that boots Linux: VexRiscv with address spaces, 32 MB of memory, and a profiler whose contexts are processes.
//!
//! [`System`] is the hardware, with what [`fpga/linux`](../../../fpga/linux/Makefile) puts into its memory or anything else. [`System::run`] runs it,
//! with the golden model in the profiler's place beside it, and reads the dump that a program there has printed.

pub mod sessions;

use super::image::put_words;
use super::replay::Reporting;
use super::{ProfilerSources, Replay, Run, Soc};
use anyhow::{Context, Result, bail, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::ProfilerError;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use verilated::tools::command::{make, said};
use verilated::tools::{project_root, tool_path};

/// Where things are: the names of `fpga/linux/system.h`.
#[derive(Clone, Debug)]
pub struct Map {
    text: String,
}

impl Map {
    /// That of the project.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read() -> Result<Self> {
        let file = project_root().join("fpga/linux/system.h");
        let text = fs::read_to_string(&file);
        let text = text.with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Self { text })
    }

    /// The number of this name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn number(&self, name: &str) -> Result<usize> {
        let value = self.text.lines().find_map(|line| {
            let mut words = line.strip_prefix("#define ")?.split_whitespace();
            (words.next()? == name).then(|| words.next())?
        });
        let value = value.with_context(|| format!("fpga/linux/system.h has no {name}"))?;
        let number = match value.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16),
            None => value.parse(),
        };
        number.with_context(|| format!("fpga/linux/system.h: {name} is {value}"))
    }
}

pub struct System {
    pub map: Map,
    pub sources: ProfilerSources,
    soc: Soc,
}

/// A run with a profile that a program there has printed.
pub struct Boot {
    pub run: Run,
    pub dump: Dump,
    /// What the golden model would have printed after the core's own retirements.
    pub expected: Dump,
    /// What a table without bounds holds, of all contexts that were shown.
    pub exact: HashMap<PathDescriptor, u64>,
}

impl System {
    /// Generates the profiler and builds the system.
    ///
    /// # Errors
    ///
    /// If a tool or the core's sources are missing (the message says what to run), or Verilator refuses the text.
    pub fn build() -> Result<Self> {
        Self::with(ProfilerSources::for_linux()?)
    }

    /// The same with a second hart, which shares the profiler and runs a program of its own.
    pub fn with_a_second_hart() -> Result<Self> {
        Self::with(ProfilerSources::for_linux_of_two_harts()?)
    }

    fn with(sources: ProfilerSources) -> Result<Self> {
        let map = Map::read()?;
        let (memory, drain) = (map.number("MEMORY")?, map.number("DRAIN_MEMORY")?);
        let soc = Soc::for_linux(&sources, memory, drain)?;
        Ok(Self { map, sources, soc })
    }

    /// Builds firmware, kernel, device tree and initial file system in a folder; returns the folder.
    ///
    /// # Errors
    ///
    /// If a tool is missing (the message says what to run), or something does not build.
    pub fn make(&self) -> Result<PathBuf> {
        let root = project_root();
        let folder = match self.sources.geometry.harts {
            1 => root.join("build/linux"),
            _ => root.join("build/linux-two-harts"),
        };
        let status = make(&root.join("fpga/linux"))
            .arg(format!("OUT={}", folder.display()))
            .arg(format!("PROFILER={}", self.sources.folder.display()))
            .status()
            .context("cannot run make")?;
        ensure!(
            status.success(),
            "what the system has in its memory does not build"
        );
        Ok(folder)
    }

    /// The memory with these files in it, each at the address of this name: text for `$readmemh`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or is as long as to reach the next one.
    pub fn image(&self, files: &[(&str, &Path)]) -> Result<String> {
        let mut text = String::new();
        let mut places = Vec::new();
        for (name, file) in files {
            let start = match *name {
                "0" => 0,
                name => self.map.number(name)?,
            };
            let bytes = fs::read(file);
            let bytes = bytes.with_context(|| format!("cannot read {}", file.display()))?;
            places.push((start, bytes.len(), file));
            put_words(&mut text, start, &bytes)?;
        }
        places.sort_unstable();
        for pair in places.windows(2) {
            if let &[(start, length, file), (next, ..)] = pair
                && start + length > next
            {
                bail!(
                    "{} is {length} bytes long and would reach from {start:#x} beyond {next:#x}",
                    file.display()
                );
            }
        }
        Ok(text)
    }

    /// What boots Linux, of a folder that [`make`](Self::make) filled, with this device tree, and further files for [`image`](Self::image).
    pub fn linux(&self, folder: &Path, tree: &str, more: &[(&str, &Path)]) -> Result<String> {
        let [firmware, kernel, tree, files] =
            ["sbi.bin", "Image", tree, "initramfs.cpio"].map(|name| folder.join(name));
        let boots = [
            ("0", &*firmware),
            ("KERNEL", &kernel),
            ("DEVICE_TREE", &tree),
            ("INITRAMFS", &files),
        ];
        self.image(&[&boots, more].concat())
    }

    /// The golden model behind the hart that boots. In a context, its number is 0.
    fn replay(&self) -> Result<Replay, ProfilerError> {
        Replay::of_last_stage(&self.sources.geometry.of_one(), &self.sources.reset)
    }

    /// Runs what is in memory until it switches off; `progress` is given the cycles and what was printed so far, every few thousand cycles.
    ///
    /// # Errors
    ///
    /// If the run does not end, ends with a status that is not 0, or printed no sound dump.
    pub fn run(&self, image: &str, progress: impl FnMut(u64, &[u8])) -> Result<Boot> {
        let replay = self.replay()?;
        let mut watcher = Reporting { replay, progress };
        let run = self.soc.run_image(image, "the system", &mut watcher)?;
        run.ended_well("the system")?;
        let uart = &run.uart;
        let dump = Dump::read(uart).with_context(|| format!("what was printed:\n{uart}"))?;
        let expected = watcher.replay.dump_like(&dump);
        let exact = watcher.replay.exact().iter();
        let exact = exact.map(|(path, count)| (*path, count)).collect();
        Ok(Boot {
            run,
            dump,
            expected,
            exact,
        })
    }
}

impl Boot {
    /// The paths of a context, and how often each was executed.
    pub fn paths_of(&self, geometry: &Geometry, context: u8) -> Paths {
        let of = |path: &PathDescriptor| geometry.address_and_context(path.start).1 == context;
        let exact = self.exact.iter().filter(|(path, _)| of(path));
        let dumped = self.dump.profile();
        let dumped = dumped.iter().filter(|(path, _)| of(path));
        Paths {
            dumped: dumped.map(|(path, count)| (*path, count)).collect(),
            exact: exact.map(|(path, count)| (*path, *count)).collect(),
        }
    }
}

pub fn contexts<'a>(
    paths: impl IntoIterator<Item = &'a PathDescriptor>,
    geometry: &Geometry,
) -> BTreeSet<u8> {
    let paths = paths.into_iter();
    paths
        .map(|path| geometry.address_and_context(path.start).1)
        .collect()
}

#[derive(Debug)]
pub struct Paths {
    pub dumped: HashMap<PathDescriptor, u64>,
    /// Of the core's own retirements.
    pub exact: HashMap<PathDescriptor, u64>,
}

/// Builds the firmware below the kernel, as a memory image, from the project's sources.
///
/// # Errors
///
/// If the compiler is missing (the message says what to run) or fails.
pub fn firmware(folder: &Path) -> Result<PathBuf> {
    let source = project_root().join("fpga/linux");
    let sources = ["sbi.S", "sbi.c"].map(|name| source.join(name));
    let script = source.join("sbi.ld");
    compile(
        folder,
        "sbi",
        &sources,
        &[format!("-T{}", script.display())],
    )
}

/// Compiles sources for a place in memory, as a memory image; `options` are further ones of GCC.
pub fn compile(
    folder: &Path,
    name: &str,
    sources: &[PathBuf],
    options: &[String],
) -> Result<PathBuf> {
    let gcc = tool_path("riscv-gcc")?;
    let elf = folder.join(format!("{name}.elf"));
    let image = folder.join(format!("{name}.bin"));
    let flags = "-march=rv32ima_zicsr_zifencei -mabi=ilp32 -O2 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -nostdlib -static -fno-pic \
                 -mcmodel=medany -Wl,--build-id=none -Wl,--no-warn-rwx-segments";
    let header = project_root().join("fpga/linux/system.h");
    let mut compiler = Command::new(&gcc);
    compiler.args(flags.split_whitespace()).args(options);
    compiler.arg("-include").arg(header);
    said(compiler.args(sources).arg("-o").arg(&elf))?;
    let objcopy = gcc.with_file_name("riscv64-unknown-elf-objcopy");
    let mut objcopy = Command::new(objcopy);
    said(objcopy.args(["-O", "binary"]).args([&elf, &image]))?;
    Ok(image)
}
