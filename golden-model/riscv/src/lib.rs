//! RISC-V programs as path profiling sees them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`walk`](mod@walk) | from a path descriptor back to the blocks of the path |
//! | [`functions`], [`blocks`] | functions by name and by address, basic blocks found by following control flow |
//! | [`elf`] | code and functions of a linked ELF file |
//! | [`graph`] | the graph of one function, as the hardware sees it |
//! | [`procedures`] | procedures with calls as edges, as a compiler sees them, and the events of a run |
//!
//! Decoding, and the records that retirements make, are those of [`hpp_golden::ingress`], whose names are here too.

#![forbid(unsafe_code)]

pub mod blocks;
mod doubts;
pub mod elf;
mod error;
mod extensions;
pub mod functions;
pub mod graph;
pub mod procedures;
mod sections;
mod stubs;
mod symbols;
pub mod walk;
mod x86;

pub use hpp_golden::ingress::{
    Buffer, CycleRecords, Ingress, Instruction, LastStage, LoopSetup, Loops, Offer, ProgramCode,
    Retire, Retirement, Rvfi, RvfiNext, Transfer, Xlen, buffer, code, decode, events_of, trace,
};

pub use blocks::{Block, Blocks, Exit, Observed, Starts};
pub use doubts::{Doubt, Doubtful};
pub use elf::Image;
pub use error::{ElfError, WalkError};
pub use functions::{Function, Functions, NameError};
pub use graph::{DescriptorError, FunctionGraph, GraphError, PathEdge, Place};
pub use procedures::{LostError, Procedures, ProceduresError, Targets};
pub use walk::{AddressRange, End, Walk, walk};
