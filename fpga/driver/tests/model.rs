//! The driver on the registers of the golden model.

use hpp_driver::registers::{drain_control, lost_records_lo, ppcr_mode};
use hpp_driver::{Access, Driver, Entry, Error, Left};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{ExactProfile, Profiler, ResetValues, Rows};
use hpp_golden::registers::{self, CONTROL, control};
use std::collections::BTreeMap;

struct Model {
    profiler: Profiler,
    absent: bool,
    /// Accesses that paths wait for their lookup: a table that is frozen takes one with each, for so long.
    lookups: u32,
    /// Those left since it was frozen.
    freezing: Option<u32>,
}

impl Model {
    /// A path that waited is looked up in a table that is frozen.
    fn look_up(&mut self) {
        if let Some(left) = self.freezing {
            let control = self.profiler.read(CONTROL.offset);
            let thawed = control & !control::FREEZE.mask();
            self.profiler.write(CONTROL.offset, thawed);
            self.profiler.profile(&backward(0x100));
            self.profiler.write(CONTROL.offset, control);
            self.freezing = left.checked_sub(1);
        }
    }
}

impl Access for Model {
    fn read(&mut self, offset: u32) -> u32 {
        if self.absent {
            return 0;
        }
        self.look_up();
        self.profiler.read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.look_up();
        self.profiler.write(offset, value);
        let freezes = offset == CONTROL.offset && control::FREEZE.get(value) == 1;
        if freezes && self.lookups > 0 {
            self.freezing = Some(self.lookups);
        }
    }
}

fn model(geometry: Geometry, reset: ResetValues) -> Model {
    Model {
        profiler: Profiler::new(&geometry, &reset).expect("a legal configuration"),
        absent: false,
        lookups: 0,
        freezing: None,
    }
}

fn driver(geometry: Geometry) -> Driver<Model> {
    Driver::new(model(geometry, ResetValues::default())).expect("a profiler")
}

fn backward(target: u64) -> BranchRecord {
    BranchRecord::new(BranchKind::Backward, true, target, target).with_events(2)
}

fn geometries() -> [Geometry; 4] {
    let base = Geometry::default();
    let wide = Geometry {
        pc_bits: 48,
        max_branches: 64,
        ways: 3,
        ..base
    };
    let sequential = Geometry {
        lookup: LookupScheme::Sequential,
        sets: 16,
        ..base
    };
    let guarded = Geometry {
        pc_bits: 32,
        context_bits: 5,
        stack_check: true,
        ..base
    };
    [base, wide, sequential, guarded]
}

#[test]
fn what_is_read_and_dumped_is_the_profile() {
    for geometry in geometries() {
        let mut driver = driver(geometry);
        driver.reset().expect("it empties");
        driver
            .set_rows(Rows::BALL_LARUS.to_word())
            .expect("legal rows");
        driver.set_metric(ppcr_mode::METRIC_EVENTS);
        driver.start();
        for round in 0..200 {
            let target = (0x8000_0000_0100 + 4 * (round % 7)) & Geometry::mask(geometry.pc_bits);
            let target = geometry.in_context(target, 9);
            driver.access().profiler.profile(&backward(target));
        }
        driver.stop();
        let mut text = String::new();
        driver
            .dump(&mut text, None, Some(&[0xc0, 0x0f]))
            .expect("a String takes everything");
        let program = Some("c00f".to_string());
        let expected = Dump {
            program,
            ..Dump::of(&driver.access().profiler)
        };
        assert_eq!(Dump::read(&text).expect("a dump"), expected);

        let mut read = Vec::new();
        driver.read(|entry| read.push(entry));
        let entries = expected.entries.iter().map(|(&number, entry)| Entry {
            number,
            start: geometry.address_and_context(entry.descriptor.start).0,
            context: geometry.address_and_context(entry.descriptor.start).1,
            outcomes: entry.descriptor.outcomes,
            length: entry.descriptor.length,
            count: entry.count,
        });
        assert_eq!(read, entries.collect::<Vec<_>>());
        assert_eq!(read.len(), 7);
    }
}

#[test]
fn what_left_the_table_is_handed_over_and_dumped() {
    let geometry = Geometry {
        sets: 2,
        ways: 2,
        pc_bits: 40,
        drain_depth: 64,
        ..Geometry::default()
    };
    let mut driver = driver(geometry);
    driver.reset().expect("it empties");
    driver.start();
    let mut left: BTreeMap<(u64, u64, u32), u64> = BTreeMap::new();
    let mut exact = ExactProfile::new();
    for round in 0..500_u64 {
        let record = backward(0x80_0000_0000 + 4 * (round * round % 23));
        let path = driver.access().profiler.profile(&record);
        path.iter().for_each(|path| exact.record(path));
        if round % 40 == 39 || round == 499 {
            let keep = |entry: Left| {
                let key = (entry.start, entry.outcomes, entry.length);
                *left.entry(key).or_default() += entry.count;
                true
            };
            driver.drain(keep).expect("it has a drain");
        }
    }
    driver.stop();
    let paths = left
        .iter()
        .map(|(&(start, outcomes, length), &count)| Left {
            start,
            outcomes,
            length,
            count,
        });
    let mut text = String::new();
    driver
        .dump_all(&mut text, None, None, paths)
        .expect("a String takes everything");
    let dump = Dump::read(&text).expect("a dump");
    assert_eq!(dump.profile(), exact);
    assert_eq!(dump.to_string(), text);
}

#[test]
fn a_drain_is_refused_where_there_is_none() {
    let mut driver = driver(Geometry::default());
    assert_eq!(driver.set_drain(true, true, 0), Err(Error::Refused));
    assert_eq!(driver.drain(|_| true), Err(Error::Refused));
}

