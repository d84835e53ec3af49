//! Whether two tags are equal, in two steps.

use rust_hdl::prelude::*;

use super::layout::TAG_BITS;
use crate::annotate::{comment, sized};
use crate::constant::number;
use crate::register::Delay;

/// Compares two tags; `same` belongs to the tags of the cycle before.
///
/// ```text
///      a ---> pairs of bits    +-----+
///      b ---> that differ  --->|> D Q|---> none? ---> same
///                              +-----+
/// ```
///
/// A pair of bits of each tag is one look-up table of four inputs, short enough to stand behind a block RAM's slow output;
/// the tree that gathers the pairs has the next cycle to itself.
#[derive(LogicBlock)]
pub struct TagMatch {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// One tag.
    pub a: Signal<In, Bits<TAG_BITS>>,
    /// The other.
    pub b: Signal<In, Bits<TAG_BITS>>,
    /// They were equal in the cycle before.
    pub same: Signal<Out, Bit>,
    differences: Signal<Local, Bits<TAG_BITS>>,
    pairs: Delay<Bits<TAG_BITS>>,
    one: Constant<Bits<8>>,
    low_of_pair: Constant<Bits<TAG_BITS>>,
}

impl TagMatch {
    /// Compares tags of `width` bits.
    #[must_use]
    pub fn new(width: u32) -> Self {
        let low_of_pair = (0..width.div_ceil(2)).fold(Bits::<TAG_BITS>::default(), |bits, pair| {
            bits | (Bits::from(1_u64) << u64::from(2 * pair))
        });
        Self {
            clk: Signal::default(),
            a: sized(width),
            b: sized(width),
            same: Signal::default(),
            differences: sized(width),
            pairs: Delay::new(width),
            one: number(1),
            low_of_pair: Constant::new(low_of_pair),
        }
    }
}

impl Logic for TagMatch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "tag_match: whether two tags were equal in the cycle before; pairs of bits are compared first."
        );
        self.pairs.clk.next = self.clk.val();
        self.differences.next = self.a.val() ^ self.b.val();
        self.pairs.d.next = (self.differences.val() | (self.differences.val() >> self.one.val()))
            & self.low_of_pair.val();
        self.same.next = !self.pairs.q.val().any();
    }
}
