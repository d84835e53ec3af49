//! Proofs that a netlist equals its module.
//!
//! The module as written and its netlist (cells replaced by Yosys's models) are joined net by net by name, and Yosys proves
//! each pair: by SAT within a cycle, assuming the pairs before it equal, else by induction over cycles
//! (`equiv_make`, `equiv_simple`, `equiv_induct`). Registers are compared from any state, so the proof does not depend on reset.
//!
//! Memories are taken out of both sides: what they read is an input, what they are addressed with and written an output.
//! A proof therefore says nothing about how a memory is mapped; the netlist's run does.

use super::cells::Cells;
use anyhow::{Context, Result, bail};
use hpp_fpga::device::Family;
use hpp_fpga::tool::{Tool, Toolchain};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::Duration;
use verilated::tools::{cache, project_root};
use wait_timeout::ChildExt;

/// What became of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// So many pairs of nets were joined, and all proved equal.
    Proved(usize),
    /// Of so many pairs, these are not proved equal: they differ, or the proof needs more than the tool tries.
    Open(usize, Vec<String>),
    /// Time was up.
    TimedOut,
}

/// What to prove, and how long to try.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The Verilog.
    pub verilog: &'a str,
    /// The module, with all below it.
    pub module: &'a str,
    /// The family it is synthesised for.
    pub family: Family,
    /// When to give up.
    pub limit: Duration,
    /// Verilog to make the netlist from in the place of `verilog`. If it means something else, the proof must fail.
    pub damaged: Option<&'a str>,
}

/// How often a proof is tried again without the pairs that stayed open.
const RETRIES: usize = 2;

/// The modules of a file in its order, without those that hold a memory.
pub fn modules(verilog: &str) -> Vec<&str> {
    declared(verilog)
        .filter(|(_, text)| !holds_memory(text))
        .map(|(name, _)| name)
        .collect()
}

/// The modules that hold a memory.
pub fn memories(verilog: &str) -> Vec<&str> {
    declared(verilog)
        .filter(|(_, text)| holds_memory(text))
        .map(|(name, _)| name)
        .collect()
}

/// Each module's name and text.
fn declared(verilog: &str) -> impl Iterator<Item = (&str, &str)> {
    verilog.split("\nmodule ").skip(1).map(|text| {
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        (&text[..end.unwrap_or(text.len())], text)
    })
}

/// Whether a module declares an array: `reg [7:0] cells [0:15];`.
fn holds_memory(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        line.starts_with("reg ") && line.ends_with("];")
    })
}

impl Question<'_> {
    /// Synthesises the module and tries the proof.
    ///
    /// Only ports have to be equal. A net inside that is not, because synthesis gave its name to another function of no
    /// consequence, is left out of the pairs, and the proof tried again: pairs help a proof, but are not what it shows.
    ///
    /// # Errors
    ///
    /// If Yosys cannot be run, or fails.
    pub fn answer(&self) -> Result<Verdict> {
        let mut unpaired = Vec::new();
        let mut verdict = self.attempt(&unpaired)?;
        for _ in 0..RETRIES {
            let Verdict::Open(_, open) = &verdict else {
                break;
            };
            unpaired.extend_from_slice(open);
            verdict = self.attempt(&unpaired)?;
        }
        Ok(verdict)
    }

    /// One try, with some nets not joined.
    fn attempt(&self, unpaired: &[String]) -> Result<Verdict> {
        let cells = Cells::of(self.family)?.logic_models()?;
        let version = Toolchain::of_project(&project_root()).version(Tool::Yosys)?;
        let files = [
            ("design.v", self.verilog),
            ("netlist.v", self.damaged.unwrap_or(self.verilog)),
            ("cells.v", &cells),
            ("proof.ys", &self.script(unpaired)),
        ];
        let parts = [&files[..], &[("yosys", &version)]].concat();
        let mut timed_out = false;
        let said = cache::text("equivalence", &parts, || {
            let said = prove(&files, self.limit)?;
            timed_out = said.is_none();
            said.context("time is up")
        });
        if timed_out {
            return Ok(Verdict::TimedOut);
        }
        let said = said?;
        verdict(&said).with_context(|| format!("no verdict on `{}`:\n{said}", self.module))
    }

    fn script(&self, unpaired: &[String]) -> String {
        let module = self.module;
        let memories = memories(self.verilog);
        let (hide, evert) = if memories.is_empty() {
            (String::new(), String::new())
        } else {
            let cells: Vec<_> = memories.iter().map(|name| format!("t:{name}")).collect();
            (
                format!("blackbox {}", memories.join(" ")),
                format!("expose -evert {}", cells.join(" ")),
            )
        };
        // Ports keep their names whatever `rename -hide` is given; brackets would be a pattern.
        let unpaired: String = unpaired
            .iter()
            .map(|net| format!("rename -hide w:{}\n", net.replace(['[', ']'], "?")))
            .collect();
        let synthesis = self.family.synthesis(module);
        let made_up = made_up_names(self.family);
        // Synthesis removes those bits of a multiplexer whose inputs are the same, and the net then has the name of its input too. Yosys does not prove such
        // pairs unless they are removed from the module as well.
        // A net that synthesis left a name but no driver is no part of the netlist: it is not joined. A driven net may have
        // several names (`%co2`), of which one joins it: not one that the netlist made up, and not one that is left out.
        format!(
            "read_verilog design.v
hierarchy -top {module}
{hide}
prep -flatten -top {module}
simplemap t:$mux
opt_expr
{evert}
splitnets -ports
clean
design -stash gold
design -reset
read_verilog netlist.v
hierarchy -top {module}
{hide}
{synthesis}
techmap -autoproc -map cells.v
{evert}
splitnets -ports
clean
select -set driven t:* %co2 i:*
rename -hide w:* @driven %d
rename -hide {made_up}
{unpaired}clean
design -stash gate
design -copy-from gold -as gold {module}
design -copy-from gate -as gate {module}
equiv_make gold gate equiv
hierarchy -top equiv
opt_clean -purge
equiv_simple
equiv_induct
equiv_status
"
        )
    }
}

