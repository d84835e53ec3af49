//! Two profilers side by side in one circuit: the input for Yosys.

use super::super::schema::{INPUT, is_written};
use crate::verilog::parse;
use crate::verilog::tree::Module;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use verilated::tools::command::said;
use verilated::tools::{cache, tool_path};

/// Words of the largest memory that is part of the circuit; of a larger one, what it returns is anything.
const WORDS: u32 = 8;

/// What Yosys makes two profilers of.
const SCRIPT: &str = "read_verilog design.v start.v
hierarchy -top start
proc
memory
flatten
dffunmap
EXPOSE
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
techmap -map begins.v
techmap
dffunmap
opt_expr
opt_merge
opt_clean
write_blif pair.blif
";

/// ABC takes every register for 0 in the first cycle.
const BEGINS: &str = "module begins_box(output y);
  wire n;
  \\$_DFF_P_ r(.C(1'b0), .D(1'b1), .Q(n));
  assign y = !n;
endmodule
";

/// The circuit of two copies of the top module, or of another one by itself, made in a folder; it is kept.
///
/// # Errors
///
/// If Yosys is missing or does not read the text, or there is no such module.
pub(super) fn make(verilog: &str, module: Option<&str>, folder: &Path) -> Result<String> {
    let modules = parse(verilog)?;
    let top = match module {
        None => &modules[0],
        Some(name) => {
            let found = modules.iter().find(|module| module.name == name);
            found.with_context(|| format!("there is no module `{name}`"))?
        }
    };
    let cut = modules.iter().filter(|module| is_cut(module));
    let cut: Vec<_> = cut.map(|module| format!("t:{}_cut", module.name)).collect();
    // Without a name, all black boxes would be cut out.
    let expose = match cut.is_empty() {
        true => String::new(),
        false => format!("expose -evert {}", cut.join(" ")),
    };
    let script = SCRIPT.replace("EXPOSE", &expose);
    let design = without_memories(verilog, &modules);
    let start = started(top)?;
    let version = cache::version(&tool_path("yosys-tcl")?)?;
    let parts = [
        ("yosys", &*version),
        ("pair.ys", &*script),
        ("design.v", &*design),
        ("start.v", &*start),
        ("begins.v", BEGINS),
    ];
    cache::text("pair", &parts, || {
        for (name, text) in &parts[1..] {
            write(folder, name, text)?;
        }
        for (file, bit) in [("gold.v", 0), ("gate.v", 1)] {
            let text = format!("module lives_box(output y); assign y = 1'b{bit}; endmodule\n");
            write(folder, file, &text)?;
        }
        yosys(folder)?;
        fs::read_to_string(folder.join("pair.blif")).context("cannot read pair.blif")
    })
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    fs::write(folder.join(name), text).with_context(|| format!("cannot write {name}"))
}

/// Whether a module is a memory of more than [`WORDS`] that is written.
pub(super) fn is_cut(module: &Module) -> bool {
    let mut arrays = module.signals.iter().filter(|signal| signal.array);
    let is_memory = arrays.any(|array| is_written(module, &array.name));
    let address = module.signal("write_address");
    let bits = address.and_then(|address| address.width);
    is_memory && bits.is_none_or(|bits| 1 << bits > WORDS)
}

/// The number of the mutant in the modules below the top.
const BELOW: &str = "mutant_q";

/// The module, whose ports may have any name, reset in the first cycle, and a mutant only in the copy that is one.
fn started(top: &Module) -> Result<String> {
    let mut ports = Vec::new();
    let mut connections = Vec::new();
    for port in top.signals.iter().take(top.ports) {
        let width = port.width.context("a port's width is a number")?;
        let direction = if port.input { "input" } else { "output" };
        let name = &port.name;
        let number = [INPUT, BELOW].contains(&name.as_str());
        let outside = if number { INPUT } else { name };
        ports.push(format!("{direction} wire [{}:0] {outside}", width - 1));
        let value = match name.as_str() {
            "rst" => "rst | start_begins".to_owned(),
            _ if number => format!("{INPUT} & {{{width}{{start_lives}}}}"),
            _ => name.clone(),
        };
        connections.push(format!(".{name}({value})"));
    }
    Ok(format!(
        "module start(\n  {}\n);
  wire start_begins, start_lives;
  begins_box start_begins_box(.y(start_begins));
  lives_box start_lives_box(.y(start_lives));
  {} start_module ({});
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
    for module in modules.iter().filter(|module| is_cut(module)) {
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
        .filter(|port| !["clk", BELOW].contains(&port.name.as_str()))
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
            // Of a memory with one address, which reads when it does not write.
            None if name == "data" && module.signal("write").is_some() => {
                format!("{name} & {{{width}{{write}}}}")
            }
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
    let mut yosys = Command::new(tool_path("yosys-tcl")?);
    said(yosys.args(["-q", "pair.ys"]).current_dir(folder))
        .context("Yosys cannot read the mutants")?;
    Ok(())
}
