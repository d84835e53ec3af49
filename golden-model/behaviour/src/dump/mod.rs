//! A profile that was read over the bus, and its text.
//!
//! `docs/dump.md` describes the text. [`Dump::of`] is what the golden model would have printed.

mod content;
mod error;
mod frame;
mod text;

pub use error::{DumpError, Fault};
pub use text::VERSION;

use crate::config::{Engine, Geometry, GeometryError, IndexScheme, LookupScheme, Replacement};
use crate::path::PathDescriptor;
use crate::profiler::{Drain, ExactProfile, IllegalRow, Ppcr, Profiler, TableEntry};
use crate::registers::{Counter, geometry_words, geometry0, geometry1, geometry2, geometry3};
use std::collections::BTreeMap;

/// A profile that was read over the bus and printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// SHA-256 of the configuration the profiler was generated from, in hexadecimal, if the text says so.
    pub configuration: Option<String>,
    /// Build ID of the program that ran, in hexadecimal, if the text says so.
    pub program: Option<String>,
    /// Registers `GEOMETRY0` to `GEOMETRY3`.
    pub geometry: [u32; 4],
    /// Registers `PPCR_ROWS` and `PPCR_MODE`.
    pub ppcr: [u32; 2],
    /// Register `ERRORS`.
    pub errors: u32,
    /// Register `CONTEXT`: which contexts' paths were shown.
    pub filter: u32,
    /// Register `REPAIRS`.
    pub repairs: u32,
    /// The statistics counters, in the order of [`Counter::ALL`].
    pub counters: [u64; Counter::COUNT],
    /// The entries in use, by number.
    pub entries: BTreeMap<u32, TableEntry>,
    /// What left the table, if the profiler has a drain.
    pub drained: Option<Drained>,
}

/// What is known of the entries that left a table with a drain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    /// Entries that still waited in the drain: register `DRAIN_STATUS`.
    pub waiting: u32,
    /// Entries that were lost, modulo 2^32: register `DRAIN_LOST`.
    pub lost: u32,
    /// What they had counted, modulo 2^64.
    pub lost_count: u64,
    /// What was taken out of the drain, each path with the sum of its counts.
    pub left: BTreeMap<PathDescriptor, u64>,
}

impl Drained {
    fn of(drain: &Drain) -> Self {
        let sight = drain.sight();
        Self {
            waiting: sight.level,
            lost: sight.lost,
            lost_count: sight.lost_count,
            left: BTreeMap::new(),
        }
    }
}

/// One dump of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The line it begins on, from 1.
    pub line: usize,
    /// What it holds, or why it cannot be trusted.
    pub dump: Result<Dump, DumpError>,
}

impl Dump {
    /// What the profiler would print. It knows neither its configuration's hash nor the program.
    pub fn of(profiler: &Profiler) -> Self {
        let ppcr = profiler.registers().ppcr();
        Self {
            configuration: None,
            program: None,
            geometry: geometry_words(profiler.geometry()),
            ppcr: [ppcr.rows.to_word(), ppcr.mode_word()],
            errors: profiler.registers().errors(),
            filter: profiler.registers().filter().to_word(),
            repairs: profiler.counters().repairs(),
            counters: profiler.counters().values(),
            entries: profiler
                .table()
                .entries()
                .map(|(number, entry)| (number as u32, entry))
                .collect(),
            drained: profiler.drain().map(Drained::of),
        }
    }

    /// Every dump of a log, in order; other text around and between their lines is passed over. Linear.
    pub fn all(log: &str) -> Vec<Logged> {
        frame::frames(log)
            .into_iter()
            .map(|frame| Logged {
                line: frame.line,
                dump: frame.dump(),
            })
            .collect()
    }

    /// The last dump of a log.
    ///
    /// # Errors
    ///
    /// If the log has no dump, or the last one cannot be trusted; see [`DumpError`].
    pub fn read(log: &str) -> Result<Self, DumpError> {
        let last = Self::all(log).pop();
        last.map_or(Err(DumpError::Missing), |logged| logged.dump)
    }

