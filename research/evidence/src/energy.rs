//! Energy along paths: what each path of a run costs, beside its time and its executions.

use std::collections::HashMap;
use std::fs;

use crate::instruction_energy::COSTS;
use anyhow::{Context, Result, ensure};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{
    BackwardNotTaken, ExactProfile, HotPathTable, Metric, PathStack, ResetValues,
};
use hpp_paths::metrics::overlap;
use hpp_riscv::{Image, Ingress, Retirement, Xlen};
use hpp_soc::crosscheck::{Mode, check_emitted};
use hpp_soc::{Meanwhile, PROGRAMS, Soc, Watcher, firmware};

use crate::bars::Bars;
use crate::document::{Document, percent};

/// Wide enough that no record and no path of the programs saturates.
const EVENT_BITS: u32 = 16;
const COUNTER_BITS: u32 = 24;
/// The paths looked at.
const HOTTEST: usize = 10;

pub fn fill(document: &Document) -> Result<()> {
    let costs = COSTS.map(|(class, cost)| vec![class.to_owned(), cost.to_string()]);
    document.table("energy-model", "instruction | energy", &costs)?;
    let soc = Soc::build(None)?;
    let (mut shares, mut kept, mut hottest, mut bars) = (vec![], vec![], vec![], vec![]);
    for program in PROGRAMS {
        let run = Run::of(&soc, program)?;
        let [energy, time, executions] = run.profiles()?;
        let held = [&energy, &time, &executions].map(|order| energy.held_by(order));
        let alike = [&time, &executions].map(|other| overlap(&energy.counts, &other.counts));
        let cells = held.iter().chain(&alike).map(|&share| percent(share));
        shares.push([program.to_owned()].into_iter().chain(cells).collect());
        let table = [&energy, &time, &executions].map(|profile| percent(profile.kept));
        kept.push([program.to_owned()].into_iter().chain(table).collect());
        let shown = run.hottest(&energy, &time, &executions);
        hottest.push([program.to_owned()].into_iter().chain(shown).collect());
        bars.push((program, held.map(|share| 100.0 * share).to_vec()));
    }
    let head = "program | 10 by energy | 10 by time | 10 by executions | overlap with time | \
        overlap with executions";
    document.table("energy-shares", head, &shares)?;
    let head = "program | hottest by energy | energy | time | executions";
    document.table("energy-hottest", head, &hottest)?;
    let head = "program | energy | time | executions";
    document.table("energy-kept", head, &kept)?;
    let plot = Bars {
        description: "energy that ten paths hold, %",
        labels: &["by energy", "by time", "by executions"],
        programs: bars,
    };
    document.plot("energy", &plot)
}

/// A table whose counters hold the events of a program's paths.
pub fn geometry() -> Geometry {
    Geometry {
        align: 1,
        event_bits: EVENT_BITS,
        event_counter_bits: COUNTER_BITS,
        ..Geometry::default()
    }
}

/// A run's records, with two kinds of events.
struct Run {
    image: Image,
    energy: Vec<BranchRecord>,
    time: Vec<BranchRecord>,
}

/// Makes records of retirements.
struct Recorder {
    energy: (Ingress, Vec<BranchRecord>),
    time: (Ingress, Vec<BranchRecord>),
}

impl Watcher for Recorder {
    fn retired(&mut self, _retirement: &Retirement) {}

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        let (ingress, records) = &mut self.energy;
        records.extend(ingress.step(
            retirement,
            crate::instruction_energy::energy(retirement.insn),
        ));
        let (ingress, records) = &mut self.time;
        records.extend(ingress.step(retirement, meanwhile.cycles));
    }
}

