//! The models of a device family's cells.

use anyhow::{Context, Result};
use hpp_fpga::device::Family;
use std::fs;
use std::path::PathBuf;
use verilated::Builder;
use verilated::tools::tool_path;

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
    text: include_str!("../cells/dp16kd.sv"),
};

const fn gowin(cell: &'static str, module: &'static str) -> BlockRam {
    BlockRam {
        cell,
        module,
        file: "gowin_bsram.sv",
        text: include_str!("../cells/gowin_bsram.sv"),
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
    text: include_str!("../cells/sb_ram40_4k.sv"),
};

/// The cells of logic, carry and state, and the files of Yosys that hold their models.
#[derive(Debug, Clone, Copy)]
struct Logic {
    files: &'static [&'static str],
    cells: &'static [&'static str],
}

const ECP5: Logic = Logic {
    files: &["cells_sim.v", "common_sim.vh", "ccu2c_sim.vh"],
    cells: &["LUT2", "LUT4", "PFUMX", "L6MUX21", "CCU2C", "TRELLIS_FF"],
};

const ICE40: Logic = Logic {
    files: &["cells_sim.v"],
    cells: &[
        "SB_LUT4",
        "SB_CARRY",
        "SB_DFF",
        "SB_DFFE",
        "SB_DFFSR",
        "SB_DFFSS",
        "SB_DFFESR",
        "SB_DFFESS",
    ],
};

const GOWIN: Logic = Logic {
    files: &["cells_sim.v"],
    cells: &[
        "LUT1",
        "LUT2",
        "LUT3",
        "LUT4",
        "MUX2_LUT5",
        "MUX2_LUT6",
        "MUX2_LUT7",
        "MUX2_LUT8",
        "ALU",
        "DFF",
        "DFFE",
        "DFFS",
        "DFFSE",
        "DFFR",
        "DFFRE",
        "IBUF",
        "OBUF",
        "VCC",
        "GND",
    ],
};

/// What a netlist for a family is made of.
#[derive(Debug, Clone)]
pub struct Cells {
    /// Yosys's models of the family.
    folder: PathBuf,
    logic: Logic,
    /// The block RAMs.
    pub block_rams: &'static [BlockRam],
}

impl Cells {
    /// The cells of a family.
    ///
    /// # Errors
    ///
    /// If Yosys's models are not found.
    pub fn of(family: Family) -> Result<Self> {
        let (folder, logic, block_rams): (_, _, &[BlockRam]) = match family {
            Family::Ecp5 => ("ecp5", ECP5, &[DP16KD]),
            Family::Ice40 | Family::Ice40Ultra => ("ice40", ICE40, &[SB_RAM40_4K]),
            Family::Gowin => ("gowin", GOWIN, &[DPB, DPX9B, SDPB, SDPX9B]),
        };
        Ok(Self {
            folder: tool_path("yosys-cells")?.join(folder),
            logic,
            block_rams,
        })
    }

    /// The models of logic, carry and state by themselves: Yosys takes most of a minute over the file that holds the
    /// models of the memories too.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or holds no model of a cell.
    pub fn logic_models(&self) -> Result<String> {
        let mut all = String::new();
        for file in self.logic.files {
            let path = self.folder.join(file);
            let text = fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            all.push_str(&text);
        }
        let mut models = String::from(LOGIC_PROLOGUE);
        for cell in self.logic.cells {
            let model = module(&all, cell)
                .with_context(|| format!("no model of {cell} in {}", self.folder.display()))?;
            models.push_str(model);
            models.push('\n');
        }
        Ok(models)
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

/// The macros that the models of the iCE40 need, as Yosys's file defines them: inputs left open are 0 or 1, registers
/// start as 0.
const LOGIC_PROLOGUE: &str = "\
`define SB_DFF_INIT initial Q = 0;
`define ICE40_DEFAULT_ASSIGNMENT_0 = 1'b0
`define ICE40_DEFAULT_ASSIGNMENT_1 = 1'b1
";

/// The text of a module, from its keyword to `endmodule`.
fn module<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    while let Some(found) = text[from..].find("\nmodule ") {
        let start = from + found + 1;
        let rest = &text[start + "module ".len()..];
        let end = text[start..].find("\nendmodule")? + start + "\nendmodule".len();
        let declared = rest.split(|c: char| c.is_whitespace() || c == '(').next();
        if declared == Some(name) {
            return Some(&text[start..end]);
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_found_by_its_whole_name() {
        let text = "\nmodule AB(input x);\nendmodule\n\nmodule A (input y);\nwire z;\nendmodule\n";
        assert_eq!(
            module(text, "A"),
            Some("module A (input y);\nwire z;\nendmodule")
        );
        assert_eq!(module(text, "B"), None);
    }
}
