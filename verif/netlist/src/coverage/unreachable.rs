//! Proves places unreachable, by induction over cycles.
//!
//! Yosys makes one circuit of a profiler with an output for each place in question; each branch is a signal ([`watch`]). An output says that a bit has
//! risen or fallen, or that a side of a branch is taken. Registers begin with any value, the first cycle is a reset, and inputs are arbitrary,
//! further resets included. Memories that are written are cut out: they return anything. ABC finds what always holds from [`SETTLED`] cycles after the first reset
//! (`scorr`). An output that is always 0 is a place that is never reached.

use super::branch::watch;
use super::place::At;
use super::place::{Edge, Place, What};
use crate::verilog::parse;
use crate::verilog::tree::Module;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use verilated::tools::command::said;
use verilated::tools::{cache, tool_path};

/// Cycles after the first in which what registers held at power-up may still be on its way.
const SETTLED: u32 = 6;

/// Which places of a profiler are proved never to be reached.
///
/// # Errors
///
/// If Yosys or ABC is missing, or does not read the circuit.
pub fn unreachable(verilog: &str, places: &[(Place, At)]) -> Result<BTreeSet<Place>> {
    if places.is_empty() {
        return Ok(BTreeSet::new());
    }
    let branches = places.iter().filter(|(place, _)| !place.is_toggle());
    let (text, names) = watch(verilog, &branches.map(|(_, at)| *at).collect())?;
    let asked: Vec<_> = places
        .iter()
        .filter_map(|(place, at)| Asked::of(place, names.get(at)))
        .collect();
    let signals: BTreeSet<_> = asked.iter().map(|asked| asked.signal.as_str()).collect();
    let script = script(&signals);
    let listed: String = asked
        .iter()
        .map(|a| format!("{}{:?}{:?}\n", a.signal, a.bit, a.bad))
        .collect();
    let yosys = cache::version(&tool_path("yosys-tcl")?)?;
    let parts = [
        ("yosys", &*yosys),
        ("script", &script),
        ("commands", COMMANDS),
        ("settled", &SETTLED.to_string()),
        ("text", &text),
        ("asked", &listed),
    ];
    let proved = cache::text("unreachable", &parts, || prove(&text, &script, &asked))?;
    let proved: BTreeSet<usize> = proved
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect();
    let of = |number: usize| asked[number].place.clone();
    Ok(proved
        .into_iter()
        .filter(|number| *number < asked.len())
        .map(of)
        .collect())
}

/// What must never be.
#[derive(Debug, Clone, Copy)]
enum Bad {
    Rise,
    Fall,
    One,
}

/// A question.
#[derive(Debug)]
struct Asked<'a> {
    place: &'a Place,
    /// The signal in the flat circuit.
    signal: String,
    bit: Option<u32>,
    bad: Bad,
}

impl<'a> Asked<'a> {
    /// Of a place; of a branch, with the signal that says when it is taken. Nothing of a branch without.
    fn of(place: &'a Place, watched: Option<&String>) -> Option<Self> {
        let (name, bit, bad) = match &place.what {
            What::Toggle {
                signal,
                bit,
                edge: Edge::Rise,
            } => (signal, *bit, Bad::Rise),
            What::Toggle {
                signal,
                bit,
                edge: Edge::Fall,
            } => (signal, *bit, Bad::Fall),
            What::Branch { .. } => (watched?, None, Bad::One),
        };
        Some(Self {
            place,
            signal: format!("{}.{name}", place.instance),
            bit,
            bad,
        })
    }

    /// What the circuit may call the bit.
    fn names(&self) -> [String; 2] {
        let Self { signal, bit, .. } = self;
        [format!("{signal}[{}]", bit.unwrap_or(0)), signal.clone()]
    }
}

/// What Yosys makes a circuit of, in which these signals are outputs.
fn script(signals: &BTreeSet<&str>) -> String {
    let exposed: String = signals
        .iter()
        .map(|signal| format!("expose w:{signal}\n"))
        .collect();
    format!(
        "read_verilog -sv design.v start.v
hierarchy -top start
read_verilog parts.v
proc
flatten
memory_collect
memory_map -rom-only
{exposed}simplemap t:$dff
techmap -map register.v
rename -enumerate -pattern power_up_% t:power_up
expose -evert t:$mem_v2 t:power_up
opt_clean
techmap -map filled.v
techmap
opt_expr
opt_merge
opt_clean
write_blif circuit.blif
"
    )
}

const PARTS: &str = "(* blackbox *) module power_up(output y); endmodule
(* blackbox *) module register(input d, input c, output q); endmodule
";

/// A register begins with any value.
const REGISTER: &str = "module \\$_DFF_P_ (input D, input C, output Q);
  wire value, begins, q;
  power_up p(.y(value));
  begins_box b(.y(begins));
  register r(.d(D), .c(C), .q(q));
  assign Q = begins ? value : q;
endmodule
";

