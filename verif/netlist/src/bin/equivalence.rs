//! Proves the modules of the profiler equivalent to their netlists.

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use hpp_fpga::device::Family;
use hpp_gen::Config;
use hpp_golden::config::Geometry;
use hpp_lockstep::tiny;
use hpp_netlist::equivalence::{Question, Verdict, memories, modules};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Proves each module of the profiler, with all modules below it, equal to its netlist.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Configuration of the profiler [default: the generator's, and that of a tiny one].
    #[arg(long)]
    config: Option<PathBuf>,
    /// Family of devices; may be given more than once [default: ice40, ecp5 and gowin].
    #[arg(long, value_enum)]
    device: Vec<Device>,
    /// Only this module; may be given more than once.
    #[arg(long)]
    module: Vec<String>,
    /// Seconds after which a proof is given up.
    #[arg(long, default_value_t = 900)]
    seconds: u64,
}

/// A family as the command line names it.
#[derive(ValueEnum, Debug, Clone, Copy)]
enum Device {
    Ice40,
    Ecp5,
    Gowin,
}

impl Device {
    fn family(self) -> Family {
        match self {
            Device::Ice40 => Family::Ice40,
            Device::Ecp5 => Family::Ecp5,
            Device::Gowin => Family::Gowin,
        }
    }
}

/// How many open nets a line names.
const NAMED: usize = 4;

fn say(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proved(nets) => format!("proved, {nets} nets"),
        Verdict::Open(nets, open) => {
            let named = open[..open.len().min(NAMED)].join(", ");
            format!("open, {} of {nets} nets: {named}", open.len())
        }
        Verdict::TimedOut => "open, time is up".into(),
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    let configs = match &options.config {
        Some(path) => vec![Config::from_file(path)?],
        None => vec![Config::default(), tiny::config(&Geometry::tiny())],
    };
    let outputs = configs.iter().map(hpp_gen::generate);
    let outputs: Vec<_> = outputs
        .collect::<Result<_, _>>()
        .context("cannot generate the profiler")?;
    let texts: Vec<&str> = outputs.iter().map(|output| output.verilog()).collect();
    let all: Vec<&str> = texts.iter().flat_map(|text| modules(text)).collect();
    let mut asked = options.module.iter();
    if let Some(unknown) = asked.find(|name| !all.contains(&name.as_str())) {
        bail!(
            "no module `{unknown}` without a memory; there are {}",
            all.join(", ")
        );
    }
    texts.iter().try_for_each(|text| prove(text, &options))
}

/// Proves the modules of a profiler that are asked for.
fn prove(verilog: &str, options: &Options) -> Result<()> {
    let all = modules(verilog);
    let asked =
        |name: &&&str| options.module.is_empty() || options.module.iter().any(|m| m == **name);
    let devices = match options.device.as_slice() {
        [] => vec![Device::Ice40, Device::Ecp5, Device::Gowin],
        some => some.to_vec(),
    };
    let (mut proved, mut asked_for) = (0, 0);
    // The smallest first: a file's modules follow those that use them.
    for module in all.iter().rev().filter(asked) {
        for device in &devices {
            let start = Instant::now();
            let question = Question {
                verilog,
                module,
                family: device.family(),
                limit: Duration::from_secs(options.seconds),
                damaged: None,
            };
            let verdict = question.answer()?;
            asked_for += 1;
            proved += usize::from(matches!(verdict, Verdict::Proved(_)));
            println!(
                "{module} on {device:?}: {} ({:.0} s)",
                say(&verdict),
                start.elapsed().as_secs_f64()
            );
        }
    }
    println!(
        "{proved} of {asked_for} proved; taken out as ports: {}",
        memories(verilog).join(", ")
    );
    Ok(())
}
