//! `hpp profile`: the hottest paths of a profile that firmware printed.

use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hpp_golden::printout::Printout;
use hpp_golden::registers::Counter;
use hpp_riscv::Image;
use hpp_riscv::hot_paths;

/// Names the hottest paths of a profile that firmware printed on a serial line.
#[derive(clap::Args)]
pub struct Args {
    /// What the serial line said, other text included; `-` for standard input.
    printout: PathBuf,
    /// The program that ran: a linked RISC-V ELF file with symbols.
    #[arg(long)]
    elf: PathBuf,
    /// How many paths to show.
    #[arg(long, default_value_t = 20)]
    top: usize,
}

/// What the command prints.
pub fn run(args: &Args) -> Result<String> {
    let text = read(&args.printout)?;
    let printout = Printout::read(&text).with_context(|| args.printout.display().to_string())?;
    let elf = args.elf.display();
    let bytes = fs::read(&args.elf).with_context(|| format!("cannot read {elf}"))?;
    let image = Image::from_elf(&bytes).with_context(|| elf.to_string())?;
    let paths = hot_paths(&printout, &image)
        .with_context(|| format!("is {elf} the program that printed this?"))?;
    let mut out = String::new();
    for path in paths.iter().take(args.top) {
        writeln!(out, "{path}")?;
    }
    let completed = printout.counters[Counter::Paths as usize];
    writeln!(
        out,
        "{} paths in the table, {completed} completed",
        paths.len()
    )?;
    Ok(out)
}

/// The file's text; bytes that are none (noise on a line) become replacement characters.
fn read(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
