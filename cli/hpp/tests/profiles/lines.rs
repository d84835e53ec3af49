//! Formats that speak of source lines, on the profile and the program in `fixture`: 16 rounds, each of which finds the
//! places of 29 words of 103 letters in all.

use crate::folder::Folder;

fn export(format: &str) -> String {
    let arguments = format!("export words.txt --elf words.elf --format {format}");
    Folder::words().succeeds(arguments).out
}

/// A line of LLVM's text: how deep it is nested, its line in the function, its count, and the function inlined there.
fn sample(line: &str) -> (usize, u64, u64, Option<&str>) {
    let text = line.trim_start_matches(' ');
    let (offset, rest) = text.split_once(": ").expect("an offset and what ran");
    let offset = offset.parse().expect("a number");
    let depth = line.len() - text.len();
    let first = rest.split(' ').next().expect("a count or a function");
    match first.rsplit_once(':') {
        Some((function, total)) => (
            depth,
            offset,
            total.parse().expect("a total"),
            Some(function),
        ),
        None => {
            let mut calls = rest.split(' ').skip(1);
            let is_call = |call: &str| {
                call.rsplit_once(':')
                    .is_some_and(|(_, n)| n.parse::<u64>().is_ok())
            };
            assert!(calls.all(is_call), "{line}");
            (depth, offset, first.parse().expect("a count"), None)
        }
    }
}

/// The grammar is that of LLVM's `SampleProfReader.h`: sections of `function:total:head`, lines nested by blanks, and a total that is
/// the sum of what it covers.
#[test]
fn autofdo_follows_llvms_grammar_and_its_totals_add_up() {
    let text = export("autofdo");
    let mut sections: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match line.starts_with(' ') {
            false => sections.push((line, Vec::new())),
            true => sections
                .last_mut()
                .expect("a head comes first")
                .1
                .push(line),
        }
    }
    for (head, lines) in &sections {
        let fields: Vec<&str> = head.rsplitn(3, ':').collect();
        let [_, total, _] = fields[..] else {
            panic!("{head}");
        };
        let samples: Vec<_> = lines.iter().map(|line| sample(line)).collect();
        // Of what is covered: at depth 1 counts and the totals of inlined functions.
        let sum = |covered: &[(usize, u64, u64, Option<&str>)], depth| -> u64 {
            covered.iter().filter(|s| s.0 == depth).map(|s| s.2).sum()
        };
        assert_eq!(
            sum(&samples, 1),
            total.parse::<u64>().expect("a total"),
            "{head}"
        );
        for (i, (depth, _, total, function)) in samples.iter().enumerate() {
            let inner = samples[i + 1..].iter().take_while(|s| s.0 > *depth);
            let inner: Vec<_> = inner.copied().collect();
            match function {
                Some(_) => assert_eq!(sum(&inner, depth + 1), *total, "{}", lines[i]),
                None => assert!(inner.is_empty(), "{}", lines[i]),
            }
        }
    }
    let heads = |name: &str| {
        let start = format!("{name}:");
        let head = sections
            .iter()
            .find(|(head, _)| head.starts_with(&start))
            .expect("it ran")
            .0;
        head.rsplit(':').next().and_then(|n| n.parse::<u64>().ok())
    };
    assert_eq!(
        (heads("count_words"), heads("place")),
        (Some(16), Some(16 * 29))
    );
}

/// The format is that of geninfo(1).
#[test]
fn lcov_counts_lines_functions_and_branches() {
    let text = export("lcov");
    let section = text
        .split("end_of_record\n")
        .find(|section| section.contains("fixture/main.c\n"));
    let section = section.expect("the program's file");
    let values = |key: &str| -> Vec<Vec<String>> {
        let lines = section
            .lines()
            .filter_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        lines
            .map(|line| line.split(',').map(String::from).collect())
            .collect()
    };
    let number = |key: &str| -> usize { values(key)[0][0].parse().expect("a number") };
    let hit = |key: &str, column: usize| {
        values(key)
            .iter()
            .filter(|value| !["0", "-"].contains(&&*value[column]))
            .count()
    };
    assert_eq!(
        (number("LF"), number("LH")),
        (values("DA").len(), hit("DA", 1))
    );
    assert_eq!(
        (number("FNF"), number("FNH")),
        (values("FN").len(), hit("FNDA", 0))
    );
    assert_eq!(
        (number("BRF"), number("BRH")),
        (values("BRDA").len(), hit("BRDA", 3))
    );
    let source = include_str!("fixture/main.c");
    let line_of = |text: &str| {
        source
            .lines()
            .position(|line| line.contains(text))
            .expect("a line")
            + 1
    };
    let ran = |text: &str| {
        let line = line_of(text).to_string();
        let value = values("DA").into_iter().find(|value| value[0] == line);
        value.expect("it has code")[1]
            .parse::<u64>()
            .expect("a count")
    };
    assert_eq!(ran("value = (value ^ "), 16 * 103);
    assert_eq!(ran("word->count++"), 16 * 29);
    // Branches that never ran are branches of the program, too.
    assert!(
        text.lines()
            .any(|line| line.starts_with("BRDA:") && line.ends_with(",-"))
    );
}
