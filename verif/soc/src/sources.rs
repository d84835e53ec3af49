//! The profiler of the system, generated.

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use hpp_gen::{Config, Output, generate};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::Extensions;
use hpp_golden::profiler::ResetValues;
use std::fs;
use std::path::{Path, PathBuf};
use verilated::tools::project_root;

/// A profiler's files, in a folder of `build/soc`.
pub struct ProfilerSources {
    /// Their folder; the C header is in it.
    pub folder: PathBuf,
    pub verilog: PathBuf,
    /// Assertions about what a core shows the profiler.
    pub assertions: PathBuf,
    /// The Verilog of the drain writer, if the profiler has a drain.
    pub drain_writer: PathBuf,
    /// The names of its inputs of events.
    pub event_names: Vec<String>,
    pub geometry: Geometry,
    /// What the instructions are to the ingress.
    pub extensions: Extensions,
    pub reset: ResetValues,
}

impl ProfilerSources {
    /// Generates the system's own, `fpga/soc/hpp.toml`. Files that are already there and equal stay as they are, so that
    /// nothing is built anew.
    ///
    /// # Errors
    ///
    /// If the configuration is wrong, or the files cannot be written.
    pub fn generate() -> Result<Self> {
        Self::write(&configuration(OF_SYSTEM)?, "hpp")
    }

    /// Generates that of the system with this core: with the ingress it needs, and out of reset in lossy mode if it cannot wait.
    pub fn for_core(core: Core) -> Result<Self> {
        let folder = format!("hpp-{}", core.about().key);
        Self::write(&Self::configuration_for(core)?, &folder)
    }

    /// The same with so many sets.
    pub fn for_core_with_sets(core: Core, sets: u32) -> Result<Self> {
        let mut config = Self::configuration_for(core)?;
        config.geometry.sets = sets;
        let folder = format!("hpp-{}-{sets}", core.about().key);
        Self::write(&config, &folder)
    }

    fn configuration_for(core: Core) -> Result<Config> {
        let config = configuration(OF_SYSTEM)?;
        let names = core.about().events;
        let mut config = Config {
            ingress: core.about().ingress,
            event_names: names.iter().map(|name| (*name).to_string()).collect(),
            reset: ResetValues {
                lossy: config.reset.lossy || !core.about().waits,
                ..config.reset
            },
            ..config
        };
        config.geometry.pc_bits = core.about().pc_bits;
        config.ports.retire_channels = core.about().retire_channels;
        config.ports.rvfi_next = core.about().rvfi_next;
        config.ports.zcmp = core.about().zcmp;
        config.ports.vendor = core.about().vendor;
        if names.len() > 1 {
            config.ports.event_inputs = names.len() as u32;
            // Wide enough that no record and no path of the programs saturates.
            config.geometry.event_bits = 12;
            config.geometry.event_counter_bits = 16;
        }
        Ok(config)
    }

    /// Generates a tiny one, `fpga/configurations/tiny.toml`, for the system with a core that [takes it](hpp_fpga::core::About::takes_tiny).
    pub fn tiny() -> Result<Self> {
        Self::write(&configuration("configurations/tiny.toml")?, "hpp-tiny")
    }

    /// Generates that of the system that boots Linux, `fpga/linux/hpp.toml`.
    pub fn for_linux() -> Result<Self> {
        Self::write(&configuration("linux/hpp.toml")?, "hpp-linux")
    }

    /// The same for two harts that share it.
    pub fn for_linux_of_two_harts() -> Result<Self> {
        let mut config = configuration("linux/hpp.toml")?;
        config.geometry.harts = 2;
        Self::write(&config, "hpp-linux-two-harts")
    }

    /// Generates another one for the same system.
    ///
    /// # Errors
    ///
    /// If the configuration is impossible, or the files cannot be written.
    pub fn variant(geometry: Geometry, reset: ResetValues) -> Result<Self> {
        let config = Config {
            geometry,
            reset,
            ..configuration(OF_SYSTEM)?
        };
        Self::write(&config, &format!("hpp-{}", &config.hash()[..12]))
    }

    fn write(config: &Config, folder: &str) -> Result<Self> {
        let output = generate(config)?;
        let folder = project_root().join("build/soc").join(folder);
        if !is_current(&output, &folder) {
            output
                .write_to(&folder)
                .context("cannot write the profiler of the SoC")?;
        }
        Ok(Self {
            verilog: folder.join(format!("{}.v", config.prefix)),
            assertions: folder.join(format!("{}_assume.sv", config.prefix)),
            drain_writer: folder.join(format!("{}_drain_writer.v", config.prefix)),
            folder,
            event_names: config.event_names.clone(),
            geometry: config.geometry,
            extensions: config.ports.extensions(),
            reset: config.effective_reset(),
        })
    }
}

/// The system's own.
const OF_SYSTEM: &str = "soc/hpp.toml";

/// That of a file of `fpga`.
fn configuration(file: &str) -> Result<Config> {
    Ok(Config::from_file(&project_root().join("fpga").join(file))?)
}

/// Whether every file is in its place.
fn is_current(output: &Output, folder: &Path) -> bool {
    output
        .files
        .iter()
        .all(|(name, text)| fs::read_to_string(folder.join(name)).is_ok_and(|found| found == *text))
}
