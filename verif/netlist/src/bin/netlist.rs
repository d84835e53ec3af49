//! Drives synthesised netlists in lockstep with the golden model.

use anyhow::{Context, Result, bail};
use clap::Parser;
use hpp_fpga::device::Family;
use hpp_lockstep::geometries::{self, Named};
use hpp_lockstep::ingress::Front;
use hpp_lockstep::{Harness, Protocol, epoch};
use std::num::NonZeroU32;
use std::time::Instant;

/// The netlists of profilers, as synthesis leaves them, in lockstep with the golden model.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Family of devices; may be given more than once [default: ice40, ecp5 and gowin].
    #[arg(long, value_enum)]
    device: Vec<Family>,
    /// Geometry, by name or as random:SEED; may be given more than once [default: all but the largest].
    #[arg(long)]
    geometry: Vec<String>,
    /// Cycles of each netlist, at least.
    #[arg(long, default_value_t = 500_000)]
    cycles: u64,
    /// Seed of the first epoch; it also draws what is undefined at power-up.
    #[arg(long, default_value_t = 0)]
    seed: u32,
}

/// Records of one epoch.
const EPOCH: u64 = 100_000;

/// A netlist of 65,536 entries takes minutes to compile and tells no more than the others.
const LEFT_OUT: &str = "largest";

fn chosen(labels: &[String]) -> Result<Vec<Named>> {
    let all = geometries::all();
    if labels.is_empty() {
        let rest = all.into_iter().filter(|named| named.name != LEFT_OUT);
        return Ok(rest.collect());
    }
    let names = || all.iter().map(|named| named.name).collect::<Vec<_>>();
    let find = |label: &String| {
        Named::find(label).with_context(|| {
            let names = names().join(", ");
            format!("no geometry `{label}`; there are {names} and random:SEED")
        })
    };
    labels.iter().map(find).collect()
}

/// What one netlist was compared over.
struct Compared {
    records: u64,
    paths: u64,
    cycles: u64,
}

/// Epochs until the cycles are reached, then every hazard by itself.
fn drive(harness: &Harness, options: &Options) -> Result<Compared> {
    let mut sum = Compared {
        records: 0,
        paths: 0,
        cycles: 0,
    };
    let mut seed = options.seed;
    while sum.cycles < options.cycles {
        let harness = harness
            .clone()
            .powered_up(NonZeroU32::MIN.saturating_add(seed));
        let mut bench = harness.bench(Protocol::of_seed(seed.into()))?;
        let records = EPOCH.min(options.cycles - sum.cycles);
        epoch::run(&mut bench, seed.into(), records).with_context(|| format!("seed {seed}"))?;
        epoch::hazards(&mut bench, seed.into(), records / 100)
            .map_err(|(hazard, error)| anyhow::Error::new(error).context(format!("{hazard:?}")))
            .with_context(|| format!("seed {seed}"))?;
        let (records, paths) = bench.reference().compared();
        sum.records += records;
        sum.paths += paths;
        sum.cycles += bench.cycles();
        seed = seed.checked_add(1).context("no seed is left")?;
    }
    Ok(sum)
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.cycles == 0 {
        bail!("--cycles 0: nothing would be compared");
    }
    let devices = match options.device.as_slice() {
        [] => vec![Family::Ice40, Family::Ecp5, Family::Gowin],
        some => some.to_vec(),
    };
    for named in chosen(&options.geometry)? {
        for &device in &devices {
            let place = || format!("geometry `{}` on {device:?}", named.label());
            let start = Instant::now();
            let harness =
                hpp_netlist::harness(&named, Front::default(), device).with_context(place)?;
            let built = start.elapsed().as_secs_f64();
            let Compared {
                records,
                paths,
                cycles,
            } = drive(&harness, &options).with_context(place)?;
            println!(
                "{}: {records} records, {paths} paths, {cycles} cycles agree ({built:.0} s to build, {:.0} s in all)",
                place(),
                start.elapsed().as_secs_f64()
            );
        }
    }
    Ok(())
}
