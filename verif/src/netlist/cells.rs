//! The models of a device family's cells.

use crate::tools::tool_path;
use anyhow::{Result, bail};
use hpp_fpga::device::Family;
use std::path::PathBuf;
use verilated::Builder;

/// A block RAM for which the project has a model of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRam {
    /// The cell.
    pub cell: &'static str,
    /// The module that stands for it.
    pub module: &'static str,
    file: &'static str,
    text: &'static str,
}

const DP16KD: BlockRam = BlockRam {
    cell: "DP16KD",
    module: "hpp_dp16kd",
    file: "dp16kd.sv",
    text: include_str!("../../netlist/dp16kd.sv"),
};

const SB_RAM40_4K: BlockRam = BlockRam {
    cell: "SB_RAM40_4K",
    module: "hpp_sb_ram40_4k",
    file: "sb_ram40_4k.sv",
    text: include_str!("../../netlist/sb_ram40_4k.sv"),
};

/// What a netlist for a family is made of.
#[derive(Debug, Clone)]
pub struct Cells {
    /// Yosys's models of the family.
    folder: PathBuf,
    /// The block RAM.
    pub block_ram: BlockRam,
}

impl Cells {
    /// The cells of a family.
    ///
    /// # Errors
    ///
    /// If Yosys's models are not found.
    pub fn of(family: Family) -> Result<Self> {
        let (folder, block_ram) = match family {
            Family::Ecp5 => ("ecp5", DP16KD),
            Family::Ice40 | Family::Ice40Ultra => ("ice40", SB_RAM40_4K),
            Family::Gowin => bail!("there is no model of a Gowin block RAM; take ice40 or ecp5"),
        };
        Ok(Self {
            folder: tool_path("yosys-cells")?.join(folder),
            block_ram,
        })
    }

    /// Adds the models, and what their Verilog needs, to what Verilator builds.
    ///
    /// Undefined constants and registers without an initial value are drawn when a model starts.
    pub fn add_to(&self, builder: Builder) -> Builder {
        let random = ["--x-assign", "unique", "--x-initial", "unique"];
        // The models' own style: duplicates between include files, non-blocking assignments in initial blocks.
        let builder = builder.flag("-Wno-fatal");
        random
            .into_iter()
            .fold(builder, Builder::flag)
            .include_dir(&self.folder)
            .source(self.folder.join("cells_sim.v"))
            .source_text(self.block_ram.file, self.block_ram.text)
    }
}
