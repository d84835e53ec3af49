//! What place and route found: the JSON that nextpnr writes with `--report`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The parts of nextpnr's report that are used.
#[derive(Clone, Debug, Deserialize)]
pub struct PlaceReport {
    fmax: BTreeMap<String, ClockReport>,
    utilization: BTreeMap<String, CellReport>,
}

#[derive(Clone, Debug, Deserialize)]
struct ClockReport {
    achieved: f64,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct CellReport {
    used: u64,
}

impl PlaceReport {
    /// The slowest clock's highest frequency in MHz; nothing if no clock drives a flip-flop.
    pub fn fmax_mhz(&self) -> Option<f64> {
        self.fmax
            .values()
            .map(|clock| clock.achieved)
            .min_by(f64::total_cmp)
    }

    /// Sites of logic that the design takes: `TRELLIS_COMB` (ECP5), `ICESTORM_LC` (iCE40), on Gowin those of LUTs, of carry
    /// cells and of LUT RAMs, which take four each. On an ECP5 a carry cell takes two and a LUT RAM four.
    pub fn sites(&self) -> u64 {
        let weight = |name: &str| match name {
            "TRELLIS_COMB" | "ICESTORM_LC" | "LUT4" | "ALU" => 1,
            "RAM16SDP4" => 4,
            _ => 0,
        };
        let cells = self.utilization.iter();
        cells.map(|(name, cell)| cell.used * weight(name)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
        "fmax": {"clk": {"achieved": 97.5, "constraint": 100.0}, "uart": {"achieved": 200.0, "constraint": 12.0}},
        "utilization": {"TRELLIS_FF": {"used": 7, "available": 24288}, "DCUA": {"used": 0, "available": 1}}}"#;

    #[test]
    fn the_slowest_clock_is_the_one_that_counts() {
        let report: PlaceReport = serde_json::from_str(REPORT).expect("JSON");
        assert_eq!(report.fmax_mhz(), Some(97.5));
    }

    #[test]
    fn a_site_is_lost_to_a_lut_a_carry_cell_and_a_lut_ram() {
        let sites = |cells: &str| {
            let text = format!(r#"{{"fmax": {{}}, "utilization": {{{cells}}}}}"#);
            let report: PlaceReport = serde_json::from_str(&text).expect("JSON");
            report.sites()
        };
        let ecp5 = r#""TRELLIS_COMB": {"used": 2392, "available": 24288}, "TRELLIS_FF": {"used": 2900, "available": 24288}"#;
        assert_eq!(sites(ecp5), 2392);
        let gowin = r#""LUT4": {"used": 10, "available": 8640}, "ALU": {"used": 3, "available": 6480},
            "RAM16SDP4": {"used": 2, "available": 270}, "DFF": {"used": 9, "available": 6480}"#;
        assert_eq!(sites(gowin), 21);
    }
}
