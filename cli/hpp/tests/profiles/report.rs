//! `hpp report`, `hpp completions` and `hpp man`.

use crate::folder::{Done, Folder, dump, lines, profiled};
use crate::riscv_program::{JR, NOP, RET, beq, jal, program};
use crate::said::Must;
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{TableEntry, set_index};
use hpp_golden::registers::{Counter, geometry2};
use serde_json::Value;

#[test]
fn paths_are_named_and_walked() {
    let serial = format!("boot: ok\r\n{}$ ", dump().to_string().replace('\n', "\r\n"));
    let done = Folder::new(&serial).run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 0, "{}", done.error);
    assert_eq!(
        lines(&done.out),
        [
            "counted executions of Ball-Larus paths",
            "table 2 paths in a table of 512; they count 3 of 3 completed paths, 100.0 %",
            "shares of the 7 instructions of the table's paths",
            "walk 2 of 2 walk through the program's code",
            "health good: no errors, no lost records",
            "- the profile has no build ID of the program that ran, so whether the ELF file is that one is not known; remedy: link with --build-id, and let the firmware print it",
            "",
            "# instructions share sum executions path begins in at branches blocks",
            "1 4 57.1 % 57.1 % 2 f T 10000-10004 10008-1000c",
            "2 3 42.9 % 100.0 % 1 f N 10000-10004 10004-1000c",
            "",
            "instructions share with inlined share paths function at",
            "7 100.0 % 7 100.0 % 2 f",
        ]
    );
}

#[test]
fn without_a_program_the_raw_list_is_shown() {
    let done = Folder::new(dump()).run("report serial.txt");
    assert_eq!(done.status, 0, "{}", done.error);
    lines(&done.out);
    done.must_have_line("1 2 66.7 % 66.7 % 0x10000 T");
    assert!(!done.out.contains("walk"), "{}", done.out);
}

#[test]
fn paths_are_ranked_by_executions_too() {
    let folder = Folder::new(dump());
    let done = folder.run("report serial.txt --elf f.elf --by count");
    lines(&done.out);
    // Taken: two instructions, twice; not taken: three, once.
    done.must_have_line("1 2 66.7 % 66.7 % 4 f T 10000-10004 10008-1000c");
    done.must_have_line("shares of the 3 executions counted in the table");
    let error = folder.run("report serial.txt --by instructions").error;
    error.must_contain("give the program with --elf");
    let error = folder
        .run("report serial.txt --elf f.elf --by events")
        .error;
    error.must_contain("the profile counts executions");
}

#[test]
fn the_profiler_s_manifest_names_what_is_counted() {
    let mut dump = dump();
    dump.configuration = Some("ab".repeat(32));
    // Events, of the second input.
    dump.ppcr[1] = 0x31;
    let folder = Folder::new(&dump);
    let head = |done: &Done| done.out.lines().next().unwrap_or_default().to_string();
    let done = folder.run("report serial.txt --elf f.elf");
    assert_eq!(
        head(&done),
        "counted   events of type 3 along Ball-Larus paths"
    );
    let manifest = |hash: &str| {
        format!(
            r#"{{"configuration_hash": "{hash}", "configuration": {{"event-names": ["energy", "dcache-refill"]}}}}"#
        )
    };
    let with = "report serial.txt --elf f.elf --profiler hpp.json";
    folder.write("hpp.json", manifest(&"ab".repeat(32)).as_bytes());
    let done = folder.run(with);
    assert_eq!(
        head(&done),
        "counted   dcache refill along Ball-Larus paths"
    );
    folder.write("hpp.json", manifest(&"cd".repeat(32)).as_bytes());
    let error = folder.run(with).error;
    error.must_contain("give the manifest of the profiler that took the profile");
    folder.write("hpp.json", b"{}");
    let error = folder.run(with).error;
    error.must_contain("hpp.json: not a manifest");
}

