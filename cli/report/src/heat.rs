//! Heat: what the paths of a profile say of single instructions and branches.
//!
//! The count of a path is spread over the instructions of its blocks, as often as the path passes them. What a table of
//! limited size lost, and paths that do not walk, are missing: heat is a lower bound.

use std::collections::BTreeMap;

use hpp_riscv::code::Program as _;
use hpp_riscv::{End, Walk, walk};

use crate::profile::Profile;
use crate::program::Program;
use crate::report::addresses;

/// What the paths say of instructions and branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// How often an instruction ran (events along the paths through it, if they are counted), by address.
    pub instructions: BTreeMap<u64, u64>,
    /// How often a conditional branch was taken and how often not, by its address.
    pub branches: BTreeMap<u64, Outcomes>,
    /// How often control went from the end of a block to the start of another one: last instruction, and target.
    pub edges: BTreeMap<(u64, u64), u64>,
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
    #[must_use]
    pub fn share(self) -> f64 {
        crate::report::share(self.taken, self.taken.saturating_add(self.not_taken))
    }
}

impl Heat {
    /// Of every path that walks. Linear in the instructions of all paths.
    #[must_use]
    pub fn of(profile: &Profile, program: &Program<'_>) -> Self {
        let mut heat = Self::default();
        for (path, count) in &profile.counts {
            let walked = walk(
                program.image(),
                &profile.ppcr,
                profile.geometry.max_branches,
                path,
            );
            if let Ok(walked) = walked {
                let last = path.outcome(path.length.wrapping_sub(1));
                heat.add(
                    program,
                    &walked,
                    last.filter(|_| walked.end != End::Trap),
                    *count,
                );
            }
        }
        heat
    }

    /// Adds a path; `last` is the outcome of its last recorded branch.
    fn add(&mut self, program: &Program<'_>, walked: &Walk, last: Option<bool>, count: u64) {
        for (i, block) in walked.blocks.iter().enumerate() {
            let mut end = block.start;
            for address in addresses(program, *block) {
                let sum = self.instructions.entry(address).or_default();
                *sum = sum.saturating_add(count);
                end = address;
            }
            let Some(instruction) = program.image().instruction(end) else {
                continue;
            };
            let next = walked.blocks.get(i + 1).map(|next| next.start);
            let transfer = instruction.transfer;
            if let Some(transfer) = transfer.filter(|transfer| transfer.conditional) {
                // The path's last branch has no block behind it, but an outcome.
                let target = next.or(match last {
                    Some(true) => transfer.target,
                    Some(false) => Some(instruction.next),
                    None => None,
                });
                if let Some(target) = target {
                    let taken =
                        target != instruction.next || (next.is_none() && last == Some(true));
                    let outcomes = self.branches.entry(end).or_default();
                    let sum = if taken {
                        &mut outcomes.taken
                    } else {
                        &mut outcomes.not_taken
                    };
                    *sum = sum.saturating_add(count);
                    self.edge(end, target, count);
                }
            } else if let Some(target) = next.or(transfer.and_then(|transfer| transfer.target)) {
                self.edge(end, target, count);
            }
        }
    }

    fn edge(&mut self, from: u64, to: u64, count: u64) {
        let sum = self.edges.entry((from, to)).or_default();
        *sum = sum.saturating_add(count);
    }
}
