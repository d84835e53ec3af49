//! The predictor of the next record number.
//!
//! A finite context method, as in trace compressors: a table remembers what came after the last few numbers, folded
//! into one index. Loops and calls repeat themselves, so most guesses are right.
//!
//! Source: Sazeides and Smith, *The predictability of data values*, MICRO 1997 (the method).

const BITS: u32 = 16;

/// Guesses the next number from the last four. One step takes constant time.
///
/// ```
/// use hpp_explore::trace::Predictor;
/// let mut predictor = Predictor::new();
/// let right = [3, 1, 2].repeat(4).iter().filter(|&&n| predictor.guesses(n)).count();
/// assert_eq!(right, 5); // 12 less the 7 it took to see each context once
/// ```
#[derive(Clone, Debug)]
pub struct Predictor {
    next: Box<[u32; 1 << BITS]>,
    context: usize,
}

impl Predictor {
    /// A predictor that expects 0 everywhere.
    pub fn new() -> Self {
        Self {
            next: vec![0; 1 << BITS].try_into().expect("as long as the array"),
            context: 0,
        }
    }

    /// What it expects.
    #[inline]
    pub fn guess(&self) -> u32 {
        self.next[self.context]
    }

    /// Shows it the next number. Whether it expected that.
    #[inline]
    pub fn guesses(&mut self, number: u32) -> bool {
        let slot = &mut self.next[self.context];
        let right = *slot == number;
        *slot = number;
        // A number is shifted out of the index after four steps.
        let mixed = number.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS);
        self.context = (self.context << (BITS / 4) ^ mixed as usize) & ((1 << BITS) - 1);
        right
    }
}

impl Default for Predictor {
    fn default() -> Self {
        Self::new()
    }
}
