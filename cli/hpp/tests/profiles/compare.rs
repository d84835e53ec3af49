//! `hpp annotate`, `hpp diff` and `hpp merge`.

use hpp_golden::registers::{Counter, Field, geometry0, geometry2};

use crate::folder::{Done, Folder, lines, profiled};
use crate::riscv_program::{NOP, RET, beq, program};
use crate::said::Must;

#[test]
fn code_is_annotated_with_counts_outcomes_and_paths() {
    let folder = Folder::new(profiled(&[true, true, true, false]));
    let done = folder.succeeds("annotate serial.txt --elf f.elf");
    assert_eq!(
        lines(&done.out),
        [
            "f",
            "A path 1: T 3 times, 75.0 %, from f",
            "B path 2: N 1 time, 25.0 %, from f",
            "",
            "share ran on address instruction",
            "44.4 % 4 AB 10000 beqz zero, 10008 taken 75.0 %",
            "11.1 % 1 B 10004 c.nop",
            "44.4 % 4 AB 10008 ret",
        ]
        .map(|line| line.replace("c.nop", "nop"))
    );
    let json = folder.json("annotate serial.txt --elf f.elf --format json");
    assert_eq!(json["instructions"][0]["taken"], 0.75);
}

/// The head had lines as long as names of C++ are.
#[test]
fn the_head_of_annotated_code_is_no_wider_than_its_code() {
    let folder = Folder::new(profiled(&[true]));
    let name = "_ZN2my4sortIPiZ3runiEUliiE_EEvT_S3_T0_.constprop.0";
    folder.write("f.elf", program(&[beq(8), NOP, RET], &[(name, 0, 3)]));
    let out = folder.succeeds("annotate serial.txt --elf f.elf").out;
    assert!(out.lines().all(|line| line.len() <= 120), "{out}");
    out.must_begin("void my::sort<...>(...)");
}

#[test]
fn two_profiles_are_compared_by_share() {
    let folder = Folder::new(profiled(&[true, true, false, false]));
    folder.write(
        "after.txt",
        profiled(&[true, true, true, false]).to_string().as_bytes(),
    );
    let done = folder.succeeds("diff serial.txt after.txt --elf f.elf");
    let out = lines(&done.out);
    assert_eq!(out[0], "totals 4 and 4");
    assert_eq!(out[1], "overlap 75.0 % of the weight is on the same paths");
    done.must_have_line("2 50.0 % 3 75.0 % +25.0 f T");
    done.must_have_line("2 50.0 % 1 25.0 % -25.0 f N");
    done.must_have_line("4 100.0 % 4 100.0 % +0.0 f");
}

#[test]
fn two_builds_are_compared_by_function() {
    let folder = Folder::new(profiled(&[true, false]));
    folder.write("g.elf", program(&[beq(8), NOP, RET], &[("g", 0, 3)]));
    let done = folder.run("diff serial.txt serial.txt --elf f.elf --elf-b g.elf");
    lines(&done.out);
    done.must_have_line("2 100.0 % 0 0.0 % -100.0 f");
    done.must_have_line("0 0.0 % 2 100.0 % +100.0 g");
}

#[test]
fn profiles_of_one_program_and_configuration_add_up() {
    let mut first = profiled(&[true, false]);
    first.program = Some("aa".into());
    let mut second = profiled(&[true, true]);
    second.program = Some("aa".into());
    let folder = Folder::new(format!("{first}{second}"));
    let done = folder.succeeds("merge --all-dumps serial.txt");
    folder.write("sum.json", done.out.as_bytes());
    let report = folder.run("report sum.json --elf f.elf");
    report.must_have_line("1 6 66.7 % 66.7 % 3 f T 10000-10004 10008-1000c");
    report.must_have_line("runs 2");
    folder.succeeds("merge sum.json sum.json");
}

