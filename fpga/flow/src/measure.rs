//! Measuring designs: their cells, and their highest frequencies over several seeds of place and route.
//!
//! All seeds of all designs are independent of each other, so any number of them run at a time. What is finished is
//! kept (see [`crate::flow`]): a measurement that was cut short goes on where it was.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::design::Design;
use crate::device::{Device, Placer};
use crate::error::{FlowError, Result};
use crate::flow::{Flow, Netlist, Placed};
use crate::stat::Usage;

/// What a seed came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedResult {
    pub seed: u32,
    pub mhz: f64,
    /// Sites of logic that the design takes ([`PlaceReport::sites`](crate::report::PlaceReport::sites)).
    pub sites: u64,
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
    /// The seed with the median frequency; of an even number of seeds the lower one in the middle.
    pub fn median(&self) -> Option<&SeedResult> {
        let Timing::Seeds(results) = self else {
            return None;
        };
        let mut sorted: Vec<&SeedResult> = results.iter().collect();
        sorted.sort_by(|a, b| a.mhz.total_cmp(&b.mhz));
        sorted.get(sorted.len().checked_sub(1)? / 2).copied()
    }

    /// Takes in what a seed came to: one that does not fit is enough.
    fn add(&mut self, seed: u32, placed: Placed) {
        match (placed, self) {
            (Placed::DoesNotFit(reason), timing) => *timing = Timing::DoesNotFit(reason),
            (Placed::Fits(report), Timing::Seeds(results)) => {
                results.extend(report.fmax_mhz().map(|mhz| SeedResult {
                    seed,
                    mhz,
                    sites: report.sites(),
                }));
            }
            (Placed::Fits(_), Timing::DoesNotFit(_)) => {}
        }
    }

    /// The seed with the highest frequency.
    pub fn best(&self) -> Option<&SeedResult> {
        match self {
            Timing::Seeds(results) => results.iter().max_by(|a, b| a.mhz.total_cmp(&b.mhz)),
            Timing::DoesNotFit(_) => None,
        }
    }
}

/// A design on a device, and how often it is placed and routed.
#[derive(Clone, Debug)]
pub struct Job {
    pub design: Design,
    pub device: Device,
    /// Number of seeds: 1, 2, 3, ...; with 0 the design is synthesised only.
    pub seeds: u32,
    /// The frequency that the placer strives for, in MHz.
    pub target_mhz: f64,
    pub placer: Placer,
    pub constraints: Option<String>,
}

/// What a job came to.
#[derive(Clone, Debug)]
pub struct Measured {
    pub netlist: Netlist,
    pub timing: Timing,
}

impl Measured {
    pub fn usage(&self) -> Usage {
        self.netlist.usage
    }
}

/// Does every job, at most `workers` runs of a tool at a time; `step` is called with what begins and how much is done.
///
/// A failure does not keep the others from being finished.
///
/// # Errors
///
/// The first failure, in the order of the jobs.
pub fn measure(
    flow: &Flow,
    jobs: &[Job],
    workers: usize,
    step: &(dyn Fn(&str) + Sync),
) -> Result<Vec<Measured>> {
    let runs: usize = jobs.iter().map(|job| job.seeds as usize).sum();
    let (total, done) = (jobs.len() + runs, AtomicUsize::new(0));
    let begin = |job: &Job, what: &str| {
        let (design, device) = (&job.design.name, job.device.name);
        let done = done.load(Ordering::Relaxed);
        step(&format!(
            "{done} of {total} done; {design} on {device}: {what}"
        ));
    };
    let pool = ThreadPoolBuilder::new().num_threads(workers.max(1)).build();
    let pool = pool.map_err(|error| FlowError::Threads(error.to_string()))?;
    let netlists: Vec<_> = pool.install(|| {
        let jobs = jobs.par_iter().with_max_len(1).map(|job| {
            begin(job, "synthesis");
            let netlist = flow.synthesise(&job.design, job.device);
            done.fetch_add(1, Ordering::Relaxed);
            netlist
        });
        jobs.collect()
    });
    let netlists = netlists.into_iter().collect::<Result<Vec<_>>>()?;
    let seeds: Vec<(usize, u32)> = (0..jobs.len())
        .flat_map(|index| (1..=jobs[index].seeds).map(move |seed| (index, seed)))
        .collect();
    let placed: Vec<_> = pool.install(|| {
        let seeds = seeds.par_iter().with_max_len(1).map(|&(index, seed)| {
            let (job, netlist) = (&jobs[index], &netlists[index]);
            begin(job, &format!("place and route, seed {seed}"));
            let pins = job.constraints.as_deref();
            let placed = flow.place(netlist, seed, job.target_mhz, job.placer, pins);
            done.fetch_add(1, Ordering::Relaxed);
            placed
        });
        seeds.collect()
    });
    let mut timings = vec![Timing::Seeds(Vec::new()); jobs.len()];
    for ((index, seed), result) in seeds.into_iter().zip(placed) {
        timings[index].add(seed, result?);
    }
    Ok(netlists
        .into_iter()
        .zip(timings)
        .map(|(netlist, timing)| Measured { netlist, timing })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeds(mhz: &[f64]) -> Timing {
        let result = |(seed, &mhz)| SeedResult {
            seed,
            mhz,
            sites: 0,
        };
        Timing::Seeds((1..).zip(mhz).map(result).collect())
    }

    #[test]
    fn the_best_seed_and_the_median_are_distinguished() {
        let timing = seeds(&[90.0, 110.0, 100.0]);
        assert_eq!(timing.median().map(|median| median.mhz), Some(100.0));
        assert_eq!(timing.best().map(|best| best.seed), Some(2));
        assert_eq!(Timing::DoesNotFit("30 of 20".into()).best(), None);
    }

    #[test]
    fn the_median_is_a_frequency_that_was_measured() {
        let median = |mhz: &[f64]| seeds(mhz).median().map(|median| median.mhz);
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.0));
    }
}
