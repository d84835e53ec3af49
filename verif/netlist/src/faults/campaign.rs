//! A campaign of flips, one at a time.

use super::device::{FlippingDevice, Outcome, Sight};
use super::state::{Bit, Place, bits};
use anyhow::{Context, Result, ensure};
use hpp_lockstep::{Bench, Built, Disagreement, Protocol, Subject, epoch, stream};
use rand::RngExt;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use verilated::Variable;

/// How many flips came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// [`Outcome::Nothing`].
    pub nothing: u64,
    /// [`Outcome::Reported`].
    pub reported: u64,
    /// [`Outcome::Silent`].
    pub silent: u64,
    /// The most cycles from a flip to `fault`.
    pub latest: u64,
}

impl Tally {
    /// Counts one.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Nothing => self.nothing += 1,
            Outcome::Reported(delay) => {
                self.reported += 1;
                self.latest = self.latest.max(delay);
            }
            Outcome::Silent => self.silent += 1,
        }
    }
}

/// A built profiler of which bits can flip.
pub struct Campaign {
    built: Built,
    registers: Vec<Variable>,
    memories: Vec<Variable>,
    verilog: String,
    /// Cycles of each epoch in which nothing flips.
    lengths: Vec<u64>,
}

/// Records of an epoch in which a bit flips.
const RECORDS: u64 = 1000;

/// Different epochs.
const EPOCHS: u64 = 8;

impl Campaign {
    /// Builds a profiler.
    ///
    /// # Errors
    ///
    /// What generator, Verilator or compiler say; if the profiler disagrees with the model, or tells a fault, although no bit flips.
    pub fn build(subject: Subject) -> Result<Self> {
        let verilog = subject.verilog()?;
        let built = subject.build(|builder| builder.state(true))?;
        let model = built.harness().design().model()?;
        Ok(Self {
            registers: bits(&model, &verilog, "hpp", Place::Register)?,
            memories: bits(&model, &verilog, "hpp", Place::Memory)?,
            verilog,
            lengths: (0..EPOCHS)
                .map(|epoch| length(&built, epoch))
                .collect::<Result<_>>()?,
            built,
        })
    }

    /// Bits of registers or memories.
    pub fn bits(&self, place: Place) -> u64 {
        let bits = |v: &Variable| u64::from(v.width) * u64::from(v.elements);
        self.held(place).iter().map(bits).sum()
    }

    fn held(&self, place: Place) -> &[Variable] {
        match place {
            Place::Register => &self.registers,
            Place::Memory => &self.memories,
        }
    }

    /// One flip at a random place and moment of a random epoch, all of them functions of the seed; what flipped, and what became of it.
    ///
    /// # Errors
    ///
    /// If there is no bench.
    pub fn flip(&self, place: Place, seed: u64) -> Result<(String, Outcome)> {
        let mut rng = stream::rng(seed);
        let mut index = rng.random_range(0..self.bits(place));
        let held = self.held(place).iter();
        let mut found = held.filter_map(|variable| {
            let bits = u64::from(variable.width) * u64::from(variable.elements);
            let here = (index < bits).then_some((variable, index));
            index = index.wrapping_sub(bits);
            here
        });
        let (variable, at) = found.next().expect("the index is below the sum");
        let (element, bit) = (
            at / u64::from(variable.width),
            at % u64::from(variable.width),
        );
        let (element, bit) = (element as u32, bit as u32);
        let epoch_seed = seed % EPOCHS;
        let length = self.lengths[epoch_seed as usize];
        let when = rng.random_range(1..=length);
        let sight = Rc::new(Sight::default());
        let mut name = String::new();
        let bench = self.built.bench_around(power(epoch_seed), |device| {
            // The same variable, in this model.
            let model = device.model().expect("it was built");
            let kind = bits(model, &self.verilog, "hpp", place);
            let own = kind.expect("as when it was built").into_iter();
            let mut own = own.filter(|v| v.scope == variable.scope && v.name == variable.name);
            let bit = Bit {
                variable: own
                    .next()
                    .expect("models of one design have the same variables"),
                element,
                bit,
            };
            name = format!("{bit} before cycle {when} of epoch {epoch_seed}");
            FlippingDevice::new(device, Some((bit, when)), 100 * length, Rc::clone(&sight))
        });
        // Out of reset, in which a bit may have flipped already.
        let Ok(mut bench) = bench else {
            return Ok((name, sight.outcome(true)));
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            epoch::run(&mut bench, epoch_seed, RECORDS)
        }));
        let is_wrong = !matches!(outcome, Ok(Ok(())));
        if is_wrong && sight.reported.get() == 0 {
            bench.device_mut().settle();
        }
        Ok((name, sight.outcome(is_wrong)))
    }
}

/// How every profiler is powered up, and the protocol of an epoch.
fn power(seed: u64) -> (NonZeroU32, Protocol) {
    (NonZeroU32::MIN, Protocol::of_seed(seed))
}

/// Cycles of an epoch in which nothing flips.
fn length(built: &Built, seed: u64) -> Result<u64> {
    let sight = Rc::new(Sight::default());
    let wrap = |device| FlippingDevice::new(device, None, u64::MAX, Rc::clone(&sight));
    let mut bench: Bench<FlippingDevice> = built.bench_around(power(seed), wrap)?;
    let run: Result<(), Disagreement> = epoch::run(&mut bench, seed, RECORDS);
    run.with_context(|| format!("epoch {seed}, in which nothing has flipped"))?;
    ensure!(
        sight.reported.get() == 0,
        "epoch {seed}: a fault in cycle {}, and nothing has flipped",
        sight.reported.get()
    );
    Ok(bench.device().cycles())
}
