//! Nothing is forgotten: table, drain, what was taken out of it and what it lost add up to every path.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, GeometryError, LookupScheme, Replacement};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{Drain, ExactProfile, Profiler, ResetValues, TableEntry};
use hpp_golden::registers::{self, Counter, drain_command, drain_control, errors, ppcr_mode};
use proptest::prelude::*;

fn geometry() -> impl Strategy<Value = Geometry> {
    let lookup = prop_oneof![Just(LookupScheme::Parallel), Just(LookupScheme::Serial)];
    let policies = Replacement::ALL
        .into_iter()
        .filter(|policy| *policy != Replacement::Shadow);
    let replacement = prop::sample::select(policies.collect::<Vec<_>>());
    (
        1..4_u32,
        1..5_u32,
        8..=32_u32,
        6..8_u32,
        lookup,
        replacement,
    )
        .prop_map(
            |(sets, ways, accumulator_bits, drain, lookup, replacement)| Geometry {
                sets: 1 << sets,
                ways,
                accumulator_bits,
                event_counter_bits: 8,
                drain_depth: 1 << drain,
                lookup: match replacement {
                    Replacement::Lfu => lookup,
                    _ => LookupScheme::Parallel,
                },
                replacement,
                ..Geometry::default()
            },
        )
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
        BranchRecord {
            kind,
            taken: taken || !conditional,
            target: 0x1000 + 4 * target,
            next: 0,
            events,
        }
    })
}

