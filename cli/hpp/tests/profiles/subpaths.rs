//! `hpp subpaths` counts each sequence of paths as often as it occurs.

use std::collections::BTreeMap;

use crate::folder::Folder;

/// The rows of a table behind the line of its heads, which begins so: the number in a column by the words behind another.
fn rows(text: &str, heads: &str, number: usize, behind: usize) -> BTreeMap<String, u64> {
    let lines = text
        .lines()
        .skip_while(|line| !line.trim_start().starts_with(heads));
    let table = lines.skip(1).take_while(|line| !line.is_empty());
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = words[number].replace(',', "").parse();
        (words[behind..].join(" "), number.expect("a number"))
    };
    table.map(row).collect()
}

/// With every subpath counted, the list and the grammar, which know nothing of each other, agree. Pairs of equal paths are most of what loops do.
#[test]
fn the_list_of_subpaths_and_the_grammar_agree() {
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/gzip.hpptrace");
    let folder = Folder::new("");
    for length in 1..=4 {
        let text = folder.succeeds(format!(
            "subpaths {trace} --shortest {length} --longest {length} --top 9999 --grammar --hot 0.05"
        ));
        let sampled = rows(&text.out, "sampled", 1, 6);
        let hot = rows(&text.out, "times   of all", 0, 3);
        let twice = |path: &String| {
            let words: Vec<&str> = path.split(' ').collect();
            words.len() > 1 && words.iter().all(|word| *word == words[0])
        };
        assert!(hot.len() > 20, "{length}: {hot:?}");
        assert!(length == 1 || hot.keys().filter(|path| twice(path)).count() > 1);
        for (path, times) in &hot {
            assert_eq!(sampled.get(path), Some(times), "{path}");
        }
    }
}

#[test]
fn settings_that_cannot_be_are_refused_by_their_option() {
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/gzip.hpptrace");
    let folder = Folder::new("");
    for (options, said) in [
        ("--memory 0", "--memory 0: a subpath of up to 8 paths takes"),
        ("--period 0.5", "--period 0.5: it is 1 or more"),
        ("--confidence 1", "--confidence 1: it is more than 0"),
        ("--shortest 9", "--shortest 9 --longest 8: lengths begin"),
        ("--shortest 0", "--shortest 0 --longest 8: lengths begin"),
    ] {
        let done = folder.run(format!("subpaths {trace} {options}"));
        assert_eq!(done.status, 1, "{options}");
        assert!(done.error.contains(said), "{}", done.error);
    }
}