/// What selects the nets that are named after the netlist's own cells.
fn made_up_names(family: Family) -> &'static str {
    match family {
        Family::Ice40 | Family::Ice40Ultra => "w:*_SB_*",
        Family::Ecp5 => "w:*_LUT4_* w:*_CCU2C_* w:*_TRELLIS_* w:*_PFUMX_*",
        Family::Gowin => "w:*_LUT[1-4]_* w:*_ALU_* w:*_DFF*",
    }
}

/// What Yosys says of the pairs when it runs `proof.ys` beside the other files; `None` if time was up.
fn prove(files: &[(&str, &str)], limit: Duration) -> Result<Option<String>> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for (name, text) in files {
        fs::write(folder.path().join(name), text)
            .with_context(|| format!("cannot write {name}"))?;
    }
    if !run(folder.path(), "proof.ys", limit)? {
        return Ok(None);
    }
    let log = folder.path().join("yosys.log");
    let log = fs::read_to_string(log).context("cannot read yosys.log")?;
    match verdict(&log) {
        Some(_) => {
            let says = |line: &&str| line.contains(STATUS) || line.contains(OPEN);
            let said: Vec<_> = log.lines().filter(says).collect();
            Ok(Some(said.join("\n")))
        }
        None => bail!("Yosys gave no verdict:\n{}", tail(&log)),
    }
}

/// What the lines of `equiv_status` begin with.
/// The status of a program that ends within a limit; one that does not is killed.
pub(crate) fn status_within(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let status = child.wait_timeout(limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    Ok(status)
}

const STATUS: &str = "Of those cells ";
const OPEN: &str = "Unproven $equiv ";

/// Runs a script in a folder; whether it ended in time.
fn run(folder: &Path, script: &str, limit: Duration) -> Result<bool> {
    let log = File::create(folder.join("yosys.out")).context("cannot write yosys.out")?;
    let mut child = Toolchain::of_project(&project_root())
        .command(Tool::Yosys)?
        .args(["-q", "-l", "yosys.log", "-s", script])
        .current_dir(folder)
        .stdout(log.try_clone().context("cannot write yosys.out")?)
        .stderr(log)
        .spawn()
        .context("cannot run Yosys")?;
    Ok(status_within(&mut child, limit).context("Yosys")?.is_some())
}

/// What the last `equiv_status` of a log says.
fn verdict(log: &str) -> Option<Verdict> {
    let line = log.lines().rfind(|line| line.contains(STATUS))?;
    let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
    let (proved, open): (usize, usize) = (numbers.next()?, numbers.next()?);
    if open == 0 {
        return Some(Verdict::Proved(proved));
    }
    let nets = log
        .lines()
        .filter_map(|line| line.trim().strip_prefix(OPEN))
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(|net| net.trim_start_matches('\\').replace("_gold", ""))
        .collect();
    Some(Verdict::Open(proved + open, nets))
}

fn tail(log: &str) -> String {
    let lines: Vec<_> = log.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_distinguished_from_a_register() {
        let text = "// one\nmodule ram (\n  input clk\n);\n  reg [7:0] cells [0:15];\nendmodule\n\
                    \nmodule logic_2 (\n  input clk\n);\n  reg [7:0] q;\nendmodule\n";
        assert_eq!(
            (memories(text), modules(text)),
            (vec!["ram"], vec!["logic_2"])
        );
    }

    #[test]
    fn the_last_status_counts() {
        let before = "  Of those cells 1 are proven and 2 are unproven.\n";
        let after = "  Of those cells 3 are proven and 0 are unproven.\n";
        let open = "  Unproven $equiv $auto$1: \\a.b_gold [5] \\a.b_gate [5]\n";
        assert_eq!(
            verdict(&format!("{before}{after}")),
            Some(Verdict::Proved(3))
        );
        assert_eq!(
            verdict(&format!("{before}{open}")),
            Some(Verdict::Open(3, vec!["a.b".into()]))
        );
        assert_eq!(verdict("ERROR: no such module"), None);
    }
}
