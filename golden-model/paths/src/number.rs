//! Path numbers: integers as long as they need be.

/// A path number, a path sum, or the value of an edge: in place up to 128 bits, in memory from then on.
///
/// ```
/// use hpp_paths::Number;
/// let number: Number = "12".parse()?;
/// assert_eq!(number - Number::from(20u32), Number::from(-8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Number = dashu_int::IBig;

/// What numbers are worked out in: words, which overflow, or integers of any length.
pub(crate) trait Integer: Clone + Ord + Default + From<u8> {
    /// `None` if it overflows.
    fn plus(&self, other: &Self) -> Option<Self>;
    /// `None` if it overflows.
    fn minus(&self, other: &Self) -> Option<Self>;
}

impl Integer for i64 {
    fn plus(&self, other: &Self) -> Option<Self> {
        self.checked_add(*other)
    }

    fn minus(&self, other: &Self) -> Option<Self> {
        self.checked_sub(*other)
    }
}

impl Integer for Number {
    fn plus(&self, other: &Self) -> Option<Self> {
        Some(self + other)
    }

    fn minus(&self, other: &Self) -> Option<Self> {
        Some(self - other)
    }
}
