//! The dump: what is written is read back, damage is noticed and named, and what no profiler holds is refused.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme, LookupScheme, Protection, Replacement};
use hpp_golden::dump::{Dump, DumpError};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::table::TableEntry;
use hpp_golden::profiler::{Profiler, ResetValues, geometry_words};
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
        BranchRecord {
            kind,
            taken,
            target: high | (4 * target),
            next: 0,
            events: 1,
        }
    }
}

/// A profiler behind a random run, under a geometry with one- and two-word descriptors.
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
            let reset = ResetValues {
                enable: true,
                ..ResetValues::default()
            };
            let mut profiler = Profiler::new(&geometry, &reset).expect("a legal geometry");
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

/// A dump of the default geometry with these entries.
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
        schemes in (any::<bool>(), any::<bool>(), 0usize..3, 0usize..3),
        guards in (0u32..8, any::<bool>(), prop_oneof![Just(0u32), Just(64), Just(256)]),
    ) {
        let geometry = Geometry {
            sets: 1 << sizes.0,
            ways: sizes.1,
            max_branches: sizes.2,
            pc_bits: sizes.3,
            align: sizes.4.clamp(1, 2),
            index_scheme: [IndexScheme::Full, IndexScheme::Start][usize::from(schemes.0)],
            lookup: [LookupScheme::Parallel, LookupScheme::Serial][usize::from(schemes.1)],
            replacement: [Replacement::Lfu, Replacement::Shadow, Replacement::Rrip][schemes.2],
            protect: [Protection::None, Protection::Memories, Protection::All][schemes.3],
            context_bits: guards.0,
            stack_check: guards.1,
            drain_depth: guards.2,
            ..Geometry::default()
        };
        prop_assume!(geometry.validate().is_ok());
        let profiler = Profiler::new(&geometry, &ResetValues::default());
        let dump = Dump::of(&profiler.expect("a legal geometry"));
        prop_assert_eq!(dump.sizes(), Ok(geometry));
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

    #[test]
    fn no_single_damaged_character_goes_unnoticed(
        dump in dump(),
        at: prop::sample::Index,
        with in "[0-9a-z \n]",
    ) {
        let text = dump.to_string();
        let at = at.index(text.len() - 1);
        prop_assume!(text[at..=at] != with);
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        prop_assert!(Dump::read(&damaged).is_err(), "{damaged}");
    }

    #[test]
    fn a_profile_cut_short_is_no_profile(dump in dump(), at: prop::sample::Index) {
        let text = dump.to_string();
        let cut = &text[..at.index(text.len() - 1)];
        prop_assert!(Dump::read(cut).is_err(), "{cut}");
    }

    #[test]
    fn version_1_stays_readable(dump in dump(), before in "[a-z \n]{0,40}") {
        // It knows no register beyond the sizes.
        prop_assume!(dump.geometry[3] == 0);
        let uart = format!("{before}\n{}later\n", version_1(&dump));
        prop_assert_eq!(Dump::read(&uart), Ok(dump.clone()));
        prop_assert_eq!(Dump::read(&uart.replace('\n', "\r\n")), Ok(dump));
    }

    #[test]
    fn no_damaged_character_of_version_1_goes_unnoticed(
        dump in dump(),
        at: prop::sample::Index,
        with in "[0-9a-z \n]",
    ) {
        // It knows no register beyond the sizes.
        prop_assume!(dump.geometry[3] == 0);
        let text = version_1(&dump);
        let at = at.index(text.len() - 1);
        prop_assume!(text[at..=at] != with);
        let damaged = format!("{}{with}{}", &text[..at], &text[at + 1..]);
        prop_assert!(Dump::read(&damaged).is_err(), "{damaged}");
    }

    #[test]
    fn a_lost_line_is_named(dump in dump(), at: prop::sample::Index) {
        let text = dump.to_string();
        let lines: Vec<&str> = text.lines().collect();
        let lost = 1 + at.index(lines.len() - 2);
        let rest = [&lines[..lost], &lines[lost + 1..]].concat().join("\n");
        let error = Dump::read(&rest).expect_err("a line is missing");
        let missing = vec![lost as u32 - 1];
        let lines = lines.len() as u32 - 2;
        prop_assert_eq!(error, DumpError::Lost { lines, missing, damaged: vec![] });
    }

    #[test]
    fn other_text_between_the_lines_is_no_harm(
        dump in dump(),
        at: prop::sample::Index,
        other in "[ -~]{0,30}",
    ) {
        let text = dump.to_string();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(1 + at.index(lines.len() - 1), &other);
        prop_assert_eq!(Dump::read(&lines.join("\n")), Ok(dump));
    }

    #[test]
    fn lines_of_two_dumps_make_none(first in dump(), second in dump(), at: prop::sample::Index) {
        let (first, second) = (first.to_string(), second.to_string());
        let (a, b): (Vec<&str>, Vec<&str>) = (first.lines().collect(), second.lines().collect());
        let at = 1 + at.index(a.len().min(b.len()) - 1);
        let spliced = [&a[..at], &b[at..]].concat();
        prop_assume!(spliced != a && spliced != b);
        prop_assert!(Dump::read(&spliced.join("\n")).is_err());
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "(\\PC{0,40}\n){0,8}") {
        let _ = Dump::all(&text);
    }

    #[test]
    fn any_words_are_read_without_a_panic_and_a_refusal_names_its_line(
        dump in dump(),
        changed: prop::sample::Index,
        words in prop::collection::vec(any::<u32>(), 0..18),
        old: bool,
    ) {
        let text = if old { version_1(&dump) } else { dump.to_string() };
        let contents: Vec<&str> = text.lines().filter_map(|line| {
            let line = line.rsplit_once(" *").map_or(line, |(line, _)| line);
            if line.starts_with("HPP") { return None; }
            if old { Some(line) } else { line.split_once(' ').map(|(_, line)| line) }
        }).collect();
        let hashes = if old { vec!["configuration -", "program -"] } else { vec![] };
        let mut contents = [hashes, contents].concat();
        let at = 2 + changed.index(contents.len() - 2);
        let name = contents[at].split(' ').next().expect("a name");
        let line: String = words.iter().fold(name.into(), |line, word| format!("{line} {word:x}"));
        contents[at] = &line;
        if let Err(error) = Dump::read(&whole(&contents)) {
            prop_assert!(error.to_string().starts_with("line "), "{error}");
        }
    }
}

