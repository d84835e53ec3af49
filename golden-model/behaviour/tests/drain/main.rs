//! Nothing is forgotten: table, drain, what was taken out of it and what it lost add up to every path.

mod as_software_sees_it;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, GeometryError, LookupScheme, Replacement, ValueError};
use hpp_golden::path::{CompletedPath, PathDescriptor, Repeated};
use hpp_golden::profiler::{
    Drain, ExactProfile, HotPathTable, Lookup, Profiler, ResetValues, TableEntry, TableTally,
};
use hpp_golden::registers::{self, Counter, drain_command, drain_control, errors, ppcr_mode};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let lookup = prop_oneof![Just(LookupScheme::Parallel), Just(LookupScheme::Sequential)];
    let policies = Replacement::ALL
        .into_iter()
        .filter(|policy| *policy != Replacement::Shadow);
    let replacement = prop::sample::select(policies.collect::<Vec<_>>());
    let sizes = (1..4_u32, 1..5_u32, 8..=32_u32, 6..8_u32);
    (sizes, lookup, replacement).prop_map(|(sizes, lookup, replacement)| Geometry {
        sets: 1 << sizes.0,
        ways: sizes.1,
        accumulator_bits: sizes.2,
        event_counter_bits: 8,
        drain_depth: 1 << sizes.3,
        lookup: match replacement {
            Replacement::Lfu => lookup,
            _ => LookupScheme::Parallel,
        },
        replacement,
        ..Geometry::default()
    })
}

fn record() -> impl Strategy<Value = BranchRecord> {
    let kinds = prop::sample::select(vec![
        BranchKind::Forward,
        BranchKind::Backward,
        BranchKind::Backward,
        BranchKind::Call,
        BranchKind::Return,
    ]);
    (kinds, any::<bool>(), 0..60_u64, 0..256_u32).prop_map(|(kind, taken, target, events)| {
        let conditional = matches!(kind, BranchKind::Forward | BranchKind::Backward);
        BranchRecord::new(kind, taken || !conditional, 0x1000 + 4 * target, 0).with_events(events)
    })
}

fn profiler(geometry: &Geometry) -> Profiler {
    Profiler::new(geometry, &ResetValues::enabled()).expect("a legal geometry")
}

/// One with two entries and 64 places for what leaves them, after so many turns of so many loops.
fn two_entries(turns: u64, loops: u64) -> Profiler {
    let mut profiler = profiler(&Geometry {
        sets: 2,
        ways: 1,
        drain_depth: 64,
        ..Geometry::default()
    });
    for turn in 0..turns {
        let target = 0x1000 + 4 * (turn % loops);
        profiler.profile(&BranchRecord::new(BranchKind::Backward, true, target, 0));
    }
    profiler
}

fn add(profile: &mut ExactProfile, entry: &TableEntry) {
    profile.add(entry.descriptor, entry.count.into());
}

proptest! {
    #[test]
    fn what_left_and_what_stayed_is_everything(
        geometry in geometry(),
        records in prop::collection::vec(record(), 1..1500),
        hold: bool,
        by_events: bool,
        every in 1..60_usize,
        taken in 0..30_usize,
    ) {
        let mut profiler = profiler(&geometry);
        profiler.write(registers::DRAIN_CONTROL.offset, drain_control::HOLD.put(hold.into()));
        profiler.write(registers::PPCR_MODE.offset, ppcr_mode::METRIC.put(by_events.into()));
        let (mut exact, mut kept) = (ExactProfile::new(), ExactProfile::new());
        for records in records.chunks(every) {
            let paths = records.iter().filter_map(|record| profiler.profile(record));
            paths.for_each(|path| exact.record(&path));
            for _ in 0..taken {
                profiler.take_left().iter().for_each(|entry| add(&mut kept, entry));
            }
        }
        while let Some(entry) = profiler.take_left() {
            add(&mut kept, &entry);
        }
        profiler.table().entries().for_each(|(_, entry)| add(&mut kept, &entry));
        let sight = profiler.drain().expect("the geometry has one").sight();
        prop_assert_eq!(kept.total() + sight.lost_count, exact.total());
        prop_assert!(kept.iter().all(|(path, count)| count <= exact.get(path)));
        let errors = profiler.read(registers::ERRORS.offset);
        prop_assert_eq!(errors & errors::DRAIN_LOST.mask() != 0, sight.lost > 0);
        prop_assert_eq!(errors & errors::ACCUMULATOR_SATURATED.mask(), 0);
        if hold {
            prop_assert_eq!(sight.lost, 0);
            prop_assert_eq!(kept, exact);
        }
    }

    /// A table with a drain does what one without does, as long as no accumulator runs over.
    #[test]
    fn a_drain_changes_nothing_in_the_table(
        geometry in geometry(),
        records in prop::collection::vec(record(), 1..200),
    ) {
        let with = Geometry { accumulator_bits: 32, ..geometry };
        let without = Geometry { drain_depth: 0, ..with };
        let tables = [with, without].map(|geometry| {
            let mut profiler = profiler(&geometry);
            records.iter().for_each(|record| _ = profiler.profile(record));
            let counters = profiler.counters().values();
            (profiler.table().entries().collect::<Vec<_>>(), counters)
        });
        prop_assert_eq!(&tables[0], &tables[1]);
    }

    /// What software reads is the head, whole; TAKE takes it, CLEAR takes all.
    #[test]
    fn software_reads_and_takes_the_entry_that_left_first(
        geometry in geometry(),
        records in prop::collection::vec(record(), 1..400),
    ) {
        let mut profiler = profiler(&geometry);
        records.iter().for_each(|record| _ = profiler.profile(record));
        let level = |profiler: &mut Profiler| profiler.read(registers::DRAIN_STATUS.offset);
        let waiting = profiler.drain().expect("it has one").entries().clone();
        prop_assert_eq!(level(&mut profiler), waiting.len() as u32);
        for (taken, entry) in waiting.iter().take(5).enumerate() {
            prop_assert_eq!(level(&mut profiler) as usize, waiting.len() - taken);
            prop_assert_eq!(head(&mut profiler), *entry);
            profiler.write(registers::DRAIN_COMMAND.offset, drain_command::TAKE.mask());
        }
        profiler.write(registers::DRAIN_COMMAND.offset, drain_command::CLEAR.mask());
        prop_assert_eq!(level(&mut profiler), 0);
        prop_assert_eq!(profiler.read(registers::DRAIN_COUNT.offset), 0);
        profiler.write(registers::DRAIN_COMMAND.offset, drain_command::TAKE.mask());
        prop_assert_eq!(level(&mut profiler), 0, "nothing to take");
    }
}

