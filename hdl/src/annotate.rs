//! Annotations of a signal: its width at run time, its comment, and its register.
//!
//! A kernel is compiled once, at the greatest width of any geometry (`Bits<64>` for an address). Each instance carries
//! the widths of its own geometry. The Verilog writer and the test benches read them back.

use rust_hdl::prelude::{Atom, Constraint, Direction, PinConstraint, Signal, Synth};

/// A signal of `bits` bits in hardware, at least one. A field of width 0 keeps one bit that is tied to 0.
#[must_use]
pub fn sized<D: Direction, T: Synth>(bits: u32) -> Signal<D, T> {
    let mut signal = Signal::default();
    signal.add_constraint(custom(format!("width={}", bits.max(1))));
    signal
}

/// Leaves the port out of the hardware unless `there` is true. Assignments to an absent port have no effect, and it
/// reads 0.
#[must_use]
pub fn present<D: Direction, T: Synth>(mut signal: Signal<D, T>, there: bool) -> Signal<D, T> {
    if !there {
        signal.add_constraint(custom("absent=".to_string()));
    }
    signal
}

/// Sets the comment of the signal in the Verilog.
#[must_use]
pub fn documented<D: Direction, T: Synth>(mut signal: Signal<D, T>, text: &str) -> Signal<D, T> {
    signal.add_constraint(custom(format!("doc={text}")));
    signal
}

/// Marks a signal as the output of a register, with its reset value if it has one. The Verilog writer then declares the
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

/// The width of a signal in hardware, in bits; 0 if it is absent.
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
