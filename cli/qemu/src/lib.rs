//! A QEMU plugin that takes the branch records of a running program and profiles them.
//!
//! QEMU runs a program block by block. The plugin is called at the beginning of each; how the block before ended and where
//! this one begins is a branch record. Records go by number ([`hpp_trace`]) to a thread of their own, which runs the
//! model.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`session`] | what the command tells the plugin, and what comes back |
//! | [`x86`] | the control transfer that an x86-64 instruction makes |
//! | [`block`] | a block, and how it ends |
//! | [`recorder`] | blocks in order to numbers of branch records |
//! | [`consumer`] | the thread that runs the model and writes the trace |
//! | [`api`] | the functions of QEMU that are called |
//! | [`plugin`] | the functions that QEMU calls |
//!
//! Source: QEMU's manual, section "QEMU TCG Plugins".

pub mod api;
pub mod block;
pub mod consumer;
pub mod plugin;
pub mod recorder;
pub mod session;
pub mod x86;
