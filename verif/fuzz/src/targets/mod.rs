//! The targets, one for each kind of input.

mod bytes;
mod configuration;
mod dump;
mod graphs;
mod links;
mod logs;
mod programs;
mod records;
mod retirements;
mod traces;
mod waveforms;
mod witnesses;

use std::fmt;

/// A parser, and what must hold of everything that it reads.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
    /// Panics if something does not hold.
    pub run: fn(&[u8]),
    pub seeds: fn() -> Vec<Vec<u8>>,
}

pub const TARGETS: [Target; 15] = [
    configuration::TARGET,
    graphs::TEXT,
    graphs::JSON,
    programs::TARGET,
    dump::LOG,
    dump::PROFILE,
    waveforms::TARGET,
    logs::TARGET,
    retirements::TARGET,
    records::TARGET,
    traces::TARGET,
    witnesses::TARGET,
    links::GDB,
    links::OPENOCD,
    links::ETHERBONE,
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTarget(pub String);

impl fmt::Display for UnknownTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        let Self(name) = self;
        write!(
            f,
            "there is no target `{name}`; there are {}",
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownTarget {}

impl Target {
    /// The target of this name.
    ///
    /// # Errors
    ///
    /// If there is none, with the names there are.
    pub fn find(name: &str) -> Result<&'static Self, UnknownTarget> {
        let mut all = TARGETS.iter();
        let found = all.find(|target| target.name == name);
        found.ok_or_else(|| UnknownTarget(name.into()))
    }
}

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
