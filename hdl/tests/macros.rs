//! What the attribute macros make: defaults, truncation, bundles, memories, the check of widths.

use hpp_hdl::circuit::{bundle, circuit, kernel, memory};
use hpp_hdl::ram::SameEdge;
use hpp_hdl::register::{Delay, Register};
use hpp_hdl::sim::Simulator;
use rust_hdl::prelude::*;

/// A number on its way.
#[bundle(bits: u32, mirror = NumberSource)]
pub struct NumberSink {
    /// It is there.
    pub valid: Signal<In, Bit>,
    /// The number.
    pub number: Signal<In, Bits<16, bits>>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
}

/// Adds up what comes in.
#[circuit(bits: u32)]
pub struct Summer {
    /// What comes in.
    pub from: NumberSink<bits>,
    /// The sum, in as many bits.
    pub sum: Signal<Out, Bits<16, bits>>,
    total: Register<Bits<16, bits>, 3>,
}

#[kernel]
impl Summer {
    /// The sum.
    fn logic(&mut self) {
        self.from.ready.next = true;
        if self.from.valid {
            self.total.d.next = self.total + self.from.number;
        }
        self.sum.next = self.total;
    }
}

/// Sends one to each of several summers by turns.
#[circuit(number: u32, bits: u32)]
pub struct Counter {
    /// What the counter sends.
    pub to: NumberSource<bits>,
    /// A bit of each place of the count.
    #[each(i in number)]
    pub places: Vec<Signal<Out, Bit>>,
    count: Register<Bits<16, bits>>,
    #[each(i in number)]
    late: Vec<Delay<Bit>>,
    #[value(number as usize)]
    _number: usize,
}

#[kernel]
impl Counter {
    /// The count and its places.
    fn logic(&mut self) {
        self.to.valid.next = true;
        self.to.number.next = self.count;
        if self.to.ready {
            self.count.d.next = self.count + 1;
        }
        for i in 0..self._number {
            self.late[i].d.next = self.count.get_bit(i);
            self.places[i].next = self.late[i];
        }
    }
}

/// A sum, as others see it.
#[bundle(bits: u32, wires = TotalWires)]
pub struct TotalPorts {
    /// The sum.
    pub sum: Signal<Out, Bits<16, bits>>,
    /// A number comes along.
    pub beside: BesidePort<bits>,
}

/// A number that is passed on.
#[bundle(bits: u32, wires = BesideWires)]
pub struct BesidePort {
    /// The number.
    pub number: Signal<In, Bits<16, bits>>,
    /// The number that came.
    pub same: Signal<Out, Bits<16, bits>>,
}

/// The sum of a counter, and a number on its way, connected where the parts are declared.
#[circuit(bits: u32)]
pub struct Totals {
    /// To others.
    #[flat]
    pub ports: TotalPorts<bits>,
    /// A bit of each place of the count, two late.
    #[each(i in 2)]
    pub places: Vec<Signal<Out, Bit>>,
    counter: Counter<2, bits>,
    #[connect(from = counter.to, sum = ports.sum)]
    summer: Summer<bits>,
    #[connect(a = ports.beside.number)]
    adder: Adder<bits>,
    #[each(i in 2)]
    #[connect(d = counter.places[i], q = places[i])]
    late: Vec<Delay<Bit>>,
}

#[kernel]
impl Totals {
    /// A number less.
    fn logic(&mut self) {
        self.ports.beside.same.next = self.adder.b - 1;
    }
}

/// Such a sum behind wires.
#[circuit(bits: u32)]
pub struct Behind {
    /// To others.
    pub seen: TotalPorts<bits>,
    #[bundle(bits)]
    between: TotalWires,
    #[connect(ports = between)]
    totals: Totals<bits>,
}

#[kernel]
impl Behind {
    /// The wires.
    fn logic(&mut self) {
        self.between.beside.number.next = self.seen.beside.number;
        self.seen.beside.same.next = self.between.beside.same;
        self.seen.sum.next = self.between.sum;
    }
}

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
fn registers_hold_reset_and_truncate() {
    let mut summer = Simulator::new(Summer::new(4));
    summer.reset();
    assert_eq!(summer.get("sum"), 3);
    summer.set("from_number", 9);
    summer.tick();
    assert_eq!(summer.get("sum"), 3, "it holds");
    summer.set("from_valid", 1);
    summer.tick();
    assert_eq!((summer.get("sum"), summer.get("from_ready")), (12, 1));
    summer.tick();
    assert_eq!(summer.get("sum"), 21 % 16);
}

#[test]
fn parts_are_connected_where_they_are_declared() {
    let mut totals = Simulator::new(Totals::new(8));
    totals.reset();
    totals.set("beside_number", 7);
    (0..5).for_each(|_| totals.tick());
    let seen = ["sum", "beside_same", "places_0", "places_1"].map(|port| totals.get(port));
    // The count is 5; what is two late is 3.
    assert_eq!(seen, [3 + 1 + 2 + 3 + 4, 7, 1, 1]);
}

#[test]
fn wires_connect_a_bundle_to_any_other() {
    let mut wired = Simulator::new(Behind::new(8));
    wired.reset();
    wired.set("seen_beside_number", 9);
    (0..5).for_each(|_| wired.tick());
    assert_eq!(
        (wired.get("seen_sum"), wired.get("seen_beside_same")),
        (3 + 1 + 2 + 3 + 4, 9)
    );
}

#[test]
fn vectors_have_an_index_in_their_name() {
    let mut counter = Simulator::new(Counter::new(2, 8));
    counter.reset();
    counter.set("to_ready", 1);
    (0..3).for_each(|_| counter.tick());
    assert_eq!(
        (
            counter.get("places_0"),
            counter.get("places_1"),
            counter.get("to_number")
        ),
        (0, 1, 3)
    );
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
