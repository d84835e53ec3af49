//! `hpp check`: whether the signals of a core can be believed.

mod judge;
mod log;

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use hpp_riscv::Xlen;

use crate::Output;
use judge::Judge;

const EXAMPLES: &str = "\
Examples:
  hpp check run.vcd
  hpp check run.vcd --clock clk_i --prefix core_rvfi_
  hpp check retirements.csv --isa rv64

A log is a table of retirements in their order. Its first line names the columns: pc_rdata, insn and trap, and, as far as the
core has them, pc_wdata and intr. Numbers are hexadecimal:
  pc_rdata,insn,trap,pc_wdata,intr
  80000000,00000013,0,80000004,0";

/// Say whether the RVFI signals of a core can be believed
///
/// Follows the retirements of a recorded simulation, and compares where each instruction leads with the next retirement. The exit status
/// is 3 if a profiler that believes the signals would report paths that nobody executed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A waveform (VCD) of a simulation in which interrupts and exceptions happen, or a log of its retirements
    recording: PathBuf,
    /// The core's instruction set
    #[arg(long, value_enum, default_value_t = Isa::Rv32)]
    isa: Isa,
    /// Clock in the waveform: the outermost signal of that name
    #[arg(long, value_name = "NAME", default_value = "clk")]
    clock: String,
    /// What the names of the signals in the waveform begin with
    #[arg(long, value_name = "PREFIX", default_value = "rvfi_")]
    prefix: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum Isa {
    Rv32,
    Rv64,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Output> {
    let recorded = log::read(&args.recording, &args.clock, &args.prefix)?;
    let xlen = match args.isa {
        Isa::Rv32 => Xlen::Rv32,
        Isa::Rv64 => Xlen::Rv64,
    };
    let judge = Judge::new(&recorded, xlen);
    Ok(Output::styled(judge.text(), judge.is_believed()))
}