#[test]
fn errors_say_where_and_what() {
    let text = |uart: &str| Dump::read(uart).expect_err("no profile").to_string();
    assert_eq!(Dump::read("Hello\n"), Err(DumpError::Missing));
    assert_eq!(
        text("Hello\nHPP dump 2 begins\n"),
        "the dump breaks off after line 2: its last line, `... ends ...`, is missing; wait for it, or print again"
    );
    assert_eq!(
        text("HPP profile begins\ngeometry 1 2 x\n"),
        "line 2: `geometry 1 2 x` should be `geometry` and 3 or 4 words; was the text damaged on its way? Print it again"
    );
    assert_eq!(
        text("HPP dump 7 begins\n"),
        "line 1: a dump of version 7; versions 1 to 2 can be read: use the `hpp` that came with the firmware"
    );
    for hash in ["", "0badcafg", "0x12", "12 34", "--"] {
        let line = format!("configuration {hash}");
        let error = text(&whole(&[&line, "program -"]));
        assert!(
            error.starts_with(&format!("line 2: `{line}` should be")),
            "{error}"
        );
    }
    let whole = with_entries(&["entry 4 4 0 0 1"]);
    assert_eq!(
        text(&whole.replace("errors 0", "errors 1")),
        "of the dump's 7 lines one is missing: 4 (line 6 of the text is damaged); print it again"
    );
}

#[test]
fn an_empty_dump_lacks_the_line_behind_its_first() {
    let error = Dump::read("> dump\nHPP profile begins\nHPP profile ends 0 0\n");
    let error = error.expect_err("no geometry").to_string();
    assert!(
        error.starts_with("line 3: `` should be `geometry`"),
        "{error}"
    );
}

#[test]
fn where_version_1_breaks_off_between_lines_its_last_line_is_named() {
    let whole = version_1(&Dump::read(&with_entries(&["entry 4 4 0 0 1"])).expect("a profile"));
    let lines: Vec<&str> = whole.lines().collect();
    for cut in 1..lines.len() {
        let error = Dump::read(&lines[..cut].join("\n"));
        assert_eq!(
            error,
            Err(DumpError::Truncated { line: cut }),
            "{cut} lines"
        );
    }
}

