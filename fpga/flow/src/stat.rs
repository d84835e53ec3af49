//! What a synthesised design is made of: the cells that Yosys counts (`stat -json`), by what they cost.

use std::collections::BTreeMap;
use std::ops::{Add, AddAssign, Mul};

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

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
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

/// The report of `stat -json`: the cells of each module, and of the whole.
#[derive(Clone, Debug, Deserialize)]
pub struct StatReport {
    modules: BTreeMap<String, ModuleStat>,
    design: ModuleStat,
}

#[derive(Clone, Debug, Deserialize)]
struct ModuleStat {
    #[serde(default)]
    num_cells_by_type: Cells,
    #[serde(default)]
    num_submodules_by_type: Cells,
}

/// What one module of a hierarchy takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleArea {
    /// The module's name.
    pub module: String,
    /// How many times it stands in the design.
    pub instances: u64,
    /// What all of its instances take by themselves, without the modules inside of them.
    pub own: Usage,
    /// What all of its instances take with the modules inside of them.
    pub total: Usage,
}

impl StatReport {
    /// What the whole design takes.
    pub fn usage(&self) -> Usage {
        Usage::of(&self.design.num_cells_by_type)
    }

    /// What each module takes below `top`, the largest total first.
    ///
    /// Complexity: linear in the number of modules times the depth of the hierarchy.
    pub fn by_module(&self, top: &str) -> Vec<ModuleArea> {
        let mut instances = Cells::new();
        self.count_instances(top, 1, &mut instances);
        let mut rows: Vec<ModuleArea> = instances
            .into_iter()
            .map(|(module, instances)| ModuleArea {
                own: self.own(&module) * instances,
                total: self.total(&module) * instances,
                module,
                instances,
            })
            .collect();
        rows.sort_by(|a, b| (b.total.luts, &a.module).cmp(&(a.total.luts, &b.module)));
        rows
    }

    fn module(&self, name: &str) -> Option<&ModuleStat> {
        self.modules
            .get(name)
            .or_else(|| self.modules.get(&format!("\\{name}")))
    }

    /// Sub-modules of a module: Yosys before 0.50 counted them among the cells.
    fn children<'a>(&'a self, name: &str) -> impl Iterator<Item = (&'a str, u64)> {
        self.module(name).into_iter().flat_map(move |stat| {
            let listed = !stat.num_submodules_by_type.is_empty();
            let source = if listed {
                &stat.num_submodules_by_type
            } else {
                &stat.num_cells_by_type
            };
            source
                .iter()
                .filter(move |(cell, _)| self.module(cell).is_some())
                .map(|(cell, &count)| (cell.trim_start_matches('\\'), count))
        })
    }

    fn count_instances(&self, name: &str, times: u64, found: &mut Cells) {
        *found.entry(name.to_string()).or_default() += times;
        for (child, count) in self.children(name) {
            self.count_instances(child, times * count, found);
        }
    }

    fn own(&self, name: &str) -> Usage {
        self.module(name)
            .map(|stat| Usage::of(&stat.num_cells_by_type))
            .unwrap_or_default()
    }

    fn total(&self, name: &str) -> Usage {
        self.children(name)
            .fold(self.own(name), |sum, (child, count)| {
                sum + self.total(child) * count
            })
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

    #[test]
    fn a_module_counts_once_for_each_place_it_stands_in() {
        let report: StatReport = serde_json::from_str(
            r#"{"modules": {
                "\\top": {"num_cells_by_type": {"LUT4": 1}, "num_submodules_by_type": {"\\way": 4, "\\queue": 1}},
                "\\way": {"num_cells_by_type": {"LUT4": 10}, "num_submodules_by_type": {"\\ram": 1}},
                "\\queue": {"num_cells_by_type": {"LUT4": 5}, "num_submodules_by_type": {"\\ram": 1}},
                "\\ram": {"num_cells_by_type": {"DP16KD": 2}}},
              "design": {"num_cells_by_type": {"LUT4": 46, "DP16KD": 10}}}"#,
        )
        .expect("JSON");
        let rows = report.by_module("top");
        let names: Vec<_> = rows
            .iter()
            .map(|row| (row.module.as_str(), row.instances, row.own.luts))
            .collect();
        assert_eq!(
            names,
            [
                ("top", 1, 1),
                ("way", 4, 40),
                ("queue", 1, 5),
                ("ram", 5, 0)
            ]
        );
        assert_eq!(rows[0].total, report.usage());
        assert_eq!(rows[3].total.block_rams, 10);
    }
}
