//! The profiler as a design: a configuration of `fpga/configurations`, generated.

use std::path::Path;

use hpp_gen::verilog::Direction;
use hpp_gen::{Config, Output, generate};

use crate::design::{Design, SourceFile};
use crate::error::{FlowError, Result};
use crate::harness::Port;

/// A generated profiler.
#[derive(Clone, Debug)]
pub struct Profiler {
    /// What it was generated from.
    pub config: Config,
    /// Its Verilog as a design of its own.
    pub design: Design,
    /// Ports of its top module.
    pub ports: Vec<Port>,
    /// Everything that was generated with it.
    pub output: Output,
}

impl Profiler {
    /// Generates the configuration `fpga/configurations/NAME.toml`.
    pub fn of_configuration(root: &Path, name: &str) -> Result<Self> {
        let path = root
            .join("fpga/configurations")
            .join(format!("{name}.toml"));
        let config =
            Config::from_file(&path).map_err(|error| FlowError::Configuration(Box::new(error)))?;
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