/// ABC takes every register for 0 in the first cycle.
const FILLED: &str = "module begins_box(output y);
  wire n;
  \\$_DFF_P_ r(.C(1'b0), .D(1'b1), .Q(n));
  assign y = !n;
endmodule
module register(input d, input c, output q);
  \\$_DFF_P_ r(.C(c), .D(d), .Q(q));
endmodule
";

/// What ABC does, in the place of `FRAMES` the cycles that are looked over.
const COMMANDS: &str = "read_blif asked.blif; strash; zero; scleanup; tempor -F FRAMES; scorr -C 5000; \
                        scorr -F 2 -C 5000; scleanup; strash; write_blif answered.blif";

/// The numbers of what is proved, a line each.
fn prove(verilog: &str, script: &str, asked: &[Asked]) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let folder = folder.path();
    let start = started(&parse(verilog)?[0])?;
    let files = [
        ("design.v", verilog),
        ("start.v", &start),
        ("parts.v", PARTS),
        ("register.v", REGISTER),
        ("filled.v", FILLED),
        ("circuit.ys", script),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), text).with_context(|| format!("cannot write {name}"))?;
    }
    run("yosys-tcl", &["-q", "circuit.ys"], folder)?;
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).with_context(|| format!("cannot read {name}"))
    };
    let circuit = read("circuit.blif")?.replace("\\\n", " ");
    fs::write(folder.join("asked.blif"), with_questions(&circuit, asked)?)
        .context("cannot write asked.blif")?;
    let commands = COMMANDS.replace("FRAMES", &(SETTLED + 1).to_string());
    run("abc", &["-q", &commands], folder)?;
    Ok(answers(&read("answered.blif")?.replace("\\\n", " ")))
}

fn run(tool: &str, arguments: &[&str], folder: &Path) -> Result<()> {
    let mut command = Command::new(tool_path(tool)?);
    said(command.args(arguments).current_dir(folder)).map(drop)
}

/// The profiler, reset in the first cycle.
fn started(top: &Module) -> Result<String> {
    let mut ports = Vec::new();
    let mut connections = Vec::new();
    for port in top.signals.iter().take(top.ports) {
        let width = port.width.context("a port's width is a number")?;
        let direction = if port.input { "input" } else { "output" };
        let name = &port.name;
        ports.push(format!("{direction} wire [{}:0] {name}", width - 1));
        let value = if name == "rst" { "rst | begins" } else { name };
        connections.push(format!(".{name}({value})"));
    }
    Ok(format!(
        "module start(\n  {}\n);
  wire begins;
  begins_box b(.y(begins));
  {top} {top} ({});
endmodule
(* blackbox *) module begins_box(output y); endmodule\n",
        ports.join(",\n  "),
        connections.join(", "),
        top = top.name,
    ))
}

/// The circuit with an output for each question, which is 1 when what must never be is.
fn with_questions(circuit: &str, asked: &[Asked]) -> Result<String> {
    let outputs = circuit
        .lines()
        .find(|line| line.starts_with(".outputs"))
        .context("the circuit has no outputs")?;
    let there: BTreeSet<&str> = outputs.split_whitespace().collect();
    let (before, after) = circuit
        .split_once(outputs)
        .context("it has just been found")?;
    let mut named = String::from(".outputs");
    let mut gates = String::from(".names age_0\n1\n");
    for cycle in 0..=SETTLED {
        let _ = writeln!(gates, ".latch age_{cycle} age_{} 0", cycle + 1);
    }
    let settled = format!("age_{}", SETTLED + 1);
    for (number, asked) in asked.iter().enumerate() {
        let names = asked.names();
        // What is not there is not proved.
        let Some(bit) = names.iter().find(|name| there.contains(name.as_str())) else {
            continue;
        };
        let _ = write!(named, " bad_{number}");
        let cover = match asked.bad {
            Bad::Rise => "101 1",
            Bad::Fall => "110 1",
            Bad::One => "1-1 1",
        };
        let _ = write!(
            gates,
            ".latch {bit} past_{number} 0\n.names {settled} past_{number} {bit} bad_{number}\n{cover}\n"
        );
    }
    let after = after
        .trim_end()
        .strip_suffix(".end")
        .context("the circuit has no end")?;
    Ok(format!("{before}{named}{after}{gates}.end\n"))
}

/// The numbers of the outputs that are 0 for ever.
fn answers(circuit: &str) -> String {
    let mut never = BTreeMap::new();
    let mut current = None;
    for line in circuit.lines() {
        if let Some(names) = line.strip_prefix(".names ") {
            let output = names
                .trim()
                .strip_prefix("bad_")
                .and_then(|number| number.parse::<usize>().ok());
            current = output;
            // A gate without inputs; it is 0 unless a line says 1.
            if let Some(number) = output {
                never.insert(number, true);
            }
        } else if let Some(number) = current
            && line.trim() == "1"
        {
            never.insert(number, false);
        }
    }
    never
        .iter()
        .filter(|(_, never)| **never)
        .map(|(number, _)| format!("{number}\n"))
        .collect()
}
