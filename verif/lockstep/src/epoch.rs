//! An epoch: one run of the long tests, with every kind of stimulus, determined by one seed.

use super::activity::{Kind, access, mode, rows, stream_with_activity};
use super::bench::{Bench, Disagreement, Pace};
use super::pins::Device;
use super::stream::{Hazard, HazardStream, Mixture, Stream, StreamRng, rng};
use hpp_golden::registers::{at, control};
use rand::{Rng, RngExt};

/// A phase of an epoch: its share of the records in percent, its pace, and the software activity.
struct Phase {
    share: u64,
    pace: Pace,
    kinds: &'static [Kind],
    /// The bus master aborts accesses at random, and the core ignores the stall.
    rude: bool,
}

const QUIET: Phase = Phase {
    share: 0,
    pace: Pace::Full,
    kinds: &[],
    rude: false,
};

const PHASES: [Phase; 6] = [
    Phase { share: 45, ..QUIET },
    Phase {
        share: 10,
        pace: Pace::Random(128),
        kinds: &Kind::ALL,
        rude: true,
    },
    Phase {
        share: 20,
        kinds: &[Kind::Reads],
        ..QUIET
    },
    Phase {
        share: 10,
        kinds: &[Kind::Ppcr],
        ..QUIET
    },
    // One record every eight cycles.
    Phase {
        share: 5,
        pace: Pace::Random(30),
        kinds: &[Kind::Reads, Kind::Controls],
        rude: true,
    },
    Phase {
        share: 10,
        kinds: &Kind::ALL,
        ..QUIET
    },
];

/// Streams about `records` records in phases of different pace and software activity, each hazard among them. Resets
/// occur in mid-stream. Everything is read back at the end of each phase.
pub fn run<D: Device>(bench: &mut Bench<D>, seed: u64, records: u64) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let mut mixture = Mixture::new(bench.geometry(), &mut rng);
    for phase in &PHASES {
        prepare(bench, &mut rng)?;
        let count = (records * phase.share / 100).max(1);
        let spacing = (count / 50).clamp(5, 200);
        if phase.rude {
            bench.be_rude(rng.next_u64());
            bench.set_holds(false);
        }
        stream_with_activity(
            bench,
            (count, spacing),
            (&mut mixture, phase.pace),
            phase.kinds,
            &mut rng,
        )?;
        bench.be_polite();
        bench.set_holds(true);
        if rng.random_range(0..4) == 0 {
            bench.reset(rng.random_range(1..4))?;
        } else {
            bench.check_everything()?;
        }
    }
    if bench.has_core() {
        careless(bench, &mut mixture, records / CARELESS_SHARE, &mut rng)?;
    }
    resets(bench, &mut mixture, records / RESETS_SHARE, &mut rng)
}

/// One in this many records of an epoch is streamed by a core that ignores the stall.
const CARELESS_SHARE: u64 = 10;

/// A core that ignores the stall, at full pace, in front of an ingress other than the native one. Records that find its
/// buffer full are lost.
fn careless<D: Device>(
    bench: &mut Bench<D>,
    mixture: &mut Mixture,
    records: u64,
    rng: &mut StreamRng,
) -> Result<(), Disagreement> {
    bench.set_holds(false);
    for _ in 0..2 {
        prepare(bench, rng)?;
        let source: (&mut dyn Stream, _) = (mixture, Pace::Full);
        stream_with_activity(bench, (records / 2, 100), source, &Kind::ALL, rng)?;
        bench.check_everything()?;
    }
    bench.set_holds(true);
    Ok(())
}

/// One in this many records of an epoch is streamed between resets.
const RESETS_SHARE: u64 = 20;

/// Short runs, each ended by a reset of one or a few cycles, whatever is in progress: records, searches, lookups, a
/// clear or an access. State that survives a reset would be visible in the next run.
fn resets<D: Device>(
    bench: &mut Bench<D>,
    mixture: &mut Mixture,
    records: u64,
    rng: &mut StreamRng,
) -> Result<(), Disagreement> {
    let mut left = records.max(1);
    while left > 0 {
        let count = rng.random_range(1..=60).min(left);
        left -= count;
        match rng.random_range(0..4) {
            0 => {}
            1 => prepare(bench, rng)?,
            _ => bench.write(at::CONTROL, control::ENABLE.put(1)),
        }
        let pace = match rng.random_range(0..3) {
            0 => Pace::Random(rng.random()),
            _ => Pace::Full,
        };
        bench.stream(count, mixture, pace, rng)?;
        for _ in 0..rng.random_range(0..3) {
            let request = access(&Kind::ALL, bench.geometry(), rng);
            bench.request(request.expect("some kind is chosen"));
        }
        bench.stream(rng.random_range(0..4), mixture, Pace::Full, rng)?;
        bench.reset(rng.random_range(1..4))?;
    }
    prepare(bench, rng)?;
    bench.check_everything()
}

/// Every hazard separately, from an empty profiler with reset values, and read back at the end.
pub fn hazards<D: Device>(
    bench: &mut Bench<D>,
    seed: u64,
    records: u64,
) -> Result<(), (Hazard, Disagreement)> {
    let mut rng = rng(seed);
    Hazard::ALL.into_iter().try_for_each(|hazard| {
        hazard_alone(bench, hazard, records, &mut rng).map_err(|difference| (hazard, difference))
    })
}

fn hazard_alone<D: Device>(
    bench: &mut Bench<D>,
    hazard: Hazard,
    records: u64,
    rng: &mut StreamRng,
) -> Result<(), Disagreement> {
    bench.reset(1)?;
    bench.enable()?;
    let mut stream = HazardStream::new(hazard, bench.geometry(), rng);
    bench.stream(records, &mut stream, Pace::Full, rng)?;
    bench.check_everything()
}

/// Enables the profiler, with the usual rows and modes half of the time.
fn prepare<D: Device>(bench: &mut Bench<D>, rng: &mut StreamRng) -> Result<(), Disagreement> {
    if rng.random_bool(0.5) {
        bench.write(at::PPCR_ROWS, rows(rng).to_word());
        let mode = mode(bench.geometry(), rng);
        bench.write(at::PPCR_MODE, mode);
    }
    let lossy = control::LOSSY.put(rng.random_range(0..2));
    bench.write(at::CONTROL, control::ENABLE.put(1) | lossy);
    bench.finish_bus()
}
