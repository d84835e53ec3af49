//! The simulated system.

use super::image::{self, Code};
use super::last_stage::LastStage;
use super::watcher::{INPUTS, Meanwhile, Watcher};
use anyhow::{Context, Result, bail};
use hpp_fpga::board::Board;
use hpp_fpga::core::{Core, STYLE};
use hpp_fpga::design::SourceFile;
use hpp_fpga::system::BASE_ISA;
use hpp_riscv::Retirement;
use hpp_tools::project_root;
use std::fs;
use std::io::Write;
use std::path::Path;
use verilated::{Builder, Design, Model};

/// Cycles simulated in one call: five words each, which fit a second-level cache.
const BATCH: usize = 4096;

/// Cycles of reset at the start of a run.
const RESET_CYCLES: usize = 8;

/// Cycles after which a program that has not ended is given up: the longest of ours takes 1.2e8.
const CYCLE_LIMIT: u64 = 2_000_000_000;

/// Memory of the system of `fpga/soc` in bytes.
const MEMORY_BYTES: usize = 2 << 20;

/// The same with what left the table behind the program's.
const DRAIN_MEMORY_BYTES: usize = 16 << 20;

/// Output ports of `hpp_soc_sim` and of `hpp_board_sim` that a run records, in the order of a row.
const PORTS: [&str; 5] = [
    "retire_addresses",
    "retire",
    "register_write",
    "uart",
    "stop",
];

/// Those for what retires second in a cycle, in a system with a core that can do so.
const SECOND: [&str; 2] = ["second_addresses", "second"];

/// The system of `fpga/soc`, by itself or on a board, built: any number of runs start from it.
pub struct Soc {
    design: Design,
    memory_bytes: usize,
    core: Core,
}

/// What a run ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The program's exit status.
    pub status: u32,
    /// Clock cycles from reset to the end.
    pub cycles: u64,
    /// Instructions retired.
    pub retired: u64,
    /// Everything the program printed.
    pub uart: String,
}

impl Soc {
    /// Builds the system; `profiler` is the emitted `hpp.v` (RVFI ingress, Wishbone) or nothing.
    ///
    /// # Errors
    ///
    /// If a tool or the core's sources are missing (the message says what to run), or Verilator refuses the text.
    pub fn build(profiler: Option<&Path>) -> Result<Self> {
        Self::with_core(Core::PicoRv32, profiler)
    }

    /// Builds the system of PicoRV32 with a profiler that has a drain, whose interrupt is the core's, and a drain writer behind it: sixteen megabytes of
    /// memory, those above the program's for what leaves the table. Software says which of the two takes it.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn with_drain(profiler: &Path, writer: &Path) -> Result<Self> {
        let builder = Builder::new("hpp_soc_sim")
            .source(project_root().join("fpga/soc/hpp_soc_sim.v"))
            .source(writer)
            .define("HPP_DRAIN")
            .define("HPP_DRAIN_WRITER")
            .parameter("MEMORY_WORDS", DRAIN_MEMORY_BYTES / 4);
        Self::build_with(builder, Core::PicoRv32, MEMORY_BYTES, Some(profiler))
            .context("the SoC does not build")
    }

    /// Builds the system with this core.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn with_core(core: Core, profiler: Option<&Path>) -> Result<Self> {
        let builder = Builder::new("hpp_soc_sim")
            .source(project_root().join("fpga/soc/hpp_soc_sim.v"))
            .parameter("MEMORY_WORDS", MEMORY_BYTES / 4);
        Self::build_with(builder, core, MEMORY_BYTES, profiler).context("the SoC does not build")
    }

    /// What the system with this core is made of, in the simulation.
    ///
    /// # Errors
    ///
    /// If the core's sources are missing (the message says what to run).
    pub fn sources(core: Core) -> Result<Vec<SourceFile>> {
        let mut files = core.files(&project_root())?;
        let bench = project_root().join("fpga/soc/hpp_soc_sim.v");
        let text = fs::read_to_string(&bench);
        let text = text.with_context(|| format!("cannot read {}", bench.display()))?;
        files.push(SourceFile::new("hpp_soc_sim.v", text));
        Ok(files)
    }

    /// Builds the board around the system with this core: its own reset, its serial line at its own clock, its lamps,
    /// its memory. A drain of the profiler is emptied by the core, in an interrupt.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn on_board(
        board: &Board,
        core: Core,
        profiler: Option<&Path>,
        has_drain: bool,
    ) -> Result<Self> {
        let folder = project_root().join("fpga/boards");
        let mut builder = Builder::new("hpp_board_sim")
            .define(BASE_ISA)
            .parameter("CLOCK_HZ", board.clock_hz)
            .parameter("MEMORY_WORDS", board.memory_words);
        if has_drain {
            builder = builder.define("HPP_DRAIN");
        }
        for file in [
            "hpp_board_sim",
            "hpp_board",
            "uart_transmitter",
            "uart_receiver",
        ] {
            builder = builder.source(folder.join(format!("{file}.v")));
        }
        let memory_bytes = board.memory_words as usize * 4;
        Self::build_with(builder, core, memory_bytes, profiler)
            .with_context(|| format!("the {} does not build", board.name))
    }

    fn build_with(
        mut builder: Builder,
        core: Core,
        memory_bytes: usize,
        profiler: Option<&Path>,
    ) -> Result<Self> {
        for file in core.files(&project_root())? {
            builder = match file.included {
                true => builder.included_text(file.name, file.text),
                false => builder.source_text(file.name, file.text),
            };
        }
        for define in core.defines() {
            builder = builder.define(define);
        }
        builder = builder.define("HPP_SIMULATION").optimisation(3);
        builder = STYLE.into_iter().fold(builder, Builder::flag);
        if let Some(file) = profiler {
            builder = builder.source(file).define("HPP_PROFILER");
        }
        Ok(Self {
            design: builder.build()?,
            memory_bytes,
            core,
        })
    }

    /// Runs the program `elf` from reset to its end.
    ///
    /// # Errors
    ///
    /// If the file is no program for this system, the core gives up (an illegal instruction, a misaligned
    /// access), an assertion of the RTL fails, or the program does not end within 2e9 cycles.
    pub fn run(&self, elf: &Path, watcher: &mut impl Watcher) -> Result<Run> {
        let mut memory = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        memory
            .write_all(image::hex(elf, self.core.memory(), self.memory_bytes)?.as_bytes())
            .context("cannot write the memory image")?;
        let argument = format!("+firmware={}", memory.path().display());
        let model = self.design.model_with_arguments(&[&argument])?;
        Simulation::new(model, self.core, Code::of(elf)?).run(elf, watcher)
    }
}

