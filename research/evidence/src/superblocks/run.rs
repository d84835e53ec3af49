//! A run: cycles, what it printed, and the paths it went.

use anyhow::{Context, Result};
use hpp_golden::dump::Dump;
use hpp_instrument::exact::{Profile, Tracker};
use hpp_instrument::{Assembled, Sources};
use hpp_soc::Soc;

/// What programs print of the time that passed, and of where their data lie.
const OTHERS: [&str; 9] = [
    "Ptr_Comp",
    "Total ticks",
    "Total time",
    "Iterations/Sec",
    "CoreMark 1.0",
    "User_Time",
    "Cycles_Per_Instruction",
    "Dhrystones_Per_Second",
    "DMIPS_Per_MHz",
];

/// What a run took.
pub struct Ran {
    /// Cycles in `main`.
    pub cycles: u64,
    /// Instructions in `main`.
    pub instructions: u64,
    /// Branches taken and jumps in `main`.
    pub jumps: u64,
    /// Bytes of code.
    pub code: u64,
    /// The paths of each function.
    pub profiles: Vec<Profile>,
    /// What it printed, without times, addresses and profiles.
    pub output: String,
    /// The hardware's table.
    pub dump: Dump,
}

/// Runs a program whose blocks have symbols.
pub fn run(soc: &Soc, sources: &Sources, built: &Assembled) -> Result<Ran> {
    let mut tracker = Tracker::new(&sources.listing.functions, built.places.clone());
    let run = soc.run(&built.elf, &mut tracker)?;
    let elf = built.elf.display();
    run.ended_well(&elf)?;
    let seen = tracker.finish().with_context(|| elf.to_string())?;
    Ok(Ran {
        cycles: seen.cycles,
        instructions: seen.instructions,
        jumps: seen.jumps,
        code: built.code,
        profiles: seen.profiles,
        output: output(&run.uart),
        dump: Dump::read(&run.uart).with_context(|| format!("what {elf} printed"))?,
    })
}

/// What the program itself printed, without times and addresses.
pub fn output(uart: &str) -> String {
    let own = uart.lines().take_while(|line| !line.starts_with("HPP "));
    let profiles = ["counter ", "counters ", "gcda ", "gcov "];
    let is_own = |line: &&str| {
        let mut left_out = OTHERS.iter().chain(&profiles);
        !line.is_empty() && !left_out.any(|begin| line.trim_start().starts_with(begin))
    };
    own.filter(is_own).map(|line| format!("{line}\n")).collect()
}
