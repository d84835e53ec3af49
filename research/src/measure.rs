//! One run: cycles, bytes, and counters against the exact profile.

use anyhow::{Context, Result, ensure};
use rustc_hash::FxHashMap;

use crate::build::{Assembled, Sources};
use crate::code::LOST;
use crate::exact::{Followed, Profile, Tracker};
use crate::plan::Plan;
use hpp_soc::Soc;

pub struct Measured {
    pub cycles: u64,
    /// Instructions that retired in `main`.
    pub instructions: u64,
    pub code: u64,
    pub counters: u64,
    /// The exact profile, by function.
    pub profiles: Vec<Profile>,
    /// Different things counted, and how often.
    pub counted: (usize, u64),
}

/// Runs a program with these plans in it, and holds its counters to what it did.
///
/// # Errors
///
/// If the run fails, or a counter is not what it should be.
pub fn measure(
    soc: &Soc,
    sources: &Sources,
    program: &Assembled,
    plans: &[Plan],
) -> Result<Measured> {
    let mut tracker = Tracker::new(&sources.listing.functions, program.places.clone());
    let run = soc.run(&program.elf, &mut tracker)?;
    let elf = program.elf.display();
    run.ended_well(&elf)?;
    let seen = tracker.finish().with_context(|| elf.to_string())?;
    let memory = printed(&run.uart).with_context(|| format!("what {elf} printed"))?;
    let lost = memory.get(&LOST).copied().unwrap_or(0);
    ensure!(
        lost == 0,
        "{elf}: {lost} paths found no place in a hash table"
    );
    let counted = compare(plans, &seen.profiles, &sources.listing.functions, &memory)
        .with_context(|| elf.to_string())?;
    Ok(Measured {
        cycles: seen.cycles,
        instructions: seen.instructions,
        code: program.code,
        counters: program.counters,
        profiles: seen.profiles,
        counted,
    })
}

/// Holds the counters of every function to its exact profile, and says how many different things they counted, and how often.
fn compare(
    plans: &[Plan],
    profiles: &[Profile],
    functions: &[Followed],
    memory: &FxHashMap<u32, u64>,
) -> Result<(usize, u64)> {
    let mut counted = (0, 0);
    for ((plan, profile), followed) in plans.iter().zip(profiles).zip(functions) {
        let layout = plan.layout();
        let (counts, expected) = (layout.counted(memory), layout.expected(profile));
        ensure!(
            counts == expected,
            "`{}` counted {counts:?}, but what ran is {expected:?}",
            followed.function.name
        );
        counted.0 += counts.len();
        counted.1 += counts.values().sum::<u64>();
    }
    Ok(counted)
}

/// The counters that a program printed, those above 0, by word.
fn printed(uart: &str) -> Result<FxHashMap<u32, u64>> {
    let mut counters = FxHashMap::default();
    let mut ended = None;
    for line in uart.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["counter", word, value] => {
                let [word, value] = [word, value].map(|text| u32::from_str_radix(text, 16));
                counters.insert(word?, value?.into());
            }
            ["counters", count] => ended = Some(usize::from_str_radix(count, 16)?),
            _ => {}
        }
    }
    ensure!(ended == Some(counters.len()), "counters are missing");
    Ok(counters)
}
