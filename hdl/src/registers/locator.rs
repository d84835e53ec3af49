//! Where a table entry lies: its number divided into set and way.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::register::Register;

/// Divides an entry number by the number of ways.
///
/// ```text
///   power of two:  index --> | set | way |                                 at once
///   otherwise:     index --> [ remainder ] --- - ---> one bit of the set   log2(SETS) + 1 cycles
///                                 ^            |
///                  WAYS << k -----+------------+                           k counts down
/// ```
#[derive(LogicBlock)]
pub struct Locator {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Divide `index`, which then stays.
    pub start: Signal<In, Bit>,
    /// Entry number.
    pub index: Signal<In, Bits<16>>,
    /// The division goes on.
    pub busy: Signal<Out, Bit>,
    /// Set number.
    pub set: Signal<Out, Bits<16>>,
    /// Way (one-hot).
    pub way: Signal<Out, Bits<32>>,
    remainder: Register<Bits<16>>,
    divisor: Register<Bits<16>>,
    quotient: Register<Bits<16>>,
    steps: Register<Bits<4>>,
    number: Signal<Local, Bits<16>>,
    power_of_two: Constant<Bit>,
    one: Constant<Bits<32>>,
    ways_bits: Constant<Bits<4>>,
    way_mask: Constant<Bits<16>>,
    set_mask: Constant<Bits<16>>,
    first_divisor: Constant<Bits<16>>,
    set_bits: Constant<Bits<4>>,
}

impl Locator {
    /// A locator for tables of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let (ways, set_bits) = (geometry.ways, geometry.set_bits());
        let index_bits = geometry.entries().next_power_of_two().trailing_zeros();
        let way_bits = ways.next_power_of_two().trailing_zeros();
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            start: Signal::default(),
            index: sized(index_bits),
            busy: Signal::default(),
            set: sized(set_bits),
            way: sized(ways),
            remainder: Register::zero(index_bits),
            divisor: Register::zero(index_bits),
            quotient: Register::zero(set_bits),
            steps: Register::zero(4),
            number: sized(way_bits),
            power_of_two: Constant::new(ways.is_power_of_two()),
            one: number(1),
            ways_bits: number(way_bits),
            way_mask: mask(way_bits),
            set_mask: mask(set_bits),
            first_divisor: number(ways << (set_bits - 1)),
            set_bits: number(set_bits),
        }
    }
}

impl Logic for Locator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("locator: set and way of a table entry.");
        self.remainder.clk.next = self.clk.val();
        self.remainder.rst.next = self.rst.val();
        self.divisor.clk.next = self.clk.val();
        self.divisor.rst.next = self.rst.val();
        self.quotient.clk.next = self.clk.val();
        self.quotient.rst.next = self.rst.val();
        self.steps.clk.next = self.clk.val();
        self.steps.rst.next = self.rst.val();
        self.remainder.d.next = self.remainder.q.val();
        self.divisor.d.next = self.divisor.q.val();
        self.quotient.d.next = self.quotient.q.val();
        self.steps.d.next = self.steps.q.val();
        if self.power_of_two.val() {
            self.busy.next = false;
            self.set.next = self.index.val() >> self.ways_bits.val();
            self.number.next = self.index.val() & self.way_mask.val();
        } else {
            self.busy.next = self.steps.q.val().any();
            self.set.next = self.quotient.q.val();
            self.number.next = self.remainder.q.val() & self.way_mask.val();
            if self.start.val() {
                self.remainder.d.next = self.index.val();
                self.divisor.d.next = self.first_divisor.val();
                self.quotient.d.next = 0.into();
                self.steps.d.next = self.set_bits.val() + 1;
            } else if self.steps.q.val().any() {
                self.steps.d.next = self.steps.q.val() - 1;
            }
            // The last step leaves the set as it is: the table wants it a cycle ahead of the request.
            if !self.start.val() & (self.steps.q.val() > 1) {
                self.divisor.d.next = self.divisor.q.val() >> 1;
                self.quotient.d.next = (self.quotient.q.val() << 1) & self.set_mask.val();
                if self.remainder.q.val() >= self.divisor.q.val() {
                    self.remainder.d.next = self.remainder.q.val() - self.divisor.q.val();
                    self.quotient.d.next = ((self.quotient.q.val() << 1) & self.set_mask.val()) | 1;
                }
            }
        }
        self.way.next = self.one.val() << self.number.val();
    }
}
