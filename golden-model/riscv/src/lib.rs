//! RISC-V programs as path profiling sees them.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`decode`](mod@decode) | the control transfer an instruction makes |
//! | [`ingress`] | retirements to branch records |
//! | [`buffer`] | retirements that wait to give their records |
//! | [`code`] | a program's instructions by address |
//! | [`walk`](mod@walk) | from a path descriptor back to the blocks of the path |
//! | [`functions`], [`blocks`] | functions by name and by address, basic blocks found by following control flow |
//! | [`elf`] | code and functions of a linked ELF file |
//! | [`hot_paths`](mod@hot_paths) | a printed profile walked back through the program |
//! | [`graph`] | the graph of one function, as the hardware sees it |
//! | [`procedures`] | procedures with calls as edges, as a compiler sees them, and the events of a run |
//!
//! # Features
//!
//! `elf` and `graph`, both on by default, are the modules of these names and what rests on them (`procedures` on `graph`). Without them the
//! crate decodes and makes records, and needs no ELF reader and no graph library.
//!
//! # Records
//!
//! [`decode()`] classifies an instruction (RV32 and RV64, compressed included) by the rules that the
//! RVFI ingress circuit follows too; [`Ingress`] turns retirements, in order, into branch records.
//!
//! # Calls and returns
//!
//! They are told by the link-register hints of the unprivileged ISA manual (section "Unconditional Jumps", the table
//! of return-address stack actions): a register is a link register if it is `x1` or `x5`.
//!
//! | instruction | `rd` link | `rs1` link | the manual's hint | kind |
//! | --- | --- | --- | --- | --- |
//! | `jal`, `c.j`, `c.jal` | no | | none | forward or backward |
//! | | yes | | push | call |
//! | `jalr`, `c.jr`, `c.jalr` | no | no | none | indirect |
//! | | no | yes | pop | return |
//! | | yes | no | push | indirect call |
//! | | yes | yes, `rd` ≠ `rs1` | pop, then push | indirect |
//! | | yes | yes, `rd` = `rs1` | push | indirect call |
//!
//! A coroutine switch (the row "pop, then push") is *indirect* because that is the kind whose operations on the path
//! stack are a pop and a push: the path of the coroutine that is left ends, one in the other coroutine begins, and
//! the stack stays as deep as the program's.
//!
//! # Other transfers
//!
//! - Direct branches and jumps are *backward* if the encoded offset is zero or negative.
//! - `uret`, `sret` and `mret` are *trap returns*. So is the former `hret`: the level is not looked at.
//! - `ecall` and `ebreak` make no record by themselves. The trap that they cause does.
//! - An encoding that the manual reserves makes no record.

#![forbid(unsafe_code)]

pub mod blocks;
pub mod buffer;
pub mod code;
pub mod decode;
#[cfg(feature = "elf")]
pub mod elf;
#[cfg(feature = "elf")]
mod extensions;
pub mod functions;
#[cfg(feature = "graph")]
pub mod graph;
#[cfg(feature = "elf")]
pub mod hot_paths;
pub mod ingress;
#[cfg(feature = "graph")]
pub mod procedures;
pub mod walk;

pub use blocks::{Block, Blocks, Exit, Observed, Starts};
pub use buffer::Buffer;
pub use code::{Instruction, Program, Transfer};
pub use decode::{Xlen, decode};
#[cfg(feature = "elf")]
pub use elf::{ElfError, Image};
pub use functions::{Function, Functions, NameError};
#[cfg(feature = "graph")]
pub use graph::{DescriptorError, FunctionGraph, GraphError, Place, Step};
#[cfg(feature = "elf")]
pub use hot_paths::{HotPath, HotPathError, hot_paths};
pub use ingress::{Ingress, Retirement};
#[cfg(feature = "graph")]
pub use procedures::{LostError, Procedures, ProceduresError, Targets};
pub use walk::{AddressRange, End, Walk, WalkError, walk};
