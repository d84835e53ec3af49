//! Which scenario noticed which mutant, cached for the same Verilog and bench.

use super::scenario::Scenario;
use super::subject::Built;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use verilated::tools::{cache, project_root};

/// What a bench is made of, but for the programs (`bin`) of these crates.
const BENCH: [&str; 6] = [
    "Cargo.lock",
    "golden-model/behaviour/src",
    "verif/lockstep/src",
    "verif/netlist/src/mutants/device.rs",
    "verif/netlist/src/mutants/subject.rs",
    "verif/verilated/src",
];

/// A file of `build/mutants` with a line for each mutant: its number and the scenario that noticed it, or that none did.
pub(super) struct Known {
    before: BTreeMap<u32, Option<Scenario>>,
    file: Mutex<File>,
}

const NOBODY: &str = "nobody";

impl Known {
    /// What is known of a subject's mutants in these scenarios.
    ///
    /// # Errors
    ///
    /// If the sources of the bench or the file cannot be read.
    pub(super) fn of(built: &Built, scenarios: &[Scenario]) -> Result<Self> {
        let mut whole = built.text.clone();
        for scenario in scenarios {
            whole += scenario.name;
        }
        for source in BENCH {
            let source = project_root().join(source);
            add(&mut whole, &source).with_context(|| format!("{}", source.display()))?;
        }
        let hash = cache::hash(whole.as_bytes());
        let folder = project_root().join("build/mutants");
        let place = folder.join(format!("{}-{hash}.txt", built.subject().named.name));
        let open = || -> io::Result<(String, File)> {
            fs::create_dir_all(&folder)?;
            let file = OpenOptions::new().create(true).append(true).open(&place)?;
            Ok((fs::read_to_string(&place)?, file))
        };
        let (text, file) = open().with_context(|| format!("{}", place.display()))?;
        let before = match cache::is_fresh() {
            true => BTreeMap::new(),
            false => text.lines().filter_map(line).collect(),
        };
        Ok(Self {
            before,
            file: Mutex::new(file),
        })
    }

    /// Who noticed a mutant before, or else who does.
    ///
    /// # Errors
    ///
    /// That of `find`, or if the answer cannot be kept.
    pub(super) fn killer(
        &self,
        number: u32,
        find: impl FnOnce() -> Result<Option<Scenario>>,
    ) -> Result<Option<Scenario>> {
        if let Some(killer) = self.before.get(&number) {
            return Ok(*killer);
        }
        let killer = find()?;
        let name = killer.map_or(NOBODY, |scenario| scenario.name);
        let mut file = self.file.lock().expect("no thread panics with it");
        writeln!(file, "{number} {name}").context("cannot keep what became of a mutant")?;
        Ok(killer)
    }
}

/// Adds a file, or all of a folder in the order of their names.
fn add(whole: &mut String, place: &Path) -> io::Result<()> {
    if place.is_file() {
        *whole += &fs::read_to_string(place)?;
        return Ok(());
    }
    let inside = fs::read_dir(place)?.map(|entry| Ok(entry?.path()));
    let mut inside: Vec<PathBuf> = inside.collect::<io::Result<_>>()?;
    inside.retain(|place| !place.ends_with("bin"));
    inside.sort();
    inside.iter().try_for_each(|place| add(whole, place))
}

/// What a line says; nothing of one that was not written to its end.
fn line(line: &str) -> Option<(u32, Option<Scenario>)> {
    let (number, name) = line.split_once(' ')?;
    let killer = match name {
        NOBODY => None,
        _ => Some(Scenario::find(name)?),
    };
    Some((number.parse().ok()?, killer))
}
