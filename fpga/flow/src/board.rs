//! The boards that bitstreams are made for, and the system on chip on each.

use crate::core::Core;
use crate::device::{Device, ECP5_85F, GW1NR9, HX8K, UP5K};
use crate::profiler::Profiler;
use crate::system::System;

/// A board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// Short name, as in `make fpga BOARD=`.
    pub key: &'static str,
    /// Name in messages.
    pub name: &'static str,
    /// Its part.
    pub device: Device,
    /// Frequency of its oscillator, which clocks the SoC.
    pub clock_hz: u32,
    /// Memory of the SoC in 32-bit words; what the profiler's table leaves of the block RAMs.
    pub memory_words: u32,
    /// The profiler's configuration: a file of `fpga/configurations`.
    pub configuration: &'static str,
    /// Pin assignments: a file of `fpga/boards`.
    pub pins: &'static str,
}

/// Every board.
pub const BOARDS: [Board; 4] = [
    Board {
        key: "ulx3s",
        name: "ULX3S",
        device: ECP5_85F,
        clock_hz: 25_000_000,
        memory_words: 16_384,
        configuration: "rvfi",
        pins: "ulx3s.lpf",
    },
    Board {
        key: "icebreaker",
        name: "iCEBreaker",
        device: UP5K,
        clock_hz: 12_000_000,
        memory_words: 1_024,
        configuration: "small",
        pins: "icebreaker.pcf",
    },
    Board {
        key: "hx8k",
        name: "iCE40-HX8K breakout board",
        device: HX8K,
        clock_hz: 12_000_000,
        memory_words: 1_024,
        configuration: "compact",
        pins: "hx8k.pcf",
    },
    Board {
        key: "tangnano9k",
        name: "Tang Nano 9K",
        device: GW1NR9,
        clock_hz: 27_000_000,
        memory_words: 2_048,
        configuration: "rvfi",
        pins: "tangnano9k.cst",
    },
];

impl Board {
    /// The board of that key.
    pub fn by_key(key: &str) -> Option<Self> {
        BOARDS.into_iter().find(|board| board.key == key)
    }

    /// Its system on chip with this program (text for `$readmemh`).
    pub fn system<'a>(&self, profiler: Option<&'a Profiler>, program: &'a str) -> System<'a> {
        System {
            name: self.key,
            core: Core::PicoRv32,
            clock_hz: self.clock_hz,
            memory_words: self.memory_words,
            profiler,
            program,
        }
    }

    /// The oscillator's frequency in MHz.
    pub fn clock_mhz(&self) -> f64 {
        f64::from(self.clock_hz) / 1e6
    }
}
