//! The commands on profiles as people run them: what they write, and what they say about nonsense.

mod around;
mod awkward;
mod export;
mod fixtures;
mod folder;
mod lcov;
mod manual;
mod names;
mod page;
#[path = "../recorded/mod.rs"]
mod recorded;
#[path = "../../../../golden-model/riscv/tests/riscv_program/mod.rs"]
mod riscv_program;
#[path = "../said/mod.rs"]
mod said;
mod subpaths;
mod totals;
mod transcripts;
mod written;
