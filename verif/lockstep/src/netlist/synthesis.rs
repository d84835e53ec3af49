//! From Verilog to a netlist, by Yosys.

use super::cells::{Cells, model_of};
use anyhow::{Context, Result};
use hpp_fpga::device::Family;
use hpp_fpga::tool::{Tool, Toolchain};
use std::fs;
use verilated::Builder;
use verilated::tools::cache;
use verilated::tools::project_root;

/// A design in the cells of a device.
#[derive(Debug, Clone)]
pub struct Netlist {
    top: String,
    text: String,
    cells: Cells,
}

impl Netlist {
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// How many cells of a type it has.
    pub fn count(&self, cell: &str) -> usize {
        let is = |line: &&str| line.split_whitespace().next() == Some(cell);
        self.text.lines().filter(is).count()
    }

    /// What Verilator builds the netlist from; compiled without optimisation, since a netlist runs for less time than it
    /// takes to compile.
    pub fn builder(&self) -> Builder {
        let netlist = Builder::new(&self.top).source_text("netlist.v", &self.text);
        self.cells.add_to(netlist).optimisation(0)
    }
}

/// Synthesises a module for a family, as for place and route, and gives each block RAM its model.
pub fn synthesise(family: Family, top: &str, verilog: &str) -> Result<Netlist> {
    let cells = Cells::of(family)?;
    let modelled: String = (cells.block_rams.iter())
        .map(|ram| format!("chtype -set {} t:{ram}; ", model_of(ram)))
        .collect();
    let script = format!(
        "read_verilog -sv design.v; {}; {modelled}write_verilog -noattr netlist.v",
        family.synthesis(top),
    );
    let toolchain = Toolchain::of_project(&project_root());
    let version = toolchain.version(Tool::Yosys)?;
    let parts = [("yosys", &*version), ("script", &script), ("text", verilog)];
    let text = cache::text("netlist", &parts, || run(&toolchain, &script, verilog))?;
    Ok(Netlist {
        top: top.to_string(),
        text,
        cells,
    })
}

fn run(toolchain: &Toolchain, script: &str, verilog: &str) -> Result<String> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("design.v"), verilog).context("cannot write design.v")?;
    let arguments = ["-q", "-p", script].map(String::from);
    toolchain.run(Tool::Yosys, folder.path(), "yosys.log", &arguments)?;
    fs::read_to_string(path("netlist.v")).context("cannot read netlist.v")
}
