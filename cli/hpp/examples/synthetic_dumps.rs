//! Dumps of many boards, made of one: each path's count is drawn anew, as of a run of another length on another input.
//!
//! ```text
//! cargo run --release -p hpp --example synthetic_dumps -- LOG COUNT FOLDER
//! ```

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [log, count, folder] = &arguments[..] else {
        bail!("give a log with a dump, how many to make, and a folder");
    };
    let text = fs::read_to_string(log).with_context(|| format!("cannot read {log}"))?;
    let dump = Dump::read(&text).with_context(|| log.clone())?;
    let count: usize = count
        .parse()
        .with_context(|| format!("`{count}` is no number"))?;
    let folder = Path::new(folder);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for board in 1..=count {
        let file = folder.join(format!("board-{board:04}.txt"));
        fs::write(&file, varied(&dump, &mut rng)?.to_string())
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// The same paths, with other counts; one that draws 0 was not taken on this board.
fn varied(dump: &Dump, rng: &mut ChaCha8Rng) -> Result<Dump> {
    let mut varied = dump.clone();
    let factors = LogNormal::new(0.0, 0.5)?;
    for entry in varied.entries.values_mut() {
        entry.count = (f64::from(entry.count) * factors.sample(rng)).round() as u32;
    }
    varied.entries.retain(|_, entry| entry.count > 0);
    let counts = varied.entries.values().map(|entry| u64::from(entry.count));
    varied.counters[Counter::Paths as usize] = counts.sum();
    Ok(varied)
}
