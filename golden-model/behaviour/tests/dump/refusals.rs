//! A dump of what no profiler can hold is refused.

use crate::*;

/// Lines of entries, with commas between them, and how the error begins.
const ENTRIES: &str = "
entry 200 4 0 0 1 => line 8: entry 200 is beyond the table's 512 entries (0 to 1ff);
entry 4 4 0 0 1, entry 4 804 0 0 1 => line 9: entry 4 is in set 1, but
entry 4 4 0 0 1, entry 4 4 0 0 1 => line 9: entry 4 was there before, on line 8;
entry 4 4 0 0 1, entry 5 4 0 0 1 => line 9: the path 0x00000004: has an entry already, on line 8;
entry 8 4 0 0 1 => line 8: entry 8 is in set 2, but its path 0x00000004: belongs to set 1;
entry 4 4 0 0 0 => line 8: an entry with count 0, which means that it is empty;
entry 4 4 0 21 1 => line 8: a path of length 33, but a path records 32 branches at most;
entry 4 4 0 ffffffff 1 => line 8: a path of length 4294967295, but a path records 32 branches at most;
entry 4 4 4 2 1 => line 8: outcomes 4 of a path of length 2: bits at and above the length must be 0;
entry 4 6 0 0 1 => line 8: the start 0x6 is no address of 32 bits whose low 2 are 0;
entry 4 4 0 0 => line 8: `entry 4 4 0 0` should be `entry`, a number, and as many words
entry 4 4 0 0 1 1 => line 8: `entry 4 4 0 0 1 1` should be `entry`, a number,
";

/// A word of a dump without entries, what stands in its place, and how the error begins.
const WORDS: &str = "
4244020 4344020 => line 4: the geometry registers are those of no profiler: align = 3 is out of range;
6aa6add1 6aa6add3 => line 5: PPCR_ROWS is that of no profiler: a row holds both update and
4244020 5244020 => line 4: GEOMETRY2 says 5 words an entry, its sizes make 4;
";

fn refused(text: &str, expected: &str) {
    let error = Dump::read(text).expect_err("refused").to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn what_no_profiler_holds_is_refused_with_its_line() {
    for (entries, expected) in ENTRIES.lines().filter_map(|row| row.split_once(" => ")) {
        let entries: Vec<&str> = entries.split(", ").collect();
        refused(&with_entries(&entries), expected);
    }
    let text = with_entries(&[]);
    let lines = text.lines().filter_map(|line| {
        let (number, line) = line.rsplit_once(" *")?.0.split_once(' ')?;
        (number != "HPP").then_some(line)
    });
    for (words, expected) in WORDS.lines().filter_map(|row| row.split_once(" => ")) {
        let (from, to) = words.split_once(' ').expect("two words");
        let lines: Vec<String> = lines.clone().map(|line| line.replace(from, to)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        refused(&whole(&lines), expected);
    }
}
