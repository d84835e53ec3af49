//! What the tests of the writer share.

pub mod circuits;
pub mod tools;
