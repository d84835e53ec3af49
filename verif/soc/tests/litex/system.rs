//! A LiteX system built by `fpga/litex/Makefile`, and a run of it.

use anyhow::{Context, Result, bail, ensure};
use hpp_fpga::core::Core;
use hpp_gen::verilog::ResetStyle;
use hpp_gen::{Bus, Config, Extras, Ingress, generate_with};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_riscv::Retirement;
use hpp_soc::{LastStage, Meanwhile, Watcher};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use verilated::tools::{command, project_root, tool_path};
use verilated::{Builder, Design, Model};

/// The program takes some 500,000 cycles on the slowest core, most of them for printing.
const CYCLE_LIMIT: u64 = 10_000_000;

/// The default sizes, as the command has them behind an ingress that takes RISC-V code, for cores that do not wait.
pub fn sizes() -> Geometry {
    Geometry {
        align: 1,
        lookup: LookupScheme::Parallel,
        ..Geometry::default()
    }
}

fn config(ingress: Ingress, bus: Bus) -> Config {
    Config {
        ingress,
        bus,
        geometry: sizes(),
        ..Config::default()
    }
}

pub struct Generator {
    folder: PathBuf,
}

impl Generator {
    /// The default profiler, as a LiteX system with this core needs it.
    pub fn new(cpu: &str) -> Result<Self> {
        match cpu {
            "vexriscv" => Self::write("hpp-retire", Ingress::Retire, Bus::Wishbone),
            _ => Self::write("hpp-rvfi", Ingress::Rvfi, Bus::Wishbone),
        }
    }

    /// One for VexRiscv behind LiteX's bridge from Wishbone, which a 0 resets at once.
    pub fn on_axi4_lite() -> Result<Self> {
        let config = config(Ingress::Retire, Bus::Axi4Lite);
        let extras = Extras {
            reset: ResetStyle {
                asynchronous: true,
                active_low: true,
            },
            ..Extras::default()
        };
        Self::of("hpp-axi4-lite", &config, &extras)
    }

    /// One that no LiteX system can use.
    pub fn with_native_ingress() -> Result<Self> {
        Self::write("hpp-native", Ingress::Native, Bus::Wishbone)
    }

    /// A folder that may not have a profiler in it.
    pub fn of_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn write(name: &str, ingress: Ingress, bus: Bus) -> Result<Self> {
        Self::of(name, &config(ingress, bus), &Extras::default())
    }

    pub fn of(name: &str, config: &Config, extras: &Extras<'_>) -> Result<Self> {
        let folder = project_root().join("build/litex").join(name);
        let output = generate_with(config, extras)?;
        let current = output.files.iter().all(|(name, text)| {
            fs::read_to_string(folder.join(name)).is_ok_and(|found| found == *text)
        });
        if !current {
            output.write_to(&folder)?;
        }
        Ok(Self { folder })
    }
}

pub struct System {
    design: Design,
    core: Core,
    folder: PathBuf,
}

impl System {
    /// Generates the system with its program, and builds a simulation of it.
    pub fn build(generator: &Generator, cpu: &str, variant: &str) -> Result<Self> {
        let folder = project_root().join(format!("build/litex/{cpu}-{variant}"));
        make(generator, cpu, variant, &folder)?;
        let mut builder = Builder::new("example")
            .source_text("example.v", verilog(&folder)?)
            // LiteX's Verilog and the cores' have their own style.
            .flag("-Wno-lint")
            .flag("-Wno-COMBDLY")
            .flag("-Wno-TIMESCALEMOD");
        let sources = folder.join("example.f");
        for source in fs::read_to_string(&sources)
            .with_context(|| sources.display().to_string())?
            .lines()
        {
            builder = builder.source(source);
        }
        let design = builder
            .build()
            .with_context(|| format!("the system with {cpu} does not build"))?;
        let core = match cpu {
            "vexriscv" => Core::VexRiscv,
            _ => Core::PicoRv32,
        };
        Ok(Self {
            design,
            core,
            folder,
        })
    }

