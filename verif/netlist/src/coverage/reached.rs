//! What of a profiler's Verilog the bench reaches.

use super::place::At;
use super::place::{Place, places};
use super::profiler::Profiler;
use anyhow::{Context, Result};
use hpp_gen::Bus;
use hpp_golden::registers;
use hpp_lockstep::bus::{ApbMaster, Axi4LiteMaster};
use hpp_lockstep::{Bench, Device, Disagreement, Harness, Protocol, epoch, tiny};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroU32;
use std::sync::OnceLock;
use verilated::tools::cache;
use verilated::{Builder, Coverage};

/// How long a profiler is driven.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Records, in so many epochs.
    pub records: u64,
    /// Epochs, of consecutive seeds.
    pub epochs: u64,
    /// The first seed.
    pub seed: u64,
}

/// Records of each hazard by itself, in each epoch.
const OF_A_HAZARD: u64 = 2000;

/// What of a profiler was reached.
#[derive(Debug, Clone)]
pub struct Reached {
    /// Its Verilog.
    pub verilog: String,
    /// Its places, the line and column of each, and whether it was reached.
    pub places: BTreeMap<Place, (At, bool)>,
}

/// Drives a profiler in lockstep with the golden model, or takes what the same program found before.
///
/// # Errors
///
/// What generator, Verilator or compiler say, or the first difference between Verilog and model.
pub fn reach(profiler: &Profiler, effort: Effort) -> Result<Reached> {
    let verilog = profiler.verilog()?;
    let drive = format!("{effort:?}, {OF_A_HAZARD} of a hazard");
    // The bench and the model are part of the program.
    let parts = [
        ("program", program()?),
        ("profiler", &profiler.label),
        ("drive", &drive),
        ("text", &verilog),
    ];
    let text = cache::text("reached", &parts, || {
        let places: Vec<_> = driven(profiler, &verilog, effort)?.into_iter().collect();
        serde_json::to_string(&places).context("places are text")
    })?;
    let places: Vec<(Place, (At, bool))> =
        serde_json::from_str(&text).context("what was kept of a run; remedy: HPP_FRESH=1")?;
    Ok(Reached {
        places: places.into_iter().collect(),
        verilog,
    })
}

/// A hash of this program, taken once.
fn program() -> Result<&'static str> {
    static HASH: OnceLock<String> = OnceLock::new();
    if let Some(hash) = HASH.get() {
        return Ok(hash);
    }
    let path = std::env::current_exe().context("this program has no path")?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(HASH.get_or_init(|| cache::hash(&bytes)))
}

fn driven(
    profiler: &Profiler,
    verilog: &str,
    effort: Effort,
) -> Result<BTreeMap<Place, (At, bool)>> {
    let builder = Builder::new("hpp").source_text("hpp.v", verilog);
    let builder = builder.coverage(true);
    if profiler.named.geometry.is_tiny() {
        return places(verilog, &beside_the_model(profiler, &builder, effort)?);
    }
    let harness = Harness::of(&profiler.named, builder)?.with_reset(profiler.reset);
    let harness = harness.with_front(profiler.front);
    places(verilog, &lockstep(profiler, &harness, effort)?)
}

/// A tiny profiler has a bench of its own, which panics at the first difference.
fn beside_the_model(profiler: &Profiler, builder: &Builder, effort: Effort) -> Result<Coverage> {
    let design = builder.build()?;
    let mut sum = Coverage::default();
    for seed in effort.seed..effort.seed + effort.epochs {
        let device = tiny::Verilated::powered_up(&design, power_up(seed))?;
        let records = effort.records / effort.epochs.max(1);
        let bench = tiny::epoch(device, profiler.named.geometry, seed, records);
        sum.merge(&bench.pins().coverage()?);
    }
    Ok(sum)
}

fn power_up(seed: u64) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(seed as u32)
}

fn lockstep(profiler: &Profiler, harness: &Harness, effort: Effort) -> Result<Coverage> {
    let mut sum = Coverage::default();
    for seed in effort.seed..effort.seed + effort.epochs {
        let place = || format!("profiler `{}`, seed {seed}", profiler.label);
        let mut bench = bench(profiler, harness, seed).with_context(place)?;
        epoch::run(&mut bench, seed, effort.records / effort.epochs.max(1)).with_context(place)?;
        epoch::hazards(&mut bench, seed, OF_A_HAZARD)
            .map_err(|(_, difference)| difference)
            .with_context(place)?;
        reserved(&mut bench).with_context(place)?;
        let model = bench.device().model().context("a verilated profiler")?;
        sum.merge(&model.coverage()?);
    }
    Ok(sum)
}

/// Software writes every bit of the registers that take commands, those that mean nothing too.
fn reserved(bench: &mut Bench<Box<dyn Device>>) -> Result<(), Disagreement> {
    for register in [registers::COMMAND, registers::ERRORS] {
        for word in [u32::MAX, 0] {
            bench.write(register.offset, word);
            bench.finish_bus()?;
        }
    }
    bench.check_everything()
}

fn bench(profiler: &Profiler, harness: &Harness, seed: u64) -> Result<Bench<Box<dyn Device>>> {
    let harness = harness.clone().powered_up(power_up(seed));
    let longest = profiler.named.geometry.longest_access().into();
    match profiler.bus {
        Bus::Axi4Lite => harness.boxed_on(Axi4LiteMaster::new(longest), |device| device),
        Bus::Apb => harness.boxed_on(ApbMaster::new(longest), |device| device),
        Bus::Wishbone | Bus::None => harness.boxed(Protocol::of_seed(seed), |device| device),
    }
}
