//! What a mutant of each kind of place is written as.

use rust_mutants::list::{Genre, Mutant};
use rust_mutants::schema::{Limits, Written, schema};

/// A mutant of the first place with this text.
fn mutant(number: u32, text: &str, from: &str, genre: Genre, replacement: &str) -> Mutant {
    let start = text.find(from).unwrap_or_else(|| panic!("no `{from}`"));
    Mutant {
        number,
        file: "f.rs".into(),
        line: 1,
        span: start..start + from.len(),
        replacement: replacement.into(),
        genre,
        key: format!("f.rs: {number}"),
    }
}

fn part_range(text: &str, part: &str) -> std::ops::Range<usize> {
    let start = text
        .find(part)
        .unwrap_or_else(|| panic!("no `{part}` in {text}"));
    start..start + part.len()
}

fn written(text: &str, mutants: &[Mutant], limits: &Limits) -> Written {
    let mutants: Vec<&Mutant> = mutants.iter().collect();
    let written = schema(text, &mutants, limits);
    written.unwrap_or_else(|error| panic!("{error:#}"))
}

/// Holds what one mutant is written as.
fn check(text: &str, from: &str, genre: Genre, replacement: &str, expected: &str) {
    let mutants = [mutant(7, text, from, genre, replacement)];
    let written = written(text, &mutants, &Limits::default());
    assert_eq!(written.text, expected);
    let count = usize::from(expected.contains("is(7)"));
    assert_eq!(written.mutants.len(), count, "{expected}");
}

#[test]
fn a_value_is_returned_before_the_statements() {
    check(
        "fn f() -> u8 { let a = 1; a }",
        "let a = 1; a",
        Genre::FnValue,
        "0",
        "fn f() -> u8 { if crate::__mutant::is(7) { return 0; } let a = 1; a }",
    );
}

#[test]
fn an_iterator_of_a_hidden_type_is_chosen() {
    check(
        "fn f() -> impl Iterator<Item = u8> { let a = 1; 0..a }",
        "let a = 1; 0..a",
        Genre::FnValue,
        "::std::iter::empty()",
        "fn f() -> impl Iterator<Item = u8> { if crate::__mutant::is(7) { crate::__mutant::Either::Left(::std::iter::empty()) } \
         else { crate::__mutant::Either::Right({ let a = 1; 0..a }) } }",
    );
}

#[test]
fn an_operator_keeps_its_operands() {
    check(
        "fn f(a: u8) -> u8 { a - (a + 1) * 2 }",
        "*",
        Genre::BinaryOperator,
        "+",
        "fn f(a: u8) -> u8 { a - (if crate::__mutant::is(7) { (a + 1) + 2 } else { (a + 1) * 2 }) }",
    );
}

#[test]
fn an_operator_before_its_operand_is_deleted() {
    check(
        "fn f(a: bool) -> bool { !a }",
        "!",
        Genre::UnaryOperator,
        "",
        "fn f(a: bool) -> bool { (if crate::__mutant::is(7) { a } else { !a }) }",
    );
}

#[test]
fn an_arm_gets_a_guard() {
    check(
        "fn f(a: u8) -> u8 { match a { 0 => 1, _ => 2 } }",
        "0 => 1,",
        Genre::MatchArm,
        "",
        "fn f(a: u8) -> u8 { match a { 0 if !crate::__mutant::is(7) => 1, _ => 2 } }",
    );
}

#[test]
fn a_guard_is_chosen() {
    check(
        "fn f(a: u8) -> u8 { match a { b if g(b) => 1, _ => 2 } }",
        "g(b)",
        Genre::MatchArmGuard,
        "true",
        "fn f(a: u8) -> u8 { match a { b if (if crate::__mutant::is(7) { true } else { g(b) }) => 1, _ => 2 } }",
    );
}

#[test]
fn a_field_is_left_to_the_base() {
    check(
        "fn f() -> S { S { a: 1, ..b() } }",
        "a: 1,",
        Genre::StructField,
        "",
        "fn f() -> S { (if crate::__mutant::is(7) { S {  ..b() } } else { S { a: 1, ..b() } }) }",
    );
}

#[test]
fn what_cannot_be_chosen_is_left_out() {
    for text in [
        "const A: u8 = 1 + 1;",
        "static A: [u8; 1 + 1] = [0, 0];",
        "fn f(a: bool) -> bool { if a + let true = a { a } else { a } }",
        "fn f() -> [u8; 2] { [0; 1 + 1] }",
        "enum A { B = 1 + 1 }",
    ] {
        let text = text.replace("a + let", "a && let");
        let operator = if text.contains("&&") { "&&" } else { "+" };
        check(&text, operator, Genre::BinaryOperator, "-", &text);
    }
    let hidden = "fn f() -> Option<impl Copy> { Some(1) }";
    check(hidden, "Some(1)", Genre::FnValue, "None", hidden);
}

#[test]
fn a_function_is_constant_only_if_it_must_be() {
    let text = "const fn f(a: u8) -> u8 { a + 1 }";
    let mutants = [mutant(7, text, "+", Genre::BinaryOperator, "-")];
    let free = written(text, &mutants, &Limits::default());
    assert!(free.text.starts_with(" fn f("), "{}", free.text);
    assert_eq!(free.mutants, [7]);
    let limits = Limits {
        constant: ["f".to_owned()].into(),
        ..Limits::default()
    };
    let constant = written(text, &mutants, &limits);
    assert_eq!(constant.text, text);
    assert!(constant.mutants.is_empty());
}

#[test]
fn each_part_is_known_as_its_mutants() {
    let text = "fn f(a: u8) -> bool { a + 1 < 3 }";
    let mutants = [
        mutant(1, text, "a + 1 < 3", Genre::FnValue, "true"),
        mutant(2, text, "<", Genre::BinaryOperator, "=="),
        mutant(3, text, "<", Genre::BinaryOperator, ">"),
        mutant(4, text, "+", Genre::BinaryOperator, "-"),
    ];
    let all = written(text, &mutants, &Limits::default());
    let of = |part: &str| {
        let part = all.part_of(&part_range(&all.text, part));
        part.map_or(&[][..], |part| &part.mutants)
    };
    let whole = all.part_of(&(all.text.find("(if").expect("a choice")..all.text.len() - 2));
    assert_eq!(whole.map(|part| part.own), Some(false));
    assert_eq!(of("return true"), [1]);
    assert_eq!(of("a + 1 == 3"), [2]);
    assert_eq!(of("a + 1 > 3"), [3]);
    assert_eq!(of("a - 1"), [4]);
    assert_eq!(of("{ a + 1 })"), [4]);
    assert_eq!(of("< 3 })"), [2, 3]);
    assert!(of("fn f").is_empty());
    assert!(
        all.part_of(&part_range(&all.text, "return true"))
            .is_some_and(|part| part.own)
    );
    let limits = Limits {
        dropped: [2, 4].into(),
        ..Limits::default()
    };
    assert_eq!(written(text, &mutants, &limits).mutants, [1, 3]);
}

#[test]
fn what_is_no_rust_is_an_error_with_its_line() {
    let error = schema("\nfn f( {", &[], &Limits::default()).expect_err("no Rust");
    assert!(format!("{error:#}").starts_with("line 2"), "{error:#}");
}
