//! Reset values, fields, lanes, errors and counters.

use crate::*;
use hpp_golden::registers::{command, context, control, errors, ppcr_mode};

#[test]
fn out_of_reset_it_is_a_disabled_ball_larus_profiler() {
    let mut profiler = profiler(Geometry::default());
    for register in &REGISTERS {
        let expected = match register.offset {
            0x00 => 0x4850_5031,
            0x04 => 0x2020_0407,
            0x08 => 0x0808_031f,
            0x0c => 0x04a4_4020,
            STATUS => 2,
            PPCR_ROWS => 0x6aa6_add1,
            _ => 0,
        };
        let read = profiler.read(register.offset);
        assert_eq!(read, expected, "{}", register.name);
    }
}

#[test]
fn the_geometry_of_another_profiler_is_reported() {
    let geometry = Geometry {
        sets: 4096,
        ways: 16,
        max_branches: 64,
        stack_depth: 256,
        queue_depth: 64,
        pc_bits: 64,
        align: 1,
        event_bits: 32,
        event_counter_bits: 32,
        extension_bits: 8,
        counter_bits: 32,
        index_scheme: IndexScheme::Start,
        lookup: LookupScheme::Sequential,
        ..Geometry::default()
    };
    let mut profiler = profiler(geometry);
    let words = [0x04, 0x08, 0x0c].map(|offset| profiler.read(offset));
    assert_eq!(words, [0x4040_100c, 0x2020_3fff, 0x06d8_2020]);
}

#[test]
fn every_reset_value_reaches_its_field() {
    let reset = ResetValues {
        freeze: true,
        lossy: true,
        metric: Metric::Events,
        extension: Extension::Procedure,
        max_extension: 5,
        event_select: 9,
        ..ResetValues::enabled()
    };
    let mut profiler = Profiler::new(&Geometry::default(), &reset).expect("a legal profiler");
    let words = |profiler: &mut Profiler| [CONTROL, PPCR_MODE].map(|word| profiler.read(word));
    assert_eq!(words(&mut profiler), [7, 0x0599]);
    profiler.write(CONTROL, 0);
    profiler.write(PPCR_MODE, 0);
    profiler.reset();
    assert_eq!(words(&mut profiler), [7, 0x0599]);
}

