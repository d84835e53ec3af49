//! `hpp check`: whether the signals of a core are right.

mod log;

use std::path::PathBuf;

use anyhow::Result;
use hpp_report::recorded::SignalCheck;

use crate::Output;
use crate::records::LogArgs;
use log::Reset;

const EXAMPLES: &str = "\
Examples:
  hpp check run.vcd
  hpp check run.vcd --clock clk_i --prefix core_rvfi_ --reset rst_ni=0
  hpp check retirements.csv --isa rv64

A log is a table of retirements in their order. Its first line names the columns: pc_rdata, insn and trap, and, as far as the
core has them, pc_wdata and intr; a column reset is 1 at the first retirement after a reset. Numbers are hexadecimal:
  pc_rdata,insn,trap,pc_wdata,intr
  80000000,00000013,0,80000004,0";

/// Check the RVFI signals of a core
///
/// Follows the retirements of a recorded simulation, and compares where each instruction leads with the next retirement. The exit status
/// is 3 if a profiler that relies on the signals would report paths that were never executed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A waveform (VCD, FST or GHW) of a simulation in which interrupts and exceptions happen, a log of its retirements, or the log of a simulator or tracer; `-` for standard input
    recording: PathBuf,
    #[command(flatten)]
    signals: Signals,
    #[command(flatten)]
    log: LogArgs,
}

/// The signals of a waveform.
#[derive(clap::Args)]
struct Signals {
    /// Clock in the waveform: the outermost signal of that name [default: clk]
    #[arg(long, value_name = "NAME")]
    clock: Option<String>,
    /// What the names of the signals in the waveform begin with [default: rvfi_]
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<String>,
    /// Reset in the waveform and, after `=`, its value during a reset, 1 if none is given [default: a signal of a usual name,
    /// such as rst or rst_ni]
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = reset)]
    reset: Option<Reset>,
}

impl Signals {
    const fn are_named(&self) -> bool {
        self.clock.is_some() || self.prefix.is_some() || self.reset.is_some()
    }

    fn clock(&self) -> &str {
        self.clock.as_deref().unwrap_or("clk")
    }

    fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or("rvfi_")
    }
}

/// `NAME` or `NAME=VALUE`.
fn reset(text: &str) -> Result<Reset, String> {
    let (name, level) = match text.split_once('=') {
        None => (text, 1),
        Some((name, "0")) => (name, 0),
        Some((name, "1")) => (name, 1),
        Some((_, value)) => return Err(format!("a reset is 0 or 1, not `{value}`")),
    };
    Ok(Reset {
        name: name.to_string(),
        level,
    })
}

pub fn run(args: &Args) -> Result<Output> {
    let (recorded, xlen) = log::read(&args.recording, &args.signals, &args.log)?;
    let check = SignalCheck::new(&recorded, xlen);
    Ok(Output::styled(check.text(), check.is_right()))
}
