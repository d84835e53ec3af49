//! The scenarios that mutants meet, the shortest first.

use super::caught::caught;
use super::corners;
use super::device::MutantDevice;
use super::subject::Built;
use super::tiny_scenarios::{Maker, TINY_LONG, TINY_QUICK, TINY_RARE};
use anyhow::Result;
use hpp_lockstep::{
    Bench, Disagreement, Protocol, byte_lanes, epoch, modes, saturation, stress, tiny,
};

/// A scenario: its name, and what it does with a bench.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// Its name. What mutants met is kept under it: a scenario that changes gets another one.
    pub name: &'static str,
    pub(super) run: Run,
}

/// What a scenario does with which bench.
#[derive(Debug, Clone, Copy)]
pub(super) enum Run {
    /// The bus master's protocol, the cycles it may take, and what it does.
    Full(
        Protocol,
        u64,
        fn(&mut Bench<MutantDevice>) -> Result<(), Disagreement>,
    ),
    /// With a tiny profiler.
    Tiny(fn(&Maker<'_>)),
}

/// A line a scenario: its name, the protocol, the cycles, and what it does.
macro_rules! scenarios {
    ($($name:literal, $protocol:ident, $cycles:literal: $run:expr;)*) => {
        [$(Scenario {
            name: $name,
            run: Run::Full(Protocol::$protocol, $cycles, $run),
        }),*]
    };
}

/// Those that go before a proof.
pub const QUICK: [Scenario; 6] = scenarios! {
    "epoch-1k", Pipelined, 200_000: |bench| epoch::run(bench, 1, 1000);
    "lanes", Pipelined, 1_000_000: byte_lanes::run;
    "hazards-200", Classic, 1_000_000: |bench| hazards(bench, 2, 200);
    "epoch-5k", Classic, 1_000_000: |bench| epoch::run(bench, 3, 5000);
    "stress-300", Pipelined, 1_000_000: |bench| stress::run(bench, 7, 300);
    "modes-200", Pipelined, 8_000_000: |bench| modes::run(bench, 9, 200, 200);
};

/// Those after it.
pub const LONG: [Scenario; 8] = scenarios! {
    "epoch-20k", Pipelined, 4_000_000: |bench| epoch::run(bench, 4, 20_000);
    "hazards-2k", Pipelined, 4_000_000: |bench| hazards(bench, 5, 2000);
    "stress-4k", Classic, 24_000_000: |bench| stress::run(bench, 8, 4000);
    "saturation-100", Pipelined, 4_000_000: |bench| saturation::run(bench, 10, 100);
    "modes-1k", Classic, 40_000_000: |bench| modes::run(bench, 11, 1000, 200);
    "epoch-100k", Classic, 20_000_000: |bench| epoch::run(bench, 6, 100_000);
    "stress-10k", Pipelined, 60_000_000: |bench| stress::run(bench, 12, 10_000);
    "matches-160", Pipelined, 24_000_000: |bench| corners::matches(bench, 160);
};

/// What the others seldom do.
pub const RARE: [Scenario; 11] = scenarios! {
    "saturations-20", Pipelined, 4_000_000: |bench| corners::saturations(bench, 20);
    "errors-250", Classic, 4_000_000: |bench| corners::errors(bench, 250);
    "fetches-10", Pipelined, 16_000_000: |bench| corners::fetches(bench, 10);
    "losses-20", Classic, 16_000_000: |bench| corners::losses(bench, 20);
    "judgements-10k", Pipelined, 4_000_000: |bench| corners::judgements(bench, 10_000);
    "judgements-120k", Classic, 40_000_000: |bench| corners::judgements(bench, 120_000);
    "refusals-300", Pipelined, 4_000_000: |bench| corners::refusals(bench, 300);
    "clears-20", Pipelined, 16_000_000: |bench| corners::clears(bench, 20);
    "switches-200", Pipelined, 16_000_000: |bench| corners::switches(bench, 200);
    "frames-200", Classic, 4_000_000: |bench| corners::frames(bench, 200);
    "resets-2k", Pipelined, 24_000_000: |bench| corners::resets(bench, 2000);
};

fn hazards(bench: &mut Bench<MutantDevice>, seed: u64, records: u64) -> Result<(), Disagreement> {
    epoch::hazards(bench, seed, records).map_err(|(_, difference)| difference)
}

impl Scenario {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let full = QUICK.into_iter().chain(LONG).chain(RARE);
        let tiny = TINY_QUICK.into_iter().chain(TINY_LONG).chain(TINY_RARE);
        full.chain(tiny)
    }

    /// The scenario of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::all().find(|scenario| scenario.name == name)
    }

    /// Whether the bench notices a mutant: what it says.
    ///
    /// # Errors
    ///
    /// If there is no bench.
    pub fn notices(&self, built: &Built, number: u32) -> Result<Option<String>> {
        self.notices_in(built, built.design_of(number), number)
    }

    /// The same in a certain one of the designs.
    ///
    /// # Errors
    ///
    /// If there is no bench.
    pub fn notices_in(&self, built: &Built, design: usize, number: u32) -> Result<Option<String>> {
        match self.run {
            Run::Full(protocol, cycles, run) => {
                let bench = match built.bench((design, number), protocol, cycles) {
                    Ok(bench) => bench,
                    Err(error) => match error.downcast::<Disagreement>() {
                        Ok(difference) => return Ok(Some(difference.what)),
                        Err(error) => return Err(error),
                    },
                };
                Ok(full(bench, run))
            }
            Run::Tiny(run) => {
                let geometry = built.subject().named.geometry;
                let make = |seed| {
                    let pins = built.pins((design, number), seed);
                    tiny::Bench::new(pins.expect("a model of what was built"), geometry)
                };
                let tried = caught(|| run(&make));
                Ok(tried.err())
            }
        }
    }
}

fn full(
    mut bench: Bench<MutantDevice>,
    run: fn(&mut Bench<MutantDevice>) -> Result<(), Disagreement>,
) -> Option<String> {
    // What a mutant shows may be beyond what the model's types can say.
    match caught(|| run(&mut bench)) {
        Ok(Ok(())) => None,
        Ok(Err(difference)) => Some(format!("cycle {}: {}", difference.cycle, difference.what)),
        Err(said) => Some(format!("a value that the model does not know: {said}")),
    }
}
