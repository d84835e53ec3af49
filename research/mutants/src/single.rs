//! Mutants that cannot share a build: each is written into the package as it is, and built by itself.

use crate::cargo::{Build, Cargo};
use crate::fate::Fate;
use crate::list::Mutant;
use crate::run::Runner;
use crate::scratch::Scratch;
use crate::unit::{Unit, units};
use anyhow::Result;
use std::path::Path;

/// So many times as long a test may take that was built soon.
const SLOWER: u32 = 10;

/// A copy of the workspace in which one mutant at a time is built.
#[derive(Debug)]
pub struct Single<'a> {
    /// The copy.
    pub scratch: &'a Scratch<'a>,
    /// How it is built.
    pub cargo: &'a Cargo,
    /// The package's folder in it.
    pub folder: &'a Path,
    /// Where examples are built.
    pub examples: &'a Path,
    /// How long each test takes without a mutant, by its name; others are left out.
    pub known: &'a [Unit],
}

impl Single<'_> {
    /// What becomes of a mutant; the test of this name is asked before all others.
    ///
    /// # Errors
    ///
    /// If cargo or a test cannot be run.
    pub fn fate(&self, mutant: &Mutant, first: Option<&str>) -> Result<Fate> {
        let text = self.scratch.sources().text(&mutant.file)?;
        self.scratch
            .write(&mutant.file, mutant.applied(text).as_bytes())?;
        let fate = self.of_written(mutant, first);
        self.scratch.write(&mutant.file, text.as_bytes())?;
        fate
    }

    fn of_written(&self, mutant: &Mutant, first: Option<&str>) -> Result<Fate> {
        if !self.cargo.checks()? {
            return Ok(Fate::Refused);
        }
        match self.cargo.build()? {
            Build::Refused(_) => Ok(Fate::Refused),
            Build::Done(executables) => {
                let tests = self.known(mutant, units(&executables, self.folder)?);
                match Runner::new(&tests).fate(mutant, first)? {
                    Fate::Alive => self.of_examples(),
                    fate => Ok(fate),
                }
            }
        }
    }

    fn of_examples(&self) -> Result<Fate> {
        Ok(match self.cargo.examples(self.examples)? {
            Ok(_) => Fate::Alive,
            Err(_) => Fate::Died("documentation".to_owned()),
        })
    }

    /// Those of tests that are known, the quickest first; which of them reach the mutant is not.
    fn known(&self, mutant: &Mutant, mut units: Vec<Unit>) -> Vec<Unit> {
        units.retain_mut(|unit| {
            let known = self.known.iter().find(|known| known.name == unit.name);
            unit.reaches.insert(mutant.number);
            if let Some(known) = known {
                (unit.takes, unit.memory) = (SLOWER * known.takes, known.memory);
            }
            known.is_some()
        });
        units.sort_by_key(|unit| unit.takes);
        units
    }
}
