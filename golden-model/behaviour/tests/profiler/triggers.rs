//! Starts, stops, and the paths until the interrupt.

use crate::*;
use hpp_golden::registers::{
    TRIGGER_CONTROL, TRIGGER_KEPT_OUT, TRIGGER_PATHS, TRIGGER_REGISTERS, TRIGGER_START_HI,
    TRIGGER_START_LO, TRIGGER_STATUS, TRIGGER_STOP_HI, TRIGGER_STOP_LO, command, trigger_control,
    trigger_status,
};
use proptest::prelude::*;

const RUN: u32 = trigger_control::RUN.mask();
const START: u32 = trigger_control::START_ADDRESS.mask();
const STOP: u32 = trigger_control::STOP_ADDRESS.mask();
const START_EVENT: u32 = trigger_control::START_EVENT.mask();
const STOP_EVENT: u32 = trigger_control::STOP_EVENT.mask();
const AT_RETURN: u32 = trigger_control::AT_RETURN.mask();

fn triggered() -> Profiler {
    let geometry = Geometry {
        triggers: true,
        ..small()
    };
    turned(geometry, 0)
}

fn paths(profiler: &Profiler) -> Vec<(String, u32)> {
    let entries = profiler.table().entries();
    entries
        .map(|(_, entry)| (entry.descriptor.to_string(), entry.count))
        .collect()
}

fn call(target: u64, next: u64) -> BranchRecord {
    BranchRecord {
        next,
        ..branch(BranchKind::Call, target)
    }
}

#[test]
fn a_function_is_profiled_from_its_entry_to_its_exit_whoever_calls_it() {
    let mut profiler = triggered();
    profiler.write(TRIGGER_START_LO.offset, 0x400);
    profiler.write(TRIGGER_CONTROL.offset, START | STOP | AT_RETURN);
    for (site, times) in [(0x108, 1), (0x208, 2)] {
        for _ in 0..times {
            turn(&mut profiler, 0x100);
            profiler.profile(&call(0x400, site));
            assert_eq!(u64::from(profiler.read(TRIGGER_STOP_LO.offset)), site);
            // It calls itself: the call inside goes back elsewhere.
            profiler.profile(&call(0x400, 0x410));
            profiler.profile(&branch(BranchKind::Return, 0x410));
            profiler.profile(&branch(BranchKind::Return, site));
            turn(&mut profiler, 0x100);
        }
    }
    assert_eq!(paths(&profiler), [("0x00000400:".into(), 6)]);
    assert_eq!(profiler.read(Counter::Records.offset()), 3 * 4);
    assert_eq!(profiler.read(TRIGGER_KEPT_OUT.offset), 3 * 2);
    assert_eq!(profiler.read(Counter::LostRecords.offset()), 0);
}

#[test]
fn at_return_a_jump_does_not_start() {
    let mut profiler = triggered();
    profiler.write(TRIGGER_START_LO.offset, 0x400);
    profiler.write(TRIGGER_CONTROL.offset, START | AT_RETURN);
    let runs = |profiler: &mut Profiler| profiler.read(TRIGGER_CONTROL.offset) & RUN;
    for kind in BranchKind::ALL {
        profiler.write(TRIGGER_CONTROL.offset, START | AT_RETURN);
        profiler.profile(&branch(kind, 0x400));
        let leaves = [BranchKind::Call, BranchKind::IndirectCall, BranchKind::Trap];
        assert_eq!(runs(&mut profiler) == RUN, leaves.contains(&kind), "{kind}");
        profiler.write(TRIGGER_CONTROL.offset, START);
        profiler.profile(&branch(kind, 0x400));
        assert_eq!(runs(&mut profiler), RUN, "{kind}");
    }
}

/// A stop with a start after it and no record between: what was in progress at the stop is not continued.
#[test]
fn no_path_reaches_across_a_stop() {
    let mut profiler = triggered();
    profiler.write(TRIGGER_CONTROL.offset, RUN | START_EVENT | STOP_EVENT);
    turn(&mut profiler, 0x100);
    profiler.signal(false, true);
    profiler.signal(true, false);
    turn(&mut profiler, 0x200);
    assert_eq!(paths(&profiler), []);
    turn(&mut profiler, 0x300);
    assert_eq!(paths(&profiler), [("0x00000200:T".into(), 1)]);
    profiler.write(TRIGGER_CONTROL.offset, 0);
    profiler.write(TRIGGER_CONTROL.offset, RUN);
    turn(&mut profiler, 0x400);
    assert_eq!(paths(&profiler).len(), 1);
    assert_eq!(profiler.read(TRIGGER_KEPT_OUT.offset), 0);
}

#[test]
fn a_disabled_profiler_starts_and_stops_and_counts_nothing() {
    let mut profiler = triggered();
    profiler.write(CONTROL, 0);
    profiler.write(TRIGGER_START_LO.offset, 0x400);
    profiler.write(TRIGGER_CONTROL.offset, START);
    turn(&mut profiler, 0x100);
    turn(&mut profiler, 0x400);
    assert_eq!(profiler.read(TRIGGER_CONTROL.offset), START | RUN);
    assert_eq!(profiler.read(TRIGGER_KEPT_OUT.offset), 0);
}

