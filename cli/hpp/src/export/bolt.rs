//! BOLT's pre-aggregated profile: branches and the code run through between them.
//!
//! `F first last count` is code run through from an instruction to a branch; `B branch target count mispredictions` a taken branch.
//! Both are read by every release; `T`, a branch and the run after it in one line, only by those since LLVM 21. Source: LLVM,
//! `bolt/docs/profiles.md`, and `parseAggregatedLBREntry` of release 19.

use std::collections::BTreeMap;

use anyhow::Result;
use hpp_report::numbers::grow;
use hpp_report::steps::{PathStep, steps};

use super::Input;

pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let (mut ran, mut branched) = (BTreeMap::new(), BTreeMap::new());
    for (path, count) in &input.profile.counts {
        let steps = steps(input.profile, input.program, path).unwrap_or_default();
        for Run {
            first,
            last,
            target,
        } in runs(&steps)
        {
            grow(ran.entry((first, last)).or_default(), *count);
            if let Some(target) = target {
                grow(branched.entry((last, target)).or_default(), *count);
            }
        }
    }
    let ran = ran
        .iter()
        .map(|((first, last), count)| format!("F {first:x} {last:x} {count}\n"));
    let branch = |((branch, target), count): (&(u64, u64), &u64)| {
        format!("B {branch:x} {target:x} {count} 0\n")
    };
    Ok(ran.chain(branched.iter().map(branch)).collect())
}

/// Code that a path runs through.
pub struct Run {
    pub first: u64,
    pub last: u64,
    /// Where the branch there led, if it was taken and that is known.
    pub target: Option<u64>,
}

/// The runs of a path between its taken branches.
pub fn runs(steps: &[PathStep]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut first = steps.first().map_or(0, |step| step.block.start);
    for (i, step) in steps.iter().enumerate() {
        if !step.jumps && i + 1 < steps.len() {
            continue;
        }
        let target = step.next.filter(|_| step.jumps);
        runs.push(Run {
            first,
            last: step.last,
            target,
        });
        first = target.unwrap_or(first);
    }
    runs
}
