//! What SEQUITUR promises of its grammar, and what a grammar says of itself.

use std::collections::HashMap;

use hpp_paths::wpp::{Grammar, GrammarSymbol, Sequitur};
use proptest::prelude::*;

use crate::stream;

fn grammar(stream: &[u8]) -> Grammar<u8> {
    let mut sequitur = Sequitur::new();
    sequitur.extend(stream.iter().copied());
    sequitur.grammar()
}

/// The places of each digram, by rule and position.
fn digrams(grammar: &Grammar<u8>) -> HashMap<&[GrammarSymbol], Vec<(usize, usize)>> {
    let mut places: HashMap<_, Vec<_>> = HashMap::new();
    for (rule, body) in grammar.rules().iter().enumerate() {
        for (position, digram) in body.windows(2).enumerate() {
            places.entry(digram).or_default().push((rule, position));
        }
    }
    places
}

fn uses(grammar: &Grammar<u8>) -> Vec<usize> {
    let mut uses = vec![0; grammar.rules().len()];
    for symbol in grammar.rules().iter().flatten() {
        if let GrammarSymbol::Rule(rule) = symbol {
            uses[*rule as usize] += 1;
        }
    }
    uses
}

fn length_of(grammar: &Grammar<u8>, rule: usize) -> u64 {
    let length = |symbol: &GrammarSymbol| match symbol {
        GrammarSymbol::Rule(used) => length_of(grammar, *used as usize),
        GrammarSymbol::Terminal(_) => 1,
    };
    grammar.rules()[rule].iter().map(length).sum()
}

fn check_properties(grammar: &Grammar<u8>) -> Result<(), TestCaseError> {
    for (digram, places) in digrams(grammar) {
        // In aaa the two digrams overlap.
        let disjoint = places
            .windows(2)
            .any(|two| two[0].0 != two[1].0 || two[1].1 - two[0].1 > 1);
        prop_assert!(
            !disjoint && places.len() <= 2,
            "{digram:?} at {places:?} of\n{grammar}"
        );
    }
    for (rule, uses) in uses(grammar).into_iter().enumerate().skip(1) {
        prop_assert!(uses >= 2, "rule {rule} is used {uses} times in\n{grammar}");
        prop_assert!(
            grammar.rules()[rule].len() >= 2,
            "rule {rule} is too short in\n{grammar}"
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_prefix_has_a_grammar_with_both_properties_that_derives_it(stream in stream()) {
        let mut sequitur = Sequitur::new();
        for (length, &symbol) in (1..).zip(&stream) {
            sequitur.push(symbol);
            if length % 7 == 0 || length == stream.len() {
                let grammar = sequitur.grammar();
                check_properties(&grammar)?;
                prop_assert!(grammar.expand().eq(&stream[..length]), "{}", grammar);
            }
        }
        prop_assert_eq!(sequitur.stream_length(), stream.len() as u64);
    }

    #[test]
    fn lengths_and_frequencies_are_those_of_the_expansion(stream in stream()) {
        let grammar = grammar(&stream);
        let (lengths, frequencies) = (grammar.lengths(), grammar.frequencies());
        prop_assert_eq!(lengths[0], stream.len() as u64);
        let mut derived = vec![0_u64; grammar.rules().len()];
        let mut open = vec![0_usize];
        while let Some(rule) = open.pop() {
            derived[rule] += 1;
            open.extend(grammar.rules()[rule].iter().filter_map(|symbol| match symbol {
                GrammarSymbol::Rule(used) => Some(*used as usize),
                GrammarSymbol::Terminal(_) => None,
            }));
        }
        prop_assert_eq!(frequencies, derived);
        for (rule, &length) in lengths.iter().enumerate() {
            prop_assert_eq!(length_of(&grammar, rule), length);
        }
    }
}

#[test]
fn short_streams_have_the_grammars_of_the_literature() {
    let text = |stream: &str| {
        let mut sequitur = Sequitur::new();
        sequitur.extend(stream.chars());
        sequitur.grammar().to_string()
    };
    assert_eq!(text(""), "R0 ->\n");
    assert_eq!(text("abcdbc"), "R0 -> a R1 d R1\nR1 -> b c\n");
    assert_eq!(
        text("abcdbcabcdbc"),
        "R0 -> R1 R1\nR1 -> a R2 d R2\nR2 -> b c\n"
    );
    assert_eq!(text("aaa"), "R0 -> a a a\n");
    assert_eq!(text("aaaa"), "R0 -> R1 R1\nR1 -> a a\n");
}

/// As many bits a symbol as tell terminals, rules and the end of a rule apart.
#[test]
fn the_bits_of_a_grammar_are_those_of_its_bodies() {
    let bits = |stream: &str| {
        let mut sequitur = Sequitur::new();
        sequitur.extend(stream.chars());
        sequitur.grammar().bits()
    };
    // One rule and the end; nothing but the end is written.
    assert_eq!(bits(""), 1);
    // R0 -> R1 R1, R1 -> a a: 4 symbols and 2 ends, of 4 kinds.
    assert_eq!(bits("aaaa"), 12);
    // R0 -> a R1 d R1, R1 -> b c: 6 symbols and 2 ends, of 7 kinds.
    assert_eq!(bits("abcdbc"), 24);
}

#[test]
fn the_digram_that_overlapped_a_replaced_one_is_found_again() {
    // Of bbb the first digram is replaced with its neighbour a; the second must still match the last.
    check_properties(&grammar(b"abbbabcbb")).expect("both properties");
}

#[test]
fn a_run_of_one_symbol_takes_a_logarithmic_grammar() {
    let grammar = grammar(&vec![0; 1 << 20]);
    assert_eq!(grammar.rules().len(), 20);
    assert_eq!(grammar.lengths()[0], 1 << 20);
}

#[test]
fn a_long_stream_neither_overflows_the_call_stack_nor_is_forgotten() {
    // Fibonacci's word nests rules as deep as it can.
    let (mut word, mut before) = (vec![0_u8, 1], vec![0_u8]);
    while word.len() < 1_000_000 {
        let longer = [&word[..], &before[..]].concat();
        before = core::mem::replace(&mut word, longer);
    }
    let grammar = grammar(&word);
    assert!(grammar.expand().eq(&word));
    assert!(grammar.symbols() < 100, "{} symbols", grammar.symbols());
}