#[test]
fn profiles_of_other_programs_or_settings_are_not_merged() {
    let mut first = profiled(&[true]);
    first.program = Some("aa".into());
    let mut other = first.clone();
    other.program = Some("bb".into());
    let mut counting = first.clone();
    counting.ppcr[1] |= 1;
    let folder = Folder::new(&first);
    folder.write("other.txt", other.to_string());
    folder.write("counting.txt", counting.to_string());
    let error = folder.run("merge serial.txt other.txt").error;
    error.must_be(
        "hpp: cannot merge serial.txt and other.txt: they differ in program (build ID): aa and bb; \
         paths of two programs are not comparable by address\n",
    );
    let error = folder.run("diff serial.txt counting.txt").error;
    error.must_contain(
        "they differ in what is counted: executions of Ball-Larus paths and cycles along Ball-Larus paths;",
    );
}

/// Software may have selected a type of events before it chose to count executions.
#[test]
fn a_setting_without_effect_keeps_no_profiles_apart() {
    let first = profiled(&[true]);
    let mut other = first.clone();
    other.ppcr[1] |= 0x10;
    let folder = Folder::new(&first);
    folder.write("other.txt", other.to_string());
    for command in ["merge", "diff", "tests"] {
        folder.succeeds(format!("{command} serial.txt other.txt"));
    }
    // Where events are counted, it matters.
    for (dump, name) in [(first, "serial.txt"), (other, "other.txt")] {
        let mut dump = dump;
        dump.ppcr[1] |= 1;
        folder.write(name, dump.to_string());
    }
    let done = folder.run("merge serial.txt other.txt");
    assert_eq!(done.status, 1);
    let expected = "cycles along Ball-Larus paths and retired instructions along Ball-Larus paths";
    done.error.must_contain(expected);
}

#[test]
fn events_are_no_executions() {
    let mut cycles = profiled(&[true, true, true, false]);
    cycles.ppcr[1] |= 1;
    let folder = Folder::new(&cycles);
    let out = lines(&folder.run("annotate serial.txt --elf f.elf").out);
    assert!(!out.iter().any(|line| line.contains("time")), "{out:?}");
    assert!(!out.iter().any(|line| line.contains("taken")), "{out:?}");
    out[1].must_begin("A path 1: T 3 cycles, 75.0 %");
    assert_eq!(out[4], "events on address instruction");
    assert_eq!(out[5], "4 AB 10000 beqz zero, 10008");
    let json = folder.json("annotate serial.txt --elf f.elf --format json");
    assert_eq!(json["counted"]["events"], true);
    let branch = &json["instructions"][0];
    assert!(
        branch["taken"].is_null() && branch["share"].is_null(),
        "{json}"
    );
}

#[test]
fn what_makes_a_profile_doubtful_is_reported_by_every_command_that_reads_it() {
    let mut first = profiled(&[true]);
    first.program = Some("aa".into());
    let folder = Folder::new(&first);
    let mut lost = profiled(&[true]);
    lost.counters[Counter::LostRecords as usize] = 7;
    folder.write("lost.txt", lost.to_string());
    let expected = "this profile cannot be trusted: 7 branch records lost";
    for form in ["text", "json"] {
        let done = folder.run(format!("diff serial.txt lost.txt --format {form}"));
        assert_eq!(done.status, 3);
        let line = format!("hpp: lost.txt: {expected}");
        done.error.must_begin(&line);
        let done = folder.run(format!("annotate lost.txt --elf f.elf --format {form}"));
        assert_eq!(done.status, 3);
        done.error.must_contain(expected);
    }
    let done = folder.run("report lost.txt --format csv");
    assert_eq!(done.status, 3);
    done.error.must_contain(expected);
}

#[test]
fn profilers_of_other_sizes_are_distinguished_by_name() {
    let dump = profiled(&[true]);
    let folder = Folder::new(&dump);
    let mut other = dump;
    // More branches of a path, so that an entry has another word.
    let put =
        |field: Field, word: &mut u32, value| *word = *word & !field.mask() | field.put(value);
    put(geometry0::MAX_BRANCHES, &mut other.geometry[0], 48);
    put(geometry2::ENTRY_WORDS, &mut other.geometry[2], 5);
    other.entries.clear();
    folder.write("other.txt", other.to_string());
    for command in ["merge", "diff"] {
        let error = folder.run(format!("{command} serial.txt other.txt")).error;
        let expected = "they differ in geometry (max-branches: 32 and 48); take both with one profiler and the same settings\n";
        error.must_end(expected);
    }
}

