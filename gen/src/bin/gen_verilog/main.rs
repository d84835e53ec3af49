//! `gen-verilog`: the profiler as Verilog, from a configuration file and flags.

use anyhow::{Context, Result, bail};
use clap::Parser;
use hpp_gen::{Config, ConfigError, generate};
use std::path::PathBuf;

mod flags;

use flags::Flags;

/// Generates the HPP hardware path profiler as Verilog, with register descriptions and integration files.
///
/// Flags override the configuration file, which overrides the defaults. The same configuration gives the same bytes.
#[derive(Debug, Parser)]
#[command(name = "gen-verilog", version)]
struct Arguments {
    /// Configuration file (TOML); `--print-config` prints one
    #[arg(long, value_name = "FILE.toml")]
    config: Option<PathBuf>,
    /// Folder for the generated files; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the resulting configuration as TOML and generate nothing
    #[arg(long, conflicts_with = "out")]
    print_config: bool,
    #[command(flatten)]
    flags: Flags,
}

impl Arguments {
    /// File and flags together, checked.
    fn configuration(&self) -> Result<Config> {
        let Some(path) = &self.config else {
            let mut config = Config::default();
            self.flags.apply(&mut config);
            config.validate()?;
            return Ok(config);
        };
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let from_file = Config::from_toml(&text, path)?;
        let mut config = from_file.clone();
        self.flags.apply(&mut config);
        config
            .validate()
            .map_err(|error| self.explain(error, &text))?;
        Ok(config)
    }

    /// Says in which line of the file a wrong value stands, unless a flag has set it.
    fn explain(&self, error: ConfigError, text: &str) -> anyhow::Error {
        let by_flag = error.keys().into_iter().any(|key| self.flags.sets(key));
        match (&self.config, error.line_in(text)) {
            (Some(path), Some(line)) if !by_flag => {
                anyhow::anyhow!("{}:{line}: {error}", path.display())
            }
            _ => error.into(),
        }
    }

    fn run(&self) -> Result<()> {
        let config = self.configuration()?;
        if self.print_config {
            print!("{}", config.to_toml());
            return Ok(());
        }
        let Some(folder) = &self.out else {
            bail!(
                "where to? Give a folder with --out DIR, or --print-config to see the configuration"
            );
        };
        generate(&config)?.write_to(folder)?;
        Ok(())
    }
}

fn main() -> std::process::ExitCode {
    match Arguments::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gen-verilog: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
