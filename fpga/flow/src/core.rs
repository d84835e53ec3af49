//! The soft cores of the systems, and the Verilog that each brings along.

use std::path::Path;
use std::process::Command;

use hpp_gen::Ingress;

use crate::design::{Design, SourceFile};
use crate::error::{FlowError, Result, file_error};
use crate::flow::read;
use crate::tool::project_tool;

/// A soft core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// PicoRV32, RV32IMC; RV32I where the system defines HPP_BASE_ISA.
    PicoRv32,
    /// VexRiscv, RV32I: the variant VexRiscv_Min of its wheel.
    VexRiscv,
    /// VexRiscv with caches for code and data, RV32IM: the variant VexRiscv. What its caches fetch are events of its system.
    VexRiscvCaches,
    /// The same with compressed instructions, RV32IMAC: the variant VexRiscv_IMAC.
    VexRiscvImac,
    /// Ibex, RV32IMC, with two stages: the configuration `small` of its package. Only for simulation: Yosys does not read
    /// its SystemVerilog.
    Ibex,
    /// Ibex with three stages: the configuration `maxperf`.
    IbexMaxperf,
    /// SERV, RV32I, a bit a cycle.
    Serv,
    /// CV32E40P, RV32IMC, with four stages. Only for simulation, as Ibex.
    Cv32e40p,
    /// CV32E40X, RV32IMC, with four stages. Only for simulation.
    Cv32e40x,
}

impl Core {
    /// Every core.
    pub const ALL: [Core; 9] = [
        Core::PicoRv32,
        Core::VexRiscv,
        Core::VexRiscvCaches,
        Core::VexRiscvImac,
        Core::Ibex,
        Core::IbexMaxperf,
        Core::Serv,
        Core::Cv32e40p,
        Core::Cv32e40x,
    ];