/// Where a line is lost, what could have been it is named: three words at least, of which half are hexadecimal.
#[test]
fn a_damaged_line_is_told_from_the_text_of_others() {
    for (text, is_ours) in [
        ("4 errors 0 *1234abcd", true),
        ("errors 0 *1234abcd", true),
        ("4 errors 0", true),
        ("4 e", false),
        ("4 errors nought *1234abcd", true),
        ("4 errors nought", false),
        ("one two three", false),
        ("one two 3 four", false),
        ("", false),
    ] {
        let whole = with_entries(&[]);
        let lines = whole
            .lines()
            .map(|line| match line.starts_with("4 errors") {
                true => text,
                false => line,
            });
        let error = Dump::read(&lines.collect::<Vec<_>>().join("\n"));
        let expected = DumpError::Lost {
            lines: 6,
            missing: vec![4],
            damaged: if is_ours { vec![6] } else { vec![] },
        };
        assert_eq!(error, Err(expected), "`{text}`");
    }
}

#[test]
fn the_greatest_count_of_an_accumulator_is_one() {
    let dump = Dump::read(&with_entries(&["entry 4 4 0 0 ffffffff"])).expect("a profile");
    let counts: Vec<u32> = dump.entries.values().map(|entry| entry.count).collect();
    assert_eq!(counts, [u32::MAX]);
}

#[test]
fn where_a_dump_has_too_few_lines_the_place_behind_the_last_is_named() {
    let error = Dump::read(&whole(&["configuration -", "program -"])).expect_err("no geometry");
    let error = error.to_string();
    assert!(
        error.starts_with("line 4: `` should be `geometry`"),
        "{error}"
    );
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
    let program = all[0]
        .dump
        .as_ref()
        .expect("a whole dump")
        .program
        .as_deref();
    assert_eq!(program, Some("0badcafe"));
}

#[test]
fn what_no_profiler_holds_is_refused_with_its_line() {
    let refusal = |text: &str| Dump::read(text).expect_err("refused").to_string();
    for (entries, expected) in [
        (
            &["entry 200 4 0 0 1"][..],
            "line 8: entry 200 is beyond the table's 512 entries (0 to 1ff);",
        ),
        (
            &["entry 4 4 0 0 1", "entry 4 804 0 0 1"],
            "line 9: entry 4 is in set 1, but",
        ),
        (
            &["entry 4 4 0 0 1", "entry 4 4 0 0 1"],
            "line 9: entry 4 was there before, on line 8;",
        ),
        (
            &["entry 4 4 0 0 1", "entry 5 4 0 0 1"],
            "line 9: the path 0x00000004: has an entry already, on line 8;",
        ),
        (
            &["entry 8 4 0 0 1"],
            "line 8: entry 8 is in set 2, but its path 0x00000004: belongs to set 1;",
        ),
        (
            &["entry 4 4 0 0 0"],
            "line 8: an entry with count 0, which means that it is empty;",
        ),
        (
            &["entry 4 4 0 21 1"],
            "line 8: a path of length 33, but a path records 32 branches at most;",
        ),
        (
            &["entry 4 4 0 ffffffff 1"],
            "line 8: a path of length 4294967295, but a path records 32 branches at most;",
        ),
        (
            &["entry 4 4 4 2 1"],
            "line 8: outcomes 4 of a path of length 2: bits at and above the length must be 0;",
        ),
        (
            &["entry 4 6 0 0 1"],
            "line 8: the start 0x6 is no address of 32 bits whose low 2 are 0;",
        ),
        (
            &["entry 4 4 0 0"],
            "line 8: `entry 4 4 0 0` should be `entry`, a number, and as many words",
        ),
        (
            &["entry 4 4 0 0 1 1"],
            "line 8: `entry 4 4 0 0 1 1` should be `entry`, a number,",
        ),
    ] {
        let error = refusal(&with_entries(entries));
        assert!(error.starts_with(expected), "{error}");
    }
    let changed = |from: &str, to: &str| {
        let text = with_entries(&[]);
        let lines: Vec<String> = text
            .lines()
            .filter_map(|line| line.rsplit_once(" *")?.0.split_once(' '))
            .filter(|(number, _)| *number != "HPP")
            .map(|(_, line)| line.replace(from, to))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        refusal(&whole(&lines))
    };
    let align = changed("4244020", "4344020");
    assert!(
        align.starts_with(
            "line 4: the geometry registers are those of no profiler: align = 3 is out of range;"
        ),
        "{align}"
    );
    let row = changed("6aa6add1", "6aa6add3");
    assert!(
        row.starts_with("line 5: PPCR_ROWS is that of no profiler: a row holds both update and"),
        "{row}"
    );
    let words = changed("4244020", "5244020");
    assert!(
        words.starts_with("line 4: GEOMETRY2 says 5 words an entry, its sizes make 4;"),
        "{words}"
    );
}
