//! Registers: the only state of the circuits besides the memories.

use rust_hdl::prelude::*;

use crate::annotate::{in_place, sized};
use crate::circuit::{Part, wire};
use crate::value::Value;

/// A register with synchronous reset.
///
/// ```text
///          +-----+
///   d  --->|     |---> q     q takes d at the rising edge of clk,
///   clk -->|>    |           or the reset value while rst is 1
///   rst -->|     |
///          +-----+
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Register<T: Value> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Value.
    pub q: Signal<Out, T>,
    _width: u32,
    _reset: T,
}

impl<T: Value> Register<T> {
    /// A register of `width` bits with the reset value `reset`.
    #[must_use]
    pub fn new(width: u32, reset: T) -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            d: sized(width),
            q: in_place(sized(width), Some(reset)),
            _width: width.max(1),
            _reset: reset,
        }
    }
}

impl<T: Value> Logic for Register<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = if self.rst.val() {
                self._reset
            } else {
                self.d.val().low(self._width)
            };
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }
}

impl<T: Value> Part for Register<T> {
    fn drive(&mut self, clk: Clock, rst: Bit) {
        self.clk.next = clk;
        self.rst.next = rst;
        self.d.next = self.q.val();
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
        out.push(wire(name, "rst", "rst"));
        out.push(wire(name, "d", &format!("{name}$q")));
    }
}

/// A register without reset, for data with a separate valid bit.
///
/// ```text
///          +-----+
///   d  --->|     |---> q     q takes d at the rising edge of clk
///   clk -->|>    |
///          +-----+
/// ```
#[derive(Clone, Debug, LogicBlock)]
pub struct Delay<T: Value> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Next value.
    pub d: Signal<In, T>,
    /// Value.
    pub q: Signal<Out, T>,
    _width: u32,
}

impl<T: Value> Delay<T> {
    /// A register of `width` bits.
    #[must_use]
    pub fn new(width: u32) -> Self {
        Self {
            clk: Signal::default(),
            d: sized(width),
            q: in_place(sized(width), None),
            _width: width.max(1),
        }
    }
}

impl<T: Value> Logic for Delay<T> {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = self.d.val().low(self._width);
        }
    }

    fn connect(&mut self) {
        self.q.connect();
    }
}

impl<T: Value> Part for Delay<T> {
    fn drive(&mut self, clk: Clock, _rst: Bit) {
        self.clk.next = clk;
        self.d.next = self.q.val();
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
        out.push(wire(name, "d", &format!("{name}$q")));
    }
}