#[test]
fn a_path_that_does_not_walk_is_listed_and_the_rest_is_shown() {
    let folder = Folder::new(dump());
    folder.write("f.elf", program(&[jal(0, 8), JR, RET], &[("g", 0, 3)]));
    let done = folder.run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 3, "{}", done.error);
    done.out.must_contain("walk      1 of 2 walk");
    done.out
        .must_contain("health    this profile cannot be trusted");
    done.out.must_contain("\n(1) outcome 0 says not taken");
    done.out.must_contain("10000-10004 10008-1000c");
}

#[test]
fn lost_records_and_errors_are_said_and_end_with_status_3() {
    let mut lossy = dump();
    lossy.errors = 0b1011;
    lossy.counters[Counter::LostRecords as usize] = 11_713;
    let done = Folder::new(&lossy).run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 3);
    for text in [
        "! 11,713 branch records lost",
        "! a count did not fit into an accumulator 32 bits wide",
        "! software wrote a row of PPCR_ROWS that the hardware refuses",
    ] {
        done.out.must_contain(text);
    }
    let json = Folder::new(&lossy).run("report serial.txt --format json");
    assert_eq!(json.status, 3);
    let report = json.json();
    assert_eq!(report["health"]["trusted"], Value::Bool(false));
    assert_eq!(report["counters"]["lost_records"], 11_713);
    let mut nothing = dump();
    nothing.counters = [0; Counter::COUNT];
    nothing.entries.clear();
    let done = Folder::new(&nothing).run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 3);
    done.out.must_contain("no branch record came in");
}

#[test]
fn files_have_every_path() {
    let folder = Folder::new(dump());
    let report = folder.json("report serial.txt --elf f.elf --format json --top 1");
    assert_eq!(report["paths"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["paths"][0]["place"]["function"], "f");
    assert_eq!(report["paths"][0]["blocks"][1]["start"], 0x10008);
    let csv = folder.run("report serial.txt --elf f.elf --format csv");
    assert_eq!(
        csv.out.lines().nth(1),
        Some("1,4,0.571429,0.571429,2,f,0,,,0x10000,1,T,2,0x10000-0x10004 0x10008-0x1000c,")
    );
}

#[test]
fn one_of_several_dumps_is_chosen() {
    let (first, second) = (profiled(&[true]), profiled(&[false]));
    let log = format!("{first}{second}");
    let folder = Folder::new(&log);
    let last = folder.run("report serial.txt --elf f.elf");
    last.must_have_line("1 3 100.0 % 100.0 % 1 f N 10000-10004 10004-1000c");
    let chosen = folder.run("report serial.txt --elf f.elf --dump 1");
    chosen.must_have_line("1 2 100.0 % 100.0 % 1 f T 10000-10004 10008-1000c");
    let none = folder.run("report serial.txt --elf f.elf --dump 3");
    none.error
        .must_be("hpp: serial.txt: there is no dump 3; there are 2\n");
    let list = folder.run("report serial.txt --list");
    assert_eq!(lines(&list.out)[2], "2 10 1 1 intact; program not said");
}

#[test]
fn completions_and_manual_pages_name_every_option() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish"] {
        let out = folder.succeeds(format!("completions {shell}")).out;
        out.must_contain("function");
        assert!(!out.contains("followed"), "{out}");
    }
    let page = folder.run("man report").out;
    for part in [".TH hpp-report 1", "\"hpp 0.", "\\-\\-by"] {
        page.must_contain(part);
    }
    let error = folder.run("man rport").error;
    error.must_be("hpp: there is no command `rport`; `hpp help` lists them\n");
}

#[test]
fn csv_has_no_offset_into_no_function() {
    let folder = Folder::new(dump());
    let offset = |arguments| {
        let out = folder.run(arguments).out;
        let line = out.lines().nth(1).expect("a path").to_string();
        line.split(',').nth(6).expect("a column").to_string()
    };
    assert_eq!(offset("report serial.txt --format csv"), "");
    assert_eq!(offset("report serial.txt --elf f.elf --format csv"), "0");
}

