use super::property::{Damage, Property};
use anyhow::{Context, Result, bail};
use std::cell::OnceCell;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use verilated::tools::command::said;
use verilated::tools::{cache, tool_path};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// None can fail, ever.
    Proved,
    /// None fails in so many steps after reset; beyond, this one may, as far as induction knows.
    Open { steps: u32, assertion: String },
    /// This one fails after reset.
    Refuted(String),
}

/// Tries to prove the assertions of a property on a circuit.
///
/// # Errors
///
/// If the circuit lacks what the property names, the condition of an assertion is constantly false, or a tool is missing or fails.
pub fn attempt(property: &Property, verilog: &str) -> Result<Verdict> {
    let question = Question::of(property, verilog)?;
    let vacuous = question.vacuous()?;
    if !vacuous.is_empty() {
        let names = vacuous.join(", ");
        bail!("the condition of an assertion is never true: {names}");
    }
    question.attempt(property, property.steps)
}

/// The same of a circuit with a damage, whose failure may take more steps after reset to be seen.
pub fn attempt_damaged(property: &Property, verilog: &str, damage: &Damage) -> Result<Verdict> {
    let damaged = damage.applied(verilog)?;
    Question::of(property, &damaged)?.attempt(property, property.reset_steps)
}

/// Whether a damage makes the verdict another than [`Verdict::Proved`]. Induction, which most damages fail in a step or two, is asked
/// first, of a system that Yosys makes in half of the time, and the many steps after reset only where it holds.
pub fn is_noticed(property: &Property, verilog: &str, damage: &Damage) -> Result<bool> {
    let damaged = damage.applied(verilog)?;
    let question = Question::of(property, &damaged)?;
    let quick = Question {
        script: question.script.replace("opt -full\n", QUICK),
        ..Question::of(property, &damaged)?
    };
    Ok(quick.failure(property.steps, true)?.is_some()
        || question.failure(property.reset_steps, false)?.is_some())
}

/// What takes the place of `opt -full`, once, where the solver is done in a step or two.
const QUICK: &str = "opt_expr -full\nopt_merge\nopt_clean\n";

/// The assertion that fails in the first steps after reset, if one does: all that is asked of a slow property in passing.
pub fn first_steps(property: &Property, verilog: &str) -> Result<Option<String>> {
    Question::of(property, verilog)?.failure(property.steps, false)
}

/// How Yosys makes `proof.smt2` of `proof.sv`. A joined net may have other names, which `-nounset` leaves to it.
fn script(property: &Property) -> String {
    let top = property.top();
    let join = |(a, b): &(String, String)| format!("connect -nounset -set {a} {b}\n");
    let joins: String = property.joins.iter().map(join).collect();
    let roms = match property.roms {
        true => "memory_map -rom-only\n",
        false => "",
    };
    format!(
        "read_verilog -formal -sv proof.sv
hierarchy -top {top}
proc
flatten
{joins}opt -full
memory -nordff -nomap
{roms}opt -full
dffunmap
write_smt2 -wires proof.smt2
"
    )
}

/// Yosys, the solvers, and what drives them step by step.
struct Tools {
    yosys: PathBuf,
    smtbmc: PathBuf,
    z3: PathBuf,
    /// For induction, in which it takes a third of z3's time on a proof and less on a damage. Without one, z3 does.
    yices: Option<PathBuf>,
}

impl Tools {
    fn find() -> Result<Self> {
        Ok(Self {
            // The system's own program starts in a tenth of the time of the WebAssembly one.
            yosys: tool_path("yosys-tcl")?,
            smtbmc: tool_path("yosys-smtbmc")?,
            z3: tool_path("z3")?,
            yices: tool_path("yices").ok(),
        })
    }

    /// A solver and its name for `yosys-smtbmc`.
    fn solver(&self, induction: bool) -> (&str, &Path) {
        match &self.yices {
            Some(yices) if induction => ("yices", yices),
            _ => ("z3", &self.z3),
        }
    }

    fn versions(&self, solver: &Path) -> Result<String> {
        let smtbmc = tool_path("yosys")?;
        let versions = [&self.yosys, &smtbmc, solver].map(cache::version);
        Ok(versions.into_iter().collect::<Result<Vec<_>>>()?.join("\n"))
    }
}

/// The command of this `yosys-smtbmc`, which is the system's or the wheel's.
fn smtbmc(program: &Path) -> Result<Command> {
    if program
        .file_name()
        .is_some_and(|name| name == "yosys-smtbmc")
    {
        return Ok(Command::new(program));
    }
    let mut command = Command::new(tool_path("python")?);
    command.args(["-c", include_str!("smtbmc.py")]);
    Ok(command)
}

/// `PATH` with a program's folder in front.
fn path_to(program: &Path) -> Result<OsString> {
    let folder = program.parent().context("a program is in a folder")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_path_buf()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    std::env::join_paths(folders).context("PATH")
}

