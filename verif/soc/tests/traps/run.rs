//! The simulated core, its program, and what a run of it shows.

use anyhow::{Context, Result};
use hpp_fpga::core::{Core, STYLE};
use hpp_gen::{Bind, Bus, Config, Extras, Ingress};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_lockstep::stream;
use hpp_riscv::Xlen;
use hpp_soc::{Code, hex};
use object::{Object, ObjectSymbol};
use rand::RngExt;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use verilated::tools::command::said;
use verilated::tools::{project_root, tool_path};
use verilated::{Builder, Design, Model};

/// The program takes some 60,000 cycles, with slow memory some 200,000.
const CYCLE_LIMIT: u64 = 2_000_000;

const MEMORY_BYTES: usize = 64 << 10;

/// What the last stage of the core does in a cycle.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// An instruction is done. Of a compressed one, the core shows the 32 bits that it stands for.
    Fires { pc: u64, insn: u32, shown: u32 },
    /// A trap is taken, which returns to `pc`; on RVFI, that of the instruction that is `shown`.
    Traps { pc: u64, shown: u32 },
}

impl Step {
    /// The address of the instruction, or the one a trap returns to.
    pub fn address(&self) -> u64 {
        match *self {
            Self::Fires { pc, .. } | Self::Traps { pc, .. } => pc,
        }
    }
}

#[derive(Default)]
pub struct Run {
    pub steps: Vec<Step>,
    /// The paths that the profiler made of it.
    pub paths: Vec<PathDescriptor>,
    /// Cycles in which the profiler asked the core to wait.
    pub stalls: u64,
    pub result: u32,
    /// What the core itself wrote of it, if it writes a log.
    pub log: String,
}

