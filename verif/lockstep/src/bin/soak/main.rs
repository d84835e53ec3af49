//! Drives profilers in lockstep with the golden model for a number of records or a time. An interrupted run continues.

mod alone;
mod profiler;
mod state;

use anyhow::{Context, Result, bail};
use clap::Parser;
use hpp_lockstep::geometries;
use hpp_lockstep::{Subject, seed_from_clock};
use indicatif::{ProgressBar, ProgressStyle};
use profiler::{Chosen, Profiler, TINY};
use state::{Compared, Plan, State};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use verilated::tools::command::columns;
use verilated::tools::figures::{Measurement, thousands};
use verilated::tools::project_root;

/// Random records, software activity and resets, in lockstep with the golden model, over the test geometries and some random
/// ones, with every ingress and on every bus. A run without --geometry keeps its state in build/soak/state.json and goes on from there.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Records to compare in all.
    #[arg(long, default_value_t = 1_000_000_000)]
    records: u64,
    /// Minutes after which this run stops; the next one continues.
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Records of one epoch, a quarter of them with sequential lookup and in a tiny profiler; each epoch has its own seed.
    #[arg(long, default_value_t = 250_000)]
    epoch: u64,
    /// Seed of the first epoch; the following ones count up [default: from the clock].
    #[arg(long)]
    seed: Option<u64>,
    /// Random geometries, buses and reset values, in addition to those of the tests.
    #[arg(long, default_value_t = 9)]
    random: u64,
    /// Only this geometry, by name or as random:SEED, with +INGRESS, @BUS and ~SEED OF RESET VALUES appended, or tiny or tiny-few; may be given more than once.
    #[arg(long)]
    geometry: Vec<String>,
    /// Begin anew, whatever an earlier run has done.
    #[arg(long)]
    fresh: bool,
    /// Threads [default: as many as the machine has].
    #[arg(long)]
    threads: Option<usize>,
    /// Measure the rate instead: an epoch of each profiler on Wishbone in lockstep, and its cycles again with Verilator's model alone.
    #[arg(long)]
    alone: bool,
    /// Records the README's row, if all records are compared at the end; with --alone the rates.
    #[arg(long, conflicts_with = "geometry")]
    record: bool,
}

/// What all threads share.
struct Soak<'a> {
    options: &'a Options,
    built: &'a [Profiler],
    file: Option<PathBuf>,
    deadline: Instant,
    next_epoch: AtomicU64,
    stop: AtomicBool,
    state: Mutex<State>,
    failure: Mutex<Option<String>>,
    /// The processor's time of the threads that are over.
    used: Mutex<Duration>,
    bar: ProgressBar,
}

const NO_PANIC: &str = "no thread panics";

impl Soak<'_> {
    /// Takes epochs until there are records enough, time is up, or something failed.
    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) && Instant::now() < self.deadline {
            let number = self.next_epoch.fetch_add(1, Ordering::Relaxed);
            let over = {
                let state = self.state.lock().expect(NO_PANIC);
                if state.sum().records >= self.options.records {
                    break;
                }
                state.is_over(number)
            };
            let outcome = if over { Ok(()) } else { self.epoch(number) };
            if let Err(failure) = outcome {
                self.stop.store(true, Ordering::Relaxed);
                let mut first = self.failure.lock().expect(NO_PANIC);
                first.get_or_insert(failure);
            }
        }
        *self.used.lock().expect(NO_PANIC) += alone::used();
    }

    /// One epoch; its seed chooses protocol and power-up, its number the subject.
    fn epoch(&self, number: u64) -> Result<(), String> {
        let seed = self.state.lock().expect(NO_PANIC).plan.seed + number;
        let profiler = &self.built[(number % self.built.len() as u64) as usize];
        let (label, epoch) = (profiler.label(), self.options.epoch);
        let compared = profiler.epoch(seed, epoch).map_err(|error| {
            format!(
                "geometry `{label}`, seed {seed}: {error}\nrerun: cargo run --release -p hpp-lockstep --bin soak -- \
                 --geometry {label} --seed {seed} --epoch {epoch} --records 1"
            )
        })?;
        self.bar.inc(compared.records);
        let mut state = self.state.lock().expect(NO_PANIC);
        state.finish(number, &label, &compared);
        match &self.file {
            Some(file) => state.write(file).map_err(|error| format!("{error:#}")),
            None => Ok(()),
        }
    }
}

/// Beside every geometry with the native ingress on Wishbone.
const ELSEWHERE: [&str; 9] = [
    "guarded@axi4-lite",
    "guarded@apb",
    "sequential-odd@axi4-lite",
    "odd@apb",
    "parallel+rvfi:2",
    "guarded+rvfi4",
    "rv64+rvfi2@axi4-lite",
    "drained-rrip+retire@apb",
    "guarded+trace",
];

/// What is asked for; else the geometries of the tests on Wishbone, some of them with other ingresses and on the other buses, with
/// other values after reset, some random ones, and tiny profilers.
fn chosen(options: &Options, seed: u64) -> Result<Vec<Chosen>> {
    if !options.geometry.is_empty() {
        return options
            .geometry
            .iter()
            .map(|label| Chosen::find(label))
            .collect();
    }
    let usual = geometries::all().into_iter().map(Subject::of);
    let elsewhere = ELSEWHERE.into_iter().map(|label| Subject {
        reset: Some(seed),
        ..Subject::find(label).expect("the label of a subject")
    });
    let random = (seed..seed + options.random).map(Subject::random);
    let full = usual.chain(elsewhere).chain(random).map(Chosen::Full);
    Ok(full.chain(TINY.map(Chosen::Tiny)).collect())
}

