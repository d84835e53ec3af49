//! Measuring a design: its cells, and the median of its highest frequency over several seeds.

use crate::design::Design;
use crate::device::Device;
use crate::error::Result;
use crate::flow::{Flow, Netlist, Placed};
use crate::report::median;
use crate::table::Figure;

/// What a seed came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedResult {
    /// The placer's seed.
    pub seed: u32,
    /// Highest frequency in MHz.
    pub mhz: f64,
}

/// Frequencies over the seeds, or why there are none.
#[derive(Clone, Debug, PartialEq)]
pub enum Timing {
    /// One result for each seed, in order.
    Seeds(Vec<SeedResult>),
    /// The device has too little of what is named.
    DoesNotFit(String),
}

impl Timing {
    /// The median frequency in MHz.
    pub fn median_mhz(&self) -> Option<f64> {
        match self {
            Timing::Seeds(results) => {
                median(&results.iter().map(|result| result.mhz).collect::<Vec<_>>())
            }
            Timing::DoesNotFit(_) => None,
        }
    }

    /// The seed with the highest frequency.
    pub fn best(&self) -> Option<SeedResult> {
        match self {
            Timing::Seeds(results) => results
                .iter()
                .copied()
                .max_by(|a, b| a.mhz.total_cmp(&b.mhz)),
            Timing::DoesNotFit(_) => None,
        }
    }
}

/// How the seeds of one netlist are run.
#[derive(Clone, Copy, Debug)]
pub struct Seeds<'a> {
    /// How many: 1, 2, 3, ...
    pub count: u32,
    /// The frequency that the placer strives for, in MHz.
    pub target_mhz: f64,
    /// Pin assignments.
    pub constraints: Option<&'a str>,
}

/// Places and routes the netlist once for each seed; `step` is called before each.
pub fn time(
    flow: &Flow,
    netlist: &Netlist,
    seeds: &Seeds<'_>,
    step: &mut dyn FnMut(u32),
) -> Result<Timing> {
    let mut results = Vec::new();
    for seed in 1..=seeds.count {
        step(seed);
        match flow.place(netlist, seed, seeds.target_mhz, seeds.constraints)? {
            Placed::DoesNotFit(reason) => return Ok(Timing::DoesNotFit(reason)),
            Placed::Fits(report) => {
                results.extend(report.fmax_mhz().map(|mhz| SeedResult { seed, mhz }))
            }
        }
    }
    Ok(Timing::Seeds(results))
}

/// The cells of `alone` and the speed of `bench`, which is the same circuit between registers.
pub fn measure(
    flow: &Flow,
    alone: &Design,
    bench: &Design,
    device: Device,
    seeds: &Seeds<'_>,
    step: &mut dyn FnMut(&str),
) -> Result<Figure> {
    step(&format!("{} on {}: synthesis", alone.name, device.name));
    let usage = flow.synthesise(alone, device)?.usage;
    let netlist = flow.synthesise(bench, device)?;
    let timing = time(flow, &netlist, seeds, &mut |seed| {
        step(&format!(
            "{} on {}: place and route, seed {seed}",
            alone.name, device.name
        ));
    })?;
    Ok(match (timing.median_mhz(), timing) {
        (Some(mhz), _) => Figure::Measured { usage, mhz },
        (None, Timing::DoesNotFit(reason)) => Figure::TooLarge { usage, reason },
        (None, Timing::Seeds(_)) => Figure::TooLarge {
            usage,
            reason: "no clock drives a flip-flop".to_string(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_seed_and_the_median_are_told_apart() {
        let timing = Timing::Seeds(
            [(1, 90.0), (2, 110.0), (3, 100.0)]
                .map(|(seed, mhz)| SeedResult { seed, mhz })
                .to_vec(),
        );
        assert_eq!(timing.median_mhz(), Some(100.0));
        assert_eq!(timing.best().map(|best| best.seed), Some(2));
        assert_eq!(Timing::DoesNotFit("30 of 20".into()).best(), None);
    }
}
