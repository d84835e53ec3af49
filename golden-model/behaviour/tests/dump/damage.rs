//! Damage to a printed dump is noticed, and the error names the place.

use crate::*;

proptest! {
    #[test]
    fn no_single_damaged_character_goes_unnoticed(
        dump in dump(),
        at: prop::sample::Index,
        with in "[0-9a-z \n]",
        old: bool,
    ) {
        // Version 1 knows no register beyond the sizes.
        let text = match old && dump.geometry[3] == 0 {
            true => version_1(&dump),
            false => dump.to_string(),
        };
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
        let expected = format!("line 2: `{line}` should be");
        assert!(error.starts_with(&expected), "{error}");
    }
    let whole = with_entries(&["entry 4 4 0 0 1"]);
    assert_eq!(
        text(&whole.replace("errors 0", "errors 1")),
        "of the dump's 7 lines, numbered from 0 in hexadecimal, one is missing: 4 (line 6 of the text is damaged); print it again"
    );
}

#[test]
fn an_empty_dump_lacks_the_line_after_its_first() {
    let error = Dump::read("> dump\nHPP profile begins\nHPP profile ends 0 0\n");
    let error = error.expect_err("no geometry").to_string();
    let expected = "line 3: `` should be `geometry`";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn where_version_1_breaks_off_between_lines_its_last_line_is_named() {
    let whole = version_1(&Dump::read(&with_entries(&["entry 4 4 0 0 1"])).expect("a profile"));
    let lines: Vec<&str> = whole.lines().collect();
    for cut in 1..lines.len() {
        let error = Dump::read(&lines[..cut].join("\n"));
        let expected = DumpError::Truncated { line: cut };
        assert_eq!(error, Err(expected), "{cut} lines");
    }
}

/// The error of a lost line names lines that may have been it: those of at least three words, half of them hexadecimal.
#[test]
fn a_damaged_line_is_distinguished_from_the_text_of_others() {
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
fn where_a_dump_has_too_few_lines_the_place_after_the_last_is_named() {
    let error = Dump::read(&whole(&["configuration -", "program -"])).expect_err("no geometry");
    let (error, expected) = (error.to_string(), "line 4: `` should be `geometry`");
    assert!(error.starts_with(expected), "{error}");
}
