//! Retirements of a recorded simulation.

use std::io::{Cursor, ErrorKind, Read};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use hpp::log::ReadParts as _;
use hpp::log::formats::Reader;
use hpp::log::input::decompressed;
use hpp::waveform::{SEVERAL, Samples, Waveform};
use hpp_explore::trace::Isa;
use hpp_report::Recorded;
use hpp_riscv::{Retirement, Xlen};

use super::Signals;
use crate::input;
use crate::records::LogArgs;

/// A reset, by its name in a waveform.
#[derive(Clone, Debug)]
pub struct Reset {
    pub name: String,
    /// What it is during a reset.
    pub level: u64,
}

/// What resets are mostly called.
const RESETS: [(&str, u64); 9] = [
    ("rst", 1),
    ("rst_i", 1),
    ("reset", 1),
    ("reset_i", 1),
    ("rst_n", 0),
    ("rst_ni", 0),
    ("reset_n", 0),
    ("resetn", 0),
    ("aresetn", 0),
];

/// Lines in which one of a simulator's log must be.
const SEARCHED: usize = 1000;

/// Reads a waveform, or a log, and finds out the width of addresses.
pub fn read(path: &Path, signals: &Signals, log: &LogArgs) -> Result<(Recorded, Xlen)> {
    let name = || input::shown(path);
    let mut bytes = input::bytes(path)?;
    let compressed = Cursor::new(std::mem::take(&mut bytes));
    let read = decompressed(compressed).and_then(|mut all| all.read_to_end(&mut bytes));
    read.map_err(|error| match error.kind() {
        ErrorKind::Unsupported => anyhow!(error).context(name()),
        _ => anyhow!(error).context(format!("{}: it is damaged; remedy: copy it again", name())),
    })?;
    let mut lines = bytes.split(|&byte| byte == b'\n').take(SEARCHED);
    if log.log_pattern.is_some()
        || (!Waveform::is_in(&bytes) && lines.any(|line| Reader::of(line).is_some()))
    {
        return execution(bytes, signals, log).with_context(name);
    }
    let xlen = log.isa.unwrap_or(Xlen::Rv32);
    // A damaged VCD is one by its name or its first keyword, and no log.
    let is_waveform = Waveform::is_in(&bytes)
        || path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("vcd"))
        || bytes.trim_ascii_start().starts_with(b"$");
    ensure!(
        is_waveform || !signals.are_named(),
        "{}: a log has no signals; leave --clock, --prefix and --reset out",
        name()
    );
    let recorded = match is_waveform {
        true => Waveform::read(bytes).and_then(|mut recorded| waveform(&mut recorded, signals)),
        false => std::str::from_utf8(&bytes)
            .ok()
            .context("it is neither a waveform (VCD, FST or GHW) nor text; remedy: record one of these, or write a log")
            .and_then(|text| Ok(Recorded::from_log(text)?)),
    };
    let recorded = recorded.with_context(name)?;
    let remedy = match is_waveform {
        true => "record longer, or check `valid` and the clock (--clock)",
        false => "a log has a line for each retirement after its line of names",
    };
    ensure!(
        !recorded.runs.is_empty(),
        "{}: nothing retires; remedy: {remedy}",
        name()
    );
    Ok((recorded, xlen))
}

/// The log of a simulator or a tracer.
fn execution(bytes: Vec<u8>, signals: &Signals, log: &LogArgs) -> Result<(Recorded, Xlen)> {
    ensure!(
        !signals.are_named(),
        "a log has no signals; leave --clock, --prefix and --reset out"
    );
    let log = log.open(Box::new(Cursor::new(bytes)))?;
    let xlen = match log.isa() {
        Isa::Riscv32 => Xlen::Rv32,
        _ => Xlen::Rv64,
    };
    let retirements = log.retirements()?;
    ensure!(
        !retirements.is_empty(),
        "nothing retires; remedy: --hart, or record longer"
    );
    let recorded = Recorded {
        runs: vec![retirements],
        is_execution: true,
        ..Recorded::default()
    };
    Ok((recorded, xlen))
}

