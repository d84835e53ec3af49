//! The soft cores of the systems, and the Verilog that each brings along.

use std::path::Path;
use std::process::Command;

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
}

impl Core {
    /// Name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Core::PicoRv32 => "PicoRV32",
            Core::VexRiscv => "VexRiscv",
        }
    }

    /// Short name in file names.
    pub const fn key(self) -> &'static str {
        match self {
            Core::PicoRv32 => "picorv32",
            Core::VexRiscv => "vexriscv",
        }
    }

    /// The Verilog macro that the system with this core wants.
    pub const fn define(self) -> &'static str {
        match self {
            Core::PicoRv32 => "RISCV_FORMAL",
            Core::VexRiscv => "HPP_VEXRISCV",
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
        let package = project_tool(root, self.key())?;
        match self {
            Core::PicoRv32 => Ok(vec![
                SourceFile::new("picorv32.v", read(&package.join("picorv32.v"))?),
                ours("hpp_uncore.v")?,
                ours("hpp_soc.v")?,
            ]),
            Core::VexRiscv => Ok(vec![
                SourceFile::new(
                    "VexRiscv.v",
                    with_retirement(root, &package.join("VexRiscv_Min.v"))?,
                ),
                ours("vexriscv_retire.v")?,
                ours("hpp_uncore.v")?,
                ours("hpp_soc_vexriscv.v")?,
            ]),
        }
    }
}

/// The text of a VexRiscv with the outputs that `vexriscv_retire.v` reads.
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
        for core in [Core::PicoRv32, Core::VexRiscv] {
            let message = core
                .files(root.path())
                .expect_err("nothing is installed there")
                .to_string();
            assert!(
                message.starts_with(core.key())
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