    /// The core of this short name.
    pub fn from_key(key: &str) -> Option<Core> {
        Core::ALL.into_iter().find(|core| core.key() == key)
    }

    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Core::PicoRv32 => "PicoRV32",
            Core::VexRiscv => "VexRiscv",
            Core::VexRiscvCaches => "VexRiscv with caches",
            Core::VexRiscvImac => "VexRiscv RV32IMAC",
            Core::Ibex => "Ibex",
            Core::IbexMaxperf => "Ibex, three stages",
            Core::Serv => "SERV",
            Core::Cv32e40p => "CV32E40P",
            Core::Cv32e40x => "CV32E40X",
        }
    }

    /// Short name in file names.
    pub const fn key(self) -> &'static str {
        match self {
            Core::PicoRv32 => "picorv32",
            Core::VexRiscv => "vexriscv",
            Core::VexRiscvCaches => "vexriscv-caches",
            Core::VexRiscvImac => "vexriscv-imac",
            Core::Ibex => "ibex",
            Core::IbexMaxperf => "ibex-maxperf",
            Core::Serv => "serv",
            Core::Cv32e40p => "cv32e40p",
            Core::Cv32e40x => "cv32e40x",
        }
    }

    /// The package that the core comes in, as `scripts/tool-paths` calls it.
    const fn package(self) -> &'static str {
        match self {
            Core::IbexMaxperf => "ibex",
            Core::VexRiscvCaches | Core::VexRiscvImac => "vexriscv",
            _ => self.key(),
        }
    }

    /// What it implements, as GCC names it.
    pub const fn isa(self) -> &'static str {
        match self {
            Core::PicoRv32
            | Core::VexRiscvImac
            | Core::Ibex
            | Core::IbexMaxperf
            | Core::Cv32e40p
            | Core::Cv32e40x => "rv32imc",
            Core::VexRiscvCaches => "rv32im",
            Core::VexRiscv | Core::Serv => "rv32i",
        }
    }

    /// The Verilog macros that the system with this core wants.
    pub const fn defines(self) -> &'static [&'static str] {
        match self {
            Core::PicoRv32 | Core::Serv => &["RISCV_FORMAL"],
            Core::VexRiscv | Core::Cv32e40p => &["HPP_RETIRE"],
            Core::Cv32e40x => &["HPP_RETIRE", "HPP_CV32E40X"],
            Core::VexRiscvCaches | Core::VexRiscvImac => &["HPP_RETIRE", "HPP_CACHES"],
            Core::Ibex => &["RVFI", "HPP_PIPELINE=2"],
            Core::IbexMaxperf => &["RVFI", "HPP_PIPELINE=3"],
        }
    }

    /// The profiler's ingress behind it.
    pub const fn ingress(self) -> Ingress {
        match self {
            Core::VexRiscv
            | Core::VexRiscvCaches
            | Core::VexRiscvImac
            | Core::Cv32e40p
            | Core::Cv32e40x => Ingress::Retire,
            Core::PicoRv32 | Core::Ibex | Core::IbexMaxperf | Core::Serv => Ingress::Rvfi,
        }
    }

    /// Where the system's devices are for a program: addresses from here on are those from 0 on, but no core keeps what is there in a cache.
    pub const fn devices(self) -> u32 {
        match self {
            Core::VexRiscvCaches | Core::VexRiscvImac => 0x8000_0000,
            _ => 0,
        }
    }

    /// The inputs of events that the system gives the profiler.
    pub const fn events(self) -> &'static [&'static str] {
        match self {
            Core::VexRiscvCaches | Core::VexRiscvImac => &["icache-refill", "dcache-refill"],
            Core::VexRiscv | Core::Cv32e40p | Core::Cv32e40x => &[],
            _ => &["memory-access"],
        }
    }

    /// The file of `fpga/soc/cores` that gives it the ports of the system.
    const fn adapter(self) -> &'static str {
        match self {
            Core::PicoRv32 => "picorv32.v",
            Core::VexRiscv | Core::VexRiscvCaches | Core::VexRiscvImac => "vexriscv.v",
            Core::Ibex | Core::IbexMaxperf => "ibex.sv",
            Core::Serv => "serv.v",
            Core::Cv32e40p | Core::Cv32e40x => "cv32e40.sv",
        }
    }

    /// The core, its adapter, and the system of `fpga/soc` around it.
    ///
    /// # Errors
    ///
    /// If the core's package is not installed, or its text is not the one that is expected.
    pub fn files(self, root: &Path) -> Result<Vec<SourceFile>> {
        let mut files = self.own_files(root)?;
        let soc = root.join("fpga/soc");
        let adapter = read(&soc.join("cores").join(self.adapter()))?;
        files.push(SourceFile::new(format!("core_{}", self.adapter()), adapter));
        files.push(SourceFile::new("hpp_soc.v", read(&soc.join("hpp_soc.v"))?));
        Ok(files)
    }

    /// The core by itself, as its package has it, without a port that shows what retires unless it always has one; nothing for a core that
    /// Yosys does not read.
    ///
    /// # Errors
    ///
    /// As [`files`](Self::files).
    pub fn alone(self, root: &Path) -> Result<Option<Design>> {
        let top = match self {
            Core::PicoRv32 => "picorv32",
            Core::VexRiscv | Core::VexRiscvCaches | Core::VexRiscvImac => "VexRiscv",
            Core::Serv => "serv_rf_top",
            Core::Ibex | Core::IbexMaxperf | Core::Cv32e40p | Core::Cv32e40x => return Ok(None),
        };
        Ok(Some(Design {
            name: format!("core-{}", self.key()),
            top: top.to_string(),
            defines: Vec::new(),
            parameters: Vec::new(),
            files: self.own_files(root)?,
        }))
    }

    /// The core alone, from its package.
    fn own_files(self, root: &Path) -> Result<Vec<SourceFile>> {
        let package = project_tool(root, self.package())?;
        let vexriscv = |variant: &str| {
            let text = with_retirement(root, &package.join(variant))?;
            Ok(vec![SourceFile::new("VexRiscv.v", text)])
        };
        match self {
            Core::PicoRv32 => texts(&package, |name| name == "picorv32.v"),
            Core::VexRiscv => vexriscv("VexRiscv_Min.v"),
            Core::VexRiscvCaches => vexriscv("VexRiscv.v"),
            Core::VexRiscvImac => vexriscv("VexRiscv_IMAC.v"),
            Core::Ibex | Core::IbexMaxperf => ibex(&package),
            Core::Serv => texts(&package.join("rtl"), |name| name.starts_with("serv_")),
            Core::Cv32e40p | Core::Cv32e40x => cv32e40(&package, self.key()),
        }
    }
}

