//! The geometries of the lockstep tests: few enough to build, and diverse enough for every corner case.

use super::stream;
use hpp_golden::config::Geometry;
use hpp_golden::config::LookupScheme::{Parallel, Sequential};
use hpp_golden::config::Replacement::{Lfu, Rrip, Shadow};
use rand::RngExt;

/// Maximum number of entries of a random table.
const LARGEST: u32 = 2048;

#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// Name on the command line and in reports.
    pub name: &'static str,
    pub seed: Option<u64>,
    pub geometry: Geometry,
}

impl Named {
    /// Any legal geometry with a table of at most 2048 entries, determined by the seed. Stacks, queues and drains are
    /// mostly small, so that they fill quickly.
    pub fn random(seed: u64) -> Self {
        let mut rng = stream::rng(seed);
        let mut power = |low: u32, mostly: u32, high: u32| {
            let high = if rng.random_range(0..8) == 0 {
                high
            } else {
                mostly
            };
            1 << rng.random_range(low..=high)
        };
        let (sets, stack_depth, queue_depth) = (power(1, 7, 7), power(1, 6, 8), power(1, 4, 6));
        let drain_depth = power(6, 8, 12);
        let mut within = |low: u32, high: u32| rng.random_range(low..=high);
        let event_counter_bits = within(1, 32);
        let pc_bits = within(32, 64);
        let (lookup, replacement) = match within(0, 7) {
            0 | 1 => (Sequential, Shadow),
            2 | 3 => (Parallel, Lfu),
            4 | 5 => (Sequential, Lfu),
            _ => (Sequential, Rrip),
        };
        let most_ways = match within(0, 3) {
            0 => 32.min(LARGEST / sets),
            _ => 16,
        };
        let geometry = Geometry {
            sets,
            ways: within(1, most_ways),
            max_branches: within(1, 64),
            stack_depth,
            queue_depth,
            pc_bits,
            align: within(1, 2),
            event_bits: within(1, 32),
            event_counter_bits,
            extension_bits: within(1, 8),
            accumulator_bits: within(event_counter_bits.max(8), 32),
            counter_bits: within(32, 64),
            lookup,
            replacement,
            context_bits: within(0, 8).min(u64::BITS - pc_bits),
            stack_check: within(0, 1) == 1,
            drain_depth: match (replacement, within(0, 3)) {
                (Lfu | Rrip, 0) => drain_depth,
                _ => 0,
            },
            triggers: within(0, 3) == 0,
            ..Geometry::default()
        };
        Self {
            name: "random",
            seed: Some(seed),
            geometry,
        }
    }

    /// The geometry with that label: a name of [`all`], or `random:SEED`.
    pub fn find(label: &str) -> Option<Self> {
        if let Some(seed) = label.strip_prefix("random:") {
            return seed.parse().ok().map(Self::random);
        }
        all().into_iter().find(|named| named.name == label)
    }

    /// The label by which [`Named::find`] finds it.
    pub fn label(&self) -> String {
        match self.seed {
            Some(seed) => format!("{}:{seed}", self.name),
            None => self.name.to_string(),
        }
    }
}

/// A geometry in each line: its name, the one that it is derived from, and the differences.
macro_rules! geometries {
    ($($name:literal: $like:expr $(, { $($field:ident: $value:expr),+ })?;)*) => {
        vec![$(Named {
            name: $name,
            seed: None,
            geometry: Geometry { $($($field: $value,)+)? ..$like },
        }),*]
    };
}

