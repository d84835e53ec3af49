//! The profiler as a design: a configuration of `fpga/configurations`, generated.

use std::path::Path;

use hpp_gen::verilog::Direction;
use hpp_gen::{Config, Output, generate};
use hpp_golden::config::Geometry;

use crate::core::Core;
use crate::design::{Design, SourceFile};
use crate::error::{FlowError, Result};
use crate::harness::Port;

#[derive(Clone, Debug)]
pub struct Profiler {
    pub config: Config,
    /// Its Verilog as a design of its own.
    pub design: Design,
    pub ports: Vec<Port>,
    /// Everything that was generated with it.
    pub output: Output,
}

/// What the system on chip around a profiler of this geometry has to define, beside its core's.
#[must_use]
pub fn defines(geometry: &Geometry) -> Vec<&'static str> {
    let drain = geometry.has_drain().then_some("HPP_DRAIN");
    let tiny = geometry.is_tiny().then_some(["HPP_RETIRE", "HPP_TINY"]);
    drain
        .into_iter()
        .chain(tiny.into_iter().flatten())
        .collect()
}

impl Profiler {
    /// Generates the configuration `fpga/configurations/NAME.toml` as it is.
    pub fn of_configuration(root: &Path, name: &str) -> Result<Self> {
        Self::generate(name, Self::configuration(root, name)?)
    }

    /// Generates the configuration `fpga/configurations/NAME.toml` with the ingress that a core needs.
    pub fn for_core(root: &Path, name: &str, core: Core) -> Result<Self> {
        Self::changed(root, name, core, |config| config)
    }

    /// The same with changes.
    pub fn changed(
        root: &Path,
        name: &str,
        core: Core,
        change: impl FnOnce(Config) -> Config,
    ) -> Result<Self> {
        let mut config = Self::configuration(root, name)?;
        // A tiny profiler has one ingress.
        if !config.geometry.is_tiny() {
            config.ingress = core.about().ingress;
        }
        Self::generate(name, change(config))
    }

    fn configuration(root: &Path, name: &str) -> Result<Config> {
        let path = root
            .join("fpga/configurations")
            .join(format!("{name}.toml"));
        Config::from_file(&path).map_err(|error| FlowError::Configuration(Box::new(error)))
    }

    fn generate(name: &str, config: Config) -> Result<Self> {
        let output = generate(&config).map_err(|error| FlowError::Generate(Box::new(error)))?;
        let ports = output.manifest.ports.iter().map(|port| Port {
            name: port.name.clone(),
            output: port.direction == Direction::Output,
            width: port.width as u32,
        });
        Ok(Self {
            config,
            design: Design {
                name: name.to_string(),
                top: output.manifest.top.clone(),
                defines: Vec::new(),
                parameters: Vec::new(),
                files: vec![SourceFile::new("hpp.v", output.verilog())],
            },
            ports: ports.collect(),
            output,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder with `fpga/configurations/odd.toml`.
    fn root(text: &str) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a temporary folder");
        let folder = root.path().join("fpga/configurations");
        fs::create_dir_all(&folder).expect("folders");
        fs::write(folder.join("odd.toml"), text).expect("a file");
        root
    }

    #[test]
    fn a_configuration_becomes_a_design_with_its_ports() {
        let root = root("prefix = \"odd\"\n[geometry]\nsets = 64\nmax-branches = 16\n");
        let profiler = Profiler::of_configuration(root.path(), "odd").expect("generated");
        assert_eq!(profiler.config.geometry.sets, 64);
        assert_eq!(
            (profiler.design.name.as_str(), profiler.design.top.as_str()),
            ("odd", "odd")
        );
        assert!(profiler.design.files[0].text.contains("module odd "));
        let port = |name: &str| profiler.ports.iter().find(|port| port.name == name);
        let width = |name| port(name).map(|port| (port.width, port.output));
        assert_eq!(width("clk"), Some((1, false)));
        assert_eq!(width("path_outcomes"), Some((16, true)));
        assert_eq!(width("rvfi_insn"), None, "the ingress is native");
    }

    #[test]
    fn what_is_wrong_with_a_configuration_is_reported_with_its_place() {
        let message = |text: &str, name: &str| {
            Profiler::of_configuration(root(text).path(), name)
                .expect_err("it is wrong")
                .to_string()
        };
        assert!(message("", "none").ends_with("fpga/configurations/none.toml"));
        assert!(message("[geometry]\nset = 4\n", "odd").contains("odd.toml:2:1: "));
        assert!(message("\n[geometry]\nsets = 5\n", "odd").contains("odd.toml:3: "));
    }
}
