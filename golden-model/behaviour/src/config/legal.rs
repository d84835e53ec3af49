//! Which geometries can be built.

use thiserror::Error;

use super::{Geometry, IndexScheme, MAX_ENTRIES, Replacement, ValueError};

/// Why a geometry cannot be built. The text says what is allowed.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GeometryError {
    /// A number that its parameter may not be.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The table is larger than any table may be.
    #[error("{sets} sets x {ways} ways = {entries} entries; allowed: at most {MAX_ENTRIES}")]
    TooManyEntries { sets: u32, ways: u32, entries: u64 },
    /// A start takes all 64 bits, address and context together, so that no bit is left to say whether an entry is in use.
    #[error(
        "pc-bits = 64 with align = 0, contexts included; allowed: at most 63 bits, or align 1 or 2"
    )]
    AddressTooWide,
    /// A table with shadows does not keep paths that are not hot: there would be nothing to drain.
    #[error(
        "replacement = shadow forgets paths that are not hot, so it has no drain; allowed: drain-depth = 0"
    )]
    ShadowDrain,
    /// A register names a policy that this version does not know.
    #[error(
        "GEOMETRY3.REPLACEMENT = {code} is no policy known here; use the `hpp` that came with the hardware"
    )]
    UnknownReplacement { code: u32 },
    /// A skewed table has a hash of its own for each way.
    #[error("replacement = {0} needs index-scheme = full; allowed: that, or replacement = lfu")]
    SkewedIndex(Replacement),
    /// An address and its context would not fit into 64 bits.
    #[error(
        "pc-bits = {pc_bits} and context-bits = {context_bits} are more than 64 together; allowed: at most 64"
    )]
    StartTooWide { pc_bits: u32, context_bits: u32 },
    /// A hart has a number, which is part of the context.
    #[error(
        "harts = {harts} needs {needed} bits of context for the number of a hart; allowed: context-bits = {needed} or more"
    )]
    HartsWithoutContext { harts: u32, needed: u32 },
    /// Paths of several harts wait for one table.
    #[error("harts = {0} needs lookup = sequential; allowed: that, or harts = 1")]
    HartsInParallel(u32),
    /// The triggers watch the records of one hart.
    #[error("triggers watch one hart; allowed: triggers = false, or harts = 1")]
    HartsWithTriggers,
    /// A tiny profiler lacks what this parameter turns on.
    #[error("{name} = {value} is not for engine = tiny; allowed: {allowed}")]
    Tiny {
        name: &'static str,
        value: String,
        allowed: String,
    },
    /// A path's event counter would not fit into the accumulator.
    #[error(
        "event-counter-bits = {event_counter_bits} exceeds accumulator-bits = {accumulator_bits}; \
         allowed: at most the accumulator's width"
    )]
    AccumulatorTooNarrow {
        event_counter_bits: u32,
        accumulator_bits: u32,
    },
}