impl Run {
    fn of(soc: &Soc, program: &str) -> Result<Self> {
        let elf = firmware(program)?;
        let bytes = fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
        let image = Image::from_elf(&bytes, None).with_context(|| program.to_owned())?;
        let records = || (Ingress::new(Xlen::Rv32, EVENT_BITS), Vec::new());
        let mut recorder = Recorder {
            energy: records(),
            time: records(),
        };
        let run = soc.run(&elf, &mut recorder)?;
        run.ended_well(program)?;
        Ok(Self {
            image,
            energy: recorder.energy.1,
            time: recorder.time.1,
        })
    }

    /// Energy, time and executions of each path; the emitted Verilog completes the same, with the same energy.
    fn profiles(&self) -> Result<[Profile; 3]> {
        let mut mode = Mode::ball_larus(BackwardNotTaken::default());
        mode.reset.metric = Metric::Events;
        let energy = Profile::of(&self.energy, Metric::Events)?;
        let emitted = check_emitted(&self.energy, &geometry(), mode)?;
        ensure!(
            emitted
                .profile
                .iter()
                .all(|(path, count)| energy.counts[path] == count),
            "the Verilog apportions other energies than the model"
        );
        let time = Profile::of(&self.time, Metric::Events)?;
        Ok([energy, time, Profile::of(&self.time, Metric::Executions)?])
    }

    /// The path that takes the most energy, and its shares.
    fn hottest(&self, energy: &Profile, time: &Profile, executions: &Profile) -> Vec<String> {
        let path = energy.order[0];
        let place = named(&self.image, &path);
        let shares = [energy, time, executions].map(|profile| percent(profile.share(&path)));
        [place].into_iter().chain(shares).collect()
    }
}

/// A path as readers know it: the function it begins in, and its outcomes.
pub fn named(image: &Image, path: &PathDescriptor) -> String {
    let place = image.functions().at(path.start).map_or_else(
        || format!("{:#x}", path.start),
        |function| format!("`{}+{:#x}`", function.name, path.start - function.address),
    );
    let outcome = |at: u32| {
        if path.outcomes >> at & 1 == 1 {
            'T'
        } else {
            'N'
        }
    };
    let outcomes: String = (0..path.length).map(outcome).collect();
    format!("{place} {outcomes}")
}

/// What each path counts.
pub struct Profile {
    pub counts: HashMap<PathDescriptor, u64>,
    /// The hottest first.
    pub order: Vec<PathDescriptor>,
    total: u64,
    /// The overlap of the hot path table with it.
    kept: f64,
}

impl Profile {
    /// What the profiler's paths count in this run.
    pub fn of(records: &[BranchRecord], metric: Metric) -> Result<Self> {
        let reset = ResetValues {
            metric,
            ..ResetValues::default()
        };
        let mut stack = PathStack::new(&geometry(), reset.ppcr());
        let mut table = HotPathTable::new(&geometry());
        let mut exact = ExactProfile::new();
        for path in records.iter().filter_map(|record| stack.step(record)) {
            exact.record(&path);
            table.record(&path);
        }
        let most = u64::from(u32::MAX >> (u32::BITS - EVENT_BITS));
        let saturated = records
            .iter()
            .filter(|record| u64::from(record.events) == most);
        ensure!(saturated.count() == 0, "events of a record saturate");
        let counts: HashMap<_, _> = exact.iter().map(|(&path, count)| (path, count)).collect();
        let entries = table.entries().map(|(_, entry)| entry);
        let held: HashMap<_, _> = entries
            .map(|e| (e.descriptor, u64::from(e.count)))
            .collect();
        Ok(Self {
            kept: overlap(&counts, &held),
            order: exact.hottest().into_iter().map(|(path, _)| path).collect(),
            total: exact.total(),
            counts,
        })
    }

    /// The share of a path.
    pub fn share(&self, path: &PathDescriptor) -> f64 {
        self.counts.get(path).copied().unwrap_or(0) as f64 / self.total as f64
    }

    /// The share of this profile that the hottest paths of another one hold.
    pub fn held_by(&self, other: &Self) -> f64 {
        let hottest = other.order.iter().take(HOTTEST);
        hottest.map(|path| self.share(path)).sum()
    }
}
