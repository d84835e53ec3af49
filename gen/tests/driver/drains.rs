//! The driver of a profiler with a drain: what leaves the table is collected, added up and printed.

use crate::process::Driver;
use crate::{BEGIN, backward, default, of};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::ExactProfile;
use hpp_golden::registers;

fn drained() -> Geometry {
    Geometry {
        sets: 2,
        ways: 2,
        drain_depth: 64,
        ..Geometry::default()
    }
}

/// Far more loops than the table has entries, some of them often.
fn many_loops(driver: &mut Driver, exact: &mut ExactProfile, rounds: u64) {
    for round in 0..rounds {
        let target = 0x1000 + 0x40 * (round * round % 41);
        if let Some(path) = driver.profiler.profile(&backward(target)) {
            exact.record(&path);
        }
    }
}

#[test]
fn what_left_the_table_is_added_up_in_memory_and_printed() {
    for mut driver in Driver::both(&of(drained())) {
        driver.calls(&BEGIN);
        driver.calls(&["room 200"]);
        let mut exact = ExactProfile::new();
        for _ in 0..30 {
            many_loops(&mut driver, &mut exact, 50);
            assert_eq!(driver.call("drain"), 0);
        }
        many_loops(&mut driver, &mut exact, 20);
        driver.call("stop");
        let dump = driver.dump("dumpall");
        let drained = dump.drained.as_ref().expect("it has a drain");
        assert_eq!((drained.waiting, drained.lost), (0, 0));
        assert!(drained.left.len() > 10);
        assert_eq!(dump.profile(), exact);
    }
}

#[test]
fn a_full_buffer_leaves_the_rest_in_the_drain_and_a_lost_entry_is_printed() {
    let mut driver = Driver::c(of(drained()));
    driver.calls(&BEGIN);
    driver.calls(&["room 7"]);
    let mut exact = ExactProfile::new();
    many_loops(&mut driver, &mut exact, 300);
    assert_eq!(driver.call("drain") as i64, -5, "four cells are not enough");
    driver.call("stop");
    let dump = driver.dump("dumpall");
    let drained = dump.drained.clone().expect("it has a drain");
    assert_eq!(drained.left.len(), 4);
    assert!(drained.waiting > 0 && drained.lost > 0);
    let waiting = driver.profiler.drain().expect("it has one").entries();
    let waiting: u64 = waiting.iter().map(|entry| u64::from(entry.count)).sum();
    assert_eq!(
        dump.profile().total() + waiting + drained.lost_count,
        exact.total()
    );
}

#[test]
fn a_profiler_without_a_drain_says_so() {
    for mut driver in Driver::both(&default()) {
        assert_eq!(driver.call("init"), 0);
        assert_eq!(driver.call("setdrain 1 0 0") as i64, -4);
        assert_eq!(driver.call("drain") as i64, -4);
    }
    for mut driver in Driver::both(&of(drained())) {
        driver.calls(&["init", "setdrain 1 1 64"]);
        let word = driver.profiler.read(registers::DRAIN_CONTROL.offset);
        assert_eq!(word, 0x0040_0003);
        for watermark in ["65", "128", "65536"] {
            let refused = driver.call(&format!("setdrain 0 0 {watermark}")) as i64;
            assert_eq!(refused, -4, "{watermark} is beyond its depth");
        }
        assert_eq!(driver.call("setdrain 0 0 64"), 0);
    }
}

#[test]
fn entries_that_leave_through_ports_are_not_taken_by_the_driver_too() {
    for mut driver in Driver::both(&of(drained())) {
        driver.calls(&["init", "setdrain 1 1 0"]);
        assert_eq!(driver.call("drain") as i64, -4);
    }
}

#[test]
fn a_drain_holds_again_once_the_last_records_have_come_to_rest() {
    for mut driver in Driver::both(&of(drained())) {
        driver.calls(&["init", "setdrain 1 0 8"]);
        let word = driver.profiler.read(registers::DRAIN_CONTROL.offset);
        driver.call("stop");
        assert_eq!(driver.profiler.read(registers::DRAIN_CONTROL.offset), word);
    }
}
