//! What the attribute macros make and `profiler` does not compare with the golden model: the check of widths, and a memory
//! that keeps its word.

use hpp_hdl::circuit::{circuit, kernel, memory};
use hpp_hdl::ram::SameEdge;
use hpp_hdl::sim::Simulator;
use rust_hdl::prelude::*;

/// A sum passed on from outside, which must not exceed what its wire holds.
#[circuit(bits: u32)]
pub struct Adder {
    /// A number.
    pub a: Signal<In, Bits<16, bits>>,
    /// A number and one.
    pub b: Signal<Out, Bits<16, bits>>,
}

#[kernel]
impl Adder {
    /// The next number.
    fn logic(&mut self) {
        self.b.next = self.a + 1;
    }
}

/// A word that stays until it is read anew.
#[memory(depth = 4, same_edge = SameEdge::Any, read_enable)]
pub struct Kept {
    /// A word.
    word: Bits<8, 3>,
    /// A flag.
    flag: Bit,
}

/// The ports of such a memory.
#[circuit()]
pub struct Keeper {
    /// Whether to write.
    pub write: Signal<In, Bit>,
    /// The cell.
    pub cell: Signal<In, Bits<2>>,
    /// The word to write.
    pub word: Signal<In, Bits<8>>,
    /// Whether to read.
    pub read: Signal<In, Bit>,
    /// The word that was read.
    pub seen: Signal<Out, Bits<8>>,
    memory: Kept,
}

#[kernel]
impl Keeper {
    /// The ports.
    fn logic(&mut self) {
        self.memory.write_enable.next = self.write;
        self.memory.write_address.next = bit_cast::<16, 2>(self.cell);
        self.memory.write_word.next = self.word;
        self.memory.write_flag.next = true;
        self.memory.read_enable.next = self.read;
        self.memory.read_address.next = bit_cast::<16, 2>(self.cell);
        self.seen.next = self.memory.word;
    }
}

#[test]
#[should_panic(expected = "Adder.b is 0x10, which 4 bits do not hold")]
fn outputs_hold_what_fits() {
    let mut adder = Simulator::new(Adder::new(4));
    adder.set("a", 15);
    adder.tick();
}

#[test]
fn a_memory_with_a_read_enable_keeps_its_word() {
    let mut keeper = Simulator::new(Keeper::new());
    for (cell, word) in [(1, 0x15), (2, 0x02)] {
        keeper.set("write", 1);
        keeper.set("cell", cell);
        keeper.set("word", word);
        keeper.tick();
    }
    keeper.set("write", 0);
    keeper.set("read", 1);
    keeper.set("cell", 1);
    keeper.tick();
    assert_eq!(keeper.get("seen"), 5, "its low three bits");
    keeper.set("read", 0);
    keeper.set("cell", 2);
    keeper.tick();
    assert_eq!(keeper.get("seen"), 5);
    keeper.set("read", 1);
    keeper.tick();
    assert_eq!(keeper.get("seen"), 2);
}
