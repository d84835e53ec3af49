//! The boards that bitstreams are made for, and the system on chip on each.

use std::path::Path;

use crate::design::{Design, SourceFile};
use crate::device::{Device, ECP5_85F, GW1NR9, HX8K, UP5K};
use crate::error::Result;
use crate::flow::read;

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
        configuration: "small",
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

    /// The oscillator's frequency in MHz.
    pub fn clock_mhz(&self) -> f64 {
        f64::from(self.clock_hz) / 1e6
    }
}

/// What the system on chip is put together from.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The project's folder.
    pub root: &'a Path,
    /// The file of PicoRV32.
    pub core: &'a Path,
    /// The profiler's Verilog; without it the SoC has none.
    pub profiler: Option<&'a str>,
    /// The program, as text for `$readmemh`.
    pub program: &'a str,
}

/// The system on chip of a board as a design whose top is the board.
pub fn system(board: &Board, parts: &Parts<'_>) -> Result<Design> {
    let ours = |path: &str| -> Result<SourceFile> {
        let file = parts.root.join("fpga").join(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        Ok(SourceFile::new(name, read(&file)?))
    };
    let mut files = vec![
        SourceFile::new("picorv32.v", read(parts.core)?),
        ours("soc/hpp_soc.v")?,
        ours("boards/uart_transmitter.v")?,
        ours("boards/hpp_board.v")?,
        SourceFile::new("firmware.hex", parts.program),
    ];
    let mut defines = vec!["RISCV_FORMAL".to_string()];
    if let Some(text) = parts.profiler {
        defines.push("HPP_PROFILER".to_string());
        files.push(SourceFile::new("hpp.v", text));
    }
    let suffix = if parts.profiler.is_some() {
        ""
    } else {
        "-without"
    };
    Ok(Design {
        name: format!("{}{suffix}", board.key),
        top: "hpp_board".to_string(),
        defines,
        parameters: vec![
            ("CLOCK_HZ".to_string(), board.clock_hz.to_string()),
            ("MEMORY_WORDS".to_string(), board.memory_words.to_string()),
        ],
        files,
    })
}
