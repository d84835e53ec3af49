//! Line and toggle coverage of the emitted Verilog under the epochs of the lockstep test.

use anyhow::{Result, bail};
use clap::Parser;
use hpp_lockstep::geometries::{self, Named};
use hpp_lockstep::{Protocol, Rig, Unreached, epoch, unreached};
use std::collections::{BTreeMap, BTreeSet};
use verilated::{Coverage, Kind};

/// What of the emitted Verilog the lockstep streams reach, and why the rest is not reached.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Geometry to report on.
    #[arg(long, default_value = "default")]
    geometry: String,
    /// Records to drive.
    #[arg(long, default_value_t = 2_000_000)]
    records: u64,
    /// Seed of the first of four epochs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

const EPOCHS: u64 = 4;

/// Counts of all epochs and of each hazard by itself.
fn measure(named: &Named, options: &Options) -> Result<Coverage> {
    let rig = Rig::build(named, |builder| builder.coverage(true))?;
    let mut sum = Coverage::default();
    for seed in options.seed..options.seed + EPOCHS {
        let protocol = Protocol::of_seed(seed);
        let mut bench = rig.bench(protocol)?;
        epoch::run(&mut bench, seed, options.records / EPOCHS)?;
        epoch::hazards(&mut bench, seed, 2000).map_err(|(_, error)| error)?;
        sum.merge(&bench.device().model().coverage()?);
    }
    Ok(sum)
}

fn percent((reached, all): (usize, usize)) -> f64 {
    100.0 * reached as f64 / all.max(1) as f64
}

fn main() -> Result<()> {
    let options = Options::parse();
    let Some(named) = Named::find(&options.geometry) else {
        let names: Vec<_> = geometries::all().iter().map(|named| named.name).collect();
        bail!(
            "no geometry `{}`; there are {} and random:SEED",
            options.geometry,
            names.join(", ")
        );
    };
    let coverage = measure(&named, &options)?;
    println!(
        "geometry `{}`, {} records, seeds from {}",
        named.label(),
        options.records,
        options.seed
    );
    for (kind, name) in [(Kind::Line, "lines"), (Kind::Toggle, "toggles")] {
        let reached = coverage.reached(kind);
        println!(
            "{name}: {} of {} reached, {:.2} %",
            reached.0,
            reached.1,
            percent(reached)
        );
        explain(&coverage, kind);
    }
    Ok(())
}

/// Prints what was not reached, by reason and signal.
fn explain(coverage: &Coverage, kind: Kind) {
    let mut reasons: BTreeMap<&str, BTreeMap<String, Places>> = BTreeMap::new();
    for point in coverage.missed(kind) {
        let reason = match unreached::reason(point, "hpp") {
            Unreached::Because(reason) => reason,
            Unreached::Unexplained => {
                "no rule says why: a hole in the tests, until shown otherwise"
            }
        };
        let line = if kind == Kind::Line {
            format!(":{}", point.line)
        } else {
            String::new()
        };
        let place = format!("{}{line} {}", point.module, unreached::signal(&point.what));
        let places = reasons.entry(reason).or_default().entry(place).or_default();
        places.points += 1;
        places.bits.extend(unreached::bit(&point.what));
    }
    for (reason, places) in reasons {
        let points: usize = places.values().map(|places| places.points).sum();
        println!("  {points} not reached: {reason}");
        let places: Vec<_> = places
            .iter()
            .map(|(place, Places { points, bits })| format!("{place}{} ({points})", ranges(bits)))
            .collect();
        println!("    {}", places.join(", "));
    }
}

/// Points of one signal, and which of its bits they are.
#[derive(Default)]
struct Places {
    points: usize,
    bits: BTreeSet<u32>,
}

/// `[0, 4-7]` of the bits 0, 4, 5, 6 and 7; nothing of none.
fn ranges(bits: &BTreeSet<u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &bit in bits {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == bit => *last = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let run = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    match runs.is_empty() {
        true => String::new(),
        false => format!("[{}]", runs.iter().map(run).collect::<Vec<_>>().join(", ")),
    }
}
