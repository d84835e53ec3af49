//! What the programs run on, in tests and in the field.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_soc::recordings::{Recording, recorded_elf};
use hpp_soc::{PROGRAMS, firmware, firmware_of, with_data};
use verilated::tools::tool_path;

use super::Runs;

pub const SAMPLE: usize = 8192;

/// Seeds of CoreMark and its iterations: those of a validation run and of a profile run, then those of a performance run.
const SEEDS: [[u32; 4]; 3] = [[0x3415, 0x3415, 0x66, 2], [8, 8, 8, 2], [0, 0, 0x66, 12]];

/// How often Dhrystone runs in the tests, and in the field.
const ROUNDS: [u32; 2] = [100, 500];

/// The runs of all programs: the tests, then the field.
pub fn all() -> Result<Vec<(&'static str, Runs)>> {
    let runs = |program: &'static str| {
        let recordings = recordings(program).with_context(|| program.to_owned())?;
        Ok((program, Runs::new(&recordings)?))
    };
    PROGRAMS.into_iter().map(runs).collect()
}

fn recordings(program: &str) -> Result<Vec<Recording>> {
    let elves = match program {
        "coremark" => SEEDS.iter().map(coremark).collect::<Result<_>>()?,
        "dhrystone" => ROUNDS
            .iter()
            .map(|&rounds| {
                read(&firmware_of(
                    program,
                    Core::PicoRv32,
                    &[("DHRYSTONE_RUNS", rounds)],
                )?)
            })
            .collect::<Result<Vec<_>>>()?,
        _ => compressor(program)?,
    };
    elves.iter().map(|elf| passing(program, elf)).collect()
}

fn passing(program: &str, elf: &[u8]) -> Result<Recording> {
    let (recording, status) = recorded_elf(program, elf)?;
    ensure!(status == 0, "{program} ended with status {status}");
    Ok(recording)
}

fn coremark(seeds: &[u32; 4]) -> Result<Vec<u8>> {
    let elf = read(&firmware("coremark")?)?;
    (1..).zip(seeds).try_fold(elf, |elf, (number, seed)| {
        with_data(&elf, &format!("seed{number}_volatile"), &seed.to_le_bytes())
    })
}

/// Two samples of the text that the program is built with, then one of the other's.
fn compressor(program: &str) -> Result<Vec<Vec<u8>>> {
    let elf = read(&firmware(program)?)?;
    let mut texts = [
        tool_path("bzip2")?.join("manual.xml"),
        tool_path("zlib")?.join("ChangeLog"),
    ];
    if program == "zlib" {
        texts.reverse();
    }
    let [own, other] = texts.map(|text| read(&text));
    let (own, other) = (own?, other?);
    let samples = [&own[..SAMPLE], &own[SAMPLE..2 * SAMPLE], &other[..SAMPLE]];
    samples
        .iter()
        .map(|sample| with_data(&elf, "sample", sample))
        .collect()
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}
