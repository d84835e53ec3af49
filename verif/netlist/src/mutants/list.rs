//! Kept lists of mutants: those that a scenario must notice, and those that are excused.

use super::schema::Mutant;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use verilated::tools::project_root;

/// A mistake written down with the scenario that must notice it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Directed {
    /// What it means.
    pub what: String,
    /// What is mutated, one of [`SUBJECTS`](super::SUBJECTS).
    pub subject: String,
    /// The module.
    pub module: String,
    /// An expression in it, or a statement with its semicolon.
    pub from: String,
    /// What stands there instead.
    pub to: String,
    /// The scenario that must notice it.
    pub killer: String,
}

/// Why some mutants live, though no proof says that they are the circuit as it was.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excuse {
    /// Why.
    pub reason: String,
    /// Subject, then module, kind and what stands there and instead: [`keys`].
    pub mutants: Vec<String>,
}

/// Where the excuses are.
pub const EXCUSED: &str = "verif/netlist/mutants/excused.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectedFile {
    mutant: Vec<Directed>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExcusedFile {
    #[serde(default)]
    excuse: Vec<Excuse>,
}

/// The mistakes of `verif/netlist/mutants/directed.toml`.
///
/// # Errors
///
/// If the file is not there or not as it must be.
pub fn directed() -> Result<Vec<Directed>> {
    let file: DirectedFile = read("verif/netlist/mutants/directed.toml")?;
    Ok(file.mutant)
}

/// The excuses of [`EXCUSED`].
///
/// # Errors
///
/// If the file is not there or not as it must be.
pub fn excused() -> Result<Vec<Excuse>> {
    let file: ExcusedFile = read(EXCUSED)?;
    Ok(file.excuse)
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> Result<T> {
    let path = project_root().join(file);
    let place = || format!("{}", path.display());
    toml::from_str(&fs::read_to_string(&path).with_context(place)?).with_context(place)
}

/// What the mutants of a subject are called in lists, in their order; lines change too often to be part of it. Of several that are otherwise
/// called the same, the second and later ones have their place among them.
pub fn keys(subject: &str, mutants: &[Mutant]) -> Vec<String> {
    let mut known: BTreeMap<String, u32> = BTreeMap::new();
    let key = |mutant: &Mutant| {
        let Mutant {
            module,
            operator,
            from,
            to,
            ..
        } = mutant;
        let key = format!("{subject} {module} {operator}: {from} => {to}");
        let times = known.entry(key.clone()).or_default();
        *times += 1;
        match *times {
            1 => key,
            times => format!("{key} ({times})"),
        }
    };
    mutants.iter().map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::Operator;

    #[test]
    fn each_mutant_has_a_name_of_its_own() {
        let mutant = Mutant {
            number: 1,
            module: "m".into(),
            line: 1,
            operator: Operator::Logic,
            from: "a & b".into(),
            to: "a".into(),
        };
        let keys = keys("sequential", &[mutant.clone(), mutant]);
        assert_eq!(keys[0], "sequential m logic: a & b => a");
        assert_eq!(keys[1], "sequential m logic: a & b => a (2)");
    }
}
