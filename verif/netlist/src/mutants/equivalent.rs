//! Whether a mutant is the circuit as it was: a proof by induction over cycles.
//!
//! Yosys makes one circuit of two copies of the profiler, one with the mutant's number as an input, which is 1 if an output of theirs
//! ever differs. ABC then looks for what always holds in it behind a reset (`scorr`), with the number filled in. Registers begin
//! with any value, the same in both copies. Memories are cut out: what they return is an input of both, what is written and
//! where something is read has to be the same in both. So what is proved equal is equal; what is not may be equal still.

use super::parse::parse;
use super::schema::INPUT;
use super::tree::Module;
use anyhow::{Context, Result, bail};
use hpp_tools::tool_path;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Two profilers side by side, one of them a mutant.
#[derive(Debug)]
pub struct Pair {
    folder: TempDir,
    /// The circuit without the line of its inputs, in front of that line and behind it.
    circuit: [String; 2],
    /// Its inputs but the mutant's number.
    inputs: String,
}

impl Pair {
    /// Of a text with mutants ([`Schema::verilog`](super::Schema)).
    ///
    /// # Errors
    ///
    /// If Yosys is missing or does not read the text.
    pub fn new(verilog: &str) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let modules = parse(verilog)?;
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text)
                .with_context(|| format!("cannot write {name}"))
        };
        write("design.v", &without_memories(verilog, &modules))?;
        write("start.v", &started(&modules[0])?)?;
        write("parts.v", PARTS)?;
        write("register.v", REGISTER)?;
        write("filled.v", FILLED)?;
        for (file, bit) in [("gold.v", 0), ("gate.v", 1)] {
            let text = format!("module lives_box(output y); assign y = 1'b{bit}; endmodule\n");
            write(file, &text)?;
        }
        let cut = modules.iter().filter(|module| is_memory(module));
        let cut: Vec<_> = cut.map(|module| format!("t:{}_cut", module.name)).collect();
        write("pair.ys", &SCRIPT.replace("CUT", &cut.join(" ")))?;
        yosys(folder.path())?;
        let circuit =
            fs::read_to_string(folder.path().join("pair.blif")).context("cannot read pair.blif")?;
        Self::read(folder, &circuit)
    }

    fn read(folder: TempDir, circuit: &str) -> Result<Self> {
        let lines = circuit
            .split_inclusive('\n')
            .find(|line| line.starts_with(".inputs"));
        let line = lines.context("the circuit has no inputs")?;
        let (before, behind) = circuit.split_once(line).context("it has just been found")?;
        let number = format!("in_{INPUT}[");
        let inputs: Vec<_> = line
            .split_whitespace()
            .filter(|input| !input.starts_with(&number))
            .collect();
        // The outputs follow; what the number is goes behind them.
        Ok(Self {
            folder,
            circuit: [before.to_owned(), behind.to_owned()],
            inputs: inputs.join(" "),
        })
    }

    /// Whether a mutant is proved equal in the time there is.
    ///
    /// # Errors
    ///
    /// If ABC is missing or fails.
    pub fn proves(&self, number: u32, limit: Duration) -> Result<bool> {
        let name = format!("{number}.blif");
        let path = self.folder.path().join(&name);
        let [before, behind] = &self.circuit;
        let gates = behind
            .strip_prefix(".outputs trigger\n")
            .context("the circuit has one output")?;
        let mut text = format!("{before}{}\n{COMPARED}", self.inputs);
        for bit in 0..u16::BITS {
            let one = if number >> bit & 1 == 1 { "1\n" } else { "" };
            let _ = write!(text, ".names in_{INPUT}[{bit}]\n{one}");
        }
        text += gates;
        fs::write(&path, text).with_context(|| format!("cannot write {name}"))?;
        let verdict = self.ask(&name, limit);
        fs::remove_file(&path).with_context(|| format!("cannot remove {name}"))?;
        verdict
    }

    fn ask(&self, name: &str, limit: Duration) -> Result<bool> {
        let seconds = limit.as_secs().max(1);
        // The first cycle is the reset; what is compared are those behind it.
        let commands = format!(
            "read_blif {name}; strash; zero; scleanup; tempor -F 1; scorr -C 5000; scleanup; \
             scorr -F 2 -C 5000; scleanup; pdr -T {seconds}"
        );
        let output = Command::new(tool_path("abc")?)
            .args(["-q", &commands])
            .current_dir(self.folder.path())
            .output()
            .context("cannot run ABC")?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        match said.contains("Property proved") || said.contains("are trivially UNSAT") {
            true => Ok(true),
            false if said.contains("pdr") || output.status.success() => Ok(false),
            false => bail!("ABC failed:\n{said}"),
        }
    }
}

/// What Yosys makes two profilers of.
const SCRIPT: &str = "read_verilog design.v start.v
hierarchy -top start
read_verilog parts.v
proc
flatten
simplemap t:$dff
techmap -map register.v
rename -enumerate -pattern power_up_% t:power_up
expose -evert CUT t:power_up
opt_clean
copy start gold
rename start gate
techmap -map gold.v gold
techmap -map gate.v gate
opt gold
miter -equiv -flatten gold gate pair
hierarchy -top pair
opt_expr
opt_clean
techmap -map filled.v
techmap
opt_expr
opt_merge
opt_clean
write_blif pair.blif
";

