//! What was measured of a design, as cells of a table and as figures by name.

use verilated::tools::figures::thousands;

use crate::measure::SeedResult;
use crate::stat::Usage;

/// What was measured of one design on one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Cells of the design alone.
    pub usage: Usage,
    /// The seed with the median frequency, of the design with its bench between registers; none if the device is too small.
    pub placed: Option<SeedResult>,
}

impl Figure {
    /// `LUT (sites) / FF / RAM / MHz` as a table's cell.
    pub fn cell(&self) -> String {
        let Usage {
            luts,
            flip_flops,
            block_rams,
            ..
        } = self.usage;
        format!(
            "{} ({}) / {} / {block_rams} / {}",
            thousands(luts),
            self.sites(),
            thousands(flip_flops),
            self.mhz()
        )
    }

    /// Its sites of logic as text; a dash if the device is too small.
    pub fn sites(&self) -> String {
        let sites = self.placed.map(|placed| thousands(placed.sites));
        sites.unwrap_or_else(|| "–".to_string())
    }

    /// Its frequency in MHz as text; a dash if the device is too small.
    pub fn mhz(&self) -> String {
        let mhz = self.placed.map(|placed| format!("{:.0}", placed.mhz));
        mhz.unwrap_or_else(|| "–".to_string())
    }

    /// All of it by name, as `PREFIX.luts`, and as `PREFIX.all` in one.
    pub fn named(&self, prefix: &str) -> [(String, String); 5] {
        let usage = &self.usage;
        [
            ("all", self.cell()),
            ("luts", thousands(usage.luts)),
            ("flip-flops", thousands(usage.flip_flops)),
            ("block-rams", thousands(usage.block_rams)),
            ("mhz", self.mhz()),
        ]
        .map(|(name, value)| (format!("{prefix}.{name}"), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_that_does_not_fit_has_neither_sites_nor_a_frequency() {
        let usage = Usage {
            luts: 1290,
            flip_flops: 800,
            block_rams: 31,
            ..Usage::default()
        };
        let cell = |placed| Figure { usage, placed }.cell();
        assert_eq!(cell(None), "1,290 (–) / 800 / 31 / –");
        let placed = SeedResult {
            seed: 1,
            mhz: 101.6,
            sites: 2392,
        };
        assert_eq!(cell(Some(placed)), "1,290 (2,392) / 800 / 31 / 102");
    }
}
