//! The generated C driver, compiled by the host's compiler, and the Rust driver, on the registers of the golden model.

mod compiled;
mod drains;
mod process;
mod rust;

use hpp_gen::Config;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Offer, Profiler, ResetValues, Rows};
use hpp_golden::registers::{self, Counter, control, errors, ppcr_mode};
use process::Driver;
use proptest::prelude::*;

const MODE: u32 = registers::PPCR_MODE.offset;

/// The calls that begin a profile.
const BEGIN: [&str; 3] = ["init", "reset", "start"];

fn backward(target: u64) -> BranchRecord {
    BranchRecord::new(BranchKind::Backward, true, target, target).with_events(1)
}

fn model(geometry: Geometry, reset: ResetValues) -> Profiler {
    Profiler::new(&geometry, &reset).expect("a legal configuration")
}

fn of(geometry: Geometry) -> Profiler {
    model(geometry, ResetValues::default())
}

fn default() -> Profiler {
    of(Geometry::default())
}

/// Some loops, the first the hottest.
fn run(profiler: &mut Profiler) {
    for (loops, rounds) in [(0, 50), (1, 20), (2, 3)] {
        for _ in 0..rounds {
            profiler.profile(&backward(0x100 + 0x40 * loops));
        }
    }
}

/// The driver wrote `CONTROL = ENABLE`: a profiler generated to lose rather than to hold asked a core to hold that could not,
/// and lost its records in silence.
#[test]
fn starting_and_stopping_keeps_lossy_mode() {
    let reset = ResetValues {
        lossy: true,
        ..ResetValues::default()
    };
    for mut driver in Driver::both(&model(Geometry::default(), reset)) {
        for call in ["init", "reset", "start"] {
            driver.calls(&[call]);
            assert!(driver.profiler.registers().lossy(), "{call}");
        }
        for round in 0..20 {
            assert_ne!(
                driver.profiler.offer(0, &backward(0x100 + 4 * round)),
                Offer::Stalled
            );
        }
        driver.call("stop");
        assert!(driver.profiler.registers().lossy());
        let lost = driver.call(&format!("counter {}", Counter::LostRecords.offset()));
        assert_eq!(lost, 16);
        assert_eq!(
            driver.profiler.registers().errors(),
            errors::RECORDS_LOST.mask()
        );
        driver.call("lossy 0");
        assert!(!driver.profiler.registers().lossy());
    }
}

/// A read takes two cycles at least. Neither driver looked how many harts there are.
#[test]
fn stopping_waits_for_all_that_is_under_way() {
    for (harts, stack_check) in [(1, false), (4, false), (8, true)] {
        let lookups = [LookupScheme::Parallel, LookupScheme::Sequential];
        for (replacement, lookup) in Replacement::ALL
            .into_iter()
            .flat_map(|policy| lookups.map(|lookup| (policy, lookup)))
        {
            let geometry = Geometry {
                harts,
                stack_check,
                replacement,
                lookup,
                context_bits: 3,
                ..Geometry::default()
            };
            if geometry.validate().is_err() {
                continue;
            }
            for mut driver in Driver::both(&of(geometry)) {
                driver.call("init");
                let before = driver.looks;
                driver.call("stop");
                let (waited, needed) = (2 * (driver.looks - before), geometry.settling());
                assert!(
                    waited >= needed,
                    "{waited} of {needed} cycles: {geometry:?}"
                );
                assert!(
                    waited < needed + 256,
                    "{waited} of {needed} cycles: {geometry:?}"
                );
            }
        }
    }
}

#[test]
fn every_setting_changes_its_own_field_alone() {
    let extension = [(ppcr_mode::EXTENSION, 2), (ppcr_mode::MAX_EXTENSION, 3)];
    for mut driver in Driver::both(&default()) {
        driver.call("init");
        let whole = !ppcr_mode::EXTENSION.mask() | ppcr_mode::EXTENSION.put(1);
        for before in [0, whole] {
            for (call, fields) in [
                ("metric 1", &[(ppcr_mode::METRIC, 1)][..]),
                ("events 16", &[(ppcr_mode::EVENT_SELECT, 1)]),
                ("extension 8 3", &extension),
            ] {
                driver.profiler.write(MODE, before);
                let expected = fields
                    .iter()
                    .fold(driver.profiler.read(MODE), |word, (field, value)| {
                        word & !field.mask() | field.put(*value)
                    });
                driver.call(call);
                assert_eq!(driver.profiler.read(MODE), expected, "{call}");
            }
        }
        let control = registers::CONTROL.offset;
        driver
            .profiler
            .write(control, control::FREEZE.mask() | control::LOSSY.mask());
        driver.call("start");
        let expected = control::ENABLE.mask() | control::LOSSY.mask();
        assert_eq!(driver.profiler.read(control), expected);
    }
}

#[test]
fn a_row_with_both_updates_is_refused_and_said_so() {
    for mut driver in Driver::both(&default()) {
        let rows = format!("rows {}", Rows::WHOLE_PROGRAM_PATH.to_word());
        driver.calls(&["init", &rows]);
        assert_eq!(driver.call("rows 3") as i64, -4);
    }
}

