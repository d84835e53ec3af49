//! Control-flow graphs of the functions of a RISC-V program, from its ELF file.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`elf`] | code and functions of a linked ELF file |
//! | [`functions`] | functions by name and by address |
//! | [`blocks`] | basic blocks, found by following control flow |
//! | [`graph`] | the graph of one function, as the hardware sees it |

pub mod blocks;
pub mod elf;
pub mod functions;
pub mod graph;

pub use blocks::{Block, Blocks, Exit, Observed, Starts};
pub use elf::{ElfError, Image};
pub use functions::{Function, Functions};
pub use graph::{DescriptorError, FunctionGraph, GraphError};
