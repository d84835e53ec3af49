//! Mutants of the Rust code: cargo-mutants, and what it has found so far.

use anyhow::{Context, Result, bail};
use hpp_tools::{project_root, tool_path};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is mutated.
pub const PACKAGES: [&str; 4] = ["hpp-ingress", "hpp-golden", "hpp-paths", "hpp-gen"];

/// What became of the mutants of a package.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// A test failed, or never ended.
    pub dead: usize,
    /// All tests passed.
    pub alive: usize,
    /// Not built: what the compiler refuses is no mutant.
    pub refused: usize,
}

/// Runs a shard, such as `1/20`, of the mutants of some packages; its results are kept. A shard is every so many-th mutant, so that one tells
/// of the whole package.
///
/// # Errors
///
/// If cargo-mutants is missing, or the tests fail without a mutant.
pub fn run(packages: &[String], shard: &str) -> Result<()> {
    let place = results().join(format!(
        "{}-{}",
        packages.join("+"),
        shard.replace('/', "-of-")
    ));
    fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
    let mut command = Command::new(tool_path("cargo-mutants")?);
    command
        .arg("mutants")
        .args(["--sharding", "round-robin", "--shard", shard, "--output"]);
    command.arg(&place).current_dir(project_root());
    for package in packages {
        command.args(["--package", package]);
    }
    let status = command.status().context("cannot run cargo-mutants")?;
    // 2: some live; 3: some never ended.
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => bail!("cargo-mutants: {status}"),
    }
}

fn results() -> PathBuf {
    project_root().join("build/mutants/rust")
}

#[derive(Deserialize)]
struct Outcomes {
    outcomes: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    scenario: serde_json::Value,
    summary: String,
}

/// The packages with the results of all shards that were run.
///
/// # Errors
///
/// If a result cannot be read.
pub fn tallies() -> Result<BTreeMap<String, Tally>> {
    let mut tallies = BTreeMap::new();
    let Ok(shards) = fs::read_dir(results()) else {
        return Ok(tallies);
    };
    for shard in shards {
        let path = shard.context("build/mutants/rust")?.path();
        let path = path.join("mutants.out/outcomes.json");
        if path.is_file() {
            add(&mut tallies, &path).with_context(|| format!("{}", path.display()))?;
        }
    }
    Ok(tallies)
}

fn add(tallies: &mut BTreeMap<String, Tally>, path: &Path) -> Result<()> {
    let found: Outcomes = serde_json::from_str(&fs::read_to_string(path)?)?;
    for Found { scenario, summary } in found.outcomes {
        let Some(package) = scenario["Mutant"]["package"].as_str() else {
            continue;
        };
        let tally: &mut Tally = tallies.entry(package.to_owned()).or_default();
        match summary.as_str() {
            "CaughtMutant" | "Timeout" => tally.dead += 1,
            "MissedMutant" => tally.alive += 1,
            _ => tally.refused += 1,
        }
    }
    Ok(())
}
