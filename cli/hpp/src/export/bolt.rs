//! BOLT's pre-aggregated profile: branches and the code run through between them.
//!
//! `F first last count` is code run through from an instruction to a branch; `T branch first last count` the same behind
//! a taken branch; `B branch target count mispredictions` a taken branch alone. Source: LLVM, `bolt/docs/profiles.md`.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use hpp_report::steps::{Step, steps};

use super::Input;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Run { first: u64, last: u64 },
    Trace { branch: u64, first: u64, last: u64 },
    Branch { branch: u64, target: u64 },
}

/// A line for each.
pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let mut entries: BTreeMap<Entry, u64> = BTreeMap::new();
    for (path, count) in &input.profile.counts {
        for entry in of_path(&steps(input.profile, input.program, path).unwrap_or_default()) {
            let sum = entries.entry(entry).or_default();
            *sum = sum.saturating_add(*count);
        }
    }
    let mut text = String::new();
    for (entry, count) in entries {
        match entry {
            Entry::Run { first, last } => writeln!(text, "F {first:x} {last:x} {count}")?,
            Entry::Trace {
                branch,
                first,
                last,
            } => {
                writeln!(text, "T {branch:x} {first:x} {last:x} {count}")?;
            }
            Entry::Branch { branch, target } => {
                writeln!(text, "B {branch:x} {target:x} {count} 0")?
            }
        }
    }
    Ok(text)
}

/// The runs of a path between its taken branches.
fn of_path(steps: &[Step]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let (mut from, mut first) = (None, steps.first().map_or(0, |step| step.block.start));
    for (i, step) in steps.iter().enumerate() {
        let is_last = i + 1 == steps.len();
        if !step.jumps() && !is_last {
            continue;
        }
        let last = step.last;
        entries.push(match from {
            None => Entry::Run { first, last },
            Some(branch) => Entry::Trace {
                branch,
                first,
                last,
            },
        });
        if let Some(target) = step.next.filter(|_| step.jumps()) {
            if is_last {
                entries.push(Entry::Branch {
                    branch: last,
                    target,
                });
            }
            (from, first) = (Some(last), target);
        }
    }
    entries
}