#[test]
fn a_drain_has_no_more_than_its_depth_and_one_way_out() {
    let mut driver = driver(Geometry {
        drain_depth: 64,
        ..Geometry::default()
    });
    for watermark in [65, 8192, 8193] {
        assert_eq!(
            driver.set_drain(false, false, watermark),
            Err(Error::Refused)
        );
    }
    assert_eq!(driver.set_drain(true, false, 64), Ok(()));
    driver.stop();
    let control = drain_control::OFFSET;
    assert_eq!(drain_control::HOLD.get(driver.access().read(control)), 1);
    assert_eq!(driver.set_drain(false, true, 0), Ok(()));
    assert_eq!(driver.drain(|_| true), Err(Error::Refused));
}

#[test]
fn starting_and_stopping_keeps_lossy_mode() {
    let reset = ResetValues {
        lossy: true,
        ..ResetValues::default()
    };
    let mut driver = Driver::new(model(Geometry::default(), reset)).expect("a profiler");
    driver.reset().expect("it empties");
    driver.start();
    for round in 0..20 {
        driver.access().profiler.offer(&backward(0x100 + 4 * round));
    }
    assert_eq!(driver.counter(lost_records_lo::OFFSET), 16);
    assert_eq!(driver.errors(), registers::errors::RECORDS_LOST.mask());
    driver.stop();
    assert!(driver.access().profiler.registers().lossy());
    driver.set_lossy(false);
    assert!(!driver.access().profiler.registers().lossy());
    driver.clear_errors(u32::MAX);
    assert_eq!(driver.errors(), 0);
}

#[test]
fn every_setting_changes_its_own_field_alone() {
    let mut driver = driver(Geometry::default());
    driver.set_events(ppcr_mode::EVENT_SELECT_INSTRUCTIONS);
    driver.set_metric(ppcr_mode::METRIC_EVENTS);
    let done = [
        driver.set_extension(ppcr_mode::EXTENSION_PROCEDURE, 3),
        driver.set_extension(ppcr_mode::EXTENSION_LOOP, 5),
    ];
    assert_eq!(done, [Ok(()); 2]);
    let word = driver.access().read(ppcr_mode::OFFSET);
    assert_eq!(word, 0x0515);
}

/// A count beyond the counter's bits was cut off: asked for 16 extensions with four bits, paths extended across nothing.
#[test]
fn extensions_that_cannot_be_counted_are_refused_and_change_nothing() {
    let mut driver = driver(Geometry::default());
    assert_eq!(driver.set_extension(ppcr_mode::EXTENSION_LOOP, 15), Ok(()));
    let before = driver.access().read(ppcr_mode::OFFSET);
    let refused = [
        driver.set_extension(ppcr_mode::EXTENSION_LOOP, 16),
        driver.set_extension(ppcr_mode::EXTENSION_LOOP, 256),
        driver.set_extension(4, 1),
    ];
    assert_eq!(refused, [Err(Error::Refused); 3]);
    assert_eq!(driver.access().read(ppcr_mode::OFFSET), before);
}

/// Of a table that looks its ways up one after another, paths still wait when it is frozen: what was read at once was torn.
#[test]
fn a_table_is_read_when_the_paths_that_wait_have_been_looked_up() {
    let small = Geometry {
        sets: 2,
        ways: 2,
        ..Geometry::default()
    };
    let sequential = Geometry {
        lookup: LookupScheme::Sequential,
        ..small
    };
    let skewed = Geometry {
        replacement: Replacement::Shadow,
        ..sequential
    };
    for (geometry, cycles) in [(sequential, 16 * (2 + 2)), (skewed, (4 + 3) * (2 * 2 + 54))] {
        let mut driver = driver(geometry);
        driver.reset().expect("it empties");
        driver.start();
        driver.access().lookups = cycles / 2;
        let mut read = Vec::new();
        driver.read(|entry| read.push(entry.count));
        let model = driver.access();
        assert_eq!(model.freezing, None);
        let entries = model.profiler.table().entries();
        let counts: Vec<u32> = entries.map(|(_, entry)| entry.count).collect();
        assert!(!counts.is_empty());
        assert_eq!(read, counts, "{geometry:?}");
    }
}

#[test]
fn a_lock_holds_what_decides_about_paths() {
    let geometry = geometries()[3];
    let mut driver = driver(geometry);
    driver.set_context(3, 1).expect("two of five bits");
    assert_eq!(driver.set_context(32, 0), Err(Error::Refused));
    driver.set_context(3, 1).expect("two of five bits");
    driver.lock().expect("it has contexts");
    assert_eq!(driver.set_context(0, 0), Err(Error::Refused));
    assert_eq!(driver.set_rows(0), Err(Error::Refused));
    assert_eq!(driver.errors(), registers::errors::WRITE_REFUSED.mask());
    assert_eq!(driver.repairs(), 0);
    let mut plain = self::driver(geometries()[0]);
    assert_eq!(plain.lock(), Err(Error::Refused));
}

#[test]
fn what_cannot_be_driven_is_said_so() {
    let absent = Model {
        absent: true,
        ..model(Geometry::default(), ResetValues::default())
    };
    assert_eq!(Driver::new(absent).err(), Some(Error::Absent));
    let mut driver = driver(Geometry::default());
    assert_eq!(driver.set_rows(3), Err(Error::Refused));
    driver.access().profiler.set_clearing(true);
    assert_eq!(driver.reset(), Err(Error::Timeout));
}
