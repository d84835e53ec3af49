//! A sample profile of LLVM as text, as AutoFDO's tools write it: for each function, how often each of its lines ran.
//!
//! ```text
//! function:total:head          head: how often the function was entered
//!  3: 120                      line 3 of the function ran 120 times
//!  5: 60 callee:60             and called
//!  7: inlined:300              a function inlined there, its lines below
//!   1: 300
//! ```
//!
//! Lines are counted from the function's declaration; a line's count is the greatest of its instructions'. Source: LLVM,
//! `SampleProfReader.h`.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Result, bail};
use hpp_golden::branch::BranchKind;
use hpp_report::Heat;
use hpp_report::numbers::{grow, sum};
use hpp_report::program::SourceFrame;
use hpp_riscv::code::ProgramCode as _;

use super::Input;

/// The samples of a function, or of one inlined into another.
#[derive(Default)]
struct Samples {
    head: u64,
    /// By line.
    body: BTreeMap<u32, Body>,
    /// By the line of the call, and the function that was inlined.
    inlined: BTreeMap<(u32, String), Samples>,
}

#[derive(Default)]
struct Body {
    count: u64,
    calls: BTreeMap<String, u64>,
}

/// A section for each function that ran.
pub fn write(input: &Input<'_>) -> Result<String> {
    input.needs_executions()?;
    let heat = Heat::of(input.profile, input.program);
    let mut functions: BTreeMap<String, Samples> = BTreeMap::new();
    for (&address, &count) in &heat.instructions {
        let frames = input.program.frames(address);
        let Some(outermost) = frames.last() else {
            continue;
        };
        let samples = functions.entry(outermost.symbol.clone()).or_default();
        let function = input.program.image().functions().at(address);
        if let Some(function) = function.filter(|function| function.address == address) {
            grow(&mut samples.head, heat.entered(function));
        }
        samples.add(&frames, count, callee(input, address));
    }
    if functions.is_empty() {
        bail!("{}", input.without_lines());
    }
    let mut text = String::new();
    for (name, samples) in &functions {
        writeln!(text, "{name}:{}:{}", samples.total(), samples.head)?;
        samples.write(&mut text, 1)?;
    }
    Ok(text)
}

/// The function that a direct call leads to.
fn callee(input: &Input<'_>, address: u64) -> Option<String> {
    let transfer = input.program.image().instruction(address)?.transfer?;
    let target = transfer
        .target
        .filter(|_| transfer.kind == BranchKind::Call)?;
    let frames = input.program.frames(target);
    Some(frames.last()?.symbol.clone())
}

/// The line within its function. Those from other files, such as macros, wrap around as LLVM's do.
fn offset(frame: &SourceFrame) -> u32 {
    let first = frame.declared.unwrap_or(frame.source.line);
    frame.source.line.wrapping_sub(first) & 0xffff
}

impl Samples {
    /// Counts an instruction; its frames, the innermost first.
    fn add(&mut self, frames: &[SourceFrame], count: u64, callee: Option<String>) {
        let mut samples = self;
        for pair in frames.windows(2).rev() {
            let place = (offset(&pair[1]), pair[0].symbol.clone());
            samples = samples.inlined.entry(place).or_default();
        }
        let Some(innermost) = frames.first() else {
            return;
        };
        let body = samples.body.entry(offset(innermost)).or_default();
        body.count = body.count.max(count);
        if let Some(callee) = callee {
            grow(body.calls.entry(callee).or_default(), count);
        }
    }

    fn total(&self) -> u64 {
        let own = self.body.values().map(|body| body.count);
        let inlined = self.inlined.values().map(Samples::total);
        sum(own.chain(inlined))
    }

    fn write(&self, text: &mut String, depth: usize) -> Result<()> {
        for (line, body) in &self.body {
            write!(text, "{:depth$}{line}: {}", "", body.count)?;
            for (callee, count) in &body.calls {
                write!(text, " {callee}:{count}")?;
            }
            text.push('\n');
        }
        for ((line, name), inlined) in &self.inlined {
            writeln!(text, "{:depth$}{line}: {name}:{}", "", inlined.total())?;
            inlined.write(text, depth + 1)?;
        }
        Ok(())
    }
}