#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// A variant of VexRiscv, with the outputs that show its last stage.
    VexRiscv(&'static str),
    /// A variant whose text is the package's own, with the profiler bound into it.
    Bound(&'static str),
    OfSoc(Core),
}

impl Which {
    /// Whether its program has compressed instructions.
    pub fn is_compressed(self) -> bool {
        match self {
            Self::VexRiscv(variant) | Self::Bound(variant) => variant.contains("IMAC"),
            Self::OfSoc(core) => core.about().isa.ends_with('c'),
        }
    }

    /// Where its memory begins, and what a write to ends the program.
    fn places(self) -> (u32, u32) {
        match self {
            Self::OfSoc(core @ Core::Rocket) => {
                (core.about().memory, core.about().devices + 0x3000_0000)
            }
            _ => (0, 0x8000_0000),
        }
    }

    pub fn xlen(self) -> Xlen {
        match self.isa().starts_with("rv64") {
            true => Xlen::Rv64,
            false => Xlen::Rv32,
        }
    }

    fn isa(self) -> String {
        match self {
            Self::OfSoc(core) => format!("{}_zicsr", core.about().isa),
            _ if self.is_compressed() => "rv32imac_zicsr".into(),
            _ => "rv32i_zicsr".into(),
        }
    }

    /// The texts of the core, with the one that gives it the ports of the bench.
    fn texts(self) -> Result<Vec<(String, String)>> {
        let adapter =
            |name: &str| fs::read_to_string(project_root().join("fpga/soc/cores").join(name));
        let (core, adapter) = match self {
            Self::VexRiscv(variant) => {
                let folder = tempfile::tempdir()?;
                let out = folder.path().join("core.v");
                add_ports(&tool_path("vexriscv")?.join(format!("{variant}.v")), &out)?;
                (fs::read_to_string(out)?, adapter("vexriscv.v")?)
            }
            Self::Bound(variant) => {
                let text = tool_path("vexriscv")?.join(format!("{variant}.v"));
                (
                    fs::read_to_string(text)?,
                    without_last_stage(&adapter("vexriscv.v")?)?,
                )
            }
            Self::OfSoc(core) => {
                let files = core.files(&project_root())?;
                let files = files.into_iter().filter(|file| file.name != "hpp_soc.v");
                return Ok(files.map(|file| (file.name, file.text)).collect());
            }
        };
        Ok([("core.v", core), ("adapter.v", adapter)]
            .map(|(name, text)| (name.to_string(), text))
            .to_vec())
    }
}

/// VexRiscv's adapter without what its text, as it is, has no outputs for.
fn without_last_stage(adapter: &str) -> Result<String> {
    let (before, ports) = adapter
        .split_once(",\n`ifdef HPP_CONTEXT_BITS\n        .retire_privileged")
        .context("the outputs")?;
    let (_, after) = ports.split_once("\n    );").context("their end")?;
    Ok(format!("{before}\n    );{after}"))
}

/// A core with its bench, built, and the program's memory image.
pub struct Bench {
    design: Design,
    firmware: TempDir,
    code: Code,
    handler: u64,
}

impl Bench {
    /// Builds the bench around a core, and the program.
    pub fn build(which: Which) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let sources = project_root().join("verif/soc/tests/traps");
        let bound = matches!(which, Which::Bound(_));
        let bind = Bind {
            module: "VexRiscv".into(),
            ..Bind::default()
        };
        let mut config = Config {
            geometry: geometry(which),
            ingress: Ingress::Retire,
            bus: Bus::None,
            ..Config::default()
        };
        if let Which::OfSoc(core) = which {
            config.ingress = core.about().ingress;
            config.ports.retire_channels = core.about().retire_channels;
            config.ports.rvfi_next = core.about().rvfi_next;
        }
        let extras = Extras {
            bind: bound.then_some(&bind),
            ..Extras::default()
        };
        let profiler = hpp_gen::generate_with(&config, &extras)?;
        let mut builder = Builder::new("traps_bench");
        if bound {
            let text = profiler.files["hpp_bind.sv"].clone();
            builder = builder.source_text("hpp_bind.sv", text).define("HPP_BIND");
        }
        if let Which::OfSoc(core) = which {
            builder = core
                .about()
                .defines
                .iter()
                .fold(builder, |b, name| b.define(*name));
        }
        for (name, text) in which.texts()? {
            builder = builder.source_text(name, text);
        }
        builder = builder
            .source(sources.join("bench.v"))
            .source_text("hpp.v", profiler.verilog());
        let design = STYLE
            .into_iter()
            .fold(builder, Builder::flag)
            .build()
            .with_context(|| format!("the bench of {which:?} does not build"))?;
        let elf = folder.path().join("program.elf");
        compile(&sources, &elf, which)?;
        let (base, _) = which.places();
        let image = hex(&elf, base, MEMORY_BYTES)?;
        fs::write(folder.path().join("program.hex"), image)?;
        Ok(Self {
            design,
            code: Code::of(&elf)?,
            handler: address_of(&elf, "vector")?,
            firmware: folder,
        })
    }

    /// The first instruction of the program's handler.
    pub fn handler(&self) -> u64 {
        self.handler
    }

    /// Runs the program to its end. Seed 0 leaves it alone; others interrupt it and let its memory wait.
    pub fn run(&self, seed: u64) -> Result<Run> {
        let image = self.firmware.path().join("program.hex");
        let firmware = format!("+firmware={}", image.display());
        let log = tempfile::NamedTempFile::new()?;
        let log_to = format!("+core_log={}", log.path().display());
        let model = self.design.model_with_arguments(&[&firmware, &log_to])?;
        let mut run = self.run_model(model, seed)?;
        // The model has closed it.
        run.log = fs::read_to_string(log.path())?;
        Ok(run)
    }

    fn run_model(&self, mut model: Model, seed: u64) -> Result<Run> {
        let (clk, rst) = (model.input("clk")?, model.input("rst")?);
        let timer = model.input("timer_interrupt")?;
        let wait = model.input("wait_memory")?;
        let finish = model.output("finish")?;
        let ports = Ports::find(&model)?;
        let mut rng = stream::rng(seed);
        let mut run = Run::default();
        model.set(rst, 1);
        for _ in 0..8 {
            model.cycle(clk)?;
        }
        model.set(rst, 0);
        let mut interrupt = 0u32;
        for _ in 0..CYCLE_LIMIT {
            if seed != 0 {
                // Long enough to interrupt the handler's return, too.
                if rng.random_range(0..150) == 0 {
                    interrupt = rng.random_range(1..60);
                }
                model.set(timer, u64::from(interrupt > 0));
                interrupt = interrupt.saturating_sub(1);
                model.set(wait, u64::from(rng.random_range(0..4) < seed % 3));
            }
            model.fall(clk)?;
            ports.observe(&model, &self.code, &mut run)?;
            model.rise(clk)?;
            if model.get(finish) == 1 {
                run.result = model.get(model.output("finish_status")?) as u32;
                return Ok(run);
            }
        }
        anyhow::bail!("no end in {CYCLE_LIMIT} cycles, seed {seed}")
    }
}

