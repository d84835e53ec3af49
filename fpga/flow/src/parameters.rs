//! What a parameter of a profiler's geometry costs: the default profiler, changed in one place.

use hpp_golden::config::{Geometry, LookupScheme};

/// A change of the geometry, as a configuration file would say it.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// What a configuration file says.
    pub text: &'static str,
    /// The change.
    pub apply: fn(&mut Geometry),
}

/// The changes of the table, in the order of the manual's parameters; the last are several at once.
pub const CHANGES: [Change; 17] = [
    Change {
        text: "sets = 64",
        apply: |geometry| geometry.sets = 64,
    },
    Change {
        text: "sets = 256",
        apply: |geometry| geometry.sets = 256,
    },
    Change {
        text: "ways = 1",
        apply: |geometry| geometry.ways = 1,
    },
    Change {
        text: "ways = 2",
        apply: |geometry| geometry.ways = 2,
    },
    Change {
        text: "ways = 8",
        apply: |geometry| geometry.ways = 8,
    },
    Change {
        text: "max-branches = 16",
        apply: |geometry| geometry.max_branches = 16,
    },
    Change {
        text: "max-branches = 64",
        apply: |geometry| geometry.max_branches = 64,
    },
    Change {
        text: "stack-depth = 16",
        apply: |geometry| geometry.stack_depth = 16,
    },
    Change {
        text: "stack-depth = 64",
        apply: |geometry| geometry.stack_depth = 64,
    },
    Change {
        text: "pc-bits = 39",
        apply: |geometry| geometry.pc_bits = 39,
    },
    Change {
        text: "event-bits = 1, event-counter-bits = 1",
        apply: |geometry| (geometry.event_bits, geometry.event_counter_bits) = (1, 1),
    },
    Change {
        text: "accumulator-bits = 24",
        apply: |geometry| geometry.accumulator_bits = 24,
    },
    Change {
        text: "accumulator-bits = 16",
        apply: |geometry| geometry.accumulator_bits = 16,
    },
    Change {
        text: "counter-bits = 32",
        apply: |geometry| geometry.counter_bits = 32,
    },
    Change {
        text: "lookup = \"parallel\"",
        apply: |geometry| geometry.lookup = LookupScheme::Parallel,
    },
    Change {
        text: "max-branches = 16, stack-depth = 16",
        apply: |geometry| (geometry.max_branches, geometry.stack_depth) = (16, 16),
    },
    Change {
        text: "max-branches = 16, stack-depth = 16, accumulator-bits = 24",
        apply: |geometry| {
            (geometry.max_branches, geometry.stack_depth) = (16, 16);
            geometry.accumulator_bits = 24;
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_gen::Config;

    #[test]
    fn a_change_does_what_a_configuration_file_with_its_text_does() {
        for change in CHANGES {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let file = folder.path().join("changed.toml");
            let lines = change.text.replace(", ", "\n");
            std::fs::write(&file, format!("[geometry]\n{lines}\n")).expect("a file");
            let mut geometry = Geometry::default();
            (change.apply)(&mut geometry);
            let read = Config::from_file(&file).expect(change.text);
            assert_eq!(read.geometry, geometry, "{}", change.text);
            assert_ne!(geometry, Geometry::default(), "{}", change.text);
        }
    }
}
