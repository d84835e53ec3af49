//! Ports of many bits, and of parts.

use crate::model::{Input, Model};

impl Model {
    /// Sets an input that consists of parts of equal width, the lowest first: each to the low bits of its value.
    ///
    /// # Panics
    /// If there are no values, the port's width is not a multiple of their number, or a part is wider than 64 bits.
    #[inline]
    pub fn set_parts(&mut self, port: Input, values: &[u64]) {
        let width = self.design.ports[port.0].width;
        let (parts, rest) = (values.len() as u32, width % values.len() as u32);
        let part = width / parts;
        assert!(
            rest == 0 && part <= u64::BITS,
            "`{}` is {width} bits wide, not {parts} parts of up to 64",
            self.name(port.0)
        );
        let mask = u64::MAX >> (u64::BITS - part);
        if width <= u64::BITS {
            let places = (0..width).step_by(part as usize).zip(values);
            let value = places.fold(0, |all, (place, value)| all | (value & mask) << place);
            return self.set_low(port, value);
        }
        let address = self.places[port.0].address.cast::<u32>();
        let mut words = 0..width.div_ceil(u32::BITS) as usize;
        let mut put = |word: u32| {
            let place = words.next().expect("the parts are as wide as the port");
            // SAFETY: a port of more than 64 bits is an array of as many 32-bit words as it takes.
            unsafe { *address.add(place) = word };
        };
        let (mut pending, mut bits) = (0_u128, 0);
        for value in values {
            pending |= u128::from(value & mask) << bits;
            bits += part;
            while bits >= u32::BITS {
                put(pending as u32);
                pending >>= u32::BITS;
                bits -= u32::BITS;
            }
        }
        if bits > 0 {
            put(pending as u32);
        }
    }
}