/// One run in progress.
struct Simulation {
    model: Model,
    /// Ports of what retires second.
    second: usize,
    cycles: u64,
    retired: u64,
    last_pc: u64,
    last_stage: LastStage,
    /// The program: a core may show what a compressed instruction stands for in its place.
    code: Code,
    /// Since the last retirement.
    meanwhile: Meanwhile,
    uart: Vec<u8>,
}

/// How a run ended.
enum End {
    Finished(u32),
    Trapped,
}

impl Simulation {
    fn new(model: Model, core: Core, code: Code) -> Self {
        Self {
            model,
            second: if core.retire_channels() == 2 {
                SECOND.len()
            } else {
                0
            },
            cycles: 0,
            retired: 0,
            last_pc: 0,
            last_stage: LastStage::new(core),
            code,
            meanwhile: Meanwhile::default(),
            uart: Vec::new(),
        }
    }

    fn run(mut self, elf: &Path, watcher: &mut impl Watcher) -> Result<Run> {
        let clk = self.model.input("clk")?;
        let rst = self.model.input("rst")?;
        let second = SECOND.iter().take(self.second);
        let outputs = PORTS
            .iter()
            .chain(second)
            .map(|port| self.model.output(port))
            .collect::<verilated::Result<Vec<_>>>()?;
        let mut reset = [0; BATCH];
        reset[..RESET_CYCLES].fill(1);
        let width = outputs.len();
        let mut rows = vec![0; BATCH * width];
        let mut skip = RESET_CYCLES;
        while self.cycles < CYCLE_LIMIT {
            self.model
                .run(clk, &[rst], &reset, &outputs, &mut rows)
                .with_context(|| self.place(elf))?;
            reset.fill(0);
            // Before and during reset the ports show whatever the model started from.
            let end = self.observe(&rows[skip * width..], width, watcher);
            skip = 0;
            watcher.progress(self.cycles, &self.uart);
            match end {
                None => {}
                Some(End::Trapped) => bail!("the core gave up: {}", self.place(elf)),
                Some(End::Finished(status)) => {
                    let Self {
                        cycles, retired, ..
                    } = self;
                    return Ok(Run {
                        status,
                        cycles,
                        retired,
                        uart: self.text(),
                    });
                }
            }
        }
        bail!("no end in {CYCLE_LIMIT} cycles: {}", self.place(elf))
    }

    /// Passes on what a batch of cycles shows; stops at the end of the run.
    fn observe(&mut self, rows: &[u64], width: usize, watcher: &mut impl Watcher) -> Option<End> {
        for row in rows.chunks_exact(width) {
            let &[addresses, retire, write, uart, stop, ref second @ ..] = row else {
                continue;
            };
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
            if let &[addresses, retire] = second
                && retire >> 32 & 1 == 1
            {
                self.shows(addresses, retire, [0; INPUTS]);
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
        }
        None
    }

    /// The core shows a retirement.
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
            context: 0,
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
