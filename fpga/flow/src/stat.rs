//! What a synthesised design is made of: the cells that Yosys counts (`stat -json`), by what they cost.

use std::collections::BTreeMap;
use std::ops::{Add, Mul};

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
    /// Flip-flops of every kind.
    pub flip_flops: u64,
    /// Block RAMs: `DP16KD` (16 Kbit), `SB_RAM40_4K` (4 Kbit), Gowin's BSRAM (18 Kbit).
    pub block_rams: u64,
    /// LUT RAMs of 16 x 4 bits: `TRELLIS_DPR16X4`, `RAM16SDP4`.
    pub lut_rams: u64,
}

impl Usage {
    /// Counts the cells.
    pub fn of(cells: &Cells) -> Self {
        cells.iter().fold(Self::default(), |sum, (cell, &count)| {
            sum + Self::of_one(cell) * count
        })
    }

    fn of_one(cell: &str) -> Self {
        let mut one = Self::default();
        let field = match cell {
            "LUT4" | "LUT3" | "LUT2" | "LUT1" | "SB_LUT4" => &mut one.luts,
            "CCU2C" | "SB_CARRY" | "ALU" => &mut one.carries,
            "DP16KD" | "SB_RAM40_4K" | "SDPB" | "SDPX9B" | "DPB" | "DPX9B" | "SPX9" | "SP"
            | "pROM" | "pROMX9" => &mut one.block_rams,
            "TRELLIS_DPR16X4" | "RAM16SDP4" => &mut one.lut_rams,
            _ if cell.starts_with("SB_RAM40_4K") => &mut one.block_rams,
            _ if cell == "TRELLIS_FF" || cell.starts_with("SB_DFF") || cell.starts_with("DFF") => {
                &mut one.flip_flops
            }
            _ => return one,
        };
        *field = 1;
        one
    }
}

impl Add for Usage {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            luts: self.luts + other.luts,
            carries: self.carries + other.carries,
            flip_flops: self.flip_flops + other.flip_flops,
            block_rams: self.block_rams + other.block_rams,
            lut_rams: self.lut_rams + other.lut_rams,
        }
    }
}

impl Mul<u64> for Usage {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self {
            luts: self.luts * times,
            carries: self.carries * times,
            flip_flops: self.flip_flops * times,
            block_rams: self.block_rams * times,
            lut_rams: self.lut_rams * times,
        }
    }
}

/// The report of `stat -json`: the cells of the whole design.
#[derive(Clone, Debug, Deserialize)]
pub struct StatReport {
    design: ModuleStat,
}

#[derive(Clone, Debug, Deserialize)]
struct ModuleStat {
    #[serde(default)]
    num_cells_by_type: Cells,
}

impl StatReport {
    /// What the whole design takes.
    pub fn usage(&self) -> Usage {
        Usage::of(&self.design.num_cells_by_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(list: &[(&str, u64)]) -> Cells {
        list.iter()
            .map(|&(name, count)| (name.to_string(), count))
            .collect()
    }

    #[test]
    fn cells_of_three_families_are_distinguished() {
        let ecp5 = Usage::of(&cells(&[
            ("LUT4", 1380),
            ("PFUMX", 215),
            ("CCU2C", 176),
            ("TRELLIS_FF", 717),
            ("TRELLIS_DPR16X4", 32),
            ("DP16KD", 12),
        ]));
        assert_eq!(
            (
                ecp5.luts,
                ecp5.carries,
                ecp5.flip_flops,
                ecp5.lut_rams,
                ecp5.block_rams
            ),
            (1380, 176, 717, 32, 12)
        );
        let ice40 = Usage::of(&cells(&[
            ("SB_LUT4", 5),
            ("SB_DFFESR", 2),
            ("SB_DFF", 1),
            ("SB_RAM40_4KNR", 3),
            ("SB_CARRY", 7),
        ]));
        assert_eq!(
            (
                ice40.luts,
                ice40.carries,
                ice40.flip_flops,
                ice40.block_rams
            ),
            (5, 7, 3, 3)
        );
        let gowin = Usage::of(&cells(&[
            ("LUT1", 1),
            ("LUT4", 2),
            ("MUX2_LUT5", 9),
            ("ALU", 4),
            ("DFFRE", 3),
            ("SDPB", 2),
        ]));
        assert_eq!(
            (
                gowin.luts,
                gowin.carries,
                gowin.flip_flops,
                gowin.block_rams
            ),
            (3, 4, 3, 2)
        );
    }
}
