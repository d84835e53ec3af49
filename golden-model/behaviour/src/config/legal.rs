//! Which geometries can be built.

use thiserror::Error;

use super::{
    Geometry, IndexScheme, LookupScheme, MAX_CONTEXT_BITS, MAX_ENTRIES, MIN_DRAIN_DEPTH,
    Replacement,
};
use crate::path::MAX_BRANCHES;

/// Why a geometry cannot be built. The text says what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GeometryError {
    /// A parameter lies outside its range.
    #[error("{name} = {value} is out of range; allowed: {low} to {high}")]
    OutOfRange {
        /// The parameter, as it is spelt in a configuration file.
        name: &'static str,
        /// What was asked for.
        value: u32,
        /// Least allowed value.
        low: u32,
        /// Greatest allowed value.
        high: u32,
    },
    /// A parameter that must be a power of two is not.
    #[error("{name} = {value} is not a power of two; the nearest allowed: {below} and {above}")]
    NotPowerOfTwo {
        /// The parameter, as it is spelt in a configuration file.
        name: &'static str,
        /// What was asked for.
        value: u32,
        /// The power of two below.
        below: u32,
        /// The power of two above.
        above: u32,
    },
    /// The table is larger than any table may be.
    #[error("{sets} sets x {ways} ways = {entries} entries; allowed: at most {MAX_ENTRIES}")]
    TooManyEntries {
        /// Sets asked for.
        sets: u32,
        /// Ways asked for.
        ways: u32,
        /// Their product.
        entries: u64,
    },
    /// An address, with its context, without a bit that is always 0, as wide as a word: an entry has no room to tell it from none.
    #[error(
        "pc-bits = 64 with align = 0, contexts included; allowed: at most 63 bits, or align 1 or 2"
    )]
    AddressTooWide,
    /// A drain has too few entries to hold the core in time.
    #[error(
        "drain-depth = {depth} is too small; allowed: 0 for none, or at least {MIN_DRAIN_DEPTH}"
    )]
    DrainTooSmall {
        /// Entries asked for.
        depth: u32,
    },
    /// A table with shadows does not keep paths that are not hot: there would be nothing to drain.
    #[error(
        "replacement = shadow forgets paths that are not hot, so it has no drain; allowed: drain-depth = 0"
    )]
    ShadowDrain,
    /// A register names a policy that is none of those known here.
    #[error(
        "GEOMETRY3.REPLACEMENT = {code} is no policy known here; use the `hpp` that came with the hardware"
    )]
    UnknownReplacement {
        /// What the register says.
        code: u32,
    },
    /// A skewed table looks all candidates of a path up at once.
    #[error("replacement = {0} needs lookup = parallel")]
    SkewedLookup(Replacement),
    /// A skewed table has a hash of its own for each way.
    #[error("replacement = {0} needs index-scheme = full")]
    SkewedIndex(Replacement),
    /// An address and its context would not fit into 64 bits.
    #[error(
        "pc-bits = {pc_bits} and context-bits = {context_bits} are more than 64 together; allowed: at most 64"
    )]
    StartTooWide {
        /// Width of an address.
        pc_bits: u32,
        /// Width of a context.
        context_bits: u32,
    },
    /// A path's event counter would not fit into the accumulator.
    #[error(
        "event-counter-bits = {event_counter_bits} exceeds accumulator-bits = {accumulator_bits}; \
         allowed: at most the accumulator's width"
    )]
    AccumulatorTooNarrow {
        /// Width of the event counter.
        event_counter_bits: u32,
        /// Width of the accumulator.
        accumulator_bits: u32,
    },
}

/// A parameter's name and the values it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The parameter, as it is spelt in a configuration file.
    pub name: &'static str,
    /// Least allowed value.
    pub low: u32,
    /// Greatest allowed value.
    pub high: u32,
    /// Whether only powers of two are allowed.
    pub power_of_two: bool,
}

const fn range(name: &'static str, low: u32, high: u32, power_of_two: bool) -> Range {
    Range {
        name,
        low,
        high,
        power_of_two,
    }
}

impl Range {
    fn check(&self, value: u32) -> Result<(), GeometryError> {
        let Self {
            name,
            low,
            high,
            power_of_two,
        } = *self;
        if value < low || value > high {
            return Err(GeometryError::OutOfRange {
                name,
                value,
                low,
                high,
            });
        }
        if power_of_two && value != 0 && !value.is_power_of_two() {
            let above = value.next_power_of_two();
            return Err(GeometryError::NotPowerOfTwo {
                name,
                value,
                below: above / 2,
                above,
            });
        }
        Ok(())
    }
}

impl Geometry {
    /// The numeric parameters and what they may be, in the order of the struct's fields.
    pub const RANGES: [Range; 14] = [
        range("sets", 2, 4096, true),
        range("ways", 1, 32, false),
        range("max-branches", 1, MAX_BRANCHES, false),
        range("stack-depth", 2, 256, true),
        range("queue-depth", 2, 64, true),
        range("pc-bits", 32, 64, false),
        range("align", 0, 2, false),
        range("event-bits", 1, 32, false),
        range("event-counter-bits", 1, 32, false),
        range("extension-bits", 1, 8, false),
        range("accumulator-bits", 8, 32, false),
        range("counter-bits", 32, 64, false),
        range("context-bits", 0, MAX_CONTEXT_BITS, false),
        range("drain-depth", 0, 4096, true),
    ];

