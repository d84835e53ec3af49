//! Yosys and the solver.

use super::property::{Damage, Property};
use crate::tools::{project_root, tool_path};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What became of a circuit's assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// None can fail, ever.
    Proved,
    /// None fails in so many steps behind reset; beyond, this one may, as far as induction knows.
    Open {
        /// Steps without a failure.
        steps: u32,
        /// The assertion that induction stops at.
        assertion: String,
    },
    /// This one fails behind reset.
    Refuted(String),
}

/// Tries to prove the assertions of a property on a circuit.
///
/// # Errors
///
/// If the circuit lacks what the property names, or a tool is missing or fails.
pub fn attempt(property: &Property, verilog: &str) -> Result<Verdict> {
    attempt_from(property, verilog, property.steps)
}

/// The same of a circuit with a damage, whose failure may take more steps behind reset to be seen.
///
/// # Errors
///
/// As [`attempt`], and if the damage changes nothing.
pub fn attempt_damaged(property: &Property, verilog: &str, damage: &Damage) -> Result<Verdict> {
    attempt_from(property, &damage.applied(verilog)?, property.reset_steps)
}

fn attempt_from(property: &Property, verilog: &str, base: u32) -> Result<Verdict> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    transition_system(property, &property.applied(verilog)?, folder.path())?;
    let solver = Solver::find()?;
    if let Some(assertion) = solver.failure(folder.path(), base, false)? {
        return Ok(Verdict::Refuted(assertion));
    }
    Ok(match solver.failure(folder.path(), property.steps, true)? {
        None => Verdict::Proved,
        Some(assertion) => Verdict::Open {
            steps: property.steps,
            assertion,
        },
    })
}

/// Writes `proof.smt2`.
fn transition_system(property: &Property, text: &str, folder: &Path) -> Result<()> {
    fs::write(folder.join("proof.sv"), text).context("cannot write proof.sv")?;
    let top = property.top();
    let join = |(a, b): &(String, String)| format!("connect -set {a} {b}\n");
    let joins: String = property.joins.iter().map(join).collect();
    let script = format!(
        "read_verilog -formal -sv proof.sv
hierarchy -top {top}
proc
flatten
{joins}opt -full
memory -nordff -nomap
opt -full
dffunmap
write_smt2 -wires proof.smt2
"
    );
    fs::write(folder.join("proof.ys"), script).context("cannot write proof.ys")?;
    // The system's own program starts in a tenth of the time of the WebAssembly one.
    let output = Command::new(tool_path("yosys-tcl")?)
        .args(["-q", "proof.ys"])
        .current_dir(folder)
        .output()
        .context("cannot run Yosys")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        bail!("Yosys cannot read {top}:\n{said}{errors}");
    }
    Ok(())
}

/// The solver, and what drives it step by step.
struct Solver {
    smtbmc: PathBuf,
    path: std::ffi::OsString,
}

impl Solver {
    fn find() -> Result<Self> {
        let z3 = tool_path("z3")?;
        let folder = z3.parent().context("a program is in a folder")?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = [folder.to_path_buf()]
            .into_iter()
            .chain(std::env::split_paths(&path));
        Ok(Self {
            smtbmc: tool_path("yosys-smtbmc")?,
            path: std::env::join_paths(folders).context("PATH")?,
        })
    }

    /// The assertion that can fail, if one can.
    fn failure(&self, folder: &Path, steps: u32, induction: bool) -> Result<Option<String>> {
        let output = Command::new(&self.smtbmc)
            .args(induction.then_some("-i"))
            .args(["-s", "z3", "-t", &steps.to_string(), "proof.smt2"])
            .env("PATH", &self.path)
            .env("YOWASP_CACHE_DIR", project_root().join(".tools/yowasp"))
            .current_dir(folder)
            .output()
            .with_context(|| format!("cannot run {}", self.smtbmc.display()))?;
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        if log.contains("Status: PASSED") {
            return Ok(None);
        }
        let failed = log
            .lines()
            .find_map(|line| line.split_once("Assert failed in "));
        match failed {
            Some((_, assertion)) if log.contains("Status: FAILED") => {
                Ok(Some(assertion.trim().into()))
            }
            _ => bail!(
                "the solver gave no answer:\n{log}{}",
                String::from_utf8_lossy(&output.stderr)
            ),
        }
    }
}
