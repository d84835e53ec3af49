//! Branch and toggle coverage of the emitted Verilog over all profilers, and the reasons for what is not reached.

use anyhow::{Context, Result, bail};
use clap::Parser;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use hpp_netlist::coverage::{
    Edge, Effort, Merged, Place, Profiler, Standing, What, judge, profilers, reach, unreachable,
    waivers,
};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;
use verilated::tools::figures::{Measurement, thousands};

/// Measures which branches and toggles of the emitted Verilog lockstep reaches, over all profilers together. Proves the rest unreachable,
/// applies the waivers, and lists the holes.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Only this profiler; may be given more than once [default: all, as the waivers are made for].
    #[arg(long)]
    profiler: Vec<String>,
    /// Records to drive each with.
    #[arg(long, default_value_t = 200_000)]
    records: u64,
    /// Seed of the first of four epochs.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Records the figures in docs/figures.toml and on the pages that show them.
    #[arg(long, conflicts_with = "profiler")]
    record: bool,
}

const EPOCHS: u64 = 4;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let chosen = chosen(&options)?;
    let measurement = Measurement::begin_if(options.record, "coverage")?;
    let merged = measured(&chosen, &options)?;
    let waivers = waivers()?;
    let judged = judge(merged.open().map(|(place, _)| place), &waivers);
    let counts = [false, true].map(|toggles| Counts::of(&merged, &judged.holes, toggles));
    print_counts(&counts);
    for (waiver, count) in waivers.iter().zip(&judged.waived) {
        println!("waived: {count} of {}: {}", waiver.named(), waiver.reason);
    }
    let profiler: BTreeMap<_, _> = merged.open().collect();
    print_holes(&judged.holes, |place| chosen[profiler[place]].label.clone());
    let whole = options.profiler.is_empty();
    if whole {
        for waiver in &judged.unneeded {
            println!("a waiver that is not needed: {waiver}");
        }
    }
    if let Some(measurement) = measurement {
        measurement.record(figures(&counts, &options))?;
    }
    match judged.holes.is_empty() && (judged.unneeded.is_empty() || !whole) {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(ExitCode::FAILURE),
    }
}

fn chosen(options: &Options) -> Result<Vec<Profiler>> {
    let all = profilers();
    let unknown = |label: &&String| !all.iter().any(|profiler| profiler.label == **label);
    if let Some(label) = options.profiler.iter().find(unknown) {
        let labels: Vec<_> = all.iter().map(|profiler| profiler.label.as_str()).collect();
        bail!("no profiler `{label}`; there are {}", labels.join("; "));
    }
    let asked = |profiler: &Profiler| {
        options.profiler.is_empty() || options.profiler.contains(&profiler.label)
    };
    Ok(all.into_iter().filter(asked).collect())
}

/// Drives the profilers, and proves what it can of what none of them reaches.
fn measured(profilers: &[Profiler], options: &Options) -> Result<Merged> {
    let effort = Effort {
        records: options.records,
        epochs: EPOCHS,
        seed: options.seed,
    };
    let mut merged = Merged::default();
    let mut texts = Vec::new();
    for (number, profiler) in profilers.iter().enumerate() {
        let start = Instant::now();
        let reached = reach(profiler, effort)?;
        let (all, count) = (
            reached.places.len(),
            reached
                .places
                .values()
                .filter(|(_, reached)| *reached)
                .count(),
        );
        println!(
            "{}: {count} of {all} reached ({:.0} s)",
            profiler.label,
            start.elapsed().as_secs_f64()
        );
        merged.add(number, reached.places, profiler.asked);
        texts.push(reached.verilog);
    }
    for (number, place) in proved(profilers, &texts, &merged)? {
        merged.hold(number, &place);
    }
    Ok(merged)
}

/// Places that are unreachable in each profiler, two at a time: by its number.
fn proved(
    profilers: &[Profiler],
    texts: &[String],
    merged: &Merged,
) -> Result<Vec<(usize, Place)>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Place)>> {
        let mut all = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(profiler) = profilers.get(number) else {
                return Ok(all);
            };
            let start = Instant::now();
            let open = merged.open_in(number);
            let unreachable = unreachable(&texts[number], &open)
                .with_context(|| format!("profiler `{}`", profiler.label))?;
            println!(
                "{}: {} of {} that no profiler reaches are unreachable ({:.0} s)",
                profiler.label,
                unreachable.len(),
                open.len(),
                start.elapsed().as_secs_f64()
            );
            all.extend(unreachable.into_iter().map(|place| (number, place)));
        }
    };
    thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut all = work()?;
        all.extend(other.join().expect("a proof does not panic")?);
        Ok(all)
    })
}

