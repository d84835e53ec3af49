//! Numbers: reading rust-hdl's literals and writing Verilog's sized ones.

use num_bigint::BigUint;
use rust_hdl::prelude::VerilogLiteral;

/// The value of a rust-hdl literal, or `None` if it is negative.
///
/// rust-hdl keeps the value private; its hexadecimal form, `64'hff`, is the way to it.
pub fn literal_value(literal: &VerilogLiteral) -> Option<BigUint> {
    let text = format!("{literal:x}");
    let digits = text.split_once("'h")?.1;
    BigUint::parse_bytes(digits.as_bytes(), 16)
}

/// A Rust integer or truth literal: `12`, `0x1f_u8`, `true`.
pub fn integer(text: &str) -> Option<BigUint> {
    match text {
        "true" => return Some(BigUint::from(1u32)),
        "false" => return Some(BigUint::ZERO),
        _ => {}
    }
    let text = text.replace('_', "");
    let (digits, radix) = match text.get(..2) {
        Some("0x") => (&text[2..], 16),
        Some("0b") => (&text[2..], 2),
        Some("0o") => (&text[2..], 8),
        _ => (&text[..], 10),
    };
    let digits = digits.split(['u', 'i']).next()?;
    BigUint::parse_bytes(digits.as_bytes(), radix)
}

/// Bits that hold `value`; at least one.
pub fn bits_of(value: &BigUint) -> usize {
    usize::try_from(value.bits())
        .expect("a literal's size fits in memory")
        .max(1)
}

pub fn ones(bits: usize) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// Lowest bit and length of the only run of ones in `value`, if there is just one.
pub fn run(value: &BigUint) -> Option<(usize, usize)> {
    let low = usize::try_from(value.trailing_zeros()?).ok()?;
    let bits = bits_of(&(value >> low));
    (value >> low == ones(bits)).then_some((low, bits))
}

/// `value` as a Verilog literal of exactly `width` bits; the value must fit. A width of 0 is a position, which has no size.
pub fn sized(value: &BigUint, width: usize) -> String {
    if width == 0 {
        value.to_string()
    } else if width == 1 {
        format!("1'b{value}")
    } else if *value < BigUint::from(16u32) {
        format!("{width}'d{value}")
    } else {
        format!("{width}'h{value:x}")
    }
}

/// `[7:0] ` for a width of 8, nothing for a width of 1 or none.
pub fn range(width: usize) -> String {
    if width <= 1 {
        String::new()
    } else {
        format!("[{}:0]", width - 1)
    }
}

/// Bits needed to number `count` things; at least one.
pub fn index_bits(count: usize) -> usize {
    bits_of(&BigUint::from(count.saturating_sub(1)))
}
