//! All mutants of a package, and what became of them.

use crate::cargo::Cargo;
use crate::fate::{Fate, Known};
use crate::list::Mutant;
use crate::packing::{Packed, is_of, pack};
use crate::run::Runner;
use crate::scratch::{Scratch, Sources};
use crate::single::Single;
use crate::sources::Packages;
use crate::unit::{Measures, Unit, examples, units};
use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is asked about a package.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The workspace.
    pub root: PathBuf,
    /// The package.
    pub package: String,
    /// Where copies, builds and fates are kept.
    pub place: PathBuf,
    /// So many tests run at once.
    pub jobs: usize,
    /// Only mutants that lived the last time, or of which nothing is known.
    pub again: bool,
    /// Only mutants in files whose path has this in it.
    pub file: Option<String>,
    /// Tests that take longer without a mutant are left out.
    pub longest: Duration,
}

impl Campaign {
    /// What became of the mutants that are asked about, of those that `list` gives of a copy of the workspace.
    ///
    /// # Errors
    ///
    /// If the package does not build or a test fails without a mutant.
    pub fn run(
        &self,
        list: impl FnOnce(&Path) -> Result<Vec<Mutant>>,
    ) -> Result<Vec<(Mutant, Fate)>> {
        let place = self.place.join(&self.package);
        let sources = Sources::of(&self.root)?;
        let alone = Scratch::copy(&sources, &place.join("alone"), |_| false)?;
        let crates = self.cargo(&alone, true).crates()?;
        let of_crates = |file: &str| is_of(&crates, file);
        let together = Scratch::copy(&sources, &place.join("together"), of_crates)?;
        let packages = Packages::of(alone.root())?;
        let folder = packages.folder(&self.package)?;
        let mutants = list(alone.root())?;
        let cargo = self.cargo(&together, false);
        let limits = place.join("limits.json");
        let fitted = pack(&together, (&cargo, &crates), &mutants, &limits, |said| {
            self.say(said)
        })?;
        let hash = packages.hash(&self.package, &sources)?;
        let (tests, left_out) = self.tests(&fitted, &cargo, folder, &hash)?;
        // What lives may die of a test that was left out.
        let hash = hash + &left_out.join("\n");
        let known = Known::open(&place, &hash)?;
        let asked = mutants.iter().filter(|one| self.asks(one, &known));
        let (refused, asked): (Vec<&Mutant>, Vec<&Mutant>) =
            asked.partition(|mutant| fitted.refused.contains(&mutant.number));
        let (shared, single): (Vec<&Mutant>, Vec<&Mutant>) = asked
            .into_iter()
            .partition(|mutant| fitted.mutants.contains(&mutant.number));
        let mut fates = self.meet(&shared, &tests, &known)?;
        for mutant in refused {
            let fate = known.fate(&mutant.key, || Ok(Fate::Refused))?;
            fates.push((mutant.clone(), fate));
        }
        let builds = Single {
            scratch: &alone,
            cargo: &self.cargo(&alone, true),
            folder: &alone.root().join(folder),
            examples: &place.join("examples"),
            known: &tests,
        };
        fates.extend(self.alone(&single, &builds, &known)?);
        fates.sort_by_key(|(mutant, _)| mutant.number);
        Ok(fates)
    }

    fn asks(&self, mutant: &Mutant, known: &Known) -> bool {
        let of_file = self
            .file
            .as_ref()
            .is_none_or(|part| mutant.file.contains(part));
        let lived = || known.last(&mutant.key).is_none_or(|fate| fate.is_alive());
        of_file && (!self.again || lived())
    }

    fn cargo(&self, scratch: &Scratch<'_>, soon: bool) -> Cargo {
        Cargo {
            root: scratch.root().to_owned(),
            package: self.package.clone(),
            target: self.place.join(&self.package).join("target"),
            soon,
        }
    }

    fn say(&self, what: &str) {
        println!("{}: {what}", self.package);
    }