/// Places of one kind.
#[derive(Default)]
struct Counts {
    all: usize,
    reached: usize,
    unreachable: usize,
    waived: usize,
    holes: usize,
}

impl Counts {
    fn of(merged: &Merged, holes: &[&Place], toggles: bool) -> Self {
        let holes: BTreeSet<_> = holes.iter().copied().collect();
        let mut counts = Self::default();
        for (place, standing) in merged
            .all()
            .filter(|(place, _)| place.is_toggle() == toggles)
        {
            counts.all += 1;
            match standing {
                Standing::Reached => counts.reached += 1,
                Standing::Unreachable => counts.unreachable += 1,
                Standing::Open if holes.contains(place) => counts.holes += 1,
                Standing::Open => counts.waived += 1,
            }
        }
        counts
    }

    fn percent(&self) -> f64 {
        100.0 * self.reached as f64 / self.all.max(1) as f64
    }
}

fn print_counts(counts: &[Counts; 2]) {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(["", "all", "reached", "%", "unreachable", "waived", "holes"]);
    for (name, counts) in ["branches", "toggles"].iter().zip(counts) {
        let Counts {
            all,
            reached,
            unreachable,
            waived,
            holes,
        } = counts;
        let figures = [all, reached].map(usize::to_string);
        let rest = [unreachable, waived, holes].map(usize::to_string);
        table.add_row(
            [
                vec![(*name).to_string()],
                figures.to_vec(),
                vec![format!("{:.2}", counts.percent())],
                rest.to_vec(),
            ]
            .concat(),
        );
    }
    println!("{table}");
}

/// Holes by module and signal, with bits, changes, instances, and a profiler in which they are open.
fn print_holes(holes: &[&Place], profiler: impl Fn(&Place) -> String) {
    let mut groups: BTreeMap<(&str, String), Group> = BTreeMap::new();
    for place in holes {
        let (name, bit, edge) = match &place.what {
            What::Toggle { signal, bit, edge } => (signal.clone(), bit.unwrap_or(0), Some(*edge)),
            What::Branch { side, line, .. } => (format!("{side} of `{line}`"), 0, None),
        };
        let group = groups.entry((&place.module, name)).or_default();
        group.bits.insert(bit);
        group.edges.extend(edge);
        group.instances.insert(&place.instance);
        group.profiler = profiler(place);
    }
    for (
        (module, name),
        Group {
            bits,
            edges,
            instances,
            profiler,
        },
    ) in groups
    {
        let edges: Vec<_> = edges
            .iter()
            .map(|edge| format!("{edge:?}").to_lowercase())
            .collect();
        let first = instances.first().copied().unwrap_or_default();
        println!(
            "hole: {module} {name}{} {} in {} instances ({first}), profiler `{profiler}`",
            ranges(&bits),
            edges.join(" and "),
            instances.len(),
        );
    }
}

#[derive(Default)]
struct Group<'a> {
    bits: BTreeSet<u32>,
    edges: BTreeSet<Edge>,
    instances: BTreeSet<&'a str>,
    profiler: String,
}

/// `[0, 4-7]` of the bits 0, 4, 5, 6 and 7.
fn ranges(bits: &BTreeSet<u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &bit in bits {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == bit => *last = bit,
            _ => runs.push((bit, bit)),
        }
    }
    let run = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    format!("[{}]", runs.iter().map(run).collect::<Vec<_>>().join(", "))
}

/// What pages show.
fn figures(counts: &[Counts; 2], options: &Options) -> BTreeMap<String, String> {
    let count = |number: usize| thousands(number as u64);
    let sum = |of: fn(&Counts) -> usize| count(counts.iter().map(of).sum());
    let [branches, toggles] = counts;
    [
        ("records", thousands(options.records)),
        ("profilers", count(profilers().len())),
        ("branches", count(branches.all)),
        ("branches.reached", count(branches.reached)),
        ("branches.percent", format!("{:.2}", branches.percent())),
        ("toggles", count(toggles.all)),
        ("toggles.reached", count(toggles.reached)),
        ("toggles.percent", format!("{:.2}", toggles.percent())),
        ("unreachable", sum(|counts| counts.unreachable)),
        ("waived", sum(|counts| counts.waived)),
        ("open", sum(|counts| counts.holes)),
    ]
    .map(|(name, value)| (name.to_string(), value))
    .into()
}