/// A circuit with assertions, and what makes a transition system of it.
struct Question {
    text: String,
    script: String,
    top: String,
    tools: Tools,
    /// A folder with `proof.smt2`, once it is needed.
    system: OnceCell<TempDir>,
}

impl Question {
    fn of(property: &Property, verilog: &str) -> Result<Self> {
        Ok(Self {
            text: property.applied(verilog)?,
            script: script(property),
            top: property.top(),
            tools: Tools::find()?,
            system: OnceCell::new(),
        })
    }

    fn attempt(&self, property: &Property, base: u32) -> Result<Verdict> {
        if let Some(assertion) = self.failure(base, false)? {
            return Ok(Verdict::Refuted(assertion));
        }
        Ok(match self.failure(property.steps, true)? {
            None => Verdict::Proved,
            Some(assertion) => Verdict::Open {
                steps: property.steps,
                assertion,
            },
        })
    }

    /// The assertion that can fail, if one can.
    fn failure(&self, steps: u32, induction: bool) -> Result<Option<String>> {
        let steps = steps.to_string();
        let mut arguments = Vec::from_iter(induction.then_some("-i"));
        let (name, solver) = self.tools.solver(induction);
        arguments.extend(["-s", name, "-t", &steps, "proof.smt2"]);
        let parts = [
            ("tools", self.tools.versions(solver)?),
            ("script", self.script.clone()),
            ("arguments", arguments.join(" ")),
            ("text", self.text.clone()),
        ];
        let parts = parts.each_ref().map(|(name, text)| (*name, text.as_str()));
        let log = cache::text("proof", &parts, || self.run(solver, &arguments))?;
        if log.contains("Status: PASSED") {
            return Ok(None);
        }
        let failed = log
            .lines()
            .find_map(|line| line.split_once("Assert failed in "));
        let (_, assertion) = failed.with_context(|| format!("no assertion is named:\n{log}"))?;
        Ok(Some(assertion.trim().into()))
    }

    /// Assertions whose condition is constantly false, such as a net that nothing drives.
    fn vacuous(&self) -> Result<Vec<String>> {
        let version = cache::version(&self.tools.yosys)?;
        let parts = [
            ("tools", version.as_str()),
            ("script", &self.script),
            ("text", &self.text),
        ];
        let names = cache::text("asked", &parts, || {
            let system = fs::read_to_string(self.system()?.join("proof.smt2"));
            Ok(vacuous_in(&system.context("cannot read proof.smt2")?))
        })?;
        Ok(names.lines().map(Into::into).collect())
    }

    /// What the solver says, if it is an answer.
    fn run(&self, solver: &Path, arguments: &[&str]) -> Result<String> {
        let output = smtbmc(&self.tools.smtbmc)?
            .args(arguments)
            .env("PATH", path_to(solver)?)
            .current_dir(self.system()?)
            .output()
            .with_context(|| format!("cannot run {}", self.tools.smtbmc.display()))?;
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        let answers = ["Status: PASSED", "Status: FAILED"];
        if answers.iter().any(|answer| log.contains(answer)) {
            return Ok(log);
        }
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("the solver gave no answer:\n{log}{errors}")
    }

    /// The folder with `proof.smt2`, which Yosys writes once.
    fn system(&self) -> Result<&Path> {
        if let Some(folder) = self.system.get() {
            return Ok(folder.path());
        }
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        self.transition_system(folder.path())?;
        Ok(self.system.get_or_init(|| folder).path())
    }

    fn transition_system(&self, folder: &Path) -> Result<()> {
        fs::write(folder.join("proof.sv"), &self.text).context("cannot write proof.sv")?;
        fs::write(folder.join("proof.ys"), &self.script).context("cannot write proof.ys")?;
        let mut yosys = Command::new(&self.tools.yosys);
        said(yosys.args(["-q", "proof.ys"]).current_dir(folder))
            .with_context(|| format!("Yosys cannot read {}", self.top))?;
        Ok(())
    }
}

/// The names of the vacuous assertions of a transition system, one a line. Yosys writes an assertion as
/// `(or HOLDS (not CONDITION))`.
fn vacuous_in(system: &str) -> String {
    let names = system.lines().filter_map(|line| {
        let (function, name) = line.rsplit_once(" ; ")?;
        (function.starts_with("(define-fun |") && function.ends_with("(not false)))"))
            .then_some(name)
    });
    names.map(|name| format!("{name}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_whose_condition_nothing_drives_is_named() {
        let property = Property::parse(
            "m",
            "//: inside m\nwire nothing;\nalways @* begin\n  if (nothing) vacuous: assert (x);\n  sound: assert (x);\nend\n",
        );
        let property = property.expect("whole");
        let circuit = "\nmodule m (\n  input wire x\n);\nendmodule\n";
        let error = attempt(&property, circuit).expect_err("one is vacuous");
        assert_eq!(
            error.to_string(),
            "the condition of an assertion is never true: vacuous"
        );
    }
}
