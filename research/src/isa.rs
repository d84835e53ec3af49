//! Probes as instructions of a machine.

use crate::code::{self, Code};
use crate::x86;

/// How a machine counts. Functions write lines of assembly; counters are given by their word.
pub struct Isa {
    /// The register of the path sum.
    pub sum: &'static str,
    /// `counter++`
    pub increment: fn(u32) -> Code,
    /// `register = value`
    pub set: fn(&str, i32) -> Code,
    /// `register += value`
    pub add: fn(&str, i32) -> Code,
    /// `array[sum + value]++`
    pub count_in_array: fn(u32, i32) -> Code,
    /// `table[sum + value]++`, or `table[value]++`
    pub count_in_table: Option<fn(u32, i32, bool) -> Code>,
    /// What preferential numbers need.
    pub paired: Option<Paired>,
    /// Puts the caller's sums by.
    pub save: fn() -> Code,
    /// Takes them back.
    pub restore: fn() -> Code,
    /// The mnemonic of a jump.
    pub jump: &'static str,
}

/// Two sums at once.
pub struct Paired {
    /// The register of the Ball-Larus sum.
    pub sum: &'static str,
    /// Counts in an array of numbers and counts, or elsewhere.
    pub count: fn(u32, u32, u32, [i32; 2]) -> Code,
}

/// RV32.
pub static RISCV: Isa = Isa {
    sum: "s11",
    increment: code::increment,
    set: code::set,
    add: code::add,
    count_in_array: code::count_in_array,
    count_in_table: Some(code::count_in_table),
    paired: Some(Paired {
        sum: "s10",
        count: code::count_preferred,
    }),
    save: code::save,
    restore: code::restore,
    jump: "j",
};

/// x86-64, with counters of eight bytes.
pub static X86: Isa = Isa {
    sum: "%r15",
    increment: x86::increment,
    set: x86::set,
    add: x86::add,
    count_in_array: x86::count_in_array,
    count_in_table: None,
    paired: None,
    save: x86::save,
    restore: x86::restore,
    jump: "jmp",
};
