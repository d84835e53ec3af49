//! The boards that bitstreams are made for, and the system on chip on each.

use std::fmt;
use std::path::Path;

use clap::Args;
use hpp_gen::Config;
use hpp_golden::config::Replacement;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;

use crate::core::Core;
use crate::device::{Device, ECP5_85F, GW1NR9, HX8K, UP5K};
use crate::error::Result;
use crate::profiler::Profiler;
use crate::system::System;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Short name, as in `make fpga BOARD=`.
    pub key: &'static str,
    pub name: &'static str,
    pub device: Device,
    /// The core of its bitstream.
    pub core: Core,
    /// Frequency of its oscillator, which clocks the SoC.
    pub clock_hz: u32,
    /// Memory of the SoC in 32-bit words; what the profiler's table leaves of the block RAMs.
    pub memory_words: u32,
    /// The profiler's configuration: a file of `fpga/configurations`.
    pub configuration: &'static str,
    /// Pin assignments: a file of `fpga/boards`.
    pub pins: &'static str,
}

pub const BOARDS: [Board; 5] = [
    Board {
        key: "ulx3s",
        name: "ULX3S",
        device: ECP5_85F,
        core: Core::PicoRv32,
        clock_hz: 25_000_000,
        memory_words: 16_384,
        configuration: "rvfi",
        pins: "ulx3s.lpf",
    },
    Board {
        key: "icebreaker",
        name: "iCEBreaker",
        device: UP5K,
        core: Core::PicoRv32,
        clock_hz: 12_000_000,
        memory_words: 1_024,
        configuration: "small",
        pins: "icebreaker.pcf",
    },
    Board {
        key: "icebreaker-serv",
        name: "iCEBreaker with SERV",
        device: UP5K,
        core: Core::Serv,
        clock_hz: 12_000_000,
        memory_words: 1_024,
        configuration: "tiny",
        pins: "icebreaker.pcf",
    },
    Board {
        key: "hx8k",
        name: "iCE40-HX8K breakout board",
        device: HX8K,
        core: Core::PicoRv32,
        clock_hz: 12_000_000,
        memory_words: 1_024,
        configuration: "compact",
        pins: "hx8k.pcf",
    },
    Board {
        key: "tangnano9k",
        name: "Tang Nano 9K",
        device: GW1NR9,
        core: Core::PicoRv32,
        clock_hz: 27_000_000,
        memory_words: 2_048,
        configuration: "rvfi",
        pins: "tangnano9k.cst",
    },
];

/// What the table of a board's profiler is, where it is not what the board's configuration says.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Sets of the table: a power of two, 2 to 4096.
    #[arg(long)]
    pub sets: Option<u32>,
    /// Ways of each set: 1 to 32.
    #[arg(long)]
    pub ways: Option<u32>,
    /// What happens to a path that misses in the table: lfu, shadow, rrip.
    #[arg(long, value_parser = replacement)]
    pub replacement: Option<Replacement>,
    /// Entries of the FIFO for evicted paths, which the program takes in an interrupt: 0 for none, or a power of two, 64 to 4096.
    #[arg(long)]
    pub drain_depth: Option<u32>,
}

/// A policy by the name that a configuration file gives it.
fn replacement(text: &str) -> std::result::Result<Replacement, String> {
    Replacement::deserialize(text.into_deserializer()).map_err(|error: NameError| error.to_string())
}

impl TableOptions {
    /// The configuration with this table.
    fn of(&self, mut config: Config) -> Config {
        let geometry = &mut config.geometry;
        geometry.sets = self.sets.unwrap_or(geometry.sets);
        geometry.ways = self.ways.unwrap_or(geometry.ways);
        geometry.replacement = self.replacement.unwrap_or(geometry.replacement);
        geometry.drain_depth = self.drain_depth.unwrap_or(geometry.drain_depth);
        config
    }
}

/// As the end of a name: empty where nothing is asked for.
impl fmt::Display for TableOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut number = |name, value: Option<u32>| match value {
            Some(value) => write!(f, "-{name}-{value}"),
            None => Ok(()),
        };
        number("sets", self.sets)?;
        number("ways", self.ways)?;
        number("drain", self.drain_depth)?;
        match self.replacement {
            Some(policy) => write!(f, "-{policy}"),
            None => Ok(()),
        }
    }
}

impl Board {
    pub fn by_key(key: &str) -> Option<Self> {
        BOARDS.into_iter().find(|board| board.key == key)
    }

    /// Its profiler, behind this core and with this table.
    ///
    /// # Errors
    ///
    /// If the configuration cannot be read, or allows no such table.
    pub fn profiler(&self, root: &Path, core: Core, table: &TableOptions) -> Result<Profiler> {
        Profiler::changed(root, self.configuration, core, |config| table.of(config))
    }

    /// Its system on chip with this program (text for `$readmemh`).
    pub fn system<'a>(
        &self,
        name: &'a str,
        profiler: Option<&'a Profiler>,
        program: &'a str,
    ) -> System<'a> {
        System {
            name,
            core: self.core,
            clock_hz: self.clock_hz,
            memory_words: self.memory_words,
            profiler,
            program,
        }
    }

    pub fn clock_mhz(&self) -> f64 {
        f64::from(self.clock_hz) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_takes_another_table_if_its_configuration_allows_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let table = TableOptions {
            sets: Some(2),
            replacement: Some(Replacement::Shadow),
            ..TableOptions::default()
        };
        assert_eq!(table.to_string(), "-sets-2-shadow");
        let on = |key, table: &TableOptions| {
            let board = Board::by_key(key).expect("a board");
            board.profiler(&root, Core::PicoRv32, table)
        };
        for key in ["ulx3s", "icebreaker"] {
            let geometry = on(key, &table).expect("it is generated").config.geometry;
            assert_eq!(
                (geometry.sets, geometry.ways, geometry.replacement),
                (2, 4, Replacement::Shadow)
            );
        }
        let drained = TableOptions {
            drain_depth: Some(64),
            ..table
        };
        let error = on("ulx3s", &drained).expect_err("no drain").to_string();
        assert!(error.contains("drain-depth"), "{error}");
    }
}
