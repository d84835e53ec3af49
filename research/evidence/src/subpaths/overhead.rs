//! Tables 4.2 to 4.5: what skipping and sampling cost programs that run on this machine.

use anyhow::Result;
use hpp_paths::subpath::{Costs, Memory, Settings, SubpathProfiler};
use hpp_tools::figures::thousands;
use rustix::time::{ClockId, clock_gettime};

use super::native::{Operation, Probe, fft, heap_sort, lex, operations};
use super::{SEED, settings};
use crate::document::{Document, percent};

/// Runs of which the fastest counts: what others do on the machine only ever adds time.
const RUNS: usize = 15;

/// f in the measurements: that of FFT and JLex in the thesis (table 4.6).
const PERIOD: f64 = 1000.0;

/// A program, as often as there are probes.
struct Program {
    name: &'static str,
    alone: fn(&mut ()),
    profiled: fn(&mut SubpathProfiler),
}

const PROGRAMS: [Program; 3] = [
    Program {
        name: "Lex",
        alone: |probe| lex(100_000, probe),
        profiled: |probe| lex(100_000, probe),
    },
    Program {
        name: "FFT",
        alone: |probe| fft(15, probe),
        profiled: |probe| fft(15, probe),
    },
    Program {
        name: "HeapSort",
        alone: |probe| heap_sort(100_000, probe),
        profiled: |probe| heap_sort(100_000, probe),
    },
];

/// A profiler with this period; one that never begins a subpath only skips.
fn profiler(period: f64) -> Result<SubpathProfiler> {
    let settings = Settings {
        period,
        memory: Memory::Entries(500),
        ..settings()
    };
    Ok(SubpathProfiler::seeded(settings, SEED)?)
}

const NEVER: f64 = 1e300;

pub fn fill(document: &Document) -> Result<()> {
    let mut rows = Vec::new();
    let mut blocks_costs = Vec::new();
    for program in PROGRAMS {
        let (times, profiler) = measure_program(&program)?;
        let (blocks, sampled) = (profiler.blocks(), profiler.sampled_blocks());
        let share = sampled as f64 / blocks as f64;
        let costs = Costs::measured(blocks, times, share);
        let period = format!("{:.0}", profiler.period());
        let mut row = vec![program.name.to_owned(), thousands(blocks), period];
        row.extend(times.map(|time| format!("{:.2}", 1e3 * time)));
        row.push(percent(costs.overhead(share)));
        row.push(percent(costs.sampling_overhead(share)));
        row.extend([costs.skipping, costs.sampling].map(|cost| format!("{:.2}", 1e9 * cost)));
        rows.push(row);
        blocks_costs.push((program.name, costs));
    }
    let head = "program | blocks | f | alone, ms | skipping, ms | profiled, ms | overhead | sampling | \
        skip, ns a block | sample, ns a block";
    document.table("subpath-overhead", head, &rows)?;
    document.table(
        "subpath-block-cost",
        "program | β1 | β2 | error",
        &betas(&blocks_costs),
    )?;
    document.table(
        "subpath-operations",
        "operation | ops/s | profiled, ops/s | ratio",
        &ratios()?,
    )
}

/// Table 4.5: the cost of a block by time and by the overhead of skipping, each relative to the smallest. A program in which
/// skipping takes no time that can be measured says nothing about it.
fn betas(costs: &[(&str, Costs)]) -> Vec<Vec<String>> {
    let measured = costs.iter().filter(|(_, costs)| costs.skipping > 0.0);
    let betas: Vec<_> = measured
        .map(|(name, costs)| (name, [costs.block, costs.skipping_overhead().recip()]))
        .collect();
    let least = [0, 1].map(|way| {
        betas
            .iter()
            .map(|(_, beta)| beta[way])
            .fold(f64::MAX, f64::min)
    });
    let row = |(name, beta): &(&&str, [f64; 2])| {
        let [one, two] = [beta[0] / least[0], beta[1] / least[1]];
        let error = percent((two / one - 1.0).abs());
        vec![
            (**name).to_owned(),
            format!("{one:.2}"),
            format!("{two:.2}"),
            error,
        ]
    };
    betas.iter().map(row).collect()
}

/// Table 4.4: operations a second, alone and profiled.
fn ratios() -> Result<Vec<Vec<String>>> {
    let pairs = operations::<()>()
        .into_iter()
        .zip(operations::<SubpathProfiler>());
    let mut rows = Vec::new();
    for (alone, profiled) in pairs {
        let mut least = [f64::MAX; 2];
        for _ in 0..RUNS {
            let mut profiler = profiler(PERIOD)?;
            least[0] = least[0].min(time(|| run(&alone, &mut ())));
            least[1] = least[1].min(time(|| run(&profiled, &mut profiler)));
        }
        let rate = |time: f64| format!("{:.1e}", alone.times as f64 / time);
        let ratio = format!("{:.2}", least[1] / least[0]);
        rows.push(vec![
            alone.name.to_owned(),
            rate(least[0]),
            rate(least[1]),
            ratio,
        ]);
    }
    Ok(rows)
}

fn run<P: Probe>(operation: &Operation<P>, probe: &mut P) {
    (operation.run)(operation.times, probe);
}

/// The least processor times of a program alone, with a profiler that only skips, and with one that samples, in seconds; and
/// that profiler. The three take turns, so that what else the machine does meets them alike.
fn measure_program(program: &Program) -> Result<([f64; 3], SubpathProfiler)> {
    let mut least = [f64::MAX; 3];
    let mut last = profiler(PERIOD)?;
    for _ in 0..RUNS {
        last = profiler(PERIOD)?;
        let mut skipping = profiler(NEVER)?;
        let times = [
            time(|| (program.alone)(&mut ())),
            time(|| (program.profiled)(&mut skipping)),
            time(|| (program.profiled)(&mut last)),
        ];
        for (least, time) in least.iter_mut().zip(times) {
            *least = least.min(time);
        }
    }
    Ok((least, last))
}

/// The processor time of a call, in seconds.
fn time(run: impl FnOnce()) -> f64 {
    let start = now();
    run();
    now() - start
}

/// The thread's processor time in seconds.
pub fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}
