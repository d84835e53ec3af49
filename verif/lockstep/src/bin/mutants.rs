//! Mutants that Yosys makes of the emitted Verilog, and how many of them the bench finds.

use anyhow::{Context, Result, ensure};
use clap::Parser;
use hpp_fpga::tool::{Tool, Toolchain};
use hpp_lockstep::corners;
use hpp_lockstep::mistakes::{INPUT, PROFILERS, Profiler, build};
use rayon::prelude::*;
use std::fs;
use verilated::tools::{command::columns, project_root};

/// Yosys mutates the flattened profilers at places that cover its cells evenly; an input chooses the mutant. Each runs under every stimulus until one
/// finds it. Those that none finds are left in build/mutants, a line each; some of them are equal to the profiler as it was.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Only this profiler; may be given more than once [default: each].
    #[arg(long, value_name = "NAME")]
    profiler: Vec<String>,
    /// Mutants of each profiler.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=65535))]
    mutants: u32,
    /// Seed of the choice.
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let names: Vec<&str> = match options.profiler.is_empty() {
        // The corners drive records themselves, which a core before an RVFI does not let them.
        true => PROFILERS
            .into_iter()
            .filter(|name| *name != "rvfi")
            .collect(),
        false => options.profiler.iter().map(String::as_str).collect(),
    };
    let rows: Vec<_> = names
        .into_iter()
        .map(|name| row(name, &options).with_context(|| name.to_owned()))
        .collect::<Result<_>>()?;
    println!("{}", columns("profiler | mutants | found | alive", 1, rows));
    Ok(())
}

fn row(name: &str, options: &Options) -> Result<Vec<String>> {
    let profiler = Profiler::find(name)?;
    let (list, verilog) = mutated(&profiler.verilog, options)?;
    let design = build(&verilog)?;
    let stimuli = corners::all();
    // Before any mutant is blamed.
    for stimulus in &stimuli {
        let found = profiler.finds(&design, 0, stimulus)?;
        ensure!(
            found.is_none(),
            "{} without a mutation: {found:?}",
            stimulus.name
        );
    }
    // What a mutant shows may be beyond what the model's types can say; nobody has to read that.
    std::panic::set_hook(Box::new(|_| ()));
    let mutants: Vec<(u32, &str)> = (1..).zip(list.lines()).collect();
    let alive: Vec<Option<&str>> = mutants
        .par_iter()
        .map(|&(number, mutant)| {
            for stimulus in &stimuli {
                if profiler.finds(&design, number, stimulus)?.is_some() {
                    return Ok(None);
                }
            }
            Ok(Some(mutant))
        })
        .collect::<Result<_>>()?;
    let _ = std::panic::take_hook();
    let alive: Vec<&str> = alive.into_iter().flatten().collect();
    let folder = project_root().join("build/mutants");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let file = folder.join(format!("{name}.txt"));
    let text: String = alive.iter().map(|mutant| format!("{mutant}\n")).collect();
    fs::write(&file, text).with_context(|| file.display().to_string())?;
    let (all, alive) = (mutants.len(), alive.len());
    let numbers = [all, all - alive, alive].map(|number| number.to_string());
    Ok([name.to_owned()].into_iter().chain(numbers).collect())
}

/// Yosys's list of mutations, and the Verilog with all of them.
fn mutated(verilog: &str, options: &Options) -> Result<(String, String)> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("design.v"), verilog).context("cannot write design.v")?;
    let Options { mutants, seed, .. } = options;
    let script = format!(
        "read_verilog -sv design.v; prep -flatten -top hpp; mutate -list {mutants} -seed {seed} -ctrl {INPUT} 16 1 -o list.ys; \
         script list.ys; clean; write_verilog -noattr mutants.v"
    );
    let arguments = ["-q", "-p", &script].map(String::from);
    Toolchain::of_project(&project_root()).run(
        Tool::Yosys,
        folder.path(),
        "yosys.log",
        &arguments,
    )?;
    let read =
        |name: &str| fs::read_to_string(path(name)).with_context(|| format!("cannot read {name}"));
    Ok((read("list.ys")?, read("mutants.v")?))
}
