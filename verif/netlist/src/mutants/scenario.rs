//! The scenarios that mutants meet, the shortest first.

use super::corners;
use super::device::MutantDevice;
use super::subject::Built;
use anyhow::Result;
use hpp_lockstep::{Bench, Disagreement, Protocol, byte_lanes, epoch, modes, saturation, stress};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A scenario: its name, and what it does with a bench.
#[derive(Debug, Clone, Copy)]
pub struct Scenario {
    /// Its name. What mutants met is kept under it: a scenario that changes gets another one.
    pub name: &'static str,
    /// The bus master's protocol.
    protocol: Protocol,
    /// Cycles it may take.
    cycles: u64,
    run: fn(&mut Bench<MutantDevice>) -> Result<(), Disagreement>,
}

/// Those that go before a proof.
pub const QUICK: [Scenario; 6] = [
    Scenario {
        name: "epoch-1k",
        protocol: Protocol::Pipelined,
        cycles: 200_000,
        run: |bench| epoch::run(bench, 1, 1000),
    },
    Scenario {
        name: "lanes",
        protocol: Protocol::Pipelined,
        cycles: 1_000_000,
        run: byte_lanes::run,
    },
    Scenario {
        name: "hazards-200",
        protocol: Protocol::Classic,
        cycles: 1_000_000,
        run: |bench| hazards(bench, 2, 200),
    },
    Scenario {
        name: "epoch-5k",
        protocol: Protocol::Classic,
        cycles: 1_000_000,
        run: |bench| epoch::run(bench, 3, 5000),
    },
    Scenario {
        name: "stress-300",
        protocol: Protocol::Pipelined,
        cycles: 1_000_000,
        run: |bench| stress::run(bench, 7, 300),
    },
    Scenario {
        name: "modes-200",
        protocol: Protocol::Pipelined,
        cycles: 8_000_000,
        run: |bench| modes::run(bench, 9, 200, 200),
    },
];

/// Those behind it.
pub const LONG: [Scenario; 7] = [
    Scenario {
        name: "epoch-20k",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| epoch::run(bench, 4, 20_000),
    },
    Scenario {
        name: "hazards-2k",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| hazards(bench, 5, 2000),
    },
    Scenario {
        name: "stress-4k",
        protocol: Protocol::Classic,
        cycles: 24_000_000,
        run: |bench| stress::run(bench, 8, 4000),
    },
    Scenario {
        name: "saturation-100",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| saturation::run(bench, 10, 100),
    },
    Scenario {
        name: "modes-1k",
        protocol: Protocol::Classic,
        cycles: 40_000_000,
        run: |bench| modes::run(bench, 11, 1000, 200),
    },
    Scenario {
        name: "epoch-100k",
        protocol: Protocol::Classic,
        cycles: 20_000_000,
        run: |bench| epoch::run(bench, 6, 100_000),
    },
    Scenario {
        name: "stress-10k",
        protocol: Protocol::Pipelined,
        cycles: 60_000_000,
        run: |bench| stress::run(bench, 12, 10_000),
    },
];

/// What the others seldom do.
pub const RARE: [Scenario; 10] = [
    Scenario {
        name: "saturations-20",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| corners::saturations(bench, 20),
    },
    Scenario {
        name: "errors-250",
        protocol: Protocol::Classic,
        cycles: 4_000_000,
        run: |bench| corners::errors(bench, 250),
    },
    Scenario {
        name: "fetches-10",
        protocol: Protocol::Pipelined,
        cycles: 16_000_000,
        run: |bench| corners::fetches(bench, 10),
    },
    Scenario {
        name: "losses-20",
        protocol: Protocol::Classic,
        cycles: 16_000_000,
        run: |bench| corners::losses(bench, 20),
    },
    Scenario {
        name: "judgements-10k",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| corners::judgements(bench, 10_000),
    },
    Scenario {
        name: "judgements-120k",
        protocol: Protocol::Classic,
        cycles: 40_000_000,
        run: |bench| corners::judgements(bench, 120_000),
    },
    Scenario {
        name: "refusals-300",
        protocol: Protocol::Pipelined,
        cycles: 4_000_000,
        run: |bench| corners::refusals(bench, 300),
    },
    Scenario {
        name: "clears-20",
        protocol: Protocol::Pipelined,
        cycles: 16_000_000,
        run: |bench| corners::clears(bench, 20),
    },
    Scenario {
        name: "switches-200",
        protocol: Protocol::Pipelined,
        cycles: 16_000_000,
        run: |bench| corners::switches(bench, 200),
    },
    Scenario {
        name: "frames-200",
        protocol: Protocol::Classic,
        cycles: 4_000_000,
        run: |bench| corners::frames(bench, 200),
    },
];

fn hazards(bench: &mut Bench<MutantDevice>, seed: u64, records: u64) -> Result<(), Disagreement> {
    epoch::hazards(bench, seed, records).map_err(|(_, difference)| difference)
}

impl Scenario {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        QUICK.into_iter().chain(LONG).chain(RARE)
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
        let mut bench = match built.bench((design, number), self.protocol, self.cycles) {
            Ok(bench) => bench,
            Err(error) => match error.downcast::<Disagreement>() {
                Ok(difference) => return Ok(Some(difference.what)),
                Err(error) => return Err(error),
            },
        };
        // What a mutant shows may be beyond what the model's types can say.
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.run)(&mut bench)));
        Ok(match outcome {
            Ok(Ok(())) => None,
            Ok(Err(difference)) => Some(format!("cycle {}: {}", difference.cycle, difference.what)),
            Err(_) => Some("a value that the model does not know".into()),
        })
    }
}
