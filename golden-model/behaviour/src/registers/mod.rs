//! The one description of the software-visible registers.
//!
//! The circuits' address decoder, the model's register file, the C header, the SVD and the register page are all
//! made from [`REGISTERS`], [`DRAIN_REGISTERS`] and [`TRIGGER_REGISTERS`]. Registers are 32-bit words on 4-byte boundaries.

mod counters;
mod geometry;
mod map;
mod word;

use crate::config::Geometry;
use counters::COUNTER_REGISTERS;
use map::MAIN_REGISTERS;

pub use counters::{COUNTERS_OFFSET, Counter};
pub use geometry::*;
pub use map::*;
pub use word::{Access, Field, Register};

/// Byte offsets of registers, by their names.
pub mod at {
    pub use super::map::{drain::*, main::*, triggers::*};
}

/// Identification word: the bytes `HPP1`, most significant first.
pub const ID: u32 = 0x4850_5031;

/// Every register that a profiler has without a drain and triggers, in the order of its address.
pub const REGISTERS: [Register; MAIN_REGISTERS.len() + COUNTER_REGISTERS.len()] = {
    let mut all = [ID_REGISTER; MAIN_REGISTERS.len() + COUNTER_REGISTERS.len()];
    let (main, counters) = all.split_at_mut(MAIN_REGISTERS.len());
    main.copy_from_slice(&MAIN_REGISTERS);
    counters.copy_from_slice(&COUNTER_REGISTERS);
    all
};

/// The registers of a profiler, in the order of their addresses.
pub fn registers(geometry: &Geometry) -> impl Iterator<Item = &'static Register> + use<> {
    let drain = geometry.has_drain().then_some(&DRAIN_REGISTERS[..]);
    let triggers = geometry.triggers.then_some(&TRIGGER_REGISTERS[..]);
    let optional = drain.into_iter().chain(triggers).flatten();
    REGISTERS.iter().chain(optional)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(drain_depth: u32, triggers: bool) -> Geometry {
        Geometry {
            drain_depth,
            triggers,
            ..Geometry::default()
        }
    }

    #[test]
    fn registers_ascend_within_the_address_space() {
        let within = |geometry: Geometry| {
            let space = geometry.address_space();
            let all: Vec<_> = registers(&geometry).collect();
            assert!(all.len() >= REGISTERS.len());
            for pair in all.windows(2) {
                let names = (pair[0].name, pair[1].name);
                assert!(pair[0].offset < pair[1].offset, "{names:?}");
            }
            all.iter().all(|r| r.offset % 4 == 0 && r.offset < space)
        };
        assert!(within(with(0, false)) && within(with(64, false)));
        assert!(within(with(0, true)) && within(with(64, true)));
        let mut wide = DRAIN_REGISTERS.iter().chain(&TRIGGER_REGISTERS);
        assert!(wide.all(|r| r.offset >= ADDRESS_SPACE));
        assert_eq!(4 << ADDRESS_BITS, ADDRESS_SPACE);
        assert_eq!(4 << WIDE_ADDRESS_BITS, WIDE_ADDRESS_SPACE);
        assert!(registers(&with(64, true)).all(|r| 4 * r.word() == r.offset));
        let spaces = [(0, false), (64, false), (0, true), (64, true)];
        assert_eq!(
            spaces.map(|(depth, triggers)| with(depth, triggers).address_space()),
            [
                ADDRESS_SPACE,
                WIDE_ADDRESS_SPACE,
                WIDE_ADDRESS_SPACE,
                WIDE_ADDRESS_SPACE
            ]
        );
    }

    #[test]
    fn fields_do_not_overlap() {
        for register in registers(&with(64, true)) {
            let mut seen = 0;
            for field in register.fields {
                assert_eq!(seen & field.mask(), 0, "{}.{}", register.name, field.name);
                seen |= field.mask();
                assert_eq!(field.get(field.put(u32::MAX)), field.mask() >> field.lsb);
            }
        }
    }

    #[test]
    fn counters_lie_where_their_registers_say() {
        for counter in Counter::ALL {
            let low = REGISTERS
                .iter()
                .find(|r| r.offset == counter.offset())
                .expect("a low word");
            assert!(low.name.ends_with("_LO"), "{}", low.name);
        }
    }
}