    /// What LiteX tells software about the registers.
    pub fn register_map(&self) -> Result<serde_json::Value> {
        let text = fs::read_to_string(self.folder.join("csr.json"))?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Runs from reset until the program says that it is done; `watcher` sees what the profiler sees. Returns what the
    /// program printed, which also stays beside the program as `uart.txt`.
    pub fn run(&self, watcher: &mut impl Watcher) -> Result<String> {
        let uart = self.simulate(watcher)?;
        fs::write(self.folder.join("uart.txt"), &uart)?;
        Ok(uart)
    }

    fn simulate(&self, watcher: &mut impl Watcher) -> Result<String> {
        let mut model = self.design.model()?;
        let (clk, rst) = (model.input("sys_clk")?, model.input("sys_rst")?);
        let ready = model.input("serial_source_ready")?;
        let ports = Ports::find(&model)?;
        let (mut uart, mut stage) = (String::new(), LastStage::new(self.core));
        model.set(ready, 1);
        model.set(rst, 1);
        for _ in 0..8 {
            model.cycle(clk)?;
        }
        model.set(rst, 0);
        for cycle in 0..CYCLE_LIMIT {
            model.fall(clk)?;
            ports.write(&model, watcher);
            while let Some((_, retirement)) = stage.due(cycle) {
                watcher.retired(&retirement);
            }
            ports.observe(&model, &mut stage, cycle, &mut uart)?;
            model.rise(clk)?;
            if ["done\n", "failed\n", "no profiler\n"]
                .iter()
                .any(|end| uart.ends_with(end))
            {
                return Ok(uart);
            }
        }
        bail!("no end in {CYCLE_LIMIT} cycles; it printed:\n{uart}")
    }
}

verilated::pins! {
    /// The output ports that a run looks at.
    Ports {
        retire: output "watch_retire",
        insn: output "watch_retire_insn",
        pc: output "watch_retire_pc",
        next_pc: output "watch_retire_next_pc",
        stall: output "watch_stall",
        write: output "watch_write",
        write_adr: output "watch_write_adr",
        write_data: output "watch_write_data",
        uart_valid: output "serial_source_valid",
        uart_data: output "serial_source_data",
    }
}

impl Ports {
    fn write(&self, model: &Model, watcher: &mut impl Watcher) {
        if model.get(self.write) == 1 {
            let (word, data) = (model.get(self.write_adr), model.get(self.write_data));
            watcher.register_written(word as u32, data as u32);
        }
    }

    fn observe(
        &self,
        model: &Model,
        stage: &mut LastStage,
        cycle: u64,
        uart: &mut String,
    ) -> Result<()> {
        let retire = model.get(self.retire);
        if retire & 1 == 1 {
            let shown = Retirement {
                pc: model.get(self.pc),
                insn: model.get(self.insn) as u32,
                next_pc: model.get(self.next_pc),
                trap: retire >> 1 & 1 == 1,
                intr: retire >> 2 & 1 == 1,
                ..Retirement::default()
            };
            let meanwhile = Meanwhile {
                cycle: cycle + 1,
                ..Meanwhile::default()
            };
            stage.shows(meanwhile, shown);
        }
        if model.get(self.uart_valid) == 1 {
            uart.push(char::from(model.get(self.uart_data) as u8));
        }
        // The entry into a handler that is itself a transfer takes two cycles, between two retirements.
        ensure!(
            model.get(self.stall) == 0 || retire & 1 == 0,
            "a core that cannot be held retires what the profiler does not see"
        );
        Ok(())
    }
}

fn make(generator: &Generator, cpu: &str, variant: &str, folder: &Path) -> Result<()> {
    let mut make = command::make(&project_root().join("fpga/litex"));
    make.arg(format!("CPU={cpu}"))
        .arg(format!("VARIANT={variant}"))
        .arg(format!("PROFILER={}", generator.folder.display()))
        .arg(format!("OUT={}", folder.display()));
    command::said(&mut make).with_context(|| format!("LiteX with {cpu}"))?;
    Ok(())
}

/// What the example says of a system that cannot be.
pub fn refusal(generator: &Generator, cpu: &str, variant: &str) -> Result<String> {
    let output = example(generator, cpu, variant, tempfile::tempdir()?.path())?;
    ensure!(!output.status.success(), "{cpu}-{variant} is accepted");
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The Verilog of a system without a program, and the files that it lists.
pub fn sources(generator: &Generator, cpu: &str, variant: &str) -> Result<(String, Vec<PathBuf>)> {
    let folder = tempfile::tempdir()?;
    let output = example(generator, cpu, variant, folder.path())?;
    let words = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{words}");
    let list = fs::read_to_string(folder.path().join("example.f"))?;
    let files = list.lines().map(PathBuf::from).collect();
    Ok((verilog(folder.path())?, files))
}

/// What Python prints of a script in a folder, with the package on its path and this program as gen-verilog.
pub fn python(folder: &Path, gen_verilog: &Path, script: &str) -> Result<String> {
    let mut python = Command::new(tool_path("python")?);
    python
        .args(["-c", script])
        .current_dir(folder)
        .env("PYTHONPATH", project_root().join("fpga/litex"))
        .env("HPP_GEN_VERILOG", gen_verilog);
    Ok(command::said(&mut python)?.trim().to_string())
}

fn example(
    generator: &Generator,
    cpu: &str,
    variant: &str,
    folder: &Path,
) -> Result<std::process::Output> {
    let package = project_root().join("fpga/litex");
    Command::new(tool_path("python")?)
        .arg(package.join("example.py"))
        .args(["--cpu", cpu, "--variant", variant, "--out"])
        .arg(folder)
        .arg("--profiler")
        .arg(&generator.folder)
        .env("PYTHONPATH", &package)
        .output()
        .context("cannot run the example")
}

/// LiteX's Verilog without the date, which would build it anew every time, and with full paths of its memories' contents,
/// which it expects in the current folder.
fn verilog(folder: &Path) -> Result<String> {
    let path = folder.join("example.v");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let kept = text.lines().filter(|line| !line.starts_with("// Date"));
    let absolute = format!("$readmemh(\"{}/", folder.display());
    Ok(kept
        .map(|line| line.replace("$readmemh(\"", &absolute) + "\n")
        .collect())
}
