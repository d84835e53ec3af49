//! Drives profilers in lockstep with the golden model until so many records have passed or so much time.

use anyhow::{Context, Result, bail};
use clap::Parser;
use hpp_verif::lockstep::geometries::{self, Named};
use hpp_verif::lockstep::{Protocol, Rig, epoch, seed_from_clock};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Random records, software activity and resets, in lockstep with the golden model, over the test geometries and some random ones.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Stop after so many records in all.
    #[arg(long, default_value_t = 1_000_000_000)]
    records: u64,
    /// Stop after so many minutes.
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Records of one epoch; each epoch has its own seed.
    #[arg(long, default_value_t = 1_000_000)]
    epoch: u64,
    /// Seed of the first epoch; the following ones count up [default: from the clock].
    #[arg(long)]
    seed: Option<u64>,
    /// So many random geometries beside those of the tests.
    #[arg(long, default_value_t = 4)]
    random: u64,
    /// Only this geometry, by name or as random:SEED; may be given more than once.
    #[arg(long)]
    geometry: Vec<String>,
    /// Threads [default: as many as the machine has].
    #[arg(long)]
    threads: Option<usize>,
}

/// What all threads share.
struct Soak<'a> {
    options: &'a Options,
    rigs: &'a [Rig],
    first_seed: u64,
    deadline: Instant,
    next_epoch: AtomicU64,
    records: AtomicU64,
    paths: AtomicU64,
    cycles: AtomicU64,
    stop: AtomicBool,
    failure: Mutex<Option<String>>,
    bar: ProgressBar,
}

impl Soak<'_> {
    /// Takes epochs until enough records are under way, time is up, or something failed.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) && Instant::now() < self.deadline {
            let number = self.next_epoch.fetch_add(1, Ordering::Relaxed);
            if number * self.options.epoch >= self.options.records {
                break;
            }
            if let Err(failure) = self.epoch(number) {
                self.stop.store(true, Ordering::Relaxed);
                self.failure
                    .lock()
                    .expect("no thread panics")
                    .get_or_insert(failure);
            }
        }
    }

    /// One epoch; its seed chooses the protocol, its number the geometry.
    fn epoch(&self, number: u64) -> Result<(), String> {
        let seed = self.first_seed + number;
        let rig = &self.rigs[(number % self.rigs.len() as u64) as usize];
        let protocol = Protocol::of_seed(seed);
        let place = |error: String| {
            let (name, records) = (rig.named().label(), self.options.epoch);
            format!(
                "geometry `{name}`, seed {seed}: {error}\nrerun: cargo run --release -p hpp-verif --bin soak -- \
                 --geometry {name} --seed {seed} --epoch {records} --records {records}"
            )
        };
        let mut bench = rig
            .bench(protocol)
            .map_err(|error| place(format!("{error:#}")))?;
        epoch::run(&mut bench, seed, self.options.epoch)
            .map_err(|error| place(error.to_string()))?;
        let (records, paths) = bench.reference().compared();
        self.records.fetch_add(records, Ordering::Relaxed);
        self.paths.fetch_add(paths, Ordering::Relaxed);
        self.cycles.fetch_add(bench.cycles(), Ordering::Relaxed);
        self.bar.inc(records);
        Ok(())
    }
}

/// The geometries asked for, else those of the tests and some random ones.
fn chosen(options: &Options, first_seed: u64) -> Result<Vec<Named>> {
    let all = geometries::all();
    if options.geometry.is_empty() {
        let random = first_seed..first_seed + options.random;
        return Ok(all.into_iter().chain(random.map(Named::random)).collect());
    }
    let find = |label: &String| {
        let names = || {
            all.iter()
                .map(|named| named.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let unknown = || {
            format!(
                "no geometry `{label}`; there are {} and random:SEED",
                names()
            )
        };
        Named::find(label).with_context(unknown)
    };
    options.geometry.iter().map(find).collect()
}

fn bar(records: u64) -> Result<ProgressBar> {
    let style =
        "{elapsed_precise} [{bar:40}] {human_pos} of {human_len} records, {per_sec}, {eta} left";
    Ok(ProgressBar::new(records).with_style(ProgressStyle::with_template(style)?))
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.epoch == 0 {
        bail!("--epoch 0: an epoch has at least one record");
    }
    let first_seed = options.seed.unwrap_or_else(seed_from_clock);
    println!("seed {first_seed}");
    let build = |named: &Named| Rig::build(named, |builder| builder.optimisation(2));
    let rigs = chosen(&options, first_seed)?
        .iter()
        .map(build)
        .collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    let soak = Soak {
        options: &options,
        rigs: &rigs,
        first_seed,
        deadline: start + Duration::from_secs(60 * options.minutes),
        next_epoch: AtomicU64::new(0),
        records: AtomicU64::new(0),
        paths: AtomicU64::new(0),
        cycles: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        failure: Mutex::new(None),
        bar: bar(options.records)?,
    };
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(available).max(1);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| soak.work()))));
    soak.bar.finish_and_clear();
    if let Some(failure) = soak.failure.into_inner().expect("no thread panicked") {
        bail!(failure);
    }
    let cycles = soak.cycles.into_inner();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} records, {} paths, {cycles} cycles over {} geometries agree; {:.0} cycles/s on {threads} threads",
        soak.records.into_inner(),
        soak.paths.into_inner(),
        rigs.len(),
        cycles as f64 / seconds,
    );
    Ok(())
}