    /// The profile that the table and what left it come to.
    pub fn profile(&self) -> ExactProfile {
        let mut profile: ExactProfile = self.entries.values().copied().collect();
        for (path, count) in self.drained.iter().flat_map(|drained| &drained.left) {
            profile.add(*path, *count);
        }
        profile
    }

    /// The entries, hottest first, equals by descriptor.
    pub fn hottest(&self) -> Vec<TableEntry> {
        let mut entries: Vec<_> = self.entries.values().copied().collect();
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.count), entry.descriptor));
        entries
    }

    /// A counter's value.
    pub const fn counter(&self, counter: Counter) -> u64 {
        self.counters[counter as usize]
    }

    /// The sizes of the profiler that printed it.
    ///
    /// # Errors
    ///
    /// If the geometry registers hold sizes that no profiler has; never after [`Dump::read`].
    pub fn sizes(&self) -> Result<Geometry, GeometryError> {
        let [sizes, detector, table, beyond] = self.geometry;
        let policy = geometry3::REPLACEMENT.get(beyond);
        let geometry = Geometry {
            sets: 1 << geometry0::LOG2_SETS.get(sizes).min(31),
            ways: geometry0::WAYS.get(sizes),
            stack_depth: geometry1::STACK_DEPTH.get(detector) + 1,
            queue_depth: geometry1::QUEUE_DEPTH.get(detector) + 1,
            event_bits: geometry1::EVENT_BITS.get(detector),
            event_counter_bits: geometry1::EVENT_COUNTER_BITS.get(detector),
            accumulator_bits: geometry2::ACCUMULATOR_BITS.get(table),
            counter_bits: geometry2::COUNTER_BITS.get(table),
            extension_bits: geometry2::EXTENSION_BITS.get(table),
            align: geometry2::ALIGN.get(table),
            index_scheme: match geometry2::INDEX_SCHEME.get(table) {
                0 => IndexScheme::Full,
                _ => IndexScheme::Start,
            },
            lookup: match geometry2::LOOKUP.get(table) {
                0 => LookupScheme::Parallel,
                _ => LookupScheme::Sequential,
            },
            replacement: Replacement::from_code(policy)
                .ok_or(GeometryError::UnknownReplacement { code: policy })?,
            stack_check: geometry3::STACK_CHECK.get(beyond) == 1,
            drain_depth: match geometry3::LOG2_DRAIN_DEPTH.get(beyond) {
                0 => 0,
                log2 => 1 << log2,
            },
            triggers: geometry3::TRIGGERS.get(beyond) == 1,
            harts: geometry3::HARTS.get(beyond) + 1,
            ..self.entry_sizes()
        };
        geometry.validate()?;
        Ok(geometry)
    }

    /// The sizes that decide on the words of an entry. The others are defaults.
    pub(crate) fn entry_sizes(&self) -> Geometry {
        let [sizes, .., beyond] = self.geometry;
        Geometry {
            max_branches: geometry0::MAX_BRANCHES.get(sizes),
            pc_bits: geometry0::PC_BITS.get(sizes),
            context_bits: geometry3::CONTEXT_BITS.get(beyond),
            engine: match geometry3::ENGINE.get(beyond) {
                0 => Engine::Full,
                _ => Engine::Tiny,
            },
            ..Geometry::default()
        }
    }

    /// The control register in force.
    ///
    /// # Errors
    ///
    /// If `PPCR_ROWS` holds a row that the hardware refuses; never after [`Dump::read`].
    pub fn control(&self, geometry: &Geometry) -> Result<Ppcr, IllegalRow> {
        let mut ppcr = Ppcr::ball_larus();
        ppcr.rows.write(self.ppcr[0])?;
        ppcr.write_mode(self.ppcr[1], geometry);
        Ok(ppcr)
    }

    /// Whether the profiler has a drain.
    pub(crate) const fn has_drain(&self) -> bool {
        geometry3::LOG2_DRAIN_DEPTH.get(self.geometry[3]) > 0
    }

    /// Most branches a path records.
    pub fn max_branches(&self) -> u32 {
        geometry0::MAX_BRANCHES.get(self.geometry[0])
    }
}
