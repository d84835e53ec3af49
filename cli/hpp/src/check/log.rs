//! Retirements of a recorded simulation.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use hpp_riscv::Retirement;
use verilated::{Samples, WaveformError, samples};

/// Retirements in their order, and which of the ports that may be missing there are.
#[derive(Debug, Default)]
pub struct Recorded {
    pub retirements: Vec<Retirement>,
    pub has_intr: bool,
    pub has_pc_wdata: bool,
}

/// Reads a waveform, or a log.
pub fn read(path: &Path, clock: &str, prefix: &str) -> Result<Recorded> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", name()))?;
    // A VCD begins with a keyword such as `$date`, and a log with the name of a column.
    let is_waveform = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("vcd"))
        || bytes.trim_ascii_start().starts_with(b"$");
    let recorded = match is_waveform {
        true => waveform(&bytes, clock, prefix),
        false => std::str::from_utf8(&bytes)
            .context("it is neither a VCD nor text; remedy: convert another waveform, an FST for instance with fst2vcd")
            .and_then(table),
    };
    let recorded = recorded.with_context(name)?;
    ensure!(
        !recorded.retirements.is_empty(),
        "{}: nothing retires; remedy: record longer, or look at `valid` and the clock (--clock)",
        name()
    );
    Ok(recorded)
}

/// What to do about a port that has the bits of several channels.
const SEVERAL: &str = "of a core with several channels, a log of the retirements in their order";

fn waveform(bytes: &[u8], clock: &str, prefix: &str) -> Result<Recorded> {
    let sampled = |port: &str| {
        let name = format!("{prefix}{port}");
        samples(bytes, clock, &[&name]).map(|mut all| all.remove(0))
    };
    let told = |port: &str, error: WaveformError| match error {
        WaveformError::NoSignal(_) => {
            anyhow!("{error}; remedy: --clock and --prefix say which signals are the core's")
        }
        WaveformError::Wide(_) => anyhow!("{prefix}{port}: {error}; remedy: {SEVERAL}"),
        _ => error.into(),
    };
    let needed = |port: &str| sampled(port).map_err(|error| told(port, error));
    let optional = |port: &str| match sampled(port) {
        Err(WaveformError::NoSignal(_)) => Ok(None),
        found => found.map(Some).map_err(|error| told(port, error)),
    };
    let (valid, insn) = (needed("valid")?, needed("insn")?);
    let (pc, trap) = (needed("pc_rdata")?, needed("trap")?);
    let (next_pc, intr) = (optional("pc_wdata")?, optional("intr")?);
    // What is no number is not driven, and as wrong as 0.
    let of = |samples: &Option<Samples>, cycle: usize| {
        let value = samples.as_ref().and_then(|samples| samples[cycle]);
        value.unwrap_or_default()
    };
    let mut retirements = Vec::new();
    for cycle in (0..valid.len()).filter(|&cycle| valid[cycle] != Some(0)) {
        let number = |port: &str, value: Option<u64>| {
            value.with_context(|| format!("{prefix}{port} is undefined in cycle {cycle}"))
        };
        match valid[cycle] {
            None if retirements.is_empty() => continue, // before the reset
            None => bail!(
                "{prefix}valid is undefined in cycle {cycle}, after retirements; remedy: record from the reset on, without another one"
            ),
            Some(1) => {}
            Some(_) => bail!("{prefix}valid has several channels; remedy: {SEVERAL}"),
        }
        retirements.push(Retirement {
            pc: number("pc_rdata", pc[cycle])?,
            insn: u32::try_from(number("insn", insn[cycle])?).with_context(|| {
                format!("{prefix}insn has more than 32 bits; remedy: {SEVERAL}")
            })?,
            trap: number("trap", trap[cycle])? != 0,
            next_pc: of(&next_pc, cycle),
            intr: of(&intr, cycle) != 0,
            context: 0,
        });
    }
    Ok(Recorded {
        retirements,
        has_intr: intr.is_some(),
        has_pc_wdata: next_pc.is_some(),
    })
}

const COLUMNS: [&str; 5] = ["pc_rdata", "insn", "trap", "pc_wdata", "intr"];

fn table(text: &str) -> Result<Recorded> {
    let mut lines = (1..).zip(text.lines());
    let (_, head) = lines.next().context("it is empty")?;
    let names: Vec<&str> = head.split(',').map(str::trim).collect();
    if let Some(unknown) = names.iter().find(|name| !COLUMNS.contains(name)) {
        bail!(
            "line 1: no column `{unknown}`; there are {}",
            COLUMNS.join(", ")
        );
    }
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        bail!("line 1: the column `{}` is there twice", names[twice]);
    }
    let places = COLUMNS.map(|column| names.iter().position(|name| *name == column));
    for (column, place) in COLUMNS.iter().zip(places).take(3) {
        ensure!(place.is_some(), "line 1: the column `{column}` is missing");
    }
    let mut retirements = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        ensure!(
            fields.len() == names.len(),
            "line {number}: {} fields, where line 1 names {} columns",
            fields.len(),
            names.len()
        );
        let mut values = [0; COLUMNS.len()];
        for (value, place) in values.iter_mut().zip(places) {
            let Some(place) = place else { continue };
            let digits = fields[place].trim_start_matches("0x");
            *value = u64::from_str_radix(digits, 16).with_context(|| {
                format!(
                    "line {number}: `{}` is no hexadecimal number",
                    fields[place]
                )
            })?;
        }
        let [pc, insn, trap, next_pc, intr] = values;
        retirements.push(Retirement {
            pc,
            insn: u32::try_from(insn)
                .with_context(|| format!("line {number}: insn has 32 bits"))?,
            next_pc,
            trap: trap != 0,
            intr: intr != 0,
            context: 0,
        });
    }
    Ok(Recorded {
        retirements,
        has_pc_wdata: places[3].is_some(),
        has_intr: places[4].is_some(),
    })
}
