//! A run: its cycles, and the tables that profilers of some sizes would hold after it.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{CONTROL, Counter, control};
use hpp_riscv::Retirement;
use hpp_soc::{Meanwhile, Replay, Soc, Watcher};

/// The tables by name, with their sets and ways; the second is the hardware's. The last holds every path.
pub const TABLES: [(&str, (u32, u32)); 3] =
    [("128", (32, 4)), ("512", (128, 4)), ("complete", (4096, 8))];

/// Runs a program. Returns the cycles from where it enabled the profiler to where it disabled it, around `main`, and what
/// each table would have printed; that of the hardware's size did.
pub fn run(soc: &Soc, elf: &Path) -> Result<(u64, Vec<String>)> {
    let replays = TABLES.map(|(_, (sets, ways))| {
        let geometry = Geometry {
            sets,
            ways,
            align: 1,
            ..Geometry::default()
        };
        Replay::new(&geometry, &ResetValues::default()).expect("sizes that profilers have")
    });
    let mut watch = Watch {
        replays,
        cycle: 0,
        enabled: None,
        cycles: 0,
    };
    let run = soc.run(elf, &mut watch)?;
    let name = elf.display();
    run.ended_well(&name)?;
    ensure!(
        watch.cycles > 0 && watch.enabled.is_none(),
        "{name} did not enable the profiler and disable it again"
    );
    let printed = Dump::read(&run.uart).with_context(|| format!("what {name} printed"))?;
    let [small, hardware, complete] = watch.replays.map(|replay| replay.dump());
    ensure!(
        printed.entries == hardware.entries,
        "{name}: the hardware's table is not the model's"
    );
    let replaced = complete.counters[Counter::Replacements as usize];
    ensure!(
        replaced == 0,
        "{name}: the large table lost {replaced} paths"
    );
    let dumps = [small, printed, complete];
    Ok((watch.cycles, dumps.map(|dump| dump.to_string()).to_vec()))
}

struct Watch {
    replays: [Replay; 3],
    cycle: u64,
    enabled: Option<u64>,
    cycles: u64,
}

impl Watcher for Watch {
    fn retired(&mut self, retirement: &Retirement) {
        for replay in &mut self.replays {
            replay.retired(retirement);
        }
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        self.cycle = meanwhile.cycle;
        self.retired(retirement);
    }

    fn register_written(&mut self, word: u32, value: u32) {
        if 4 * word == CONTROL.offset {
            match (control::ENABLE.get(value), self.enabled) {
                (1, None) => self.enabled = Some(self.cycle),
                (0, Some(since)) => {
                    self.cycles += self.cycle - since;
                    self.enabled = None;
                }
                _ => {}
            }
        }
        for replay in &mut self.replays {
            replay.register_written(word, value);
        }
    }
}
