//! The geometries that are driven in lockstep: few enough to build in a test, far enough apart to meet every corner.

use hpp_golden::config::{Geometry, IndexScheme};

/// A geometry and what it is there for.
#[derive(Debug, Clone, Copy)]
pub struct Named {
    /// Name on the command line and in reports.
    pub name: &'static str,
    /// The sizes.
    pub geometry: Geometry,
}

/// The geometries, the default one first.
pub fn all() -> Vec<Named> {
    let base = Geometry::default();
    let named = |name, geometry| Named { name, geometry };
    vec![
        named("default", base),
        named("smallest", smallest()),
        named("odd", odd()),
        named("widest", widest()),
        named(
            "direct-mapped",
            Geometry {
                sets: 256,
                ways: 1,
                index_scheme: IndexScheme::Start,
                ..base
            },
        ),
        named(
            "associative",
            Geometry {
                sets: 2,
                ways: 32,
                queue_depth: 2,
                ..base
            },
        ),
        named(
            "saturating",
            Geometry {
                sets: 4,
                ways: 2,
                accumulator_bits: 8,
                event_counter_bits: 8,
                stack_depth: 4,
                ..base
            },
        ),
        named(
            "rv64",
            Geometry {
                sets: 64,
                ways: 2,
                max_branches: 16,
                pc_bits: 39,
                align: 1,
                ..base
            },
        ),
        named(
            "five-way",
            Geometry {
                sets: 32,
                ways: 5,
                max_branches: 33,
                accumulator_bits: 17,
                ..base
            },
        ),
        named(
            "largest",
            Geometry {
                sets: 4096,
                ways: 16,
                stack_depth: 256,
                queue_depth: 64,
                ..base
            },
        ),
    ]
}

/// Every parameter at its least.
fn smallest() -> Geometry {
    Geometry {
        sets: 2,
        ways: 1,
        max_branches: 1,
        stack_depth: 2,
        queue_depth: 2,
        pc_bits: 32,
        align: 1,
        event_bits: 1,
        event_counter_bits: 1,
        extension_bits: 1,
        accumulator_bits: 8,
        counter_bits: 32,
        index_scheme: IndexScheme::Full,
    }
}

/// No parameter a round number where it need not be one.
fn odd() -> Geometry {
    Geometry {
        sets: 16,
        ways: 3,
        max_branches: 7,
        stack_depth: 4,
        queue_depth: 8,
        pc_bits: 41,
        align: 1,
        event_bits: 5,
        event_counter_bits: 7,
        extension_bits: 3,
        accumulator_bits: 11,
        counter_bits: 37,
        index_scheme: IndexScheme::Start,
    }
}

/// Every width at its greatest.
fn widest() -> Geometry {
    Geometry {
        sets: 64,
        ways: 8,
        max_branches: 64,
        stack_depth: 16,
        queue_depth: 16,
        pc_bits: 64,
        align: 1,
        event_bits: 32,
        event_counter_bits: 32,
        extension_bits: 8,
        accumulator_bits: 32,
        counter_bits: 64,
        index_scheme: IndexScheme::Full,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_geometry_can_be_built() {
        for Named { name, geometry } in all() {
            assert_eq!(geometry.validate(), Ok(()), "{name}");
        }
    }
}
