//! When a program's branch records come, for [`hpp_lockstep::rate`]: on a simulated core, or in a trace.

use super::{Meanwhile, Soc, Watcher, firmware_of};
use anyhow::{Context, Result, ensure};
use hpp_explore::trace::{Isa, TraceReader};
use hpp_golden::branch::BranchRecord;
use hpp_lockstep::rate::Timed;
use hpp_riscv::{Ingress, Retirement, Xlen};
use std::collections::VecDeque;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// What the events of a trace's records count.
const INSTRUCTIONS: &str = "instructions";

/// Runs a program and keeps its last `limit` records: programs begin with loops that clear and fill memory.
///
/// # Errors
///
/// If the program or the system does not build, or the run does not end well.
pub fn record_timed(soc: &Soc, program: &str, limit: usize) -> Result<Vec<Timed>> {
    let mut recorder = Recorder {
        ingress: Ingress::new(Xlen::Rv32, 8),
        instructions: 0,
        last: Last::new(limit),
    };
    soc.run(&firmware_of(program, soc.core, &[])?, &mut recorder)?
        .ended_well(program)?;
    Ok(recorder.last.records.into())
}

/// The instruction set of a trace that `hpp trace --write` wrote, and its last `limit` records. A trace knows
/// no clock: an instruction is a cycle.
///
/// # Errors
///
/// If the file cannot be read, is no whole trace, counts other events than instructions, or its program is not RISC-V.
pub fn traced(file: &Path, limit: usize) -> Result<(Isa, Vec<Timed>)> {
    let context = || file.display().to_string();
    let input = BufReader::new(File::open(file).with_context(context)?);
    let mut trace = TraceReader::new(input).with_context(context)?;
    let (isa, events) = (trace.header().isa, trace.header().events.clone());
    ensure!(
        events == INSTRUCTIONS,
        "{}: its records count {events}; allowed: {INSTRUCTIONS}, as `hpp trace` does",
        context()
    );
    ensure!(
        isa != Isa::X86_64,
        "{}: a program of {isa}, whose instructions have any number of bytes; allowed: RISC-V",
        context()
    );
    let mut last = Last::new(limit);
    let mut instruction = 0;
    while let Some((records, numbers)) = trace.next_chunk().with_context(context)? {
        for number in numbers {
            let record = records[*number as usize];
            instruction += u64::from(record.events);
            last.push(record, instruction, instruction);
        }
    }
    Ok((isa, last.records.into()))
}

/// The last records of a stream.
struct Last {
    records: VecDeque<Timed>,
    limit: usize,
}

impl Last {
    fn new(limit: usize) -> Self {
        Self {
            records: VecDeque::new(),
            limit,
        }
    }

    fn push(&mut self, record: BranchRecord, cycle: u64, instruction: u64) {
        if self.records.len() >= self.limit {
            self.records.pop_front();
        }
        self.records.push_back(Timed {
            record,
            cycle,
            instruction,
        });
    }
}

struct Recorder {
    ingress: Ingress,
    instructions: u64,
    last: Last,
}

impl Watcher for Recorder {
    fn retired(&mut self, retirement: &Retirement) {
        let meanwhile = Meanwhile {
            cycle: self.instructions,
            ..Meanwhile::default()
        };
        self.retired_in(&meanwhile, retirement);
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        self.instructions += 1;
        for record in self.ingress.step(retirement, 1) {
            self.last.push(record, meanwhile.cycle, self.instructions);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_explore::trace::{Ending, Header, TraceWriter};
    use hpp_golden::branch::BranchKind;

    /// A trace of two branches by turns, the first of 3 instructions and the second of 5.
    fn trace(header: &Header) -> tempfile::NamedTempFile {
        let branch = |target, events| {
            BranchRecord::new(BranchKind::Forward, true, target, 0).with_events(events)
        };
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let mut writer =
            TraceWriter::new(file.reopen().expect("it opens"), header).expect("a file");
        for _ in 0..10 {
            for record in [branch(0x100, 3), branch(0x200, 5)] {
                writer.record(&record).expect("it is written");
            }
        }
        writer.finish(&Ending::default()).expect("it is written");
        file
    }

    fn header(isa: Isa, events: &str) -> Header {
        Header {
            isa,
            events: events.into(),
            ..Header::default()
        }
    }

    #[test]
    fn the_last_records_of_a_trace_come_when_their_instructions_have_retired() {
        let file = trace(&header(Isa::Riscv64, "instructions"));
        let (isa, records) = traced(file.path(), 3).expect("a trace");
        assert_eq!(isa, Isa::Riscv64);
        let times: Vec<_> = records
            .iter()
            .map(|timed| (timed.record.target, timed.instruction))
            .collect();
        assert_eq!(times, [(0x200, 72), (0x100, 75), (0x200, 80)]);
        let (_, all) = traced(file.path(), 1000).expect("a trace");
        assert_eq!(all.len(), 20);
    }

    #[test]
    fn a_trace_that_says_nothing_of_a_pace_is_refused() {
        for (header, part) in [
            (header(Isa::Riscv64, "loads"), "its records count loads"),
            (header(Isa::X86_64, "instructions"), "allowed: RISC-V"),
        ] {
            let file = trace(&header);
            let error = format!("{:#}", traced(file.path(), 3).unwrap_err());
            assert!(error.contains(part), "{error}");
            assert!(
                error.contains(&file.path().display().to_string()),
                "{error}"
            );
        }
        let error = format!("{:#}", traced(Path::new("nowhere"), 3).unwrap_err());
        assert!(error.starts_with("nowhere: "), "{error}");
    }
}
