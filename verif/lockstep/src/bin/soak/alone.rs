//! The speed of the models alone: the cycles of an epoch, without bench and reference.

use super::profiler::Profiler;
use anyhow::{Context, Result, bail};
use hpp_gen::Bus;
use hpp_lockstep::{Bench, Built, Device, Drive, Protocol, Seen, VerilatedDevice, epoch};
use rustix::time::{ClockId, clock_gettime};
use std::num::NonZeroU32;
use std::time::Duration;
use verilated::tools::command::columns;
use verilated::tools::figures::Measurement;

/// Maximum number of cycles of an epoch that are kept.
const KEPT: usize = 200_000;

/// Number of repetitions of epoch and cycles, alternating. The fastest time of each counts.
const ROUNDS: usize = 9;

/// CPU time of this thread, which other load on the machine does not change.
pub fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread's clock does not run backwards")
}

/// A device that records its inputs.
struct Recorder {
    device: Box<dyn Device>,
    drives: Vec<Drive>,
}

impl Device for Recorder {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        if self.drives.len() < KEPT {
            self.drives.push(*drive);
        }
        self.device.cycle_into(drive, seen)
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }
}

/// A device that takes the time at its first cycle and after the kept cycles.
struct Stopwatch {
    device: Box<dyn Device>,
    cycles: usize,
    begin: Duration,
    end: Option<Duration>,
}

impl Device for Stopwatch {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        match self.cycles {
            0 => self.begin = used(),
            KEPT => self.end = Some(used()),
            _ => {}
        }
        self.cycles += 1;
        self.device.cycle_into(drive, seen)
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }
}

/// An epoch of a subject.
#[derive(Clone, Copy)]
struct Epoch<'a> {
    built: &'a Built,
    seed: u64,
    records: u64,
}

impl Epoch<'_> {
    fn power_up(&self) -> NonZeroU32 {
        NonZeroU32::MIN.saturating_add(self.seed as u32)
    }

    /// Runs it around a device that `wrap` makes of the subject's model.
    fn play<D: Device>(&self, wrap: impl FnOnce(Box<dyn Device>) -> D) -> Result<Bench<D>> {
        let settings = (self.power_up(), Protocol::of_seed(self.seed));
        let mut bench = self.built.bench_around(settings, wrap)?;
        epoch::run(&mut bench, self.seed, self.records)?;
        Ok(bench)
    }

    /// The inputs of the first cycles of the model.
    fn drives(&self) -> Result<Vec<Drive>> {
        let drives = Vec::with_capacity(KEPT);
        let bench = self.play(|device| Recorder { device, drives })?;
        Ok(bench.device().drives.clone())
    }

    /// The time of these cycles in lockstep.
    fn in_lockstep(&self) -> Result<Duration> {
        let bench = self.play(|device| Stopwatch {
            device,
            cycles: 0,
            begin: Duration::ZERO,
            end: None,
        })?;
        let watch = bench.device();
        Ok(watch.end.unwrap_or_else(used) - watch.begin)
    }

    /// The time of a fresh model with these inputs, of which every output is read.
    fn alone(&self, drives: &[Drive]) -> Result<Duration> {
        let mut device = VerilatedDevice::new(self.built.harness().design(), self.power_up())?;
        let mut seen = Seen::default();
        let begin = used();
        for drive in drives {
            let outcome = device.cycle_into(drive, &mut seen);
            outcome.map_err(anyhow::Error::msg)?;
        }
        Ok(used() - begin)
    }
}

/// The times of a subject, in lockstep and alone.
struct Times {
    cycles: usize,
    lockstep: Duration,
    alone: Duration,
}

impl Times {
    /// Measures an epoch of a subject on Wishbone, and its cycles alone.
    fn of(epoch: Epoch<'_>) -> Result<Self> {
        let drives = epoch.drives()?;
        let mut times = Self {
            cycles: drives.len(),
            lockstep: Duration::MAX,
            alone: Duration::MAX,
        };
        for _ in 0..ROUNDS {
            times.lockstep = times.lockstep.min(epoch.in_lockstep()?);
            times.alone = times.alone.min(epoch.alone(&drives)?);
        }
        Ok(times)
    }

    /// Million cycles a second in lockstep, and of the model alone.
    fn rates(&self) -> [f64; 2] {
        [self.lockstep, self.alone].map(|time| self.cycles as f64 / time.as_secs_f64() / 1e6)
    }

    fn row(&self, name: &str) -> Vec<String> {
        let rates = self.rates().map(|rate| format!("{rate:.2}"));
        let row = [name.to_string(), self.cycles.to_string()];
        row.into_iter().chain(rates).collect()
    }
}

/// Prints how many million cycles a second each subject on Wishbone makes in lockstep, and how many by itself.
///
/// # Errors
///
/// A difference, or no such subject.
pub fn run(
    profilers: &[Profiler],
    seed: u64,
    records: u64,
    measurement: Option<Measurement>,
) -> Result<()> {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    let full = profilers.iter().filter_map(|profiler| match profiler {
        Profiler::Full(built) => Some(&**built),
        Profiler::Tiny(..) => None,
    });
    let on_wishbone = full.filter(|built| built.subject.bus == Bus::Wishbone);
    for built in on_wishbone {
        let label = built.subject.to_string();
        let epoch = Epoch {
            built,
            seed,
            records,
        };
        let times = Times::of(epoch).with_context(|| label.clone())?;
        rows.push(times.row(&label));
        all.push(times);
    }
    if all.is_empty() {
        bail!("--alone: none of these profilers is on Wishbone");
    }
    let whole = Times {
        cycles: all.iter().map(|times| times.cycles).sum(),
        lockstep: all.iter().map(|times| times.lockstep).sum(),
        alone: all.iter().map(|times| times.alone).sum(),
    };
    rows.push(whole.row("all"));
    let head = "geometry | cycles | lockstep, M/s | model alone, M/s";
    println!("{}", columns(head, 1, rows));
    match measurement {
        Some(measurement) => measurement.record(figures(&all, &whole)),
        None => Ok(()),
    }
}

/// What the page shows: the rates of all cycles, and the least and greatest of a profiler.
fn figures(all: &[Times], whole: &Times) -> Vec<(String, String)> {
    let mut figures = vec![("profilers".to_string(), all.len().to_string())];
    for (way, name) in ["lockstep", "model"].into_iter().enumerate() {
        let rates = all.iter().map(|times| times.rates()[way]);
        let least = rates.clone().fold(f64::INFINITY, f64::min);
        let rates = [
            ("all", whole.rates()[way]),
            ("least", least),
            ("most", rates.fold(0.0, f64::max)),
        ];
        let named = |(of, rate): (&str, f64)| (format!("{name}.{of}"), format!("{rate:.1}"));
        figures.extend(rates.map(named));
    }
    figures
}
