//! What a synthesised design is made of: the cells that Yosys counts (`stat -json`), by what they cost.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Number of cells of each type.
pub type Cells = BTreeMap<String, u64>;

/// The cells of a design, by the resource they take. All counts are cells as Yosys counts them after mapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Look-up tables: `LUT4` (ECP5), `SB_LUT4` (iCE40), `LUT1` to `LUT4` (Gowin).
    pub luts: u64,
    /// Carry cells: `CCU2C` (two bits), `SB_CARRY` and `ALU` (one bit).
    pub carries: u64,
    pub flip_flops: u64,
    /// Block RAMs: `DP16KD` (16 Kbit), `SB_RAM40_4K` (4 Kbit), Gowin's BSRAM (18 Kbit).
    pub block_rams: u64,
    /// LUT RAMs of 16 x 4 bits: `TRELLIS_DPR16X4`, `RAM16SDP4`.
    pub lut_rams: u64,
}

impl Usage {
    pub fn of(cells: &Cells) -> Self {
        let mut usage = Self::default();
        for (cell, count) in cells {
            if let Some(sum) = usage.resource(cell) {
                *sum += count;
            }
        }
        usage
    }

    /// The resource that a cell takes, if that is counted.
    fn resource(&mut self, cell: &str) -> Option<&mut u64> {
        Some(match cell {
            "LUT4" | "LUT3" | "LUT2" | "LUT1" | "SB_LUT4" => &mut self.luts,
            "CCU2C" | "SB_CARRY" | "ALU" => &mut self.carries,
            "DP16KD" | "SB_RAM40_4K" | "SDPB" | "SDPX9B" | "DPB" | "DPX9B" | "SPX9" | "SP"
            | "pROM" | "pROMX9" => &mut self.block_rams,
            "TRELLIS_DPR16X4" | "RAM16SDP4" => &mut self.lut_rams,
            _ if cell.starts_with("SB_RAM40_4K") => &mut self.block_rams,
            _ if cell == "TRELLIS_FF" || cell.starts_with("SB_DFF") || cell.starts_with("DFF") => {
                &mut self.flip_flops
            }
            _ => return None,
        })
    }
}

/// The report of `stat -json`: the cells of the whole design.
#[derive(Clone, Debug, Deserialize)]
pub struct StatReport {
    pub design: ModuleStat,
}

/// The cells of a module and of those in it.
#[derive(Clone, Debug, Deserialize)]
pub struct ModuleStat {
    #[serde(default)]
    pub num_cells_by_type: Cells,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_three_families_are_distinguished() {
        let of = |list: &[(&str, u64)]| {
            let cells = list.iter().map(|&(name, count)| (name.to_string(), count));
            let usage = Usage::of(&cells.collect());
            let (ffs, rams) = (usage.flip_flops, usage.block_rams);
            [usage.luts, usage.carries, ffs, rams, usage.lut_rams]
        };
        let ecp5 = [
            ("LUT4", 1380),
            ("PFUMX", 215),
            ("CCU2C", 176),
            ("TRELLIS_FF", 717),
            ("TRELLIS_DPR16X4", 32),
            ("DP16KD", 12),
        ];
        assert_eq!(of(&ecp5), [1380, 176, 717, 12, 32]);
        let ice40 = [
            ("SB_LUT4", 5),
            ("SB_DFFESR", 2),
            ("SB_DFF", 1),
            ("SB_RAM40_4KNR", 3),
            ("SB_CARRY", 7),
        ];
        assert_eq!(of(&ice40), [5, 7, 3, 3, 0]);
        let gowin = [
            ("LUT1", 1),
            ("LUT4", 2),
            ("MUX2_LUT5", 9),
            ("ALU", 4),
            ("DFFRE", 3),
            ("SDPB", 2),
        ];
        assert_eq!(of(&gowin), [3, 4, 3, 2, 0]);
    }
}
