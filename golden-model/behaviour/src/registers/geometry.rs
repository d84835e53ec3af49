//! What the sizes of a profiler say about its registers.

use super::{geometry0, geometry1, geometry2, geometry3};
use crate::config::{Geometry, IndexScheme};

/// Bytes of address space the registers occupy, but for those of a drain and of triggers.
pub const ADDRESS_SPACE: u32 = 0x80;

/// Bytes of address space the registers of a profiler with a drain or triggers occupy: theirs lie after the others.
pub const WIDE_ADDRESS_SPACE: u32 = 2 * ADDRESS_SPACE;

/// Width of a register's word address in bits, with a drain or triggers.
pub const WIDE_ADDRESS_BITS: u32 = ADDRESS_BITS + 1;

/// Width of a register's word address in bits.
pub const ADDRESS_BITS: u32 = (ADDRESS_SPACE / 4).trailing_zeros();

impl Geometry {
    /// Width of a register's word address on the bus.
    pub const fn address_bits(&self) -> u32 {
        if self.has_drain() || self.triggers {
            WIDE_ADDRESS_BITS
        } else {
            ADDRESS_BITS
        }
    }

    /// Bytes of address space that the registers take.
    pub const fn address_space(&self) -> u32 {
        4 << self.address_bits()
    }
}

/// The words of the registers `GEOMETRY0` to `GEOMETRY3`.
pub const fn geometry_words(geometry: &Geometry) -> [u32; 4] {
    [
        geometry0::LOG2_SETS.put(geometry.set_bits())
            | geometry0::WAYS.put(geometry.ways)
            | geometry0::MAX_BRANCHES.put(geometry.max_branches)
            | geometry0::PC_BITS.put(geometry.pc_bits),
        geometry1::STACK_DEPTH.put(geometry.stack_depth - 1)
            | geometry1::QUEUE_DEPTH.put(geometry.queue_depth - 1)
            | geometry1::EVENT_BITS.put(geometry.event_bits)
            | geometry1::EVENT_COUNTER_BITS.put(geometry.event_counter_bits),
        geometry2::ACCUMULATOR_BITS.put(geometry.accumulator_bits)
            | geometry2::COUNTER_BITS.put(geometry.counter_bits)
            | geometry2::EXTENSION_BITS.put(geometry.extension_bits)
            | geometry2::ALIGN.put(geometry.align)
            | geometry2::INDEX_SCHEME.put(match geometry.index_scheme {
                IndexScheme::Full => 0,
                IndexScheme::Start => 1,
            })
            | geometry2::LOOKUP.put(geometry.buffers_paths() as u32)
            | geometry2::ENTRY_WORDS.put(geometry.entry_words()),
        geometry3::CONTEXT_BITS.put(geometry.context_bits)
            | geometry3::STACK_CHECK.put(geometry.stack_check as u32)
            | geometry3::REPLACEMENT.put(geometry.replacement.code())
            | geometry3::LOG2_DRAIN_DEPTH.put(match geometry.drain_depth {
                0 => 0,
                depth => depth.trailing_zeros(),
            })
            | geometry3::HARTS.put(geometry.harts - 1)
            | geometry3::TRIGGERS.put(geometry.triggers as u32)
            | geometry3::ENGINE.put(geometry.engine as u32),
    ]
}
