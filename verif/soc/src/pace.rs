//! The cycles of a program's branch records on the simulated PicoRV32, for [`hpp_lockstep::rate`].

use super::{Meanwhile, Soc, Watcher, firmware};
use anyhow::{Result, ensure};
use hpp_lockstep::rate::Timed;
use hpp_riscv::{Ingress, Retirement, Xlen};
use std::collections::VecDeque;

/// Runs a program and keeps its last `limit` records: programs begin with loops that clear and fill memory.
///
/// # Errors
///
/// If the program or the system does not build, or the run does not end well.
pub fn record_timed(soc: &Soc, program: &str, limit: usize) -> Result<Vec<Timed>> {
    let mut recorder = Recorder {
        ingress: Ingress::new(Xlen::Rv32, 8),
        instructions: 0,
        records: VecDeque::new(),
        limit,
    };
    let run = soc.run(&firmware(program)?, &mut recorder)?;
    ensure!(run.status == 0, "{program} failed:\n{}", run.uart);
    Ok(recorder.records.into())
}

struct Recorder {
    ingress: Ingress,
    instructions: u64,
    records: VecDeque<Timed>,
    limit: usize,
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
            if self.records.len() >= self.limit {
                self.records.pop_front();
            }
            self.records.push_back(Timed {
                record,
                cycle: meanwhile.cycle,
                instruction: self.instructions,
            });
        }
    }
}
