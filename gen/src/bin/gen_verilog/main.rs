//! `gen-verilog`: the profiler as Verilog, from a configuration file and flags.

use anyhow::{Context, Result, anyhow, bail};
use clap::{CommandFactory, Parser};
use clap_complete::Shell;
use hpp_gen::verilog::ResetStyle;
use hpp_gen::{Bind, Config, ConfigError, Extras, generate_with};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

mod flags;

use flags::Flags;

const EXAMPLES: &str = "\
Examples:
  gen-verilog --out build/hpp                              the default profiler: records from the core, Wishbone
  gen-verilog --ingress rvfi --out build/hpp               for a core with an RVFI
  gen-verilog --sets 64 --ways 2 --print-config > small.toml
  gen-verilog --config small.toml --out build/small

docs/integration.md says which ingress fits a core.";

/// Generates the HPP hardware path profiler as Verilog, with register descriptions and integration files.
///
/// Flags override the configuration file, which overrides the defaults. The same configuration gives the same bytes.
#[derive(Debug, Parser)]
#[command(name = "gen-verilog", version, after_help = EXAMPLES)]
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
    /// Write a file for each module, and a list of them (`.f`), instead of one file
    #[arg(long)]
    split: bool,
    /// Write a VHDL component declaration too
    #[arg(long)]
    vhdl: bool,
    /// When registers are reset: at the next edge of the clock, or at once (the input must then end with the clock)
    #[arg(long, value_name = "KIND", default_value = "sync", value_parser = ["sync", "async"])]
    reset: String,
    /// The level of the reset input that resets; a low one is called `rst_n`
    #[arg(long, value_name = "LEVEL", default_value = "high", value_parser = ["high", "low"])]
    reset_active: String,
    /// Write a `bind` directive too, which puts the profiler into this module of the core (VexRiscv, ibex_top, picorv32 and serv_top are known)
    #[arg(long, value_name = "MODULE")]
    bind: Option<String>,
    /// What a port of the bound profiler is connected to, in terms of the module; may be repeated
    #[arg(long, value_name = "PORT=EXPRESSION", requires = "bind", value_parser = connection)]
    connect: Vec<(String, String)>,
    /// Print the completions of a shell and generate nothing
    #[arg(long, value_name = "SHELL", exclusive = true)]
    completions: Option<Shell>,
    /// Print the manual page and generate nothing
    #[arg(long, exclusive = true)]
    man: bool,
    #[command(flatten)]
    flags: Flags,
}

/// What `--man` prints: a page in roff.
fn manual() -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let page = clap_mangen::Man::new(Arguments::command());
    page.source(concat!("hpp ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .context("cannot write the page")?;
    Ok(text)
}

impl Arguments {
    /// File and flags together, checked.
    fn configuration(&self) -> Result<Config> {
        let text = match &self.config {
            None => String::new(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                // For its errors, which name line and column.
                Config::from_toml(&text, path)?;
                text
            }
        };
        let config = self.flags.over(toml::from_str(&text)?)?;
        let violations = config.violations();
        if violations.is_empty() {
            return Ok(config);
        }
        let lines: Vec<String> = violations
            .iter()
            .map(|error| self.explained(error, &text))
            .collect();
        Err(anyhow!(lines.join("\n")))
    }

    /// Says which flag has set a wrong value, or in which line of the file it stands.
    fn explained(&self, error: &ConfigError, text: &str) -> String {
        let flag = error
            .keys()
            .into_iter()
            .find_map(|key| self.flags.setting(key));
        match (flag, &self.config, error.line_in(text)) {
            (Some(flag), ..) => format!("{flag}: {error}"),
            (None, Some(path), Some(line)) => format!("{}:{line}: {error}", path.display()),
            _ => error.to_string(),
        }
    }

    fn run(&self) -> Result<()> {
        if let Some(shell) = self.completions {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "gen-verilog", &mut text);
            return print(&text);
        }
        if self.man {
            return print(&manual()?);
        }
        let config = self.configuration()?;
        if self.print_config {
            return print(config.to_toml().as_bytes());
        }
        let Some(folder) = &self.out else {
            bail!(
                "no folder to write to; remedy: --out DIR, or --print-config to see the configuration alone"
            );
        };
        let bind = self.bind.as_ref().map(|module| Bind {
            module: module.clone(),
            connect: self.connect.clone(),
        });
        let extras = Extras {
            split: self.split,
            bind: bind.as_ref(),
            vhdl: self.vhdl,
            reset: ResetStyle {
                asynchronous: self.reset == "async",
                active_low: self.reset_active == "low",
            },
        };
        let output = generate_with(&config, &extras)?;
        for path in output.write_to(folder)? {
            let path = path.display();
            say(&format!(
                "{path} is of an earlier run, and this one does not write it; remedy: remove it"
            ));
        }
        Ok(())
    }
}

/// `event_in=dcache_miss`
fn connection(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=');
    let (port, expression) = parts.ok_or("expected PORT=EXPRESSION, such as event_in=miss")?;
    Ok((port.trim().into(), expression.trim().into()))
}

/// Prints to standard output. A reader that has closed it has read enough.
fn print(text: &[u8]) -> Result<()> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Prints a message. It is not an error if its reader has gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "gen-verilog: {line}");
}

fn main() -> std::process::ExitCode {
    match Arguments::parse().run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            format!("{error:#}").lines().for_each(say);
            std::process::ExitCode::FAILURE
        }
    }
}
