//! Control-flow graphs of the functions of a RISC-V program, from its ELF file.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`elf`] | code and functions of a linked ELF file |
//! | [`blocks`] | basic blocks, found by following control flow |

pub mod blocks;
pub mod elf;

pub use blocks::{Block, Blocks, Exit, Starts};
pub use elf::{ElfError, Function, Image};
