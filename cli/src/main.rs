//! The command `hpp`.

fn main() {}