pub(crate) const PARTS: &str = "(* blackbox *) module power_up(output y); endmodule
(* blackbox *) module register(input d, input c, output q); endmodule
";

/// A register begins with any value.
pub(crate) const REGISTER: &str = "module \\$_DFF_P_ (input D, input C, output Q);
  wire value, begins, q;
  power_up p(.y(value));
  begins_box b(.y(begins));
  register r(.d(D), .c(C), .q(q));
  assign Q = begins ? value : q;
endmodule
";

/// ABC takes every register for 0 in the first cycle.
pub(crate) const FILLED: &str = "module begins_box(output y);
  wire n;
  \\$_DFF_P_ r(.C(1'b0), .D(1'b1), .Q(n));
  assign y = !n;
endmodule
module register(input d, input c, output q);
  \\$_DFF_P_ r(.C(c), .D(d), .Q(q));
endmodule
";

/// Differences count behind the first cycle, which is the reset.
const COMPARED: &str = ".outputs differ
.names $begun
1
.latch $begun begun re in_clk 2
.names begun trigger differ
11 1
";

fn is_memory(module: &Module) -> bool {
    module.signals.iter().any(|signal| signal.array)
}

/// The profiler, reset in the first cycle, and a mutant only in the copy that is one.
fn started(top: &Module) -> Result<String> {
    let mut ports = Vec::new();
    let mut connections = Vec::new();
    for port in top.signals.iter().take(top.ports) {
        let width = port.width.context("a port's width is a number")?;
        let direction = if port.input { "input" } else { "output" };
        let name = &port.name;
        ports.push(format!("{direction} wire [{}:0] {name}", width - 1));
        let value = match name.as_str() {
            "rst" => "rst | begins".to_owned(),
            INPUT => format!("{INPUT} & {{{width}{{lives}}}}"),
            _ => name.clone(),
        };
        connections.push(format!(".{name}({value})"));
    }
    Ok(format!(
        "module start(\n  {}\n);
  wire begins, lives;
  begins_box b(.y(begins));
  lives_box l(.y(lives));
  {} profiler ({});
endmodule
(* blackbox *) module begins_box(output y); endmodule
(* blackbox *) module lives_box(output y); endmodule\n",
        ports.join(",\n  "),
        top.name,
        connections.join(", ")
    ))
}

/// Each memory becomes a part that is not looked into. What is written matters when something is written, what is read when it is asked for.
fn without_memories(verilog: &str, modules: &[Module]) -> String {
    let mut text = verilog.replace(
        &format!("always @(posedge clk) mutant_q <= {INPUT};"),
        &format!("always @* mutant_q = {INPUT};"),
    );
    for module in modules.iter().filter(|module| is_memory(module)) {
        let start = text
            .find(&format!("\nmodule {} ", module.name))
            .expect("a module of the text");
        let end = text[start..].find("\nendmodule").expect("it ends") + start;
        let body = text[start..end].find(");").expect("its ports end") + start + 2;
        text.replace_range(body..end, &connected(module));
        let _ = write!(text, "{}", cut(module));
    }
    text
}

fn ports(module: &Module) -> impl Iterator<Item = (&str, u32, bool)> {
    let ports = module.signals.iter().take(module.ports);
    ports
        .filter(|port| !["clk", "mutant_q"].contains(&port.name.as_str()))
        .map(|port| (port.name.as_str(), port.width.unwrap_or(1), port.input))
}

fn connected(module: &Module) -> String {
    let enable = |prefix: &str| {
        let names = [format!("{prefix}_enable"), format!("{prefix}_ways")];
        ports(module)
            .map(|(name, ..)| name)
            .find(|name| names.iter().any(|n| n == name))
    };
    let value = |name: &str, width: u32| {
        let prefix = ["write", "read"].into_iter().find(|p| name.starts_with(p));
        match prefix.and_then(enable) {
            Some(enable) if enable != name => format!("{name} & {{{width}{{|{enable}}}}}"),
            _ => name.to_owned(),
        }
    };
    let connections: Vec<_> = ports(module)
        .map(|(name, width, input)| match input {
            true => format!(".{name}({})", value(name, width)),
            false => format!(".{name}({name})"),
        })
        .collect();
    format!("\n  {}_cut cut ({});", module.name, connections.join(", "))
}

fn cut(module: &Module) -> String {
    let ports: Vec<_> = ports(module)
        .map(|(name, width, input)| {
            let direction = if input { "input" } else { "output" };
            format!("{direction} wire [{}:0] {name}", width - 1)
        })
        .collect();
    format!(
        "(* blackbox *) module {}_cut ({});\nendmodule\n",
        module.name,
        ports.join(", ")
    )
}

fn yosys(folder: &Path) -> Result<()> {
    let output = Command::new(tool_path("yosys-tcl")?)
        .args(["-q", "pair.ys"])
        .current_dir(folder)
        .output()
        .context("cannot run Yosys")?;
    if !output.status.success() {
        bail!(
            "Yosys cannot read the mutants:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(())
}