/// A pipe can be read once.
#[test]
fn every_dump_of_standard_input_is_merged() {
    let folder = Folder::new(profiled(&[true]).to_string().repeat(3));
    let log = std::fs::File::open(folder.path().join("serial.txt")).expect("the log");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hpp"));
    let done = Done::of(command.args(["merge", "--all-dumps", "-"]).stdin(log));
    assert_eq!(done.status, 0, "{}", done.error);
    let merged = done.json();
    assert_eq!(
        (&merged["runs"], &merged["paths"][0][1]),
        (&3.into(), &3.into())
    );
}

/// Static functions of two files may have one name, and what is in no function has a share, too.
#[test]
fn functions_are_compared_one_by_one() {
    let folder = Folder::new(profiled(&[true, false]));
    let elf = program(&[beq(8), NOP, RET], &[("f", 1, 1), ("f", 2, 1)]);
    folder.write("f.elf", &elf);
    for more in ["", " --elf-b f.elf"] {
        let diff = format!("diff serial.txt serial.txt --elf f.elf{more}");
        let out = lines(&folder.run(diff).out);
        let row = "2 100.0 % 2 100.0 % +0.0 (in no function)";
        assert!(out.iter().any(|line| line == row), "{out:?}");
    }
}

#[test]
fn tests_are_ordered_by_the_paths_they_add() {
    let folder = Folder::new(profiled(&[true, true]));
    let write = |name, outcomes: &[bool]| folder.write(name, profiled(outcomes).to_string());
    write("both.txt", &[true, false]);
    write("right.txt", &[false]);
    let done = folder.succeeds("tests serial.txt both.txt right.txt");
    assert_eq!(
        lines(&done.out),
        [
            "tests 3, which take 2 different paths",
            "",
            "added together test",
            "2 2 both.txt",
            "0 2 serial.txt",
            "0 2 right.txt",
            "",
            "enough both.txt",
        ]
    );
    let done = folder.succeeds("tests right.txt --field both.txt serial.txt --elf f.elf");
    let end = [
        "enough right.txt",
        "untested 1 of the field's 2 paths, 75.0 % of its weight",
        "path f T not tested, 3 in the field",
    ];
    assert!(
        lines(&done.out).ends_with(&end.map(String::from)),
        "{}",
        done.out
    );
    let json = folder.json("tests right.txt --field both.txt serial.txt --elf f.elf --format json");
    assert_eq!(json["field"]["untested"][0]["count"], 3);
    let done = folder.run("tests both.txt --field serial.txt");
    let last = lines(&done.out).pop();
    let none = "untested 0 of the field's 1 paths, 0.0 % of its weight";
    assert_eq!(last.as_deref(), Some(none), "{}", done.out);
    folder.write("none.txt", profiled(&[]).to_string());
    let done = folder.run("tests none.txt");
    assert_eq!(done.status, 3, "nothing was profiled");
    let last = lines(&done.out).pop();
    assert_eq!(last.as_deref(), Some("enough no test takes a path"));
}

#[test]
fn tests_of_other_settings_are_refused() {
    let first = profiled(&[true]);
    let mut counting = first.clone();
    counting.ppcr[1] |= 1;
    let folder = Folder::new(&first);
    folder.write("counting.txt", counting.to_string());
    folder.write("none.txt", b"no profile");
    for (arguments, expected) in [
        (
            "counting.txt",
            "counting.txt with serial.txt: they differ in what is counted",
        ),
        (
            "--field counting.txt",
            "counting.txt with serial.txt: they differ in what is counted",
        ),
        ("none.txt", "none.txt: "),
    ] {
        let done = folder.run(format!("tests serial.txt {arguments}"));
        assert_eq!((done.status, &*done.out), (1, ""), "{arguments}");
        done.error.must_contain(expected);
    }
}