    /// The numeric parameters in the order of [`Geometry::RANGES`].
    #[must_use]
    pub const fn values(&self) -> [u32; 14] {
        [
            self.sets,
            self.ways,
            self.max_branches,
            self.stack_depth,
            self.queue_depth,
            self.pc_bits,
            self.align,
            self.event_bits,
            self.event_counter_bits,
            self.extension_bits,
            self.accumulator_bits,
            self.counter_bits,
            self.context_bits,
            self.drain_depth,
        ]
    }

    /// Checks that a profiler of this geometry can be built.
    ///
    /// # Errors
    ///
    /// The first parameter found to be out of range, with what is allowed.
    pub fn validate(&self) -> Result<(), GeometryError> {
        self.check_drain_size()?;
        for (range, value) in Self::RANGES.iter().zip(self.values()) {
            range.check(value)?;
        }
        self.check_start()?;
        self.check_table()?;
        self.check_drain()
    }

    /// An address and its context, as an entry keeps them.
    fn check_start(&self) -> Result<(), GeometryError> {
        if self.start_bits() > u64::BITS {
            return Err(GeometryError::StartTooWide {
                pc_bits: self.pc_bits,
                context_bits: self.context_bits,
            });
        }
        if self.start_bits() - self.align == u64::BITS {
            return Err(GeometryError::AddressTooWide);
        }
        Ok(())
    }

    /// Size, policy and accumulators of the table.
    fn check_table(&self) -> Result<(), GeometryError> {
        let entries = u64::from(self.sets) * u64::from(self.ways);
        if entries > u64::from(MAX_ENTRIES) {
            return Err(GeometryError::TooManyEntries {
                sets: self.sets,
                ways: self.ways,
                entries,
            });
        }
        if self.replacement.is_skewed() {
            if self.lookup != LookupScheme::Parallel {
                return Err(GeometryError::SkewedLookup(self.replacement));
            }
            if self.index_scheme != IndexScheme::Full {
                return Err(GeometryError::SkewedIndex(self.replacement));
            }
        }
        if self.event_counter_bits > self.accumulator_bits {
            return Err(GeometryError::AccumulatorTooNarrow {
                event_counter_bits: self.event_counter_bits,
                accumulator_bits: self.accumulator_bits,
            });
        }
        Ok(())
    }

    /// Before its range, which would name the powers of two beside it, and those may be too small as well.
    const fn check_drain_size(&self) -> Result<(), GeometryError> {
        if self.has_drain() && self.drain_depth < MIN_DRAIN_DEPTH {
            return Err(GeometryError::DrainTooSmall {
                depth: self.drain_depth,
            });
        }
        Ok(())
    }

    /// The FIFO behind the table.
    fn check_drain(&self) -> Result<(), GeometryError> {
        if self.has_drain() && self.replacement == Replacement::Shadow {
            return Err(GeometryError::ShadowDrain);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 63, 32 was named among the nearest that are allowed.
    #[test]
    fn what_a_drain_is_told_to_be_instead_is_allowed() {
        let drained = |drain_depth| Geometry {
            drain_depth,
            ..Geometry::default()
        };
        for depth in [1, 3, 32, 33, 63] {
            let error = drained(depth).validate().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("drain-depth = {depth} is too small; allowed: 0 for none, or at least 64")
            );
        }
        assert_eq!(
            drained(65).validate().unwrap_err().to_string(),
            "drain-depth = 65 is not a power of two; the nearest allowed: 64 and 128"
        );
        for depth in [0, 64, 128] {
            assert_eq!(drained(depth).validate(), Ok(()));
        }
    }

    #[test]
    fn errors_name_what_is_allowed() {
        let error = |geometry: Geometry| geometry.validate().unwrap_err().to_string();
        assert_eq!(
            error(Geometry {
                sets: 100,
                ..Geometry::default()
            }),
            "sets = 100 is not a power of two; the nearest allowed: 64 and 128"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 31,
                ..Geometry::default()
            }),
            "pc-bits = 31 is out of range; allowed: 32 to 64"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 64,
                align: 0,
                ..Geometry::default()
            }),
            "pc-bits = 64 with align = 0, contexts included; allowed: at most 63 bits, or align 1 or 2"
        );
        assert_eq!(
            error(Geometry {
                pc_bits: 60,
                context_bits: 5,
                ..Geometry::default()
            }),
            "pc-bits = 60 and context-bits = 5 are more than 64 together; allowed: at most 64"
        );
        assert_eq!(
            error(Geometry {
                sets: 4096,
                ways: 32,
                ..Geometry::default()
            }),
            "4096 sets x 32 ways = 131072 entries; allowed: at most 65536"
        );
        assert_eq!(
            error(Geometry {
                accumulator_bits: 8,
                event_counter_bits: 9,
                ..Geometry::default()
            }),
            "event-counter-bits = 9 exceeds accumulator-bits = 8; allowed: at most the accumulator's width"
        );
    }
}
