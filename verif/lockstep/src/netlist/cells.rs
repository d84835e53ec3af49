//! The models of a device family's cells.

use anyhow::Result;
use hpp_fpga::device::Family;
use std::path::PathBuf;
use verilated::Builder;
use verilated::tools::tool_path;

/// A block RAM for which the project has a model of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRam {
    pub cell: &'static str,
    pub module: &'static str,
    file: &'static str,
    text: &'static str,
}

const DP16KD: BlockRam = BlockRam {
    cell: "DP16KD",
    module: "hpp_dp16kd",
    file: "dp16kd.sv",
    text: include_str!("../../cells/dp16kd.sv"),
};

const fn gowin(cell: &'static str, module: &'static str) -> BlockRam {
    BlockRam {
        cell,
        module,
        file: "gowin_bsram.sv",
        text: include_str!("../../cells/gowin_bsram.sv"),
    }
}

const DPB: BlockRam = gowin("DPB", "hpp_dpb");
const DPX9B: BlockRam = gowin("DPX9B", "hpp_dpx9b");
const SDPB: BlockRam = gowin("SDPB", "hpp_sdpb");
const SDPX9B: BlockRam = gowin("SDPX9B", "hpp_sdpx9b");

const SB_RAM40_4K: BlockRam = BlockRam {
    cell: "SB_RAM40_4K",
    module: "hpp_sb_ram40_4k",
    file: "sb_ram40_4k.sv",
    text: include_str!("../../cells/sb_ram40_4k.sv"),
};

/// What a netlist for a family is made of.
#[derive(Debug, Clone)]
pub struct Cells {
    folder: PathBuf,
    pub block_rams: &'static [BlockRam],
}

impl Cells {
    /// The cells of a family.
    ///
    /// # Errors
    ///
    /// If Yosys's models are not found.
    pub fn of(family: Family) -> Result<Self> {
        let (folder, block_rams): (_, &[BlockRam]) = match family {
            Family::Ecp5 => ("ecp5", &[DP16KD]),
            Family::Ice40 | Family::Ice40Ultra => ("ice40", &[SB_RAM40_4K]),
            Family::Gowin => ("gowin", &[DPB, DPX9B, SDPB, SDPX9B]),
        };
        Ok(Self {
            folder: tool_path("yosys-cells")?.join(folder),
            block_rams,
        })
    }

    /// Adds the models, and what their Verilog needs, to what Verilator builds.
    ///
    /// Undefined constants and registers without an initial value are drawn when a model starts. The models of the iCE40 have no values for
    /// inputs left open: Verilator would write them over what the inputs are connected to when it starts, even over the reset of the netlist.
    pub fn add_to(&self, builder: Builder) -> Builder {
        let random = ["--x-assign", "unique", "--x-initial", "unique"];
        // The models' own style: duplicates between include files, non-blocking assignments in initial blocks.
        let builder = builder.flag("-Wno-fatal");
        random
            .into_iter()
            .fold(builder, Builder::flag)
            .define("NO_ICE40_DEFAULT_ASSIGNMENTS")
            .include_dir(&self.folder)
            .source(self.folder.join("cells_sim.v"))
            .source_text(self.block_rams[0].file, self.block_rams[0].text)
    }
}
