//! Numbers a geometry fixes, as constants a kernel can compute with.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::{Bits, Constant};

/// The constant `value`.
#[must_use]
pub fn number<const N: usize>(value: u32) -> Constant<Bits<N>> {
    Constant::new(u64::from(value).into())
}

/// The constant whose low `width` bits are 1; 0 for a width of 0.
#[must_use]
pub fn mask<const N: usize>(width: u32) -> Constant<Bits<N>> {
    let ones = if width == 0 { 0 } else { Geometry::mask(width) };
    Constant::new(ones.into())
}
