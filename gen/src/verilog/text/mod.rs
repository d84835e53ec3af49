//! Verilog, printed: from bodies to the text of modules.
//!
//! In go the `Circuit`s; `library` has each read and transformed, and names the modules; `module` assembles the text of one.
//! `print` writes expressions, `block` statements, and `kernel`, `declare`, `instance` and `ports` the parts of a module.
//! Out comes the text of each module, and what it holds of memories.

pub mod block;
pub mod declare;
pub mod instance;
pub mod kernel;
pub mod library;
pub mod module;
pub mod ports;
pub mod print;
