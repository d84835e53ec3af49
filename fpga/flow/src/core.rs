//! The soft cores of the systems, and the Verilog that each brings along.

use std::path::Path;
use std::process::Command;

use hpp_gen::Ingress;

use crate::design::SourceFile;
use crate::error::{FlowError, Result, file_error};
use crate::flow::read;
use crate::tool::project_tool;

/// A soft core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// PicoRV32, RV32I.
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
}

impl Core {
    /// Every core.
    pub const ALL: [Core; 7] = [
        Core::PicoRv32,
        Core::VexRiscv,
        Core::VexRiscvCaches,
        Core::VexRiscvImac,
        Core::Ibex,
        Core::IbexMaxperf,
        Core::Serv,
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
            Core::PicoRv32 | Core::VexRiscvImac | Core::Ibex | Core::IbexMaxperf => "rv32imc",
            Core::VexRiscvCaches => "rv32im",
            Core::VexRiscv | Core::Serv => "rv32i",
        }
    }

    /// The Verilog macros that the system with this core wants.
    pub const fn defines(self) -> &'static [&'static str] {
        match self {
            Core::PicoRv32 => &["RISCV_FORMAL"],
            Core::VexRiscv => &["HPP_VEXRISCV", "HPP_SOC=hpp_soc_vexriscv"],
            Core::VexRiscvCaches | Core::VexRiscvImac => {
                &["HPP_VEXRISCV", "HPP_CACHES", "HPP_SOC=hpp_soc_vexriscv"]
            }
            Core::Ibex => &["RVFI", "HPP_SOC=hpp_soc_ibex", "HPP_PIPELINE=2"],
            Core::IbexMaxperf => &["RVFI", "HPP_SOC=hpp_soc_ibex", "HPP_PIPELINE=3"],
            Core::Serv => &["RISCV_FORMAL", "HPP_SOC=hpp_soc_serv"],
        }
    }

    /// The profiler's ingress behind it.
    pub const fn ingress(self) -> Ingress {
        match self {
            Core::VexRiscv | Core::VexRiscvCaches | Core::VexRiscvImac => Ingress::Retire,
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
            Core::VexRiscv => &[],
            _ => &["memory-access"],
        }
    }

    /// The core, and the files of `fpga/soc` around it.
    ///
    /// # Errors
    ///
    /// If the core's package is not installed, or its text is not the one that is expected.
    pub fn files(self, root: &Path) -> Result<Vec<SourceFile>> {
        let ours = |name: &str| -> Result<SourceFile> {
            Ok(SourceFile::new(
                name,
                read(&root.join("fpga/soc").join(name))?,
            ))
        };
        let package = project_tool(root, self.package())?;
        match self {
            Core::PicoRv32 => Ok(vec![
                SourceFile::new("picorv32.v", read(&package.join("picorv32.v"))?),
                ours("hpp_uncore.v")?,
                ours("hpp_soc.v")?,
            ]),
            Core::VexRiscv | Core::VexRiscvCaches | Core::VexRiscvImac => {
                let variant = match self {
                    Core::VexRiscvImac => "VexRiscv_IMAC.v",
                    Core::VexRiscvCaches => "VexRiscv.v",
                    _ => "VexRiscv_Min.v",
                };
                let text = with_retirement(root, &package.join(variant))?;
                Ok(vec![
                    SourceFile::new("VexRiscv.v", text),
                    ours("hpp_uncore.v")?,
                    ours("hpp_soc_vexriscv.v")?,
                ])
            }
            Core::Ibex | Core::IbexMaxperf => {
                let mut files = ibex(&package)?;
                files.push(ours("hpp_uncore.v")?);
                files.push(ours("hpp_soc_ibex.sv")?);
                Ok(files)
            }
            Core::Serv => {
                let mut files = texts(&package.join("rtl"), |name| name.starts_with("serv_"))?;
                files.push(ours("hpp_uncore.v")?);
                files.push(ours("hpp_soc_serv.v")?);
                Ok(files)
            }
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
    let script = root.join("fpga/soc/vexriscv_ports.py");
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
