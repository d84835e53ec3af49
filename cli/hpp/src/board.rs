//! The board that `hpp record` and `hpp top` are about: how to reach it, and where its profiler is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use hpp::link::{Board, Bus, Etherbone, Gdb, OpenOcd, Place};

use crate::input;

/// The board, and the profiler on it.
// A group would have the name of the command's own.
#[derive(clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    way: Way,
    #[command(flatten)]
    registers: Registers,
    /// The manifest of the profiler, hpp.json: it must be that of the profiler on the board
    #[arg(long, value_name = "FILE")]
    pub profiler: Option<PathBuf>,
}

/// What to reach it through.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Way {
    /// A debugger's stub, as of OpenOCD (3333) or a probe; the core is stopped while registers are read
    #[arg(long, value_name = "[HOST:]PORT")]
    gdb: Option<Place>,
    /// OpenOCD's Tcl server (6666)
    #[arg(long, value_name = "[HOST:]PORT")]
    openocd: Option<Place>,
    /// litex_server (1234), on any of LiteX's bridges
    #[arg(long, value_name = "[HOST:]PORT")]
    litex: Option<Place>,
}

/// Where the profiler's registers are.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Registers {
    /// Address of the profiler's registers, such as 0x20000000
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    base: Option<u64>,
    /// A LiteX system's list of registers, csr.csv, whose region `hpp` says the address
    #[arg(long, value_name = "FILE")]
    csr: Option<PathBuf>,
}

fn address(text: &str) -> Result<u64, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number
        .ok()
        .filter(|number| number % 4 == 0)
        .ok_or_else(|| "no address of a word; write it as 0x20000000".into())
}

impl Args {
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [self.registers.csr.as_deref(), self.profiler.as_deref()]
            .into_iter()
            .flatten()
    }

    /// The profiler, and the hash of its configuration if its manifest is given.
    pub fn open(&self) -> Result<(Board, Option<String>)> {
        // Errors in the files are reported before the core is stopped.
        let manifest = self.profiler.as_deref().map(input::manifest).transpose()?;
        let base = match &self.registers.csr {
            Some(file) => region(file)?,
            None => self.registers.base.unwrap_or_default(),
        };
        let board = Board::open(self.way.bus()?, base)?;
        match (manifest, &self.profiler) {
            (Some(manifest), Some(file)) => {
                let different = manifest.differences(board.geometry());
                ensure!(
                    different.is_empty(),
                    "{}: {} at {base:#x}: another profiler: {}; give the manifest that it was generated with",
                    file.display(),
                    board.place(),
                    different.join(", ")
                );
                Ok((board, Some(manifest.configuration_hash)))
            }
            _ => Ok((board, None)),
        }
    }
}

impl Way {
    fn bus(&self) -> Result<Box<dyn Bus>> {
        if let Some(place) = &self.gdb {
            return Ok(Box::new(Gdb::connect(place)?));
        }
        if let Some(place) = &self.openocd {
            return Ok(Box::new(OpenOcd::connect(place)?));
        }
        let place = self.litex.as_ref();
        let place = place.context("no board was given; see --help")?;
        Ok(Box::new(Etherbone::connect(place)?))
    }
}

/// Where a LiteX system has the region `hpp`.
fn region(file: &Path) -> Result<u64> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let base = text.lines().find_map(|line| {
        let base = line.strip_prefix("memory_region,hpp,")?.split(',').next()?;
        address(base).ok()
    });
    base.with_context(|| {
        format!(
            "{} has no line `memory_region,hpp,ADDRESS`: is it the csr.csv of a system with a profiler? Or give --base",
            file.display()
        )
    })
}
