use super::ProfilerSources;
use super::image::{self, Code};
use super::simulation::{Run, Simulation};
use super::watcher::Watcher;
use anyhow::{Context, Result};
use hpp_fpga::board::Board;
use hpp_fpga::core::{Core, STYLE};
use hpp_fpga::design::SourceFile;
use hpp_fpga::profiler::defines;
use hpp_fpga::system::BASE_ISA;
use std::fs;
use std::io::Write;
use std::path::Path;
use verilated::tools::project_root;
use verilated::{Builder, Design};

/// Memory of the system of `fpga/soc` in bytes.
const MEMORY_BYTES: usize = 2 << 20;

/// The same with what left the table behind the program's.
const DRAIN_MEMORY_BYTES: usize = 16 << 20;

/// The system of `fpga/soc`, by itself or on a board, built: any number of runs start from it.
pub struct Soc {
    design: Design,
    memory_bytes: usize,
    pub(super) core: Core,
}

/// The bench of the system with so much memory.
fn bench(memory_bytes: usize) -> Builder {
    Builder::new("hpp_soc_sim")
        .source(project_root().join("fpga/soc/hpp_soc_sim.v"))
        .parameter("MEMORY_WORDS", memory_bytes / 4)
}

/// The same with a drain writer.
fn drained(memory_bytes: usize, writer: &Path) -> Builder {
    let builder = bench(memory_bytes).source(writer);
    builder.define("HPP_DRAIN").define("HPP_DRAIN_WRITER")
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
    /// memory, those above the program's for evicted entries. Software says which of the two takes it.
    pub fn with_drain(profiler: &Path, writer: &Path) -> Result<Self> {
        let builder = drained(DRAIN_MEMORY_BYTES, writer);
        Self::build_with(builder, Core::PicoRv32, MEMORY_BYTES, Some(profiler))
            .context("the SoC does not build")
    }

    /// Builds the system that boots Linux, with so much memory, of which the part from `drain_base` on is for what a drain writer puts there. It takes
    /// [images of memory](Self::run_image). With a profiler of two harts, a second one beside it runs a program of its own.
    pub fn for_linux(
        sources: &ProfilerSources,
        memory_bytes: usize,
        drain_base: usize,
    ) -> Result<Self> {
        let builder = drained(memory_bytes, &sources.drain_writer);
        // A boot is hundreds of millions of cycles.
        let builder = builder
            .parameter("DRAIN_BASE", drain_base / 4)
            .optimisation(3);
        let builder = match sources.geometry.harts {
            1 => builder,
            _ => builder
                .source(project_root().join("fpga/linux/second_hart.v"))
                .define("HPP_SECOND_HART"),
        };
        let (core, profiler) = (Core::VexRiscvLinux, Some(&*sources.verilog));
        Self::build_with(builder, core, memory_bytes, profiler)
            .context("the system for Linux does not build")
    }

    /// Builds the system with this core.
    pub fn with_core(core: Core, profiler: Option<&Path>) -> Result<Self> {
        Self::build_with(bench(MEMORY_BYTES), core, MEMORY_BYTES, profiler)
            .context("the SoC does not build")
    }

    /// Builds the system with this core and this profiler, which has no drain. A run fails if the core breaks an assertion about what it shows the profiler.
    pub fn with_profiler(core: Core, sources: &ProfilerSources) -> Result<Self> {
        let defines = defines(&sources.geometry).into_iter();
        let builder = bench(MEMORY_BYTES).source(&sources.assertions);
        let builder = defines.fold(builder, Builder::define);
        Self::build_with(builder, core, MEMORY_BYTES, Some(&sources.verilog))
            .context("the SoC does not build")
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
    /// its memory. `defines` are the profiler's. A drain of the profiler is emptied by the core, in an interrupt.
    pub fn on_board(
        board: &Board,
        core: Core,
        profiler: Option<&Path>,
        defines: &[&str],
    ) -> Result<Self> {
        let folder = project_root().join("fpga/boards");
        let mut builder = Builder::new("hpp_board_sim")
            .define(BASE_ISA)
            .parameter("CLOCK_HZ", board.clock_hz)
            .parameter("MEMORY_WORDS", board.memory_words);
        for define in defines {
            builder = builder.define(define);
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
        for define in core.about().defines {
            builder = builder.define(define);
        }
        builder = builder.define("HPP_SIMULATION");
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
        let image = image::hex(elf, self.core.about().memory, self.memory_bytes)?;
        self.run_with(&image, elf, Code::of(elf)?, watcher)
    }

    /// Runs what is in memory, text for `$readmemh`, from reset to its end; `name` is for messages. No instruction of it is compressed.
    pub fn run_image(&self, image: &str, name: &str, watcher: &mut impl Watcher) -> Result<Run> {
        self.run_with(image, name.as_ref(), Code::default(), watcher)
    }

    fn run_with(
        &self,
        image: &str,
        name: &Path,
        code: Code,
        watcher: &mut impl Watcher,
    ) -> Result<Run> {
        let mut memory = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        memory
            .write_all(image.as_bytes())
            .context("cannot write the memory image")?;
        let argument = format!("+firmware={}", memory.path().display());
        let model = self.design.model_with_arguments(&[&argument])?;
        Simulation::new(model, self.core, code).run(name, watcher)
    }
}
