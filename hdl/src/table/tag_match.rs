use rust_hdl::prelude::*;

use super::layout::TAG_BITS;
use crate::circuit::{circuit, kernel};
use crate::register::Delay;

/// Compares two tags in two steps: bit pairs, then the registered results.
///
/// ```text
///      a ---> pairs of bits    +-----+
///      b ---> that differ  --->|> D Q|---> none? ---> same
///                              +-----+
/// ```
///
/// Two bits of each tag fit one LUT of four inputs. The OR tree over the pairs has the next cycle.
#[circuit(
    resetless,
    width: u32,
    let low_of_pair = (0..width.div_ceil(2)).fold(Bits::<TAG_BITS>::default(), |bits, pair| {
    bits | (Bits::from(1_u64) << u64::from(2 * pair))
    }),
    const low_of_pair: Bits<TAG_BITS> = low_of_pair
)]
pub struct TagMatch {
    /// First tag.
    pub a: Signal<In, Bits<TAG_BITS, width>>,
    /// Second tag.
    pub b: Signal<In, Bits<TAG_BITS, width>>,
    /// The tags of the previous cycle were equal.
    pub same: Signal<Out, Bit>,
    pairs: Delay<Bits<TAG_BITS, width>>,
}

#[kernel]
impl TagMatch {
    /// Pairs of bits, then all pairs.
    fn same(&mut self) {
        let differences = self.a ^ self.b;
        self.pairs.d.next = (differences | (differences >> 1)) & self.low_of_pair;
        self.same.next = !self.pairs.any();
    }
}