fn head(profiler: &mut Profiler) -> TableEntry {
    let mut read = |register: registers::Register| u64::from(profiler.read(register.offset));
    TableEntry {
        descriptor: PathDescriptor {
            start: read(registers::DRAIN_START_LO) | read(registers::DRAIN_START_HI) << 32,
            outcomes: read(registers::DRAIN_OUTCOMES_LO) | read(registers::DRAIN_OUTCOMES_HI) << 32,
            length: read(registers::DRAIN_LENGTH) as u32,
        },
        count: read(registers::DRAIN_COUNT) as u32,
    }
}

#[test]
fn the_counters_of_what_was_lost_are_cleared_with_the_others() {
    let mut profiler = two_entries(500, 50);
    let replaced = profiler.counters().get(Counter::Replacements) as u32;
    let lost = [registers::DRAIN_LOST, registers::DRAIN_LOST_COUNT_LO];
    assert_eq!(lost.map(|r| profiler.read(r.offset)), [replaced - 64; 2]);
    profiler.write(registers::COMMAND.offset, u32::MAX);
    assert_eq!(lost.map(|r| profiler.read(r.offset)), [0; 2]);
}

#[test]
fn an_impossible_drain_is_refused() {
    let validate = |geometry: Geometry| geometry.validate().expect_err("impossible");
    let base = Geometry::default();
    let depth = |drain_depth| Geometry {
        drain_depth,
        ..base
    };
    let GeometryError::Value(ValueError::OutOfRange { value: 32, .. }) = validate(depth(32)) else {
        panic!("32 are too few");
    };
    let GeometryError::Value(ValueError::NotPowerOfTwo { value: 100, .. }) = validate(depth(100))
    else {
        panic!("100 is no power of two");
    };
    let shadow = Geometry {
        replacement: Replacement::Shadow,
        ..depth(64)
    };
    assert_eq!(validate(shadow), GeometryError::ShadowDrain);
}

#[test]
fn an_entry_whose_count_would_not_fit_is_evicted_and_begins_again() {
    for replacement in [Replacement::Lfu, Replacement::Rrip] {
        let geometry = Geometry {
            accumulator_bits: 8,
            drain_depth: 64,
            replacement,
            ..Geometry::default()
        };
        let descriptor = PathDescriptor::new(0x40);
        let path = |count| CompletedPath { descriptor, count };
        let mut table = HotPathTable::new(&geometry);
        assert_eq!(table.record(&path(250)), Lookup::Inserted);
        let count = 250;
        let evicted = TableEntry { descriptor, count };
        assert_eq!(table.record(&path(6)), Lookup::Restarted { evicted });
        let (_, entry) = table.entries().next().expect("it begins again");
        assert_eq!(entry.count, 6);
        let all = TableTally {
            hits: 3,
            ..TableTally::default()
        };
        let (path, times) = (path(100), 3);
        assert_eq!(table.record_repeated(&Repeated { path, times }), all);
        (0..times).for_each(|_| _ = table.record(&path));
        let (_, entry) = table.entries().next().expect("it is there");
        assert_eq!(entry.count, 200);
    }
}