/// The state to begin with: that of the file if it belongs to what is asked for and is not over.
fn begin(options: &Options, file: Option<&PathBuf>) -> Result<(State, Vec<Chosen>)> {
    let earlier = match file {
        Some(file) if !options.fresh => State::read(file)?,
        _ => None,
    };
    let earlier = earlier.filter(|state| state.sum().records < options.records);
    let seed = options.seed;
    let seed = seed.or(earlier.as_ref().map(|state| state.plan.seed));
    let seed = seed.unwrap_or_else(seed_from_clock);
    let subjects = chosen(options, seed)?;
    let texts: Result<Vec<_>> = subjects.iter().map(Chosen::verilog).collect();
    let plan = Plan {
        seed,
        epoch: options.epoch,
        subjects: subjects.iter().map(ToString::to_string).collect(),
        verilog: state::hash(&texts?),
    };
    let state = match earlier {
        Some(state) if state.plan == plan => {
            println!("continues after {} records", state.sum().records);
            state
        }
        Some(_) => {
            println!("begins anew: the circuits or the options have changed since the last run");
            State::new(plan)
        }
        None => State::new(plan),
    };
    println!("seed {seed}");
    Ok((state, subjects))
}

fn bar(state: &State, records: u64) -> Result<ProgressBar> {
    let style =
        "{elapsed_precise} [{bar:40}] {human_pos} of {human_len} records, {per_sec}, {eta} left";
    let bar = ProgressBar::new(records).with_style(ProgressStyle::with_template(style)?);
    Ok(bar.with_position(state.sum().records))
}

fn table(state: &State) -> String {
    let row = |(name, compared): (&String, &Compared)| {
        let Compared {
            epochs,
            records,
            paths,
            cycles,
        } = *compared;
        let numbers = [epochs, records, paths, cycles].map(|number| number.to_string());
        [std::slice::from_ref(name), &numbers].concat()
    };
    let subjects = state.plan.subjects.iter();
    let each = subjects.filter_map(|label| Some((label, state.compared.get(label)?)));
    let (all, sum) = ("all".to_string(), state.sum());
    let rows = each.chain([(&all, &sum)]).map(row);
    columns("geometry | epochs | records | paths | cycles", 1, rows)
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.epoch == 0 {
        bail!("--epoch 0: an epoch has at least one record");
    }
    let kept = options.geometry.is_empty() && !options.alone;
    let group = if options.alone { "simulation" } else { "soak" };
    let measurement = Measurement::begin_if(options.record, group)?;
    let file = kept.then(|| project_root().join("build/soak/state.json"));
    let (state, subjects) = begin(&options, file.as_ref())?;
    let built = subjects.into_iter().map(Chosen::build);
    let built: Vec<_> = built.collect::<Result<_>>()?;
    if options.alone {
        return alone::run(&built, state.plan.seed, options.epoch, measurement);
    }
    let (start, before) = (Instant::now(), state.sum().cycles);
    let soak = Soak {
        options: &options,
        built: &built,
        file,
        deadline: start + Duration::from_secs(60 * options.minutes),
        next_epoch: AtomicU64::new(0),
        stop: AtomicBool::new(false),
        bar: bar(&state, options.records)?,
        state: Mutex::new(state),
        failure: Mutex::new(None),
        used: Mutex::new(Duration::ZERO),
    };
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(available).max(1);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| soak.work()))));
    soak.bar.finish_and_clear();
    let mut state = soak.state.into_inner().context(NO_PANIC)?;
    let used = soak.used.into_inner().context(NO_PANIC)?;
    let seconds = start.elapsed().as_secs_f64();
    state.thread_seconds += seconds * threads as f64;
    if let Some(file) = &soak.file {
        state.write(file)?;
    }
    println!("{}", table(&state));
    if let Some(failure) = soak.failure.into_inner().context(NO_PANIC)? {
        bail!(failure);
    }
    let sum = state.sum();
    println!(
        "{} records, {} paths, {} cycles over {} geometries agree; {:.0} cycles/s on {threads} threads, {:.0} in a second of a processor",
        sum.records,
        sum.paths,
        sum.cycles,
        built.len(),
        (sum.cycles - before) as f64 / seconds,
        (sum.cycles - before) as f64 / used.as_secs_f64(),
    );
    if sum.records < options.records {
        println!("{} were asked for: run it again to go on", options.records);
        return Ok(());
    }
    let rate = sum.cycles as f64 / state.thread_seconds;
    let [profilers, rate, records, minutes] = [
        (
            "profilers",
            format!("{} profilers, with every ingress and bus", built.len()),
        ),
        ("rate", format!("{:.1}", rate / 1e6)),
        ("records", thousands(sum.records / 1_000_000)),
        ("minutes", format!("{:.0}", state.thread_seconds / 60.0)),
    ];
    println!(
        "| Verilog in lockstep with the model, {} | {} million cycles a second on a thread ({} million records in {} minutes of one thread) |",
        profilers.1, rate.1, records.1, minutes.1
    );
    if let Some(measurement) = measurement {
        let figures = [profilers, rate, records, minutes];
        measurement.record(figures.map(|(name, value)| (name.to_string(), value)))?;
    }
    Ok(())
}
