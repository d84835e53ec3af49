//! Heat: how often single instructions and branches ran, from the paths of a profile.
//!
//! The count of a path is spread over the instructions of its blocks, as often as the path passes them. Paths that the
//! table lost, and paths that do not walk, are missing: heat is a lower bound.
//!
//! Events are counted along a path as a whole: each of its instructions has all of them, once, and they cannot be divided among branches.

use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::Metric;
use hpp_riscv::Function;
use hpp_riscv::code::ProgramCode as _;

use crate::numbers::{grow, share, sum};
use crate::profile::Profile;
use crate::program::Program;
use crate::steps::{PathStep, steps};

/// What the paths say of instructions and branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// How often an instruction ran (events along the paths through it, if they are counted), by address.
    pub instructions: BTreeMap<u64, u64>,
    /// How often a conditional branch was taken and how often not, by its address; none where events are counted.
    pub branches: BTreeMap<u64, Outcomes>,
    /// How often a branch or jump, no call, led to one address from another; none where events are counted.
    jumps: BTreeMap<(u64, u64), u64>,
}

/// Which way a branch went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Times taken.
    pub taken: u64,
    /// Times not taken.
    pub not_taken: u64,
}

impl Outcomes {
    /// The share of taken ones, from 0 to 1.
    pub fn share(self) -> f64 {
        share(self.taken, self.taken.saturating_add(self.not_taken))
    }
}

impl Heat {
    /// Of every path that walks. Linear in the instructions of all paths.
    pub fn of(profile: &Profile, program: &Program<'_>) -> Self {
        let mut heat = Self::default();
        for (path, count) in &profile.counts {
            let steps = steps(profile, program, path).unwrap_or_default();
            match profile.ppcr.metric {
                Metric::Executions => {
                    for step in steps {
                        heat.add(program, step, *count);
                    }
                }
                Metric::Events => heat.add_events(program, &steps, *count),
            }
        }
        heat
    }

    /// How often a function was entered: how often its first instruction ran, but for branches of its own that lead back to it.
    pub fn entered(&self, function: &Function) -> u64 {
        let ran = self.instructions.get(&function.address);
        let own = (function.address, function.address)..(function.address, function.end());
        let back = sum(self.jumps.range(own).map(|(_, &count)| count));
        // Paths that the table lost are missing: what ran was entered even so.
        ran.map_or(0, |ran| ran.saturating_sub(back).max(1.min(*ran)))
    }

    fn add_events(&mut self, program: &Program<'_>, steps: &[PathStep], count: u64) {
        let all = steps.iter().flat_map(|step| program.addresses(step.block));
        for address in all.collect::<BTreeSet<_>>() {
            grow(self.instructions.entry(address).or_default(), count);
        }
    }

    fn add(&mut self, program: &Program<'_>, step: PathStep, count: u64) {
        for address in program.addresses(step.block) {
            grow(self.instructions.entry(address).or_default(), count);
        }
        if let Some(taken) = step.taken {
            let outcomes = self.branches.entry(step.last).or_default();
            match taken {
                true => grow(&mut outcomes.taken, count),
                false => grow(&mut outcomes.not_taken, count),
            }
        }
        let is_own = step.jumps && !is_call(program, step.last);
        if let Some(next) = step.next.filter(|_| is_own) {
            grow(self.jumps.entry((next, step.last)).or_default(), count);
        }
    }
}

fn is_call(program: &Program<'_>, address: u64) -> bool {
    let instruction = program.image().instruction(address);
    let transfer = instruction.and_then(|instruction| instruction.transfer);
    transfer.is_some_and(|t| matches!(t.kind, BranchKind::Call | BranchKind::IndirectCall))
}