#[test]
fn the_interrupt_comes_with_the_path_that_makes_it_so_many() {
    let mut profiler = triggered();
    profiler.write(TRIGGER_PATHS.offset, 3);
    for left in [3, 2, 1, 0, 0] {
        turn(&mut profiler, 0x100);
        assert_eq!(profiler.read(TRIGGER_PATHS.offset), left);
        let triggers = profiler.triggers().expect("it has them");
        assert_eq!(triggers.reached(), left == 0);
    }
    profiler.write_lanes(TRIGGER_STATUS.offset, u32::MAX, 0b1110);
    let reached = trigger_status::REACHED.mask();
    assert_eq!(profiler.read(TRIGGER_STATUS.offset), reached);
    profiler.write(TRIGGER_STATUS.offset, reached);
    turn(&mut profiler, 0x100);
    assert_eq!(profiler.read(TRIGGER_STATUS.offset), 0, "0 waits for none");
}

#[test]
fn registers_keep_what_an_address_has() {
    for (pc_bits, align, context_bits) in [(32, 2, 0), (39, 1, 8), (64, 1, 0)] {
        let geometry = Geometry {
            pc_bits,
            align,
            context_bits,
            triggers: true,
            ..small()
        };
        let mut profiler = profiler(geometry);
        for register in &TRIGGER_REGISTERS {
            profiler.write(register.offset, u32::MAX);
        }
        let mask = Geometry::mask(pc_bits) & !Geometry::mask(align);
        let words = [mask as u32, (mask >> 32) as u32];
        for registers in [
            [TRIGGER_START_LO, TRIGGER_START_HI],
            [TRIGGER_STOP_LO, TRIGGER_STOP_HI],
        ] {
            assert_eq!(
                registers.map(|register| profiler.read(register.offset)),
                words
            );
        }
        profiler.write_lanes(TRIGGER_START_LO.offset, 0, 0b0001);
        assert_eq!(profiler.read(TRIGGER_START_LO.offset), !0xff);
        assert_eq!(profiler.read(TRIGGER_CONTROL.offset), 0x3f);
        assert_eq!(profiler.read(TRIGGER_KEPT_OUT.offset), 0);
        assert_eq!(profiler.read(0x80), 0, "no drain");
    }
}

#[derive(Clone, Debug)]
enum Deed {
    Record(BranchRecord),
    Signal(bool, bool),
    Control(u32),
    Clear,
}

fn deed() -> impl Strategy<Value = Deed> {
    let record = (0u8..8, any::<bool>(), 0u64..4, 0u64..4, 0u32..3);
    let record = record.prop_map(|(kind, taken, target, next, events)| {
        let (kind, target, next) = (BranchKind::from_code(kind), 0x100 * target, 0x100 * next);
        BranchRecord::new(kind, taken, target, next).with_events(events)
    });
    prop_oneof![
        12 => record.prop_map(Deed::Record),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(start, stop)| Deed::Signal(start, stop)),
        1 => (0u32..64).prop_map(Deed::Control),
        1 => Just(Deed::Clear),
    ]
}

proptest! {
    /// Windows cut out of the stream by hand, each after a purge, through a profiler without triggers: the same paths and counts.
    #[test]
    fn a_triggered_profile_is_that_of_its_windows(
        deeds in prop::collection::vec(deed(), 0..200),
        (start, stop) in (0u32..4, 0u32..4),
    ) {
        let mut with = triggered();
        let mut plain = turned(small(), 0);
        with.write(TRIGGER_START_LO.offset, 0x100 * start);
        with.write(TRIGGER_STOP_LO.offset, 0x100 * stop);
        let (mut modes, mut runs) = (0, true);
        let mut to = u64::from(0x100 * stop);
        let mut kept_out = 0;
        for deed in deeds {
            match deed {
                Deed::Record(record) => {
                    let leaves = [BranchKind::Call, BranchKind::IndirectCall, BranchKind::Trap];
                    let starts = modes & START != 0
                        && record.target == u64::from(0x100 * start)
                        && (modes & AT_RETURN == 0 || leaves.contains(&record.kind));
                    let expected = (runs || starts).then(|| plain.profile(&record)).flatten();
                    prop_assert_eq!(with.profile(&record), expected);
                    match runs {
                        true => runs = modes & STOP == 0 || record.target != to,
                        false if starts => {
                            runs = true;
                            if modes & AT_RETURN != 0 {
                                to = record.next;
                            }
                        }
                        false => kept_out += 1,
                    }
                }
                Deed::Signal(start, stop) => {
                    with.signal(start, stop);
                    runs = match runs {
                        true => !(stop && modes & STOP_EVENT != 0),
                        false => start && modes & START_EVENT != 0,
                    };
                }
                Deed::Control(word) => {
                    with.write(TRIGGER_CONTROL.offset, word);
                    (modes, runs) = (word, word & RUN != 0);
                }
                Deed::Clear => {
                    with.write(COMMAND, command::CLEAR_COUNTERS.mask());
                    plain.write(COMMAND, command::CLEAR_COUNTERS.mask());
                    kept_out = 0;
                }
            }
            if !runs {
                plain.write(COMMAND, command::PURGE.mask());
            }
            prop_assert_eq!(with.read(TRIGGER_CONTROL.offset), modes & !RUN | u32::from(runs));
            prop_assert_eq!(with.read(TRIGGER_KEPT_OUT.offset), kept_out);
        }
        prop_assert_eq!(paths(&with), paths(&plain));
        for counter in Counter::ALL {
            prop_assert_eq!(with.read(counter.offset()), plain.read(counter.offset()));
        }
    }
}