impl Geometry {
    /// Checks that a profiler of this geometry can be built.
    ///
    /// # Errors
    ///
    /// The first of its [violations](Self::violations).
    pub fn validate(&self) -> Result<(), GeometryError> {
        self.violations().into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything that keeps a profiler of this geometry from being built: numbers out of range, in the order of the parameters, then what does not go
    /// together of those that are in range.
    pub fn violations(&self) -> Vec<GeometryError> {
        // Only the golden model has instructions of any number of bytes (x86), whose addresses have no bit that is always 0.
        let is_x86 = |error: &ValueError| self.align == 0 && error.name() == "align";
        let refusals: Vec<ValueError> = self.refusals().filter(|error| !is_x86(error)).collect();
        let refused: Vec<&str> = refusals.iter().map(ValueError::name).collect();
        let mut violations: Vec<GeometryError> =
            refusals.into_iter().map(GeometryError::from).collect();
        let together = self.together().into_iter().flatten();
        violations.extend(together.filter(|error| {
            let names = error.names();
            !names.iter().all(|name| refused.contains(name))
        }));
        violations.extend(self.tiny_violations());
        violations
    }

    /// Parameters that exclude each other.
    fn together(&self) -> [Option<GeometryError>; 9] {
        let start_bits = self.pc_bits.saturating_add(self.context_bits);
        let entries = u64::from(self.sets) * u64::from(self.ways);
        let skewed = self.replacement.is_skewed();
        [
            (self.context_bits > 0 && start_bits > u64::BITS).then_some(
                GeometryError::StartTooWide {
                    pc_bits: self.pc_bits,
                    context_bits: self.context_bits,
                },
            ),
            (start_bits.checked_sub(self.align) == Some(u64::BITS))
                .then_some(GeometryError::AddressTooWide),
            (entries > u64::from(MAX_ENTRIES)).then_some(GeometryError::TooManyEntries {
                sets: self.sets,
                ways: self.ways,
                entries,
            }),
            (skewed && self.index_scheme != IndexScheme::Full)
                .then_some(GeometryError::SkewedIndex(self.replacement)),
            (self.event_counter_bits > self.accumulator_bits).then_some(
                GeometryError::AccumulatorTooNarrow {
                    event_counter_bits: self.event_counter_bits,
                    accumulator_bits: self.accumulator_bits,
                },
            ),
            (self.has_drain() && self.replacement == Replacement::Shadow)
                .then_some(GeometryError::ShadowDrain),
            (self.context_bits < self.hart_bits()).then_some(GeometryError::HartsWithoutContext {
                harts: self.harts,
                needed: self.hart_bits(),
            }),
            (self.harts > 1 && !self.buffers_paths())
                .then_some(GeometryError::HartsInParallel(self.harts)),
            (self.harts > 1 && self.triggers).then_some(GeometryError::HartsWithTriggers),
        ]
    }
}

impl GeometryError {
    /// The parameters that it is about.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Value(error) => vec![error.name()],
            Self::Tiny { name, .. } => vec![name, "engine"],
            Self::TooManyEntries { .. } => vec!["ways", "sets"],
            Self::AddressTooWide => vec!["pc-bits", "align", "context-bits"],
            Self::UnknownReplacement { .. } => vec!["replacement"],
            Self::ShadowDrain => vec!["drain-depth", "replacement"],
            Self::SkewedIndex(_) => vec!["replacement", "index-scheme"],
            Self::StartTooWide { .. } => vec!["context-bits", "pc-bits"],
            Self::HartsWithoutContext { .. } => vec!["harts", "context-bits"],
            Self::HartsInParallel(_) => vec!["harts", "lookup"],
            Self::HartsWithTriggers => vec!["harts", "triggers"],
            Self::AccumulatorTooNarrow { .. } => vec!["event-counter-bits", "accumulator-bits"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a depth of 63 the error once named 32 as allowed.
    #[test]
    fn the_remedy_for_a_drain_is_legal() {
        let drained = |drain_depth| Geometry {
            drain_depth,
            ..Geometry::default()
        };
        for depth in [1, 3, 32, 33, 63] {
            let error = drained(depth).validate().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "drain-depth = {depth} is out of range; allowed: 0 for none, or a power of two, 64 to 4096"
                )
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
    fn every_violation_is_named() {
        let violations = Geometry {
            pc_bits: 64,
            context_bits: 4,
            sets: 100,
            ways: 33,
            replacement: Replacement::Shadow,
            drain_depth: 64,
            ..Geometry::default()
        }
        .violations();
        let said: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "sets = 100 is not a power of two; the nearest allowed: 64 and 128",
                "ways = 33 is out of range; allowed: 1 to 32",
                "pc-bits = 64 and context-bits = 4 are more than 64 together; allowed: at most 64",
                "replacement = shadow forgets paths that are not hot, so it has no drain; allowed: drain-depth = 0",
            ]
        );
    }

    #[test]
    fn errors_name_what_is_allowed() {
        let error = |geometry: Geometry| geometry.validate().unwrap_err().to_string();
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
