//! Witness traces and bit traces.

use anyhow::{Result, ensure};
use hpp_paths::trace::{Instrumentation, Note, Regeneration, Step, Trace, Tracer, Witnesses};

use crate::runs::{Run, Weighting};

/// What was written, in bits, notes included.
pub struct Written {
    pub outcomes_in_bytes: u64,
    pub in_bytes: u64,
    pub distinct: u64,
    pub reused: u64,
    pub outcomes: u64,
    /// How often control left a block with several ways out.
    pub predicates: u64,
    pub witnesses: u64,
    pub notes: usize,
}

/// Traces a run in all ways, and sees whether each trace regenerates it.
pub fn measure(run: &Run, weighting: Weighting) -> Result<Written> {
    let program = run.program();
    let distinct = |id| Witnesses::optimal(program.procedure(id), &run.weights(id, weighting));
    let distinct = Instrumentation::new(program, program.ids().map(distinct).collect())?;
    let outcomes = Instrumentation::every_outcome(program);
    let bits = |instrumentation: &Instrumentation| {
        Ok::<_, anyhow::Error>(bits(&traced(run, instrumentation)?))
    };
    let [plain, every] = [traced(run, &distinct)?, traced(run, &outcomes)?];
    Ok(Written {
        outcomes_in_bytes: bits(&outcomes.map(Witnesses::in_bytes))?,
        in_bytes: bits(&distinct.clone().map(Witnesses::in_bytes))?,
        reused: bits(&distinct.map(Witnesses::reusing_values))?,
        distinct: self::bits(&plain),
        outcomes: self::bits(&every),
        predicates: every.witnesses(),
        witnesses: plain.witnesses(),
        notes: plain.notes().len(),
    })
}

/// The trace of the run, which must regenerate it.
fn traced(run: &Run, instrumentation: &Instrumentation) -> Result<Trace> {
    let steps = || run.events.iter().copied().map(Step::Go);
    let trace = Tracer::trace(instrumentation, run.start, steps())?;
    let mut regenerated = Regeneration::new(instrumentation, &trace);
    for step in steps().chain([Step::Stop]) {
        ensure!(
            regenerated.next().transpose()? == Some(step),
            "{} regenerates another run",
            run.name
        );
    }
    Ok(trace)
}

/// Witnesses and notes. A note of a callee is an address; one of an early exit is the number of witnesses in 64 bits
/// and an address for each block and call on the activation stack.
fn bits(trace: &Trace) -> u64 {
    const ADDRESS: u64 = 32;
    let note = |note: &Note| match note {
        Note::Callee(_) => ADDRESS,
        Note::Escape(exit) => 64 + 2 * ADDRESS * exit.stack.len() as u64,
    };
    trace.bits() + trace.notes().iter().map(note).sum::<u64>()
}
