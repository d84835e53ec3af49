//! The targets, one for each kind of input.

mod bytes;
mod configuration;
mod dump;
mod graphs;
mod links;
mod programs;
mod recordings;
mod records;
mod retirements;
mod traces;
mod witnesses;

/// A parser, and what must hold of everything that it reads.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub name: &'static str,
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
    recordings::WAVEFORM,
    recordings::LOG,
    retirements::TARGET,
    records::TARGET,
    traces::TARGET,
    witnesses::TARGET,
    links::GDB,
    links::OPENOCD,
    links::ETHERBONE,
];

fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}
