//! Mistakes made on purpose in the emitted Verilog, and whether lockstep notices.

use anyhow::{Context, Result, bail};
use clap::Parser;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets::NOTHING};
use hpp_netlist::mutants::{Built, Outcome, Pair, SUBJECTS, Scenario, Schema, Subject, list, run};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use verilated::tools::figures::{Measurement, thousands};
use verilated::tools::project_root;

/// Whether lockstep notices each mutant of the emitted Verilog.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Only this subject; may be repeated [default: each]
    #[arg(long, value_name = "NAME")]
    subject: Vec<String>,
    /// Only one mutant in N
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Only mutants of this module
    #[arg(long, value_name = "NAME")]
    module: Option<String>,
    /// Only mutants that lived the last time: those in build/mutants
    #[arg(long)]
    again: bool,
    /// Seconds to look for a proof that a surviving mutant equals the original; 0 looks for none
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Records the figures of each subject of which no mutant lives, in docs/figures.toml and on the page that shows them
    #[arg(long, conflicts_with_all = ["every", "module", "again", "seconds"])]
    record: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let names: Vec<&str> = match options.subject.is_empty() {
        true => SUBJECTS.to_vec(),
        false => options.subject.iter().map(String::as_str).collect(),
    };
    let mut table = table(&[
        "subject",
        "mutants",
        "died",
        "proved equal",
        "excused",
        "alive",
        "share",
    ]);
    let mut alive = 0;
    for name in names {
        let group = format!("mutants-{name}");
        let measurement = Measurement::begin_if(options.record, &group)?;
        let counts = subject(name, &options)?;
        if let Some(measurement) = measurement.filter(|_| counts.alive == 0) {
            measurement.record(counts.figures())?;
        }
        alive += counts.alive;
        table.add_row(counts.row(name));
    }
    println!("{}", aligned(table));
    match alive {
        0 => Ok(()),
        alive => bail!("{alive} mutants live without an excuse: build/mutants has them"),
    }
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    table
}

