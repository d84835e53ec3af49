//! A run of a simulated system.

use super::image::Code;
use super::last_stage::LastStage;
use super::watcher::{INPUTS, Meanwhile, Watcher};
use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::core::Core;
use hpp_riscv::Retirement;
use std::path::Path;
use verilated::Model;

/// Cycles between two reports of progress.
const REPORTED: u64 = 4096;

/// Cycles of reset at the start of a run.
const RESET_CYCLES: u32 = 8;

/// Cycles after which a program that has not ended is given up: the longest of ours takes 1.2e8.
const CYCLE_LIMIT: u64 = 2_000_000_000;

/// Output ports of `hpp_soc_sim` and of `hpp_board_sim` that a run records.
const PORTS: [&str; 5] = [
    "retire_addresses",
    "retire",
    "register_write",
    "uart",
    "stop",
];

/// Those for what retires second in a cycle, in a system with a core that can do so.
const SECOND: [&str; 2] = ["second_addresses", "second"];

/// The values of all of them in a cycle.
type Shown = [u64; PORTS.len() + SECOND.len()];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub status: u32,
    /// Clock cycles from reset to the end.
    pub cycles: u64,
    pub retired: u64,
    pub uart: String,
}

impl Run {
    /// # Errors
    ///
    /// If the status is not 0: the text has what the program of this name printed.
    pub fn ended_well(&self, program: impl std::fmt::Display) -> Result<()> {
        let Self { status, uart, .. } = self;
        ensure!(
            *status == 0,
            "{program} ended with status {status}:\n{uart}"
        );
        Ok(())
    }
}

pub(super) struct Simulation {
    model: Model,
    retire_channels: u32,
    cycles: u64,
    retired: u64,
    last_pc: u64,
    last_stage: LastStage,
    /// The program: a core may show what a compressed instruction stands for in its place.
    code: Code,
    meanwhile: Meanwhile,
    uart: Vec<u8>,
}

enum End {
    Finished(u32),
    Trapped,
}

impl Simulation {
    pub(super) fn new(model: Model, core: Core, code: Code) -> Self {
        Self {
            model,
            retire_channels: core.about().retire_channels,
            cycles: 0,
            retired: 0,
            last_pc: 0,
            last_stage: LastStage::new(core),
            code,
            meanwhile: Meanwhile::default(),
            uart: Vec::new(),
        }
    }

    pub(super) fn run(mut self, elf: &Path, watcher: &mut impl Watcher) -> Result<Run> {
        let clk = self.model.input("clk")?;
        let rst = self.model.input("rst")?;
        let second = SECOND.iter().filter(|_| self.retire_channels == 2);
        let outputs = PORTS
            .iter()
            .chain(second)
            .map(|port| self.model.output(port))
            .collect::<verilated::Result<Vec<_>>>()?;
        // Before and during reset the ports show whatever the model started from.
        self.model.stage(rst, 1);
        (0..RESET_CYCLES).try_for_each(|_| self.model.cycle_staged(clk))?;
        self.model.stage(rst, 0);
        let mut shown = Shown::default();
        while self.cycles < CYCLE_LIMIT {
            let outcome = self.model.cycle_staged(clk);
            outcome.with_context(|| self.place(elf))?;
            for (value, port) in shown.iter_mut().zip(&outputs) {
                *value = self.model.shown(*port);
            }
            let end = self.observe(shown, watcher);
            if end.is_some() || self.cycles.is_multiple_of(REPORTED) {
                watcher.progress(self.cycles, &self.uart);
            }
            match end {
                None => {}
                Some(End::Trapped) => bail!("the core gave up: {}", self.place(elf)),
                Some(End::Finished(status)) => {
                    return Ok(Run {
                        status,
                        cycles: self.cycles,
                        retired: self.retired,
                        uart: self.text(),
                    });
                }
            }
        }
        bail!("no end in {CYCLE_LIMIT} cycles: {}", self.place(elf))
    }

    /// Passes on what a cycle shows; the end of the run, if it is the last.
    fn observe(&mut self, shown: Shown, watcher: &mut impl Watcher) -> Option<End> {
        let [
            addresses,
            retire,
            write,
            uart,
            stop,
            second_addresses,
            second,
        ] = shown;
        self.cycles += 1;
        if write >> 38 & 1 == 1 {
            watcher.register_written((write >> 32) as u32 & 0x3f, write as u32);
        }
        self.pass_on(watcher);
        self.meanwhile.cycles += 1;
        let own_events = [retire >> 35 & 1, retire >> 36 & 1].map(|event| event as u32);
        if retire >> 32 & 1 == 1 {
            self.shows(addresses, retire, own_events);
        } else {
            let inputs = self.meanwhile.events.iter_mut().zip(own_events);
            inputs.for_each(|(events, own)| *events += own);
        }
        if second >> 32 & 1 == 1 {
            self.shows(second_addresses, second, [0; INPUTS]);
        }
        if uart >> 8 & 1 == 1 {
            self.uart.push(uart as u8);
        }
        if stop >> 32 != 0 {
            self.last_stage.ends();
            self.pass_on(watcher);
            return Some(match stop >> 33 {
                0 => End::Finished(stop as u32),
                _ => End::Trapped,
            });
        }
        None
    }

    fn shows(&mut self, addresses: u64, retire: u64, own_events: [u32; INPUTS]) {
        self.last_pc = addresses & 0xffff_ffff;
        let expanded = retire >> 37 & 1 == 1;
        let short = expanded.then(|| self.code.half_word(self.last_pc));
        let shown = Retirement {
            pc: self.last_pc,
            insn: short.flatten().map_or(retire as u32, u32::from),
            next_pc: addresses >> 32,
            trap: retire >> 33 & 1 == 1,
            intr: retire >> 34 & 1 == 1,
            loop_end: retire >> 46 & 1 == 1,
            context: (retire >> 38) as u8,
        };
        let meanwhile = Meanwhile {
            cycle: self.cycles + 1,
            own_events,
            ..std::mem::take(&mut self.meanwhile)
        };
        self.last_stage.shows(meanwhile, shown);
    }

    /// Passes on the retirements whose records meet the registers in this cycle.
    fn pass_on(&mut self, watcher: &mut impl Watcher) {
        while let Some((meanwhile, retirement)) = self.last_stage.due(self.cycles) {
            self.retired += 1;
            watcher.retired_in(&meanwhile, &retirement);
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.uart).into_owned()
    }

    /// Where the run is, for a message.
    fn place(&self, elf: &Path) -> String {
        format!(
            "{} at {:#x} after {} cycles; it printed:\n{}",
            elf.display(),
            self.last_pc,
            self.cycles,
            self.text()
        )
    }
}
