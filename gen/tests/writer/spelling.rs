//! Syntax trees made by hand: what is spelt in another way and means the same is the same text.

use hpp_gen::verilog::emit;
use hpp_hdl::annotate::present;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};
use rust_hdl::prelude::*;

/// A circuit around a syntax tree.
#[derive(LogicBlock, Default)]
struct Circuit {
    pub a: Signal<In, Bits<8>>,
    pub b: Signal<In, Bits<8>>,
    pub x: Signal<Out, Bits<8>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Circuit {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

fn circuit(code: Vec<VerilogStatement>) -> Circuit {
    Circuit {
        _code: code,
        ..Circuit::default()
    }
}

pub fn text(code: Vec<VerilogStatement>) -> String {
    let written = emit(&circuit(code), "top");
    written.unwrap_or_else(|error| panic!("{error}")).text
}

pub fn signal(name: &str) -> VerilogExpression {
    VerilogExpression::Signal(name.to_string())
}

fn paren(inner: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Paren(Box::new(inner))
}

pub fn number(value: u64) -> VerilogExpression {
    VerilogExpression::Literal(value.into())
}

/// `x = value`.
pub fn gives(value: &str) -> VerilogStatement {
    VerilogStatement::Assignment(signal("x$next"), signal(value))
}

pub fn when(
    test: VerilogExpression,
    then: VerilogStatement,
    otherwise: VerilogBlockOrConditional,
) -> VerilogStatement {
    VerilogStatement::If(VerilogConditional {
        test,
        then: vec![then],
        otherwise,
    })
}

fn case(pattern: &str, block: Vec<VerilogStatement>) -> VerilogCase {
    VerilogCase {
        condition: pattern.to_string(),
        block,
    }
}

/// `match a { pattern => x = b, default => x = a }`.
fn matching(pattern: &str) -> VerilogStatement {
    VerilogStatement::Match(VerilogMatch {
        test: signal("a"),
        cases: vec![
            case(pattern, vec![gives("b")]),
            case("default", vec![gives("a")]),
        ],
    })
}

#[test]
fn a_pattern_is_a_number_in_any_radix() {
    let expected = text(vec![matching("31")]);
    assert!(expected.contains("8'h1f"), "{expected}");
    for pattern in [
        "0x1f", "0x1f_u8", "0b1_1111", "0o37", "31u8", "3_1", "31_usize",
    ] {
        assert_eq!(text(vec![matching(pattern)]), expected, "{pattern}");
    }
    for (word, digit) in [("true", "1"), ("false", "0")] {
        assert_eq!(text(vec![matching(word)]), text(vec![matching(digit)]));
    }
    for pattern in ["0b2", "b", "nothing"] {
        let error = emit(&circuit(vec![matching(pattern)]), "top").expect_err("no number");
        let words = format!("`{pattern}` is not a pattern");
        assert!(error.to_string().contains(&words), "{error}");
    }
}

#[test]
fn a_condition_that_is_known_leaves_its_branch() {
    for (test, taken) in [(0, "b"), (1, "a")] {
        let expected = text(vec![gives(taken)]);
        let block = VerilogBlockOrConditional::Block(vec![gives("b")]);
        assert_eq!(text(vec![when(number(test), gives("a"), block)]), expected);
        let next = when(number(1), gives("b"), VerilogBlockOrConditional::None);
        let next = VerilogBlockOrConditional::Conditional(Box::new(next));
        assert_eq!(text(vec![when(number(test), gives("a"), next)]), expected);
        let none = when(number(test), gives("a"), VerilogBlockOrConditional::None);
        assert_eq!(text(vec![gives("b"), none]), expected);
    }
    for (value, taken) in [(false, "a"), (true, "b")] {
        let known = VerilogExpression::Literal(value.into());
        let other = VerilogExpression::Unary(VerilogOpUnary::Not, Box::new(known));
        let block = VerilogBlockOrConditional::Block(vec![gives("b")]);
        let expected = text(vec![gives(taken)]);
        assert_eq!(text(vec![when(other, gives("a"), block)]), expected);
    }
}

#[test]
fn a_choice_that_is_known_leaves_its_arm() {
    let of = |value, patterns: [&str; 2]| {
        text(vec![VerilogStatement::Match(VerilogMatch {
            test: number(value),
            cases: vec![
                case(patterns[0], vec![gives("a")]),
                case(patterns[1], vec![gives("b")]),
            ],
        })])
    };
    assert_eq!(of(3, ["3", "4"]), text(vec![gives("a")]));
    assert_eq!(of(4, ["3", "4"]), text(vec![gives("b")]));
    assert_eq!(of(5, ["3", "default"]), text(vec![gives("b")]));
}

#[test]
fn parentheses_around_a_target_change_nothing() {
    let around = VerilogStatement::Assignment(paren(signal("x$next")), paren(signal("a")));
    assert_eq!(text(vec![around]), text(vec![gives("a")]));
}

/// With an output that is not there.
#[derive(LogicBlock)]
struct Bare {
    pub a: Signal<In, Bits<8>>,
    pub x: Signal<Out, Bits<8>>,
    pub gone: Signal<Out, Bits<8>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Bare {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

#[test]
fn what_is_assigned_to_a_port_that_is_not_there_goes_nowhere() {
    let of = |more: Vec<VerilogStatement>| {
        let bare = Bare {
            a: Signal::default(),
            x: Signal::default(),
            gone: present(Signal::default(), false),
            _code: [vec![gives("a")], more].concat(),
        };
        let written = emit(&bare, "top").unwrap_or_else(|error| panic!("{error}"));
        assert!(!written.text.contains("gone"), "{}", written.text);
        written.text
    };
    let plain = signal("gone$next");
    for target in [plain.clone(), paren(plain.clone()), paren(paren(plain))] {
        let more = VerilogStatement::Assignment(target, signal("a"));
        assert_eq!(of(vec![more]), of(Vec::new()));
    }
    let read = VerilogStatement::Assignment(signal("x$next"), signal("gone"));
    assert!(of(vec![read]).contains("assign x = 8'd0;"));
}

fn field(low: u64, width: usize, value: &str) -> VerilogStatement {
    VerilogStatement::SliceAssignment {
        base: paren(signal("x$next")),
        width,
        offset: number(low),
        replacement: signal(value),
    }
}

#[test]
fn fields_that_are_assigned_one_by_one_are_put_together() {
    let expected = "assign x = {a[2:0], b[4:0]};";
    let comment = VerilogStatement::Comment("\"The rest.\"".into());
    for code in [
        vec![field(0, 5, "b"), field(5, 3, "a")],
        vec![field(5, 3, "a"), field(0, 5, "b")],
        vec![field(5, 3, "a"), comment, field(0, 5, "b")],
    ] {
        let text = text(code);
        assert!(text.contains(expected), "{text}");
    }
    let whole = text(vec![field(0, 8, "b")]);
    assert_eq!(whole, text(vec![gives("b")]));
    let error = emit(&circuit(vec![gives("a"), field(4, 5, "b")]), "top");
    let error = error.expect_err("there is no bit 8").to_string();
    assert!(error.contains("a constant offset within"), "{error}");
}

/// Bit 7.
pub fn top_bit(name: &str) -> VerilogExpression {
    VerilogExpression::Index(Box::new(signal(name)), Box::new(number(7)))
}

pub fn binary(a: VerilogExpression, op: VerilogOp, b: VerilogExpression) -> VerilogExpression {
    VerilogExpression::Binary(Box::new(a), op, Box::new(b))
}

/// The low bits of something shifted to the left are none of a number that has some.
#[test]
fn a_comparison_that_bits_decide_is_decided() {
    let shifted = || binary(signal("a"), VerilogOp::Shl, number(3));
    let of = |test| {
        let block = VerilogBlockOrConditional::Block(vec![gives("b")]);
        text(vec![when(test, gives("a"), block)])
    };
    for value in [1, 5, 255] {
        let equal = binary(shifted(), VerilogOp::Eq, number(value));
        assert_eq!(of(equal), text(vec![gives("b")]), "{value}");
        let other = binary(shifted(), VerilogOp::Ne, number(value));
        assert_eq!(of(other), text(vec![gives("a")]), "{value}");
    }
    let possible = of(binary(shifted(), VerilogOp::Eq, number(24)));
    assert!(possible.contains("a[4:0] == 5'd3"), "{possible}");
}

/// Parts of a signal that adjoin are one part of it.
#[test]
fn parts_that_adjoin_are_one() {
    let part = |width, low| {
        let slice = VerilogExpression::Slice(Box::new(signal("a")), width, Box::new(number(low)));
        VerilogExpression::Cast(Box::new(slice), 8)
    };
    let joined = |low, high, by| {
        binary(
            low,
            VerilogOp::BitOr,
            binary(high, VerilogOp::Shl, number(by)),
        )
    };
    let of = |value| text(vec![VerilogStatement::Assignment(signal("x$next"), value)]);
    assert_eq!(
        of(joined(part(4, 0), part(4, 4), 4)),
        text(vec![gives("a")])
    );
    let some = of(joined(part(2, 1), part(3, 3), 2));
    assert!(some.contains("{3'd0, a[5:1]}"), "{some}");
    let crossed = of(joined(part(4, 4), part(4, 0), 4));
    assert!(crossed.contains("{a[3:0], a[7:4]}"), "{crossed}");
    let three = joined(joined(part(2, 0), part(2, 2), 2), part(4, 4), 4);
    assert_eq!(of(three), text(vec![gives("a")]));
}

/// A field assigned on a condition stays a field.
#[test]
fn a_field_is_assigned_by_its_bits() {
    for (low, width, left) in [(3, 1, "x[3] = "), (2, 4, "x[5:2] = ")] {
        let conditional = when(
            top_bit("b"),
            field(low, width, "b"),
            VerilogBlockOrConditional::None,
        );
        let text = text(vec![gives("a"), conditional]);
        assert!(text.contains(left), "{text}");
    }
}

/// Comments in front of an assignment stay in front of it, each on its line.
#[test]
fn comments_are_kept_in_their_order() {
    let comment = |text: &str| VerilogStatement::Comment(format!("\"{text}\""));
    let text = text(vec![
        comment("top: Says what it is."),
        comment("Once more."),
        gives("a"),
        comment("First of two."),
        comment("Second of two."),
        when(
            top_bit("b"),
            gives("b"),
            VerilogBlockOrConditional::Block(vec![
                comment("Third."),
                comment("Fourth."),
                gives("a"),
            ]),
        ),
    ]);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("//")).collect();
    let place = |words: &str| lines.iter().position(|line| line.contains(words));
    assert!(place("Says what it is.") < place("Once more."), "{text}");
    assert!(
        place("Once more.").is_some() && !text.contains('"'),
        "{text}"
    );
    for (first, second) in [("First of two.", "Second of two."), ("Third.", "Fourth.")] {
        let next = place(first).map(|line| line + 1);
        assert!(next.is_some() && place(second) == next, "{text}");
    }
}

/// What is shifted twice is shifted by the sum.
#[test]
fn shifts_of_shifts_are_one() {
    for (op, sign) in [(VerilogOp::Shl, "<<"), (VerilogOp::Shr, ">>")] {
        let once = binary(signal("a"), op.clone(), signal("b"));
        let twice = binary(once, op, signal("b"));
        let text = text(vec![VerilogStatement::Assignment(signal("x$next"), twice)]);
        assert_eq!(text.matches(sign).count(), 1, "{text}");
        assert!(text.contains(" + "), "{text}");
    }
}
