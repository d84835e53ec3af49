//! Statements, transformed: from a kernel as it was written to what each signal is.
//!
//! In go a `Scope` and `Statement`s; out comes a `Body` with a `Cone`, the statements of one signal, for each signal, and
//! the clocked statements. `implicit` adds what a kernel may leave out, `versions` distinguishes the values of a signal that is
//! assigned several times, and `cone` cuts the kernel. `inline` writes small sub-circuits where they stand, `fold` removes
//! constants and aliases, `narrow` unread high bits, `registers` puts registers in place, and `common` writes repeated
//! expressions once. Each pass takes a body and keeps the value of every output in every cycle.

pub mod body;
pub mod choice;
pub mod common;
pub mod cone;
pub mod effect;
pub mod flow;
pub mod fold;
pub mod implicit;
pub mod inline;
pub mod narrow;
pub mod registers;
pub mod versions;
