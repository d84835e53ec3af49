//! Golden model of the HPP hardware path profiler.
//!
//! The vocabulary ([`branch`], [`path`], [`config`], [`registers`]) is shared by the circuits, the generator,
//! the tests and the commands; the circuits take their geometry and their register decoder from it. [`ingress`] turns what a
//! core retires into branch records. The crate is pure: no I/O, no
//! threads, no unsafe code.
#![forbid(unsafe_code)]

pub mod branch;
pub mod config;
pub mod dump;
pub mod ingress;
pub mod path;
pub mod profiler;
pub mod registers;
