//! Proves a mutant equal to the original circuit, by induction over cycles.
//!
//! Yosys makes one circuit of two copies of the profiler, one with the mutant's number as an input, which is 1 if an output of theirs
//! ever differs. ABC then looks for what always holds in it after a reset (`lcorr`, `scorr`), with the number filled in, or for a proof of that
//! output alone (`pdr`). Registers begin with 0, as those of an FPGA do, the first cycle is a reset, and inputs are anything, further resets
//! among them. Memories of more than 8 words that are written are cut out: what they return is an input of both copies, and their
//! addresses and writes must be equal. A mutant inside one of them is never proved, since neither copy has what it changes. A mutant that is proved
//! equal is equal; one that is not may still be.

mod aiger;
mod circuit;

use super::schema::{BITS, INPUT, Schema};
use crate::equivalence::status_within;
use crate::verilog::parse;
use aiger::Aiger;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Seek};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use verilated::tools::{cache, tool_path};

/// Two profilers, or two of a module of theirs, side by side, one of them a mutant.
#[derive(Debug)]
pub struct Pair {
    folder: TempDir,
    circuit: Aiger,
    /// Mutants of what is cut out.
    inside: BTreeSet<u32>,
}

/// Differences count after the first cycle, which is the reset.
const COMPARED: &str = ".outputs differ
.names $begun
1
.latch $begun begun 0
.names begun trigger differ
11 1
";

/// Differences count in every cycle: outputs of a module may be kept in registers that no reset clears.
const EVER: &str = ".outputs differ
.names trigger was differ
1- 1
-1 1
.latch differ was 0
";

impl Pair {
    /// Of a text with mutants.
    ///
    /// # Errors
    ///
    /// If Yosys or ABC is missing or does not read the text.
    pub fn new(schema: &Schema) -> Result<Self> {
        Self::of(schema, None, COMPARED)
    }

    /// Of a module below the top by itself, whatever its inputs are. If a mutant is equal there it is in the profiler too.
    ///
    /// # Errors
    ///
    /// If Yosys or ABC is missing or does not read the text, or it has no such module.
    pub fn of_module(schema: &Schema, module: &str) -> Result<Self> {
        Self::of(schema, Some(module), EVER)
    }

    fn of(schema: &Schema, module: Option<&str>, compared: &str) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let circuit = circuit::make(&schema.verilog, module, folder.path())?;
        let (before, after) = circuit
            .split_once(".outputs trigger\n")
            .context("the circuit has one output")?;
        let place = folder.path().join("pair.blif");
        fs::write(place, format!("{before}{compared}{after}")).context("cannot write pair.blif")?;
        abc(
            folder.path(),
            "read_blif pair.blif; strash; zero; write_aiger -s pair.aig",
            READING,
        )?;
        let circuit = fs::read(folder.path().join("pair.aig")).context("cannot read pair.aig")?;
        let circuit = Aiger::read(&circuit).context("pair.aig")?;
        Ok(Self {
            folder,
            circuit,
            inside: inside(schema)?,
        })
    }

    /// Whether a mutant is proved equal in the time there is; it is kept unless the time was over.
    ///
    /// # Errors
    ///
    /// If ABC is missing or fails.
    pub fn proves(&self, number: u32, limit: Duration) -> Result<bool> {
        if self.inside.contains(&number) {
            return Ok(false);
        }
        let bits = (0..BITS).map(|bit| (format!("in_{INPUT}[{bit}]"), number >> bit & 1 == 1));
        let circuit = self.circuit.with(&bits.collect::<Vec<_>>())?;
        let name = format!("{number}.aig");
        let seconds = limit.as_secs().max(1);
        let commands = PROOF.replace("SECONDS", &seconds.to_string());
        let hash = cache::hash(&circuit);
        let parts = [("commands", &*commands), ("circuit", &hash)];
        let said = cache::text("equal", &parts, || {
            let path = self.folder.path().join(&name);
            fs::write(&path, circuit).with_context(|| format!("cannot write {name}"))?;
            let said = abc(
                self.folder.path(),
                &format!("read_aiger {name}; {commands}"),
                limit * WHOLE,
            );
            fs::remove_file(&path).with_context(|| format!("cannot remove {name}"))?;
            said
        });
        match said {
            // It may be proved another time.
            Err(error) if error.is::<OutOfTime>() => Ok(false),
            Err(error) => Err(error),
            Ok(said) => {
                Ok(said.contains("Property proved") || said.contains("are trivially UNSAT"))
            }
        }
    }
}

/// Mutants of memories that are cut out.
fn inside(schema: &Schema) -> Result<BTreeSet<u32>> {
    let modules = parse(&schema.verilog)?;
    let cut = modules.iter().filter(|module| circuit::is_cut(module));
    let cut: BTreeSet<&str> = cut.map(|module| module.name.as_str()).collect();
    let mutants = schema.mutants.iter();
    let inside = mutants.filter(|mutant| cut.contains(mutant.module.as_str()));
    Ok(inside.map(|mutant| mutant.number).collect())
}

/// What ABC does. The first cycle is the reset; what is compared are those after it.
const PROOF: &str = "scleanup; tempor -F 1; lcorr; scorr -C 5000; scleanup; scorr -F 2 -C 5000; scleanup; pdr -T SECONDS";

/// ABC has so many times as long for all of it as for the proof of the output alone.
const WHOLE: u32 = 2;

/// And so long to make the circuit.
const READING: Duration = Duration::from_secs(600);

/// ABC did not end in its time.
#[derive(Debug, thiserror::Error)]
#[error("ABC did not end in its time")]
struct OutOfTime;

/// What ABC says to commands.
fn abc(folder: &Path, commands: &str, limit: Duration) -> Result<String> {
    let mut said = tempfile::tempfile().context("cannot make a temporary file")?;
    let out = said.try_clone().context("cannot use a temporary file")?;
    let mut child = Command::new(tool_path("abc")?)
        .args(["-q", commands])
        .current_dir(folder)
        .stdout(out)
        .spawn()
        .context("cannot run ABC")?;
    let status = status_within(&mut child, limit).context("ABC")?;
    let mut text = String::new();
    said.rewind().context("what ABC said")?;
    said.read_to_string(&mut text).context("what ABC said")?;
    match status.map(|status| status.success()) {
        None => Err(OutOfTime.into()),
        Some(false) => bail!("ABC failed:\n{text}"),
        Some(true) => Ok(text),
    }
}