#[test]
fn an_impossible_profiler_is_refused() {
    let reset = ResetValues {
        max_extension: 16,
        ..ResetValues::default()
    };
    let error = Profiler::new(&Geometry::default(), &reset).unwrap_err();
    assert!(matches!(error, ProfilerError::Reset(_)), "{error}");
    let geometry = Geometry {
        ways: 0,
        ..Geometry::default()
    };
    let error = Profiler::new(&geometry, &ResetValues::default()).unwrap_err();
    let expected = "ways = 0 is out of range; allowed: 1 to 32";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn writes_reach_only_fields_that_take_them() {
    let mut profiler = profiler(Geometry::default());
    let before: Vec<_> = REGISTERS.iter().map(|r| profiler.read(r.offset)).collect();
    for (register, before) in REGISTERS.iter().zip(before) {
        profiler.write(register.offset, 0xffff_ffff);
        let expected = match register.offset {
            CONTROL => 7,
            PPCR_MODE => 0x0ff3,
            TABLE_INDEX => 511,
            // Every row asks for both updates: all refused.
            _ => before,
        };
        if register.access == Access::ReadOnly {
            assert_eq!(expected, before, "{}", register.name);
        }
        let read = profiler.read(register.offset);
        assert_eq!(read, expected, "{}", register.name);
    }
}

#[test]
fn there_is_nothing_between_and_beyond_the_registers() {
    let mut profiler = profiler(Geometry::default());
    let beyond = [ADDRESS_SPACE, ADDRESS_SPACE + CONTROL];
    for offset in [0x30, 0x34, 0x38, 0x3c].into_iter().chain(beyond) {
        profiler.write(offset, 0xffff_ffff);
        assert_eq!(profiler.read(offset), 0, "{offset:#x}");
    }
    assert_eq!(profiler.read(CONTROL), 0);
}

#[test]
fn the_low_bits_of_an_offset_do_not_matter() {
    let mut profiler = profiler(Geometry::default());
    profiler.write(CONTROL + 3, 1);
    assert_eq!(profiler.read(CONTROL + 2), 1);
}

#[test]
fn an_illegal_row_is_refused_alone_and_remembered() {
    let mut profiler = profiler(Geometry::default());
    profiler.write(PPCR_ROWS, 0x1234_5678);
    // Rows 1 and 5 had both updates, and stay.
    assert_eq!(profiler.read(PPCR_ROWS), 0x12a4_56d8);
    assert_eq!(profiler.read(ERRORS), 1);
    profiler.write(PPCR_ROWS, 0);
    assert_eq!(profiler.read(ERRORS), 1, "sticky");
    profiler.write(ERRORS, 0xe);
    // Only a 1 in its own bit clears it.
    assert_eq!(profiler.read(ERRORS), 1);
    profiler.write(ERRORS, 1);
    assert_eq!(profiler.read(ERRORS), 0);
}

#[test]
fn the_reserved_extension_is_none() {
    let mut profiler = profiler(Geometry::default());
    for (written, stored) in [(1, 1), (2, 2), (3, 0), (0, 0)] {
        profiler.write(PPCR_MODE, written << 2);
        assert_eq!(profiler.read(PPCR_MODE), stored << 2);
    }
}

#[test]
fn a_lane_that_is_not_written_keeps_its_bits() {
    let mut profiler = profiler(Geometry::default());
    profiler.write_lanes(PPCR_ROWS, 0x8888_8888, 0b0110);
    assert_eq!(profiler.read(PPCR_ROWS), 0x6a88_88d1);
    profiler.write_lanes(PPCR_MODE, 0xffff_ffff, 0b0010);
    assert_eq!(profiler.read(PPCR_MODE), 0x0f00);
    profiler.write_lanes(CONTROL, 0x7, 0b1110);
    assert_eq!(profiler.read(CONTROL), 0);
    profiler.write(TABLE_INDEX, 0x01ab);
    profiler.write_lanes(TABLE_INDEX, 0, 0b0010);
    assert_eq!(profiler.read(TABLE_INDEX), 0x00ab);
}

#[test]
fn a_lane_that_is_not_written_gives_no_command() {
    let mut profiler = turned(small(), 2);
    profiler.write(PPCR_ROWS, 3);
    profiler.write_lanes(COMMAND, 7, 0b1110);
    profiler.write_lanes(ERRORS, 1, 0b1110);
    assert_eq!(profiler.table().entries().count(), 1);
    assert_eq!(profiler.read(ERRORS), 1);
    assert_eq!(profiler.read(Counter::Paths.offset()), 1);
}

#[test]
fn a_write_without_a_lane_does_nothing() {
    let mut profiler = profiler(small());
    profiler.write(TABLE_INDEX, 5);
    profiler.read(TABLE_DATA);
    profiler.write_lanes(TABLE_INDEX, 0, 0);
    assert_eq!(profiler.read(TABLE_INDEX), 5);
    for _ in 1..small().entry_words() {
        profiler.read(TABLE_DATA);
    }
    // The reading position was kept.
    assert_eq!(profiler.read(TABLE_INDEX), 6);
}

#[test]
fn a_low_word_latches_the_high_word_of_its_counter() {
    let mut profiler = turned(Geometry::default(), 3);
    let words: Vec<_> = (0x40..0x80).step_by(4).map(|o| profiler.read(o)).collect();
    assert_eq!(words, [3, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    profiler.write(COMMAND, 4);
    assert_eq!(profiler.counters().values(), [0; 8]);
}

#[test]
fn what_a_table_with_shadows_decides_by_is_read() {
    let mut profiler = profiler(Geometry {
        sets: 2,
        ways: 1,
        replacement: Replacement::Shadow,
        ..Geometry::default()
    });
    assert_eq!(profiler.read(SHADOW.offset), 4);
    profiler.write(CONTROL, 1);
    // Two of eight paths find room. The shadows of the others grow, and in the end s.
    (0..100_000).for_each(|number| turn(&mut profiler, 0x100 + 4 * (number % 8)));
    assert!(profiler.read(SHADOW.offset) > 4);
    profiler.write(COMMAND, command::CLEAR.mask());
    assert_eq!(profiler.read(SHADOW.offset), 4);
}

/// What `docs/security.md` has a kernel do before it sets the lock, with a table, a drain and a fetched entry that hold what was profiled before. A clear of
/// the table empties neither of the other two.
#[test]
fn a_kernel_that_follows_the_recipe_leaves_nothing_to_find() {
    let geometry = Geometry {
        sets: 2,
        ways: 2,
        context_bits: 2,
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut profiler = profiler(geometry);
    profiler.write(CONTROL, control::ENABLE.mask());
    for target in (0x100..0x200).step_by(4) {
        turn(&mut profiler, target);
    }
    profiler.write(CONTROL, 0);
    profiler.write(TABLE_INDEX, 3);
    read_entry(&mut profiler);
    let [drain_status, drain_count] = [registers::DRAIN_STATUS, registers::DRAIN_COUNT];
    assert!(profiler.read(drain_status.offset) > 0 && profiler.read(drain_count.offset) > 0);

    profiler.write(COMMAND, command::CLEAR.mask());
    assert_ne!(read_entry(&mut profiler), [0; 5], "it was fetched before");
    let drain_command = registers::DRAIN_COMMAND.offset;
    profiler.write(drain_command, registers::drain_command::CLEAR.mask());
    profiler.write(TABLE_INDEX, 0);
    profiler.write(CONTROL, control::LOCK.mask());

    let left: Vec<_> = (0..geometry.entries())
        .flat_map(|_| read_entry(&mut profiler))
        .collect();
    assert!(left.iter().all(|&word| word == 0), "{left:x?}");
    for offset in (drain_status.offset..=registers::DRAIN_START_HI.offset).step_by(4) {
        assert_eq!(profiler.read(offset), 0, "{offset:#x}");
    }
    profiler.write(CONTROL, 0);
    assert_eq!(profiler.read(CONTROL), control::LOCK.mask());
    assert_eq!(profiler.read(ERRORS), 0, "that is not remembered");
    profiler.write(PPCR_MODE, 1);
    assert_eq!(profiler.read(ERRORS), errors::WRITE_REFUSED.mask());
}

#[test]
fn the_filter_and_the_mode_are_read_as_they_were_written_and_reach_the_stack() {
    let geometry = Geometry {
        context_bits: 3,
        ..small()
    };
    let mut profiler = profiler(geometry);
    let word = context::MASK.put(5) | context::VALUE.put(4);
    for (written, kept) in [(word, word), (u32::MAX, 0x0707)] {
        profiler.write(registers::CONTEXT.offset, written);
        assert_eq!(profiler.read(registers::CONTEXT.offset), kept);
    }
    for metric in [1, 0] {
        let word = ppcr_mode::METRIC.put(metric);
        profiler.write(PPCR_MODE, word);
        assert_eq!(profiler.stack().ppcr().mode_word(), word);
        assert_eq!(profiler.stack().ppcr(), profiler.registers().ppcr());
    }
}