    /// The tests of the build, measured, the quickest first, and the names of those that are left out.
    fn tests(
        &self,
        fitted: &Packed,
        cargo: &Cargo,
        folder: &Path,
        hash: &str,
    ) -> Result<(Vec<Unit>, Vec<String>)> {
        let folder = cargo.root.join(folder);
        let mut tests = units(&fitted.executables, &folder)?;
        let place = self.place.join(&self.package).join("examples");
        tests.extend(examples(cargo, &place, &folder)?);
        self.measure(&mut tests, hash)?;
        tests.sort_by_key(|unit| unit.takes);
        let line = |unit: &Unit| {
            let (takes, reached) = (unit.takes.as_secs_f64(), unit.reaches.len());
            format!("{takes:9.3} {reached:5} {}\n", unit.name)
        };
        let lines: String = tests.iter().map(line).collect();
        let path = self.place.join(&self.package).join("tests.txt");
        fs::write(&path, lines).with_context(|| format!("{}", path.display()))?;
        let (tests, long): (Vec<Unit>, Vec<Unit>) = tests
            .into_iter()
            .partition(|unit| unit.takes <= self.longest);
        let left_out: Vec<String> = long.into_iter().map(|unit| unit.name).collect();
        for name in &left_out {
            self.say(&format!("left out, for it takes too long: {name}"));
        }
        Ok((tests, left_out))
    }

    /// Measures tests, if that was not done for sources with this hash.
    fn measure(&self, tests: &mut [Unit], hash: &str) -> Result<()> {
        let path = self.place.join(&self.package).join("measured.json");
        let kept = fs::read(&path).ok();
        let kept = kept.and_then(|kept| serde_json::from_slice::<(String, Measures)>(&kept).ok());
        let kept = kept.filter(|(of, _)| of == hash).unwrap_or_default().1;
        let bar = self.bar("tests", tests.len())?;
        self.pool()?.install(|| {
            tests.par_iter_mut().try_for_each(|unit| {
                match kept.get(&unit.name) {
                    Some(measure) => unit.recall(measure),
                    None => unit.measure()?,
                }
                bar.inc(1);
                anyhow::Ok(())
            })
        })?;
        bar.finish_and_clear();
        let all = tests
            .iter()
            .map(|unit| (unit.name.clone(), unit.measured()));
        let kept = serde_json::to_string(&(hash, all.collect::<Measures>()))?;
        fs::write(&path, kept).with_context(|| format!("{}", path.display()))
    }

    /// Those that share the build.
    fn meet(
        &self,
        mutants: &[&Mutant],
        tests: &[Unit],
        known: &Known,
    ) -> Result<Vec<(Mutant, Fate)>> {
        let runner = Runner::new(tests);
        let bar = self.bar("mutants", mutants.len())?;
        let fates = self.pool()?.install(|| {
            let fates = mutants.par_iter().map(|&mutant| {
                let last = known.last(&mutant.key);
                let first = last.as_ref().and_then(Fate::killer);
                let fate = known.fate(&mutant.key, || runner.fate(mutant, first))?;
                bar.inc(1);
                anyhow::Ok((mutant.clone(), fate))
            });
            fates.collect::<Result<Vec<_>>>()
        });
        bar.finish_and_clear();
        fates
    }

    /// Those that need a build each.
    fn alone(
        &self,
        mutants: &[&Mutant],
        builds: &Single<'_>,
        known: &Known,
    ) -> Result<Vec<(Mutant, Fate)>> {
        let bar = self.bar("mutants built by themselves", mutants.len())?;
        let mut fates = Vec::new();
        for &mutant in mutants {
            let last = known.last(&mutant.key);
            let first = last.as_ref().and_then(Fate::killer);
            let fate = known.fate(&mutant.key, || builds.fate(mutant, first))?;
            fates.push((mutant.clone(), fate));
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(fates)
    }

    fn pool(&self) -> Result<rayon::ThreadPool> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs);
        pool.build().context("no threads")
    }

    fn bar(&self, what: &str, count: usize) -> Result<ProgressBar> {
        let package = &self.package;
        let style = format!("{package}: [{{bar:40}}] {{pos}} of {{len}} {what}, {{eta}} left");
        Ok(ProgressBar::new(count as u64).with_style(ProgressStyle::with_template(&style)?))
    }
}