verilated::pins! {
    /// The output ports that a run records.
    Ports {
        retire: output "retire",
        retire_insn: output "retire_insn",
        retire_expanded: output "retire_expanded",
        retire_pc: output "retire_pc",
        retire_stall: output "retire_stall",
        path_valid: output "path_valid",
        path_start: output "path_start",
        path_length: output "path_length",
        path_outcomes: output "path_outcomes",
    }
}

impl Ports {
    fn observe(&self, model: &Model, code: &Code, run: &mut Run) -> Result<()> {
        let retire = model.get(self.retire);
        let channels = model.output_width(self.retire) / 2;
        let pc_bits = model.output_width(self.retire_pc) / channels;
        for channel in 0..channels {
            let part = |port, bits| model.get(port) >> (bits * channel) & Geometry::mask(bits);
            let pc = part(self.retire_pc, pc_bits);
            let shown = part(self.retire_insn, 32) as u32;
            if retire >> channel & 1 == 1 {
                let insn = match model.get(self.retire_expanded) {
                    0 => shown,
                    _ => code
                        .half_word(pc)
                        .context("an instruction of the program")?
                        .into(),
                };
                run.steps.push(Step::Fires { pc, insn, shown });
            } else if retire >> (channels + channel) & 1 == 1 {
                run.steps.push(Step::Traps { pc, shown });
            }
        }
        run.stalls += model.get(self.retire_stall);
        if model.get(self.path_valid) == 1 {
            run.paths.push(PathDescriptor {
                start: model.get(self.path_start),
                length: model.get(self.path_length) as u32,
                outcomes: model.get(self.path_outcomes),
            });
        }
        Ok(())
    }
}

/// The address of a symbol of the program.
fn address_of(elf: &Path, name: &str) -> Result<u64> {
    let bytes = fs::read(elf)?;
    let file = object::File::parse(&*bytes)?;
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name));
    Ok(symbol.with_context(|| format!("no `{name}`"))?.address())
}

pub fn add_ports(core: &Path, out: &Path) -> Result<()> {
    let script = project_root().join("fpga/soc/cores/vexriscv_ports.py");
    said(Command::new("python3").arg(script).arg(core).arg(out)).map(drop)
}

pub fn geometry(which: Which) -> Geometry {
    Geometry {
        align: if which.is_compressed() { 1 } else { 2 },
        pc_bits: match which {
            Which::OfSoc(core) => core.about().pc_bits,
            Which::VexRiscv(_) | Which::Bound(_) => 32,
        },
        ..Geometry::default()
    }
}

fn compile(sources: &Path, elf: &Path, which: Which) -> Result<()> {
    let march = format!("-march={}", which.isa());
    let (abi, model) = match which.xlen() {
        Xlen::Rv32 => ("-mabi=ilp32", "-mcmodel=medlow"),
        Xlen::Rv64 => ("-mabi=lp64", "-mcmodel=medany"),
    };
    let (base, end) = which.places();
    said(
        Command::new(tool_path("riscv-gcc")?)
            .args([&march, abi, model, "-O2", "-nostdlib"])
            .args(["-ffreestanding", "-Wall", "-Wextra", "-Werror"])
            .arg(format!("-DEND={end:#x}"))
            .arg(format!("-Wl,-Ttext={base:#x}"))
            .args(["-Wl,--nmagic,--no-warn-rwx-segments", "-o"])
            .arg(elf)
            .arg(sources.join("program.S"))
            .arg(sources.join("program.c")),
    )
    .map(drop)
}
