//! A QEMU plugin that takes the branch records of a running program and profiles them.
//!
//! QEMU runs a program block by block. The plugin is called at the beginning of each; how the block before ended and where
//! this one begins is a branch record. Blocks go in their order to a thread of their own, which makes records and paths of them, counts the
//! paths and keeps the table. Which path a record completes is worked out by the model once for each state in which it retires, and looked
//! up from then on.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`session`] | what the command tells the plugin, and what comes back |
//! | [`x86`] | the control transfer that an x86-64 instruction makes |
//! | [`block`] | a block, and how it ends |
//! | [`calls`] | the system calls that matter, by number |
//! | [`moved`] | where the program's code is, and where its file says that it is |
//! | [`blocks`] | the blocks that were translated, by number |
//! | [`states`] | what is known between two blocks, and what leads from one to the next |
//! | [`waiting`] | the states of the procedures that wait for a return |
//! | [`recorder`] | blocks in order to branch records and the paths they complete |
//! | [`batch`] | records and paths |
//! | [`consumer`] | the thread that keeps the profile and writes the trace |
//! | [`apart`] | what keeps that thread out of the program's way |
//! | [`api`] | the functions of QEMU that are called |
//! | [`plugin`] | the functions that QEMU calls |
//!
//! Source: QEMU's manual, section "QEMU TCG Plugins".

pub mod api;
pub mod batch;
pub mod block;
pub mod blocks;
pub mod calls;
pub mod consumer;
pub mod isolation;
pub mod load_address;
pub mod plugin;
pub mod recorder;
pub mod rounds;
pub mod session;
pub mod states;
pub mod waiting;
pub mod x86;