fn aligned(mut table: Table) -> Table {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What became of the mutants of a subject.
struct Counts {
    mutants: usize,
    died: usize,
    equal: usize,
    excused: usize,
    alive: usize,
}

impl Counts {
    fn row(&self, name: &str) -> Vec<String> {
        let counts = [
            self.mutants,
            self.died,
            self.equal,
            self.excused,
            self.alive,
        ];
        let mut row = vec![name.to_owned()];
        row.extend(counts.map(|count| count.to_string()));
        row.push(self.share());
        row
    }

    /// What the page shows.
    fn figures(&self) -> [(String, String); 5] {
        let count = |count: usize| thousands(count as u64);
        [
            ("mutants", count(self.mutants)),
            ("died", count(self.died)),
            ("equal", count(self.equal)),
            ("excused", count(self.excused)),
            ("share", self.share()),
        ]
        .map(|(name, value)| (name.into(), value))
    }

    /// The share that died, of those that are not equal to the circuit as it was.
    fn share(&self) -> String {
        let different = (self.mutants - self.equal).max(1);
        format!("{:.2} %", 100.0 * self.died as f64 / different as f64)
    }
}

fn subject(name: &str, options: &Options) -> Result<Counts> {
    let subject = Subject::find(name)?;
    let schema = Schema::of(&subject.verilog)?;
    let own = subject.own(&schema)?;
    let keys = list::keys(name, &schema.mutants);
    let last = match options.again {
        true => Some(fs::read_to_string(cached(name, "alive.txt"))?),
        false => None,
    };
    let lived = |number: u32| {
        let key = &keys[number as usize - 1];
        let all = last.as_ref();
        all.is_none_or(|all| all.lines().any(|line| line == key))
    };
    let wanted = |number: u32| {
        let module = options.module.as_ref();
        module.is_none_or(|module| *module == schema.mutants[number as usize - 1].module)
    };
    let numbers: Vec<u32> = own
        .into_iter()
        .filter(|&number| wanted(number) && lived(number))
        .step_by(options.every.max(1))
        .collect();
    let built = subject.build_some(schema, &numbers)?;
    let [quick, rare, long] = built.subject().scenarios();
    let outcome = meet(&built, &numbers, quick)?;
    let open = outcome.alive.clone();
    let outcome = outcome.then(meet(&built, &open, rare)?);
    let (equal, open) = prove(&built, outcome.alive.clone(), options)?;
    let outcome = outcome.then(meet(&built, &open, long)?);
    say_killers(name, &outcome);
    sort(&built, &keys, &numbers, &outcome, &equal)
}

/// What becomes of mutants in some scenarios.
fn meet(built: &Built, numbers: &[u32], scenarios: &[Scenario]) -> Result<Outcome> {
    let bar = bar(built.subject().named.name, numbers.len())?;
    let outcome = run(built, numbers, scenarios, || bar.inc(1))?;
    bar.finish_and_clear();
    Ok(outcome)
}

fn bar(name: &str, mutants: usize) -> Result<ProgressBar> {
    let style = format!("{name}: [{{bar:40}}] {{pos}} of {{len}} mutants, {{eta}} left");
    Ok(ProgressBar::new(mutants as u64).with_style(ProgressStyle::with_template(&style)?))
}

/// Which scenario noticed how many.
fn say_killers(name: &str, outcome: &Outcome) {
    let killed: Vec<_> = Scenario::all()
        .map(|scenario| scenario.name)
        .filter_map(|scenario| {
            let killed = outcome.killed.get(scenario)?;
            Some(format!("{scenario} {killed}"))
        })
        .collect();
    println!("{name}: noticed first by {}", killed.join(", "));
}

/// Where something about a subject is kept.
fn cached(name: &str, what: &str) -> PathBuf {
    project_root().join(format!("build/mutants/{name}-{what}"))
}

/// Tells the mutants that live and are not proved equal apart: excused or not.
fn sort(
    built: &Built,
    keys: &[String],
    numbers: &[u32],
    outcome: &Outcome,
    equal: &[u32],
) -> Result<Counts> {
    let name = built.subject().named.name;
    let excuses = list::excused()?;
    let excused: BTreeSet<&str> = excuses
        .iter()
        .flat_map(|excuse| excuse.mutants.iter().map(String::as_str))
        .collect();
    let key = |number: u32| &keys[number as usize - 1];
    let (known, alive): (Vec<u32>, Vec<u32>) = outcome
        .alive
        .iter()
        .partition(|&&number| excused.contains(key(number).as_str()));
    let dead = numbers
        .iter()
        .filter(|number| !outcome.alive.contains(number) && !equal.contains(number));
    let noticed: Vec<u32> = dead
        .copied()
        .filter(|&number| excused.contains(key(number).as_str()))
        .collect();
    let lines = |numbers: &[u32]| -> String {
        let line = |&number: &u32| format!("{}\n", key(number));
        numbers.iter().map(line).collect()
    };
    fs::create_dir_all(project_root().join("build/mutants"))?;
    fs::write(cached(name, "text.v"), &built.subject().verilog)?;
    fs::write(cached(name, "equal.txt"), lines(equal))?;
    fs::write(cached(name, "alive.txt"), lines(&alive))?;
    print!("{}", lines(&alive));
    if !noticed.is_empty() {
        bail!(
            "these died, so nothing excuses them in {}:\n{}",
            list::EXCUSED,
            lines(&noticed)
        );
    }
    Ok(Counts {
        mutants: numbers.len(),
        died: outcome.dead(),
        equal: equal.len(),
        excused: known.len(),
        alive: alive.len(),
    })
}

/// Those that are proved equal, in their modules or in the profiler, and the others.
fn prove(built: &Built, open: Vec<u32>, options: &Options) -> Result<(Vec<u32>, Vec<u32>)> {
    if open.is_empty() || options.seconds == 0 {
        return Ok((Vec::new(), open));
    }
    let open_ones = open.iter().copied().collect();
    let schema = Schema::part(&built.subject().verilog, &open_ones)?;
    let (mut equal, open) = prove_modules(built, &schema, open)?;
    if open.is_empty() {
        return Ok((equal, open));
    }
    let name = &built.subject().named.name;
    let limit = Duration::from_secs(options.seconds);
    let bar = bar(&format!("{name}, proofs"), open.len())?;
    let (proved, alive) = prove_with(&Pair::new(&schema)?, open, limit, &bar)?;
    bar.finish_and_clear();
    equal.extend(proved);
    Ok((equal, alive))
}

/// How long a proof about a module by itself may take.
const OF_A_MODULE: Duration = Duration::from_secs(3);

/// The same of each module by itself, which takes less time, and finds less.
fn prove_modules(built: &Built, schema: &Schema, open: Vec<u32>) -> Result<(Vec<u32>, Vec<u32>)> {
    let name = &built.subject().named.name;
    let mut of_modules: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for number in &open {
        let module = &built.mutants[*number as usize - 1].module;
        of_modules.entry(module).or_default().push(*number);
    }
    let bar = bar(&format!("{name}, proofs in modules"), open.len())?;
    let (mut equal, mut alive) = (Vec::new(), Vec::new());
    for (module, numbers) in of_modules {
        let pair = Pair::of_module(schema, module)?;
        let (proved, open) = prove_with(&pair, numbers, OF_A_MODULE, &bar)
            .with_context(|| format!("module {module} of `{name}`"))?;
        equal.extend(proved);
        alive.extend(open);
    }
    bar.finish_and_clear();
    Ok((equal, alive))
}

/// Those that are proved equal in a circuit, and the others.
fn prove_with(
    pair: &Pair,
    open: Vec<u32>,
    limit: Duration,
    bar: &ProgressBar,
) -> Result<(Vec<u32>, Vec<u32>)> {
    if !pair.proves(0, Duration::from_secs(60))? {
        bail!("what has no mistake is not proved to be itself");
    }
    let proved: Vec<bool> = open
        .par_iter()
        .map(|&number| {
            let proved = pair.proves(number, limit)?;
            bar.inc(1);
            Ok(proved)
        })
        .collect::<Result<_>>()?;
    let (equal, alive): (Vec<_>, Vec<_>) = open.into_iter().zip(proved).partition(|pair| pair.1);
    let numbers = |pairs: Vec<(u32, bool)>| pairs.into_iter().map(|pair| pair.0).collect();
    Ok((numbers(equal), numbers(alive)))
}
