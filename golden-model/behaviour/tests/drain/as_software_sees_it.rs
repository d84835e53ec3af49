//! What software, and whoever is behind the ports, sees of the drain and does with it.

use crate::*;

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
        let read = drain.read(register.offset, &sight);
        assert_eq!(read, expected, "{}", register.name);
    }
}

#[test]
fn what_was_lost_is_read_in_one_piece() {
    let mut drain = Drain::starting(&wide(), 0x12_ffff_fff0).expect("it has one");
    let words = [
        registers::DRAIN_LOST_COUNT_LO,
        registers::DRAIN_LOST_COUNT_HI,
    ];
    let [low, high] = words.map(|register| register.offset);
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
    let mut profiler = two_entries(20, 20);
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
    let write = |drain: &mut Drain, register: registers::Register, field: registers::Field| {
        let level = drain.entries().len();
        drain.write(register.offset, field.mask(), u32::MAX, level, true)
    };
    let (control, command) = (registers::DRAIN_CONTROL, registers::DRAIN_COMMAND);
    write(&mut drain, control, drain_control::STREAM);
    assert!(drain.streams() && !drain.holds());
    (0..3).for_each(|_| assert!(drain.offer(entry)));
    assert_eq!(write(&mut drain, command, drain_command::TAKE), 0);
    assert_eq!(write(&mut drain, command, drain_command::CLEAR), 3);
    write(&mut drain, control, drain_control::HOLD);
    assert!(!drain.streams() && drain.holds());
    (0..3).for_each(|_| assert!(drain.offer(entry)));
    assert_eq!(write(&mut drain, command, drain_command::TAKE), 1);
}

/// Its registers lie after those that every profiler has, and nothing lies after them.
#[test]
fn what_lies_after_its_registers_is_none_of_them() {
    let mut drain = profiler(&wide());
    let mut none = profiler(&Geometry {
        drain_depth: 0,
        ..wide()
    });
    let control = registers::DRAIN_CONTROL.offset;
    assert!((registers::ADDRESS_SPACE..registers::WIDE_ADDRESS_SPACE).contains(&control));
    let beyond = registers::WIDE_ADDRESS_SPACE + control % registers::ADDRESS_SPACE;
    for offset in [control, beyond] {
        for profiler in [&mut drain, &mut none] {
            profiler.write(offset, drain_control::HOLD.mask());
        }
    }
    assert_eq!(drain.read(control), drain_control::HOLD.mask());
    assert_eq!(none.read(control), 0);
    for offset in (registers::WIDE_ADDRESS_SPACE..2 * registers::WIDE_ADDRESS_SPACE).step_by(4) {
        assert_eq!(drain.read(offset), none.read(offset), "{offset:#x}");
    }
}
