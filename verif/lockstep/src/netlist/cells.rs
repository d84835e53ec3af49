//! The models of a device family's cells.

use anyhow::Result;
use hpp_fpga::device::Family;
use std::path::PathBuf;
use verilated::Builder;
use verilated::tools::tool_path;

/// What a netlist for a family is made of.
#[derive(Debug, Clone)]
pub struct Cells {
    folder: PathBuf,
    /// The block RAMs for which the project has models of its own, in one file.
    pub block_rams: &'static [&'static str],
    file: &'static str,
    text: &'static str,
}

/// The module that is a block RAM's model.
pub fn model_of(block_ram: &str) -> String {
    format!("hpp_{}", block_ram.to_lowercase())
}

impl Cells {
    /// The cells of a family.
    ///
    /// # Errors
    ///
    /// If Yosys's models are not found.
    pub fn of(family: Family) -> Result<Self> {
        let (folder, block_rams, file, text): (_, &[&str], _, _) = match family {
            Family::Ecp5 => (
                "ecp5",
                &["DP16KD"],
                "dp16kd.sv",
                include_str!("../../cells/dp16kd.sv"),
            ),
            Family::Ice40 | Family::Ice40Ultra => (
                "ice40",
                &["SB_RAM40_4K"],
                "sb_ram40_4k.sv",
                include_str!("../../cells/sb_ram40_4k.sv"),
            ),
            Family::Gowin => (
                "gowin",
                &["DPB", "DPX9B", "SDPB", "SDPX9B"],
                "gowin_bsram.sv",
                include_str!("../../cells/gowin_bsram.sv"),
            ),
        };
        Ok(Self {
            folder: tool_path("yosys-cells")?.join(folder),
            block_rams,
            file,
            text,
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
            .source_text(self.file, self.text)
    }
}
