//! The dump: what is written is read back, damage is noticed and named, and what no profiler can hold is refused.

mod damage;
mod refusals;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme, LookupScheme, Replacement};
use hpp_golden::dump::{Dump, DumpError};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::table::TableEntry;
use hpp_golden::profiler::{Profiler, ResetValues};
use hpp_golden::registers::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

prop_compose! {
    fn record()(
        kind in prop::sample::select(BranchKind::ALL.to_vec()),
        taken: bool,
        target in 0u64..64,
        high in prop_oneof![Just(0u64), Just(0xffff_ffff_0000_0000)],
    ) -> BranchRecord {
        BranchRecord::new(kind, taken, high | (4 * target), 0).with_events(1)
    }
}

/// A profiler after a random run, under a geometry with one- and two-word descriptors.
fn profiler() -> impl Strategy<Value = Profiler> {
    let geometry = (
        1u32..5,
        1u32..5,
        prop::sample::select(vec![3, 32, 33, 64]),
        32u32..65,
        prop_oneof![2 => Just((0, false)), 1 => (0u32..9, any::<bool>())],
        prop_oneof![Just(0), Just(64)],
        prop_oneof![3 => Just(Replacement::Lfu), 1 => Just(Replacement::Rrip)],
    );
    (geometry, prop::collection::vec(record(), 0..400)).prop_map(
        |((log2_sets, ways, max_branches, pc_bits, guards, drain_depth, replacement), records)| {
            let sets = 1 << log2_sets;
            let geometry = Geometry {
                sets,
                ways,
                max_branches,
                pc_bits,
                context_bits: guards.0.min(64 - pc_bits),
                stack_check: guards.1,
                drain_depth,
                replacement,
                ..Geometry::default()
            };
            let mut profiler =
                Profiler::new(&geometry, &ResetValues::enabled()).expect("a legal geometry");
            for record in &records {
                profiler.profile(record);
            }
            profiler
        },
    )
}

prop_compose! {
    fn path()(start: u64, length: u32, outcomes: u64) -> PathDescriptor {
        PathDescriptor { start, length, outcomes }
    }
}

/// Its profile, when software has taken some entries out of the drain, among them paths of any length, and counters of any width say anything.
fn dump() -> impl Strategy<Value = Dump> {
    let counters = prop::array::uniform8(any::<u64>());
    let others = prop::collection::vec((path(), 1..1_u64 << 60), 0..5);
    (profiler(), 0..300_usize, counters, any::<u64>(), others).prop_map(
        |(mut profiler, taken, counters, lost_count, others)| {
            let left: Vec<_> = (0..taken).map_while(|_| profiler.take_left()).collect();
            let geometry = *profiler.geometry();
            let mut dump = Dump::of(&profiler);
            dump.counters = counters;
            if let Some(drained) = &mut dump.drained {
                drained.lost_count = lost_count;
                for entry in left {
                    *drained.left.entry(entry.descriptor).or_default() += u64::from(entry.count);
                }
                let others = others
                    .into_iter()
                    .map(|(path, count)| (path_of(&geometry, path), count));
                drained.left.extend(others);
            }
            dump
        },
    )
}

/// A path that a profiler of this geometry can have, made of any.
fn path_of(geometry: &Geometry, path: PathDescriptor) -> PathDescriptor {
    let length = path.length % (geometry.max_branches + 1);
    PathDescriptor {
        start: path.start & Geometry::mask(geometry.start_bits()) & !Geometry::mask(geometry.align),
        length,
        outcomes: path.outcomes & Geometry::mask(length),
    }
}

/// The text of version 1, which this project's firmware printed once.
fn version_1(dump: &Dump) -> String {
    let current = dump.to_string();
    let lines = current.lines().filter_map(|line| {
        let (line, _) = line.rsplit_once(" *")?;
        let (number, line) = line.split_once(' ')?;
        let hash = line.starts_with("configuration") || line.starts_with("program");
        (number != "HPP" && !hash).then(|| format!("{line}\n"))
    });
    let body: String = lines.collect();
    let crc = crc32fast::hash(body.as_bytes());
    let entries = dump.entries.len();
    format!("HPP profile begins\n{body}HPP profile ends {entries:x} {crc:x}\n")
}

