//! A QEMU plugin that takes the branch records of a running program and profiles them.
//!
//! QEMU runs a program block by block and calls the plugin at the beginning of each. The end of one block and the beginning of the next make a
//! branch record. A second process, which shares the memory, takes the blocks in order, makes records and paths of them, counts the paths and keeps the table. The model
//! computes once for each state which path a record completes; from then on it is looked up.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`session`] | what the command tells the plugin, and the plugin's results |
//! | `block` | a block, and how it ends |
//! | `calls` | the system calls that matter, by number |
//! | [`load_address`] | the load address of the program's code, and its address in the ELF file |
//! | `blocks` | the blocks that were translated, by number |
//! | `states` | states between two blocks, and the transitions between them |
//! | `recorder` | blocks in order to branch records and the paths they complete, in batches |
//! | `consumer` | the process that keeps the profile and writes the trace |
//! | [`emulator`] | emulators that the plugin fits |
//! | `ending` | the end of QEMU's process |
//! | `following` | the program that a program asks to be replaced by |
//! | [`isolation`] | shares QEMU's memory with that process, and nothing else |
//! | `api` | the functions of QEMU that the plugin calls |
//! | `hart` | what the thread on a hart does |
//! | `registers` | the registers of a hart of a whole machine |
//! | `plugin` | the functions that QEMU calls |
//!
//! What is public is for the command `hpp`; the rest is the plugin.
//!
//! Source: QEMU's manual, section "QEMU TCG Plugins".

mod api;
mod block;
mod blocks;
mod calls;
mod consumer;
pub mod emulator;
mod ending;
mod following;
mod hart;
pub mod isolation;
pub mod load_address;
pub mod patch;
mod plugin;
mod recorder;
mod registers;
pub mod session;
