//! Circuits, read: from rust-hdl blocks to the statements of each circuit.
//!
//! In goes a `Block`; `circuit` copies signals, sub-circuits and code out of the `Block`/`Probe` walk, and `family` finds circuits
//! that differ only in constants. `lower` resolves names and gives every expression and every local value
//! (`locals`) its exact width. Out come a `Circuit` for each instance, and the `Scope` (its signals) and `Statement`s of its
//! kernel. What these are, and how they are rewritten, is here too.

pub mod circuit;
pub mod comments;
pub mod compare;
pub mod concat;
pub mod expr;
pub mod family;
pub mod hoist;
pub mod locals;
pub mod lower;
pub mod number;
pub mod operator;
pub mod rewrite;
pub mod scope;
pub mod shift;
pub mod statement;
pub mod substitute;