pub fn all() -> Vec<Named> {
    geometries! {
        "default": Geometry::default();
        "parallel": parallel();
        "smallest": smallest();
        "odd": odd();
        "widest": widest();
        "direct-mapped": parallel(), { sets: 256, ways: 1 };
        "associative": parallel(), { sets: 2, ways: 32, queue_depth: 2 };
        "saturating": parallel(), {
            sets: 4, ways: 2, accumulator_bits: 8, event_counter_bits: 8, stack_depth: 4
        };
        "guarded": parallel(), {
            sets: 16, ways: 2, stack_depth: 8, context_bits: 3, stack_check: true
        };
        "rv64": parallel(), { sets: 64, ways: 2, max_branches: 16, pc_bits: 39, align: 1 };
        "five-way": parallel(), { sets: 32, ways: 5, max_branches: 33, accumulator_bits: 17 };
        "largest": parallel(), { sets: 4096, ways: 16, stack_depth: 256, queue_depth: 64 };
        "shadow": parallel(), { sets: 8, ways: 4, lookup: Sequential, replacement: Shadow };
        "shadow-smallest": smallest(), { lookup: Sequential, replacement: Shadow };
        "shadow-odd": odd(), { sets: 4, lookup: Sequential, replacement: Shadow };
        "shadow-widest": widest(), { sets: 4, lookup: Sequential, replacement: Shadow };
        "drained": parallel(), { sets: 4, ways: 2, accumulator_bits: 10, drain_depth: 64 };
        "drained-odd": odd(), { sets: 2, drain_depth: 128 };
        "drained-sequential": sequential(), { sets: 2, drain_depth: 64 };
        "drained-rrip": parallel(), {
            sets: 4, ways: 3, accumulator_bits: 10, lookup: Sequential,
            replacement: Rrip, drain_depth: 64
        };
        "rrip": parallel(), { sets: 8, ways: 4, lookup: Sequential, replacement: Rrip };
        "rrip-odd": odd(), { sets: 4, lookup: Sequential, replacement: Rrip };
        "sequential": sequential();
        "sequential-smallest": smallest(), { lookup: Sequential };
        "sequential-odd": odd(), { sets: 4, queue_depth: 4, lookup: Sequential };
        "sequential-guarded": sequential(), {
            sets: 8, stack_depth: 4, context_bits: 3, stack_check: true
        };
        "sequential-associative": parallel(), {
            sets: 2, ways: 32, queue_depth: 2, lookup: Sequential
        };
        "triggered": parallel(), {
            sets: 8, ways: 2, stack_depth: 8, pc_bits: 41, align: 1, context_bits: 3, triggers: true
        };
        "drained-guarded": parallel(), {
            sets: 8, ways: 2, stack_depth: 8, context_bits: 3,
            stack_check: true, drain_depth: 64
        };
    }
}

fn parallel() -> Geometry {
    Geometry {
        lookup: Parallel,
        ..Geometry::default()
    }
}

/// The smallest that fits beside a core on a small part: `fpga/configurations/small.toml`.
fn sequential() -> Geometry {
    Geometry {
        sets: 64,
        ways: 4,
        max_branches: 16,
        stack_depth: 16,
        queue_depth: 2,
        event_counter_bits: 8,
        accumulator_bits: 16,
        counter_bits: 32,
        ..Geometry::default()
    }
}

/// Every parameter at its minimum.
fn smallest() -> Geometry {
    Geometry {
        sets: 2,
        ways: 1,
        max_branches: 1,
        stack_depth: 2,
        queue_depth: 2,
        pc_bits: 32,
        align: 1,
        event_bits: 1,
        event_counter_bits: 1,
        extension_bits: 1,
        accumulator_bits: 8,
        counter_bits: 32,
        ..parallel()
    }
}

/// No parameter is a round number unless it must be.
fn odd() -> Geometry {
    Geometry {
        sets: 16,
        ways: 3,
        max_branches: 7,
        stack_depth: 4,
        queue_depth: 8,
        pc_bits: 41,
        align: 1,
        event_bits: 5,
        event_counter_bits: 7,
        extension_bits: 3,
        accumulator_bits: 11,
        counter_bits: 37,
        ..parallel()
    }
}

/// Every width at its maximum.
fn widest() -> Geometry {
    Geometry {
        sets: 64,
        ways: 8,
        max_branches: 64,
        stack_depth: 16,
        queue_depth: 16,
        pc_bits: 64,
        align: 1,
        event_bits: 32,
        event_counter_bits: 32,
        extension_bits: 8,
        accumulator_bits: 32,
        counter_bits: 64,
        ..parallel()
    }
}