fn profiler(geometry: &Geometry) -> Profiler {
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    Profiler::new(geometry, &reset).expect("a legal geometry")
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
        for (number, records) in records.chunks(every).enumerate() {
            if number % 2 == 0 {
                profiler.run(records, |paths| paths.iter().for_each(|path| exact.record(path)));
            } else {
                let paths = records.iter().filter_map(|record| profiler.profile(record));
                paths.for_each(|path| exact.record(&path));
            }
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
            profiler.run(&records, |_| {});
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
        profiler.run(&records, |_| {});
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
    let geometry = Geometry {
        sets: 2,
        ways: 1,
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut profiler = profiler(&geometry);
    for round in 0..500 {
        profiler.profile(&BranchRecord {
            kind: BranchKind::Backward,
            taken: true,
            target: 0x1000 + 4 * (round % 50),
            next: 0,
            events: 0,
        });
    }
    let replaced = profiler.counters().get(Counter::Replacements) as u32;
    assert_eq!(profiler.read(registers::DRAIN_LOST.offset), replaced - 64);
    assert_eq!(
        profiler.read(registers::DRAIN_LOST_COUNT_LO.offset),
        replaced - 64
    );
    profiler.write(registers::COMMAND.offset, u32::MAX);
    assert_eq!(profiler.read(registers::DRAIN_LOST.offset), 0);
    assert_eq!(profiler.read(registers::DRAIN_LOST_COUNT_LO.offset), 0);
}

#[test]
fn a_watermark_of_zero_never_interrupts_and_another_at_its_level() {
    let geometry = Geometry {
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut drain = Drain::new(&geometry).expect("it has one");
    for watermark in 0..=64 {
        let word = drain_control::WATERMARK.put(watermark);
        drain.write(registers::DRAIN_CONTROL.offset, word, u32::MAX, 0, false);
        for level in 0..=64 {
            let expected = watermark != 0 && level >= watermark;
            assert_eq!(drain.interrupts(level), expected, "{level} of {watermark}");
        }
    }
}

proptest! {
    #[test]
    fn a_byte_of_its_control_register_changes_no_other(before: u32, word: u32, lanes in 0..16_u8) {
        let geometry = Geometry { drain_depth: 4096, ..Geometry::default() };
        let mut profiler = profiler(&geometry);
        let offset = registers::DRAIN_CONTROL.offset;
        profiler.write(offset, before);
        let before = profiler.read(offset);
        profiler.write_lanes(offset, word, lanes);
        let held = profiler.read(offset);
        profiler.write(offset, word);
        let whole = profiler.read(offset);
        let mask = (0..4).filter(|lane| lanes >> lane & 1 == 1).map(|lane| 0xff << (8 * lane)).sum::<u32>();
        prop_assert_eq!(held, whole & mask | before & !mask);
    }
}

/// A drain of paths with two words of outcomes and two of their start.
fn wide() -> Geometry {
    Geometry {
        max_branches: 64,
        pc_bits: 64,
        drain_depth: 64,
        ..Geometry::default()
    }
}

#[test]
fn each_word_of_its_head_has_a_register() {
    let mut drain = Drain::new(&wide()).expect("it has one");
    let entry = TableEntry {
        descriptor: PathDescriptor {
            start: 0x1234_5678_9abc_def0,
            length: 64,
            outcomes: 0xfedc_ba98_7654_3210,
        },
        count: 77,
    };
    assert!(drain.offer(entry));
    let sight = drain.sight();
    for (register, expected) in [
        (registers::DRAIN_STATUS, 1),
        (registers::DRAIN_COUNT, 77),
        (registers::DRAIN_LENGTH, 64),
        (registers::DRAIN_OUTCOMES_LO, 0x7654_3210),
        (registers::DRAIN_OUTCOMES_HI, 0xfedc_ba98),
        (registers::DRAIN_START_LO, 0x9abc_def0),
        (registers::DRAIN_START_HI, 0x1234_5678),
        (registers::DRAIN_LOST, 0),
    ] {
        assert_eq!(
            drain.read(register.offset, &sight),
            expected,
            "{}",
            register.name
        );
    }
}

#[test]
fn what_was_lost_is_read_in_one_piece() {
    let mut drain = Drain::starting(&wide(), 0x12_ffff_fff0).expect("it has one");
    let (low, high) = (
        registers::DRAIN_LOST_COUNT_LO.offset,
        registers::DRAIN_LOST_COUNT_HI.offset,
    );
    let read = |drain: &mut Drain, offset| {
        let sight = drain.sight();
        drain.read(offset, &sight)
    };
    assert_eq!(read(&mut drain, low), 0xffff_fff0);
    drain.lose(0x20);
    // The high word is that of the low word read last, whatever else is read and lost meanwhile.
    assert_eq!(read(&mut drain, registers::DRAIN_LOST.offset), 0xffff_fff1);
    assert_eq!(read(&mut drain, high), 0x12);
    assert_eq!(read(&mut drain, low), 0x10);
    assert_eq!(read(&mut drain, high), 0x13);
}

#[test]
fn a_command_takes_effect_through_a_lane_that_is_written() {
    let mut profiler = profiler(&Geometry {
        sets: 2,
        ways: 1,
        drain_depth: 64,
        ..Geometry::default()
    });
    for target in 0..20 {
        profiler.profile(&BranchRecord {
            kind: BranchKind::Backward,
            taken: true,
            target: 4 * target,
            next: 0,
            events: 0,
        });
    }
    let level = |profiler: &mut Profiler| profiler.read(registers::DRAIN_STATUS.offset);
    let waiting = level(&mut profiler);
    assert!(waiting > 2);
    let command = registers::DRAIN_COMMAND.offset;
    let both = drain_command::TAKE.mask() | drain_command::CLEAR.mask();
    for (word, lanes) in [(0, 0b1111), (both, 0b1110), (both, 0)] {
        profiler.write_lanes(command, word, lanes);
        assert_eq!(level(&mut profiler), waiting, "{word:#x} {lanes:#b}");
    }
    profiler.write_lanes(command, drain_command::TAKE.mask(), 0b0001);
    assert_eq!(level(&mut profiler), waiting - 1);
}

#[test]
fn entries_that_leave_through_the_ports_leave_by_no_command() {
    let mut drain = Drain::new(&wide()).expect("it has one");
    let entry = TableEntry {
        descriptor: PathDescriptor::new(4),
        count: 1,
    };
    let write = |drain: &mut Drain, register: registers::Register, word| {
        let level = drain.entries().len();
        drain.write(register.offset, word, u32::MAX, level, true)
    };
    write(
        &mut drain,
        registers::DRAIN_CONTROL,
        drain_control::STREAM.mask(),
    );
    assert!(drain.streams() && !drain.holds());
    (0..3).for_each(|_| assert!(drain.offer(entry)));
    assert_eq!(
        write(
            &mut drain,
            registers::DRAIN_COMMAND,
            drain_command::TAKE.mask()
        ),
        0
    );
    assert_eq!(
        write(
            &mut drain,
            registers::DRAIN_COMMAND,
            drain_command::CLEAR.mask()
        ),
        3
    );
    write(
        &mut drain,
        registers::DRAIN_CONTROL,
        drain_control::HOLD.mask(),
    );
    assert!(!drain.streams() && drain.holds());
    (0..3).for_each(|_| assert!(drain.offer(entry)));
    assert_eq!(
        write(
            &mut drain,
            registers::DRAIN_COMMAND,
            drain_command::TAKE.mask()
        ),
        1
    );
}

/// Its registers lie behind those that every profiler has, and nothing lies behind them.
#[test]
fn what_lies_behind_its_registers_is_none_of_them() {
    let mut drain = profiler(&wide());
    let mut none = profiler(&Geometry {
        drain_depth: 0,
        ..wide()
    });
    let control = registers::DRAIN_CONTROL.offset;
    assert!((registers::ADDRESS_SPACE..registers::DRAIN_ADDRESS_SPACE).contains(&control));
    for offset in [
        control,
        registers::DRAIN_ADDRESS_SPACE + control % registers::ADDRESS_SPACE,
    ] {
        for profiler in [&mut drain, &mut none] {
            profiler.write(offset, drain_control::HOLD.mask());
        }
    }
    assert_eq!(drain.read(control), drain_control::HOLD.mask());
    assert_eq!(none.read(control), 0);
    for offset in (registers::DRAIN_ADDRESS_SPACE..2 * registers::DRAIN_ADDRESS_SPACE).step_by(4) {
        assert_eq!(drain.read(offset), none.read(offset), "{offset:#x}");
    }
}

#[test]
fn an_impossible_drain_is_refused() {
    let validate = |geometry: Geometry| geometry.validate().expect_err("impossible");
    let base = Geometry::default();
    let depth = |drain_depth| Geometry {
        drain_depth,
        ..base
    };
    assert_eq!(
        validate(depth(32)),
        GeometryError::DrainTooSmall { depth: 32 }
    );
    let error = validate(depth(100));
    assert!(
        matches!(error, GeometryError::NotPowerOfTwo { .. }),
        "{error}"
    );
    let shadow = Geometry {
        replacement: Replacement::Shadow,
        ..depth(64)
    };
    assert_eq!(validate(shadow), GeometryError::ShadowDrain);
}