/// The word that an ingress takes of an instruction: of one of 48 bits or more, the low half words say which it is.
fn low_word(insn: u64) -> Option<u32> {
    match insn & 0x1f {
        0x1f => Some(insn as u32),
        _ => u32::try_from(insn).ok(),
    }
}

/// Whether the core is in reset, in each cycle; `None` if no signal says so.
fn resets(recorded: &mut Waveform, signals: &Signals) -> Result<Option<Vec<bool>>> {
    let named = signals
        .reset
        .as_ref()
        .map(|reset| [(reset.name.as_str(), reset.level)]);
    let candidates = named.as_ref().map_or(&RESETS[..], |named| &named[..]);
    for &(name, level) in candidates {
        match recorded.samples(signals.clock(), name)? {
            Some(sampled) => {
                let values = sampled.iter().map(|&value| value == Some(level));
                return Ok(Some(values.collect()));
            }
            None if signals.reset.is_none() => {}
            None => bail!("no signal `{name}`; remedy: --reset names the core's reset"),
        }
    }
    Ok(None)
}

fn waveform(recorded: &mut Waveform, signals: &Signals) -> Result<Recorded> {
    let prefix = signals.prefix();
    let mut optional = |port: &str| recorded.samples(signals.clock(), &format!("{prefix}{port}"));
    let (next_pc, intr) = (optional("pc_wdata")?, optional("intr")?);
    let mut needed = |port: &str| {
        optional(port)?.with_context(|| {
            format!("no signal `{prefix}{port}`; remedy: --clock and --prefix say which signals are the core's")
        })
    };
    let (valid, insn) = (needed("valid")?, needed("insn")?);
    let (pc, trap) = (needed("pc_rdata")?, needed("trap")?);
    // What is no number is not driven, and as wrong as 0.
    let of = |samples: &Option<Samples>, cycle: usize| {
        let value = samples.as_ref().and_then(|samples| samples[cycle]);
        value.unwrap_or_default()
    };
    // A signal of a usual name during which something retires is no reset of the core.
    let resets = resets(recorded, signals)?.filter(|resets| {
        let amid = |cycle: usize| resets[cycle] && valid[cycle].is_some_and(|valid| valid != 0);
        signals.reset.is_some() || !(0..valid.len()).any(amid)
    });
    let (mut runs, mut retirements) = (Vec::new(), Vec::new());
    for (cycle, &shown) in valid.iter().enumerate() {
        if resets.as_ref().is_some_and(|resets| resets[cycle]) {
            if !retirements.is_empty() {
                runs.push(std::mem::take(&mut retirements));
            }
            continue;
        }
        if shown == Some(0) {
            continue;
        }
        let number = |port: &str, value: Option<u64>| {
            value.with_context(|| format!("{prefix}{port} is undefined in cycle {cycle}"))
        };
        match shown {
            None if retirements.is_empty() => continue, // before the reset
            None => bail!(
                "{prefix}valid is undefined in cycle {cycle}, after retirements; remedy: record from the reset on, and name the reset if there is another one (--reset)"
            ),
            Some(1) => {}
            Some(_) => bail!("{prefix}valid has several channels; remedy: {SEVERAL}"),
        }
        retirements.push(Retirement {
            pc: number("pc_rdata", pc[cycle])?,
            insn: low_word(number("insn", insn[cycle])?).with_context(|| {
                format!("{prefix}insn has more than 32 bits; remedy: {SEVERAL}")
            })?,
            trap: number("trap", trap[cycle])? != 0,
            next_pc: of(&next_pc, cycle),
            intr: of(&intr, cycle) != 0,
            loop_end: false,
            context: 0,
        });
    }
    if !retirements.is_empty() {
        runs.push(retirements);
    }
    Ok(Recorded {
        runs,
        has_intr: intr.is_some(),
        has_pc_wdata: next_pc.is_some(),
        ..Recorded::default()
    })
}