#[test]
fn an_address_without_a_profiler_is_distinguished_from_one_that_is_never_ready() {
    for mut driver in Driver::both(&default()) {
        driver.absent = true;
        assert_eq!(driver.call("init") as i64, -1);
        driver.absent = false;
        assert_eq!(driver.call("init"), 0);
        driver.profiler.set_clearing(true);
        assert_eq!(driver.call("reset") as i64, -3);
    }
}

/// Records come between the accesses: what is read is the table as it was when it was frozen, and it goes on afterwards.
#[test]
fn a_table_is_read_while_the_profiler_runs() {
    for mut driver in Driver::both(&default()) {
        driver.calls(&BEGIN);
        run(&mut driver.profiler);
        driver.between = Some(backward(0x100));
        assert!(driver.call("read 1000") > 2);
        assert_eq!(
            driver.entries, driver.frozen,
            "as it was when it was frozen"
        );
        assert_eq!(driver.profiler.read(registers::CONTROL.offset), 1);
        assert!(driver.profiler.counters().get(Counter::Paths) > 2000);
        if driver.is_c() {
            assert_eq!(driver.call("read 1"), 1, "ended by the caller");
        }
    }
}

/// A count beyond the counter's bits was cut off: asked for 16 extensions with four bits, paths extended across nothing.
#[test]
fn extensions_that_cannot_be_counted_are_refused_and_change_nothing() {
    let geometry = Geometry {
        context_bits: 1,
        ..Geometry::default()
    };
    for mut driver in Driver::both(&of(geometry)) {
        driver.calls(&["init", "extension 8 15"]);
        let before = driver.profiler.read(MODE);
        for call in ["extension 8 16", "extension 8 256", "extension 16 1"] {
            assert_eq!(driver.call(call) as i64, -4, "{call}");
            let after = driver.profiler.read(MODE);
            assert_eq!(after, before, "{call}");
        }
        assert_eq!(driver.call("lock"), 0);
        assert_eq!(driver.call("extension 8 3") as i64, -4);
        assert_eq!(driver.profiler.read(MODE), before);
    }
}

#[test]
fn contexts_are_chosen_and_then_locked() {
    let geometry = Geometry {
        context_bits: 4,
        stack_check: true,
        ..Geometry::default()
    };
    for mut driver in Driver::both(&of(geometry)) {
        driver.calls(&["init", "context 2 0"]);
        assert_eq!(driver.profiler.read(registers::CONTEXT.offset), 2);
        let refused = driver.call("context 16 0");
        assert_ne!(refused, 0, "there is no fifth bit");
        driver.calls(&["context 3 1", "lock"]);
        assert_eq!(driver.call("context 0 0"), refused);
        assert_eq!(driver.call("rows 3"), refused);
        assert_eq!(driver.profiler.read(registers::CONTEXT.offset), 0x0103);
        assert_eq!(driver.call("start"), 0);
        run(&mut driver.profiler);
        assert_eq!(
            driver.call("repairs"),
            u64::from(driver.profiler.counters().repairs())
        );

        let [c, rust] = Driver::both(&default());
        let mut plain = if driver.is_c() { c } else { rust };
        assert_eq!(plain.call("init"), 0);
        assert_eq!(plain.call("lock"), refused, "nothing to lock");
    }
}

fn geometry() -> impl Strategy<Value = Geometry> {
    let lookup = prop_oneof![Just(LookupScheme::Parallel), Just(LookupScheme::Sequential)];
    let guards = (0..=8_u32, any::<bool>(), prop_oneof![Just(0_u32), Just(64)]);
    (1..5_u32, 1..9_u32, 1..=64_u32, 32..=64_u32, lookup, guards).prop_map(
        |(sets, ways, max_branches, pc_bits, lookup, guards)| Geometry {
            sets: 1 << sets,
            ways,
            max_branches,
            pc_bits,
            lookup,
            context_bits: guards.0.min(64 - pc_bits),
            stack_check: guards.1,
            drain_depth: guards.2,
            ..Geometry::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// The sizes are read from the profiler: the driver of one configuration serves them all.
    #[test]
    fn what_is_dumped_is_the_profile(
        geometry in geometry(),
        records in proptest::collection::vec((0..8_u8, any::<bool>(), any::<u64>()), 0..300),
    ) {
        for mut driver in Driver::both(&of(geometry)) {
        driver.calls(&BEGIN);
        for &(kind, taken, target) in &records {
            let kind = BranchKind::from_code(kind);
            let conditional = matches!(kind, BranchKind::Forward | BranchKind::Backward);
            let context = target as u8 & 3;
            let target = target & 0xff_0000_00fc & Geometry::mask(geometry.pc_bits);
            let target = geometry.in_context(target, context);
            let record = BranchRecord { kind, taken: taken || !conditional, ..backward(target) };
            driver.profiler.profile(&record);
        }
        driver.call("stop");
        let dump = driver.dump("dump");
        let same = driver.is_c() && geometry == Geometry::default();
        let configuration = same.then(|| Config::default().hash());
        let program = Some("c00f".to_string());
        prop_assert_eq!(&dump, &Dump { configuration, program, ..Dump::of(&driver.profiler) });
        driver.call("read 100000");
        let entries: Vec<_> = driver.profiler.table().entries().collect();
        prop_assert_eq!(&driver.entries, &entries);
        }
    }
}
