//! The configuration of one profiler of a sweep.

use hpp_golden::config::{Geometry, IndexScheme};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues};
use serde::Serialize;

/// Sizes and control registers of a profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Configuration {
    /// The sizes.
    pub geometry: Geometry,
    /// The control registers.
    pub reset: ResetValues,
}

impl Configuration {
    /// What decides which paths complete: the rest is the table's alone.
    pub fn detector(&self) -> Self {
        let any = Geometry::default();
        Self {
            geometry: Geometry {
                sets: any.sets,
                ways: any.ways,
                index_scheme: any.index_scheme,
                accumulator_bits: any.accumulator_bits,
                lookup: any.lookup,
                replacement: any.replacement,
                ..self.geometry
            },
            reset: self.reset,
        }
    }

    /// The table in words: `128x4 lfu`.
    pub fn table(&self) -> String {
        let Geometry { sets, ways, .. } = self.geometry;
        let index = match self.geometry.index_scheme {
            IndexScheme::Full => "",
            IndexScheme::Start => " start",
        };
        format!("{sets}x{ways} {}{index}", self.geometry.replacement)
    }

    /// The paths in words: `ball-larus`, with what is not usual about them.
    pub fn paths(&self) -> String {
        let reset = &self.reset;
        let mut words = vec![match reset.rows == ResetValues::default().rows {
            true => String::from("ball-larus"),
            false => String::from("whole-program"),
        }];
        match reset.extension {
            Extension::None => {}
            Extension::Loop => words.push(format!("loops {}", reset.max_extension)),
            Extension::Procedure => words.push(format!("calls {}", reset.max_extension)),
        }
        let usual = Geometry::default();
        if self.geometry.max_branches != usual.max_branches {
            words.push(format!("at most {} branches", self.geometry.max_branches));
        }
        if self.geometry.stack_depth != usual.stack_depth {
            words.push(format!("stack of {}", self.geometry.stack_depth));
        }
        if self.geometry.stack_check {
            words.push("checked".into());
        }
        if self.geometry.context_bits != usual.context_bits {
            words.push(format!("contexts of {} bits", self.geometry.context_bits));
        }
        if reset.backward_not_taken == BackwardNotTaken::AsBackward {
            words.push("not-taken ends".into());
        }
        if reset.metric == Metric::Events {
            words.push("instructions".into());
        }
        words.join(", ")
    }
}
