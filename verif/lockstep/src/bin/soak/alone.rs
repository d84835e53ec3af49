//! How fast models are by themselves: the cycles of an epoch again, without bench and reference.

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use hpp_gen::Bus;
use hpp_lockstep::{Built, Device, Drive, Protocol, Seen, VerilatedDevice, epoch};
use rustix::time::{ClockId, clock_gettime};
use std::num::NonZeroU32;
use std::time::Duration;

/// So many cycles of an epoch are kept at most.
const KEPT: usize = 200_000;

/// They are played so often; the quickest time counts.
const ROUNDS: usize = 9;

/// The processor's time that this thread has used, which others on the machine do not add to.
pub fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a thread's clock does not run backwards")
}

/// A device, and what it was driven with.
struct Recorder {
    device: Box<dyn Device>,
    drives: Vec<Drive>,
    /// When as many cycles were over as are kept.
    full: Option<Duration>,
}

impl Device for Recorder {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let mut seen = Seen::default();
        self.cycle_into(drive, &mut seen)?;
        Ok(seen)
    }

    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        if self.drives.len() < KEPT {
            self.drives.push(*drive);
        } else if self.full.is_none() {
            self.full = Some(used());
        }
        self.device.cycle_into(drive, seen)
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }
}

/// What a subject took, in lockstep and by itself.
struct Times {
    cycles: usize,
    lockstep: Duration,
    alone: Duration,
}

impl Times {
    /// An epoch of a subject on Wishbone, and its cycles again.
    fn of(built: &Built, seed: u64, records: u64) -> Result<Self> {
        let power_up = NonZeroU32::MIN.saturating_add(seed as u32);
        let protocol = Protocol::of_seed(seed);
        let recorder = |device| Recorder {
            device,
            drives: Vec::with_capacity(KEPT),
            full: None,
        };
        let begin = used();
        let mut bench = built.bench_around((power_up, protocol), recorder)?;
        epoch::run(&mut bench, seed, records)?;
        let end = bench.device().full.unwrap_or_else(used);
        let drives = &bench.device().drives;
        let alone = (0..ROUNDS).map(|_| play(built, power_up, drives));
        let alone = alone.collect::<Result<Vec<_>>>()?;
        Ok(Self {
            cycles: drives.len(),
            lockstep: end - begin,
            alone: alone.into_iter().min().context("a round is played")?,
        })
    }

    fn row(&self, name: &str) -> [String; 4] {
        let rate = |time: Duration| format!("{:.2}", self.cycles as f64 / time.as_secs_f64() / 1e6);
        let cycles = self.cycles.to_string();
        [name.into(), cycles, rate(self.lockstep), rate(self.alone)]
    }
}

/// Drives a fresh model with what another was driven with, and reads every pin.
fn play(built: &Built, power_up: NonZeroU32, drives: &[Drive]) -> Result<Duration> {
    let mut device = VerilatedDevice::new(built.rig().design(), power_up)?;
    let mut seen = Seen::default();
    let begin = used();
    for drive in drives {
        let outcome = device.cycle_into(drive, &mut seen);
        outcome.map_err(anyhow::Error::msg)?;
    }
    Ok(used() - begin)
}

/// Prints how many million cycles a second each subject on Wishbone makes in lockstep, and how many by itself.
///
/// # Errors
///
/// A difference, or no such subject.
pub fn run(built: &[Built], seed: u64, records: u64) -> Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["geometry", "cycles", "lockstep, M/s", "model alone, M/s"]);
    let mut sum = Times {
        cycles: 0,
        lockstep: Duration::ZERO,
        alone: Duration::ZERO,
    };
    let on_wishbone = built
        .iter()
        .filter(|built| built.subject.bus == Bus::Wishbone);
    for built in on_wishbone {
        let label = built.subject.to_string();
        let times = Times::of(built, seed, records).with_context(|| label.clone())?;
        table.add_row(times.row(&label));
        sum.cycles += times.cycles;
        sum.lockstep += times.lockstep;
        sum.alone += times.alone;
    }
    if sum.cycles == 0 {
        bail!("--alone: none of these profilers is on Wishbone");
    }
    table.add_row(sum.row("all"));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    Ok(())
}
