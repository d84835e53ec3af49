//! Annotations of a signal that a kernel cannot express: its exact width at run time, and its meaning.
//!
//! A kernel is compiled once, at the greatest width that any geometry needs (`Bits<64>` for an address). Each instance
//! carries the width of its own geometry. The Verilog writer and the test benches read that width back.

use rust_hdl::prelude::{Atom, Constraint, Direction, PinConstraint, Signal, Synth};

/// A signal that is `bits` wide in hardware. A field of a geometry that has shrunk to nothing keeps one bit, tied to 0.
#[must_use]
pub fn sized<D: Direction, T: Synth>(bits: u32) -> Signal<D, T> {
    let mut signal = Signal::default();
    signal.add_constraint(custom(format!("width={}", bits.max(1))));
    signal
}

/// Leaves a port out of the hardware unless it is `there`: what is assigned to it goes nowhere, and it reads 0.
#[must_use]
pub fn present<D: Direction, T: Synth>(mut signal: Signal<D, T>, there: bool) -> Signal<D, T> {
    if !there {
        signal.add_constraint(custom("absent=".to_string()));
    }
    signal
}

/// Gives a signal the one-line meaning shown in the port list.
#[must_use]
pub fn documented<D: Direction, T: Synth>(mut signal: Signal<D, T>, text: &str) -> Signal<D, T> {
    signal.add_constraint(custom(format!("doc={text}")));
    signal
}

/// Marks a signal as the output of a register that resets to `reset`, if it has a reset: the Verilog writer then writes the
/// register in place, without a module of its own.
#[must_use]
pub fn in_place<D: Direction, T: Synth>(
    mut signal: Signal<D, T>,
    reset: Option<T>,
) -> Signal<D, T> {
    let digits = reset.map_or(String::new(), |reset| format!("{:x}", reset.verilog()));
    let digits = digits.rsplit("'h").next().unwrap_or_default();
    signal.add_constraint(custom(format!("register={digits}")));
    signal
}

/// How many bits a signal has in hardware; 0 if it is not there.
#[must_use]
pub fn width<D: Direction, T: Synth>(signal: &Signal<D, T>) -> u32 {
    let constraints = signal.constraints();
    let is_absent = |pin: &PinConstraint| matches!(&pin.constraint, Constraint::Custom(text) if text == "absent=");
    if constraints.iter().any(is_absent) {
        return 0;
    }
    let said = |pin: PinConstraint| match pin.constraint {
        Constraint::Custom(text) => text.strip_prefix("width=")?.parse().ok(),
        _ => None,
    };
    constraints
        .into_iter()
        .find_map(said)
        .unwrap_or(T::BITS as u32)
}

fn custom(text: String) -> PinConstraint {
    PinConstraint {
        index: 0,
        constraint: Constraint::Custom(text),
    }
}
