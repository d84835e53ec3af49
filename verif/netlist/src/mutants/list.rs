//! Lists of mutants that are kept: those that a scenario must notice, and those that nothing has to notice.

use super::schema::Mutant;
use anyhow::{Context, Result};
use hpp_tools::project_root;
use serde::Deserialize;
use std::fs;

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
    /// Subject, then module, kind and what stands there and instead: [`key`].
    pub mutants: Vec<String>,
}

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
    let file: DirectedFile = read("directed.toml")?;
    Ok(file.mutant)
}

/// The excuses of `verif/netlist/mutants/excused.toml`.
///
/// # Errors
///
/// If the file is not there or not as it must be.
pub fn excused() -> Result<Vec<Excuse>> {
    let file: ExcusedFile = read("excused.toml")?;
    Ok(file.excuse)
}

fn read<T: serde::de::DeserializeOwned>(name: &str) -> Result<T> {
    let path = project_root().join("verif/netlist/mutants").join(name);
    let place = || format!("{}", path.display());
    toml::from_str(&fs::read_to_string(&path).with_context(place)?).with_context(place)
}

/// What a mutant is called in a list; lines change too often to be part of it.
pub fn key(subject: &str, mutant: &Mutant) -> String {
    let Mutant {
        module,
        operator,
        from,
        to,
        ..
    } = mutant;
    format!("{subject} {module} {operator}: {from} => {to}")
}
