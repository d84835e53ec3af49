//! Values from the bytes of an input. When they run out, every value is 0.

use arbitrary::{Arbitrary, Unstructured};

pub struct Bytes<'a>(Unstructured<'a>);

impl<'a> Bytes<'a> {
    pub fn new(input: &'a [u8]) -> Self {
        Self(Unstructured::new(input))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn any<T: Arbitrary<'a>>(&mut self) -> T {
        self.0
            .arbitrary()
            .expect("zeros stand for bytes that are missing")
    }

    pub fn between(&mut self, least: u32, greatest: u32) -> u32 {
        let range = least..=greatest;
        self.0
            .int_in_range(range)
            .expect("zeros stand for bytes that are missing")
    }

    /// So many bytes, or those that are left.
    pub fn next(&mut self, count: usize) -> &'a [u8] {
        let count = count.min(self.0.len());
        self.0.bytes(count).expect("so many are left")
    }
}
