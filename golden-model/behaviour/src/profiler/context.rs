//! The filter of contexts: whose paths are shown.

use crate::config::Geometry;
use crate::registers::context;

/// The filter of contexts: a path is shown if its context has the value's bits wherever the mask has ones.
///
/// A path's context is that of its first instruction. What is not shown is followed all the same, and neither counted nor stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContextFilter {
    /// Bits that matter; 0 shows every path.
    pub mask: u8,
    /// What these bits have to be.
    pub value: u8,
}

impl ContextFilter {
    /// The `CONTEXT` register.
    pub fn to_word(self) -> u32 {
        context::MASK.put(self.mask.into()) | context::VALUE.put(self.value.into())
    }

    /// What a word of the register says; bits beyond those of a context are dropped.
    pub fn from_word(word: u32, geometry: &Geometry) -> Self {
        let kept = match geometry.context_bits {
            0 => 0,
            bits => Geometry::mask(bits) as u32,
        };
        Self {
            mask: (context::MASK.get(word) & kept) as u8,
            value: (context::VALUE.get(word) & kept) as u8,
        }
    }

    /// Whether paths of this context are shown.
    #[inline]
    pub const fn shows(self, context: u8) -> bool {
        (context ^ self.value) & self.mask == 0
    }
}