/// The files of Ibex that its own test bench lists, in that order, before those of the bench, and what they include.
fn ibex(package: &Path) -> Result<Vec<SourceFile>> {
    let vendor = package.join("vendor/lowrisc_ip");
    let mut files = texts(&vendor.join("ip/prim/rtl"), is_header)?;
    files.extend(texts(&vendor.join("dv/sv/dv_utils"), is_header)?);
    files.iter_mut().for_each(|file| file.included = true);
    let list = read(&package.join("dv/uvm/core_ibex/ibex_dv.f"))?;
    for line in list.lines() {
        let path = if let Some(path) = line.strip_prefix("${PRJ_DIR}/") {
            package.join(path)
        } else if let Some(path) = line.strip_prefix("${LOWRISC_IP_DIR}/") {
            vendor.join(path)
        } else {
            continue;
        };
        let name = file_name(&path);
        if !name.ends_with(".sv") {
            // The bench begins, with a file in C.
            break;
        }
        // The tracer prints instructions; the wrapper with it takes the place of the core.
        if !name.contains("trac") {
            files.push(SourceFile::new(name, read(&path)?));
        }
    }
    Ok(files)
}

/// The files of CV32E40P or CV32E40X that its own manifest lists, in that order, but those that are for simulation alone.
fn cv32e40(package: &Path, name: &str) -> Result<Vec<SourceFile>> {
    let list = read(&package.join(format!("{name}_manifest.flist")))?;
    let paths = list
        .lines()
        .filter_map(|line| line.strip_prefix("${DESIGN_RTL_DIR}/"));
    paths
        .filter(|path| !path.contains("/bhv/"))
        .map(|path| {
            let path = package.join("rtl").join(path);
            Ok(SourceFile::new(file_name(&path), read(&path)?))
        })
        .collect()
}

/// Whether other files include it, for its macros.
fn is_header(name: &str) -> bool {
    name.ends_with(".svh") || name.ends_with("_macros.sv")
}

/// The files of a folder whose name is one of these, in the order of their names.
fn texts(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<SourceFile>> {
    let entries = std::fs::read_dir(folder).map_err(file_error(folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(file_error(folder))?.path();
        let name = file_name(&path);
        if wanted(&name) {
            files.push(SourceFile::new(name, read(&path)?));
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The text of a VexRiscv with outputs that show its last stage.
fn with_retirement(root: &Path, core: &Path) -> Result<String> {
    let folder = tempfile::tempdir().map_err(file_error(std::env::temp_dir()))?;
    let text = folder.path().join("VexRiscv.v");
    let script = root.join("fpga/soc/cores/vexriscv_ports.py");
    let output = Command::new("python3")
        .args([&script, core, &text])
        .output()
        .map_err(file_error("python3"))?;
    if !output.status.success() {
        return Err(FlowError::Program {
            what: "VexRiscv with its retirement outputs",
            message: String::from_utf8_lossy(&output.stderr).trim().to_string(),
        });
    }
    read(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_not_installed_is_named_with_its_remedy() {
        let root = tempfile::tempdir().expect("a temporary folder");
        let scripts = root.path().join("scripts");
        std::fs::create_dir(&scripts).expect("a folder");
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/tool-paths");
        // A copy would be busy while another thread's child still has it open for writing.
        std::os::unix::fs::symlink(real, scripts.join("tool-paths")).expect("a link");
        for core in Core::ALL {
            let message = core
                .files(root.path())
                .expect_err("nothing is installed there")
                .to_string();
            assert!(
                message.starts_with(core.package())
                    && message.contains("remedy: scripts/setup-tools.sh"),
                "{message}"
            );
        }
    }

    #[test]
    fn a_text_that_is_no_vexriscv_is_refused_with_the_reason() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let other = tempfile::NamedTempFile::new().expect("a temporary file");
        let message = with_retirement(&root, other.path())
            .expect_err("it is empty")
            .to_string();
        assert!(
            message.starts_with("VexRiscv with its retirement outputs was not built:")
                && message.contains("0 modules 'VexRiscv'"),
            "{message}"
        );
    }
}
