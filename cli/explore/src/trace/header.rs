//! The header of a trace (the program that ran) and its end (how the run ended).

use std::fmt;

use hpp_golden::config::Geometry;
use serde::{Deserialize, Serialize};

/// The instruction set of the program that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isa {
    /// 32-bit RISC-V, compressed instructions included.
    #[default]
    Riscv32,
    /// 64-bit RISC-V, compressed instructions included.
    Riscv64,
    /// x86-64.
    X86_64,
}

impl Isa {
    /// Low bits of an instruction's address that are always 0.
    pub const fn align(self) -> u32 {
        match self {
            Self::Riscv32 | Self::Riscv64 => 1,
            Self::X86_64 => 0,
        }
    }

    /// Bits of an instruction's address in a program under an operating system.
    pub const fn pc_bits(self) -> u32 {
        match self {
            Self::Riscv32 => 32,
            Self::Riscv64 | Self::X86_64 => 48,
        }
    }

    /// The sizes of the profiler that the thesis evaluates, with addresses and events that records of this
    /// instruction set fit in: 16 bits of events, in a record and along a path.
    pub fn geometry(self) -> Geometry {
        Geometry {
            pc_bits: self.pc_bits(),
            align: self.align(),
            event_bits: 16,
            event_counter_bits: 16,
            ..Geometry::default()
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Riscv32 => "riscv32",
            Self::Riscv64 => "riscv64",
            Self::X86_64 => "x86-64",
        })
    }
}

/// The beginning of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The instruction set.
    pub isa: Isa,
    /// The program and its arguments, as they were called.
    pub command: Vec<String>,
    /// What the events of a record count.
    pub events: String,
    /// Build ID of the program, in hexadecimal, if it has one.
    pub build_id: Option<String>,
}

/// The end of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Why the trace ends here.
    pub reason: String,
    /// What the trace does not hold, a line each: other threads, child processes.
    pub left_out: Vec<String>,
}