/// A whole dump with these lines; checks and sum are right.
fn whole(lines: &[&str]) -> String {
    let mut text = String::from("HPP dump 2 begins\n");
    let mut sum = 0u32;
    for (number, line) in lines.iter().enumerate() {
        let line = format!("{number:x} {line}");
        let check = crc32fast::hash(line.as_bytes());
        sum = sum.wrapping_add(check);
        text += &format!("{line} *{check:x}\n");
    }
    let last = format!("HPP dump 2 ends {:x} {sum:x}", lines.len());
    text + &format!("{last} *{:x}\n", crc32fast::hash(last.as_bytes()))
}

/// A dump of the default geometry with parallel lookup and these entries.
fn with_entries(entries: &[&str]) -> String {
    let counters = format!("counters{}", " 0".repeat(16));
    let head = [
        "configuration -",
        "program 0badcafe",
        "geometry 20200407 808031f 4244020",
        "ppcr 6aa6add1 10",
        "errors 0",
        &counters,
    ];
    whole(&[&head[..], entries].concat())
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(dump in dump(), before in "[a-z \n]{0,40}") {
        let uart = format!("{before}\n{dump}later\n");
        prop_assert_eq!(Dump::read(&uart), Ok(dump.clone()));
        let sizes = dump.sizes().expect("a legal geometry");
        prop_assert_eq!(geometry_words(&sizes), dump.geometry);
        let serial = uart.replace('\n', "\r\n");
        prop_assert_eq!(Dump::read(&serial), Ok(dump));
    }

    #[test]
    fn a_dump_says_what_the_registers_do(mut profiler in profiler()) {
        let dump = Dump::of(&profiler);
        let mut read = |register: Register| profiler.read(register.offset);
        prop_assert_eq!(dump.geometry, [GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3].map(&mut read));
        prop_assert_eq!(dump.ppcr, [PPCR_ROWS, PPCR_MODE].map(&mut read));
        prop_assert_eq!([dump.errors, dump.filter, dump.repairs], [ERRORS, CONTEXT, REPAIRS].map(&mut read));
        if let Some(drained) = &dump.drained {
            let [waiting, lost, low, high] =
                [DRAIN_STATUS, DRAIN_LOST, DRAIN_LOST_COUNT_LO, DRAIN_LOST_COUNT_HI].map(&mut read);
            let lost_count = u64::from(high) << 32 | u64::from(low);
            prop_assert_eq!((drained.waiting, drained.lost, drained.lost_count), (waiting, lost, lost_count));
            prop_assert!(drained.left.is_empty());
        }
        for (value, counter) in dump.counters.iter().zip(Counter::ALL) {
            let [low, high] = [0, 4].map(|word| profiler.read(counter.offset() + word));
            prop_assert_eq!(*value, u64::from(high) << 32 | u64::from(low));
        }
        let entries: Vec<_> = profiler.table().entries().map(|(number, entry)| (number as u32, entry)).collect();
        prop_assert_eq!(dump.entries.into_iter().collect::<Vec<_>>(), entries);
    }

    #[test]
    fn its_hottest_entries_come_first(dump in dump()) {
        let hottest = dump.hottest();
        for pair in hottest.windows(2) {
            let order = pair[1].count.cmp(&pair[0].count);
            prop_assert!(order.then(pair[0].descriptor.cmp(&pair[1].descriptor)).is_le());
        }
        let sorted = |mut entries: Vec<_>| {
            entries.sort_by_key(|entry: &TableEntry| (entry.descriptor, entry.count));
            entries
        };
        prop_assert_eq!(sorted(hottest), sorted(dump.entries.values().copied().collect()));
        for (counter, value) in Counter::ALL.into_iter().zip(dump.counters) {
            prop_assert_eq!(dump.counter(counter), value);
        }
    }

    #[test]
    fn its_sizes_are_those_of_the_profiler(
        sizes in (1u32..8, 1u32..9, 1u32..=64, 32u32..=57, 0u32..4),
        schemes in (any::<bool>(), any::<bool>(), 0usize..3),
        guards in (0u32..8, any::<bool>(), prop_oneof![Just(0u32), Just(64), Just(256)]),
    ) {
        let geometry = Geometry {
            sets: 1 << sizes.0,
            ways: sizes.1,
            max_branches: sizes.2,
            pc_bits: sizes.3,
            align: sizes.4.clamp(1, 2),
            index_scheme: [IndexScheme::Full, IndexScheme::Start][usize::from(schemes.0)],
            lookup: [LookupScheme::Parallel, LookupScheme::Sequential][usize::from(schemes.1)],
            replacement: [Replacement::Lfu, Replacement::Shadow, Replacement::Rrip][schemes.2],
            context_bits: guards.0,
            stack_check: guards.1,
            drain_depth: guards.2,
            triggers: sizes.0 % 2 == 1,
            ..Geometry::default()
        };
        prop_assume!(geometry.validate().is_ok());
        let profiler = Profiler::new(&geometry, &ResetValues::default());
        let dump = Dump::of(&profiler.expect("a legal geometry"));
        let lookup = match geometry.buffers_paths() {
            true => LookupScheme::Sequential,
            false => LookupScheme::Parallel,
        };
        prop_assert_eq!(dump.sizes(), Ok(Geometry { lookup, ..geometry }));
    }

    #[test]
    fn its_profile_is_what_the_table_holds_and_what_left_it(dump in dump()) {
        let profile = dump.profile();
        let held = dump.entries.values().map(|entry| (entry.descriptor, u64::from(entry.count)));
        let left = dump.drained.iter().flat_map(|drained| &drained.left);
        let mut expected = BTreeMap::new();
        for (path, count) in held.chain(left.map(|(path, count)| (*path, *count))) {
            *expected.entry(path).or_insert(0) += count;
        }
        prop_assert_eq!(profile.total(), expected.values().sum::<u64>());
        let found: BTreeMap<_, _> = profile.iter().map(|(path, count)| (*path, count)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_prefix_on_each_line_is_no_harm(dump in dump(), prefixes in prop::collection::vec("[ -~\u{fffd}]{1,20}", 1..9)) {
        let text = dump.to_string();
        let lines = text.lines().zip(prefixes.iter().cycle());
        let log: String = lines.map(|(line, prefix)| format!("{prefix}{line}\r\n")).collect();
        prop_assert_eq!(Dump::read(&log), Ok(dump), "{}", log);
    }
}

#[test]
fn the_greatest_count_of_an_accumulator_is_one() {
    let dump = Dump::read(&with_entries(&["entry 4 4 0 0 ffffffff"])).expect("a profile");
    let counts: Vec<u32> = dump.entries.values().map(|entry| entry.count).collect();
    assert_eq!(counts, [u32::MAX]);
}

#[test]
fn the_last_of_several_dumps_is_read_and_all_are_listed() {
    let (first, second) = (with_entries(&[]), with_entries(&["entry 4 4 0 0 1"]));
    let log = format!("> dump\n{first}> dump\n{second}\nHPP dump 2 begins\n0 conf");
    let all = Dump::all(&log);
    let lines: Vec<usize> = all.iter().map(|logged| logged.line).collect();
    assert_eq!(lines, [2, 11, 21]);
    assert_eq!(all[0].dump, Dump::read(&first));
    assert_eq!(all[1].dump, Dump::read(&second));
    assert_eq!(all[2].dump, Err(DumpError::Truncated { line: 22 }));
    assert_eq!(Dump::read(&log), all[2].dump);
    let whole = all[0].dump.as_ref().expect("a whole dump");
    assert_eq!(whole.program.as_deref(), Some("0badcafe"));
}
