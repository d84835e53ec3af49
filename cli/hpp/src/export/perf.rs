//! What `perf script -F ip,brstack` prints of samples with branch records: each path is a sample, its taken branches are the records.
//!
//! ```text
//! 1500                                              how many samples are like this
//!  10c0 0x10c0/0x0/P/-/-/0 0x1080/0x10a0/P/-/-/0 0x0/0x1040/P/-/-/0
//! ```
//!
//! The latest record comes first: where a branch is, and where it led. Code runs from where a record led to where the next one is. A path therefore has a
//! record before its first block, of a jump that ended another path if one led there, and one after its last, whose end is address 0. So each jump
//! is one record, which llvm-profgen counts once. Lines with the number of samples are what llvm-profgen
//! reads besides; perf prints each sample. Source: perf-script(1), and LLVM 19, `llvm-profgen/PerfReader.h`.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use hpp_report::PathReport;
use hpp_report::steps::steps;
use object::{Object, ObjectSegment};

use super::{Input, bolt};

/// A line for each of the program's segments of code as the system maps it, then two for each path. llvm-profgen stops at a mapping that is
/// none of an executable segment.
pub fn write(input: &Input<'_>, program: &[u8]) -> Result<String> {
    input.needs_executions()?;
    let mut text = String::new();
    let file = object::File::parse(program)?;
    for segment in file
        .segments()
        .filter(|segment| segment.permissions().executable())
    {
        let (offset, _) = segment.file_range();
        let (address, size) = (segment.address(), segment.size());
        let within = address % PAGE;
        writeln!(
            text,
            "PERF_RECORD_MMAP2 1/1: [{:#x}({:#x}) @ {:#x} 00:00 0 0]: r-xp {}",
            address - within,
            size + within,
            offset.saturating_sub(within),
            input.name
        )?;
    }
    let runs = |path: &PathReport| {
        let steps = steps(input.profile, input.program, &path.descriptor).unwrap_or_default();
        (path.count, bolt::runs(&steps))
    };
    let paths: Vec<_> = input.report.paths.iter().map(runs).collect();
    // The jumps that ended paths, and how often, by where they led.
    let mut jumps: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for (count, runs) in &paths {
        if let Some((last, target)) = runs.last().and_then(|run| Some((run.last, run.target?))) {
            jumps.entry(target).or_default().push((last, *count));
        }
    }
    for (count, runs) in &paths {
        let (Some(first), Some(last)) = (runs.first(), runs.last()) else {
            continue;
        };
        let before = jumps.entry(first.first).or_default();
        let mut rest = *count;
        while rest > 0 {
            let (jump, times) = before.pop().unwrap_or((0, rest));
            let now = times.min(rest);
            before.extend((times > now).then_some((jump, times - now)));
            rest -= now;
            write!(text, "{now}\n {:x}", last.last)?;
            for (place, run) in runs.iter().enumerate().rev() {
                let target = run.target.filter(|_| place + 1 < runs.len());
                record(&mut text, run.last, target.unwrap_or(0))?;
            }
            record(&mut text, jump, first.first)?;
            text.push('\n');
        }
    }
    // What they led to is lost.
    for (target, jumps) in jumps {
        for (jump, times) in jumps {
            write!(text, "{times}\n {jump:x}")?;
            record(&mut text, jump, target)?;
            text.push('\n');
        }
    }
    Ok(text)
}

const PAGE: u64 = 4096;

/// A branch that was predicted, outside a transaction, of which no cycles are known.
fn record(text: &mut String, branch: u64, target: u64) -> Result<()> {
    Ok(write!(text, " {branch:#x}/{target:#x}/P/-/-/0")?)
}