/// Narrow counters wrap in seconds.
#[test]
fn counters_that_wrapped_are_not_said_to_have_been_cleared() {
    let mut dump = profiled(&[true, true, true]);
    let bits = geometry2::COUNTER_BITS;
    dump.geometry[2] = dump.geometry[2] & !bits.mask() | bits.put(32);
    dump.counters[Counter::Paths as usize] = 1;
    let folder = Folder::new(&dump);
    let out = folder.run("report serial.txt").out;
    let expected = "they were cleared at different times, or wrapped, as counters of 32 bits do";
    out.must_contain(expected);
}

/// Such paths need no other program and no fault to be refused by the walk.
#[test]
fn paths_that_may_begin_inside_of_calls_are_reported() {
    let mut dump = profiled(&[true]);
    // Procedure extension, up to two calls.
    dump.ppcr[1] = 0x0208;
    let folder = Folder::new(&dump);
    folder.write("f.elf", program(&[RET], &[("f", 0, 1)]));
    let done = folder.run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 3);
    let expected = "extended across up to 2 calls";
    done.out.must_contain(expected);
    let expected = "only 0 of 1 paths walk through the program's code; 100.0 % of the profile does not (#1 in f): they began inside of a call that they \
                extend across";
    done.out.must_contain(expected);
}

/// A path that `longjmp` cut short and another activation continued.
fn continued(counts: [u32; 2], name: &str) -> Done {
    let mut dump = profiled(&[true]);
    let (_, good) = dump.entries.pop_first().expect("a path");
    let descriptor = PathDescriptor {
        length: 2,
        outcomes: 0b11,
        ..good.descriptor
    };
    let entry = |descriptor, count| TableEntry { descriptor, count };
    for (descriptor, count) in [(good.descriptor, counts[0]), (descriptor, counts[1])] {
        let geometry = Geometry::default();
        let place = set_index(&geometry, &descriptor) as u32 * geometry.ways;
        dump.entries.insert(place, entry(descriptor, count));
    }
    let folder = Folder::new(&dump);
    let functions = [("f", 0, 3), (name, 3, 1)];
    folder.write("f.elf", program(&[beq(8), NOP, RET, RET], &functions));
    folder.run("report serial.txt --elf f.elf --top 1")
}

#[test]
fn a_path_that_longjmp_cut_short_is_named_and_the_others_can_be_trusted() {
    let done = continued([1000, 5], "longjmp");
    assert_eq!(done.status, 0, "{}{}", done.out, done.error);
    for expected in [
        "only 1 of 2 paths walk through the program's code; 0.5 % of the profile does not (#2 in f): the program can leave a procedure \
         without returning (longjmp)",
        "--stack-check",
        "The other paths can be trusted",
        "does not walk (1)",
    ] {
        done.out.must_contain(expected);
    }
    // Too much of the profile; no way to leave a procedure.
    for (counts, name) in [([1000, 50], "longjmp"), ([1000, 5], "g")] {
        let done = continued(counts, name);
        assert_eq!(done.status, 3, "{}", done.out);
        assert!(!done.out.contains("can be trusted\n"), "{}", done.out);
    }
}

#[test]
fn errors_that_are_not_known_are_reported() {
    let mut dump = profiled(&[true]);
    dump.errors = 1 << 31;
    let done = Folder::new(&dump).run("report serial.txt");
    assert_eq!(done.status, 3);
    let expected = "ERRORS has bits that are not known here, 0x80000000";
    done.out.must_contain(expected);
}

#[test]
fn paths_are_chosen_by_function_file_and_section() {
    let folder = Folder::new(dump());
    for (arguments, left) in [
        ("--only f", 2),
        ("--only g*", 0),
        ("--only .te?t", 2),
        ("--exclude f*", 0),
        ("--only * --exclude g", 2),
    ] {
        let report = format!("report serial.txt --elf f.elf --format json {arguments}");
        let done = folder.succeeds(report);
        let report = done.json();
        let paths = report["paths"].as_array().expect("paths").len();
        assert_eq!(paths, left, "{arguments}");
    }
    let done = folder.run("report serial.txt --elf f.elf --only [a");
    assert_eq!(done.status, 2, "{}", done.error);
}
