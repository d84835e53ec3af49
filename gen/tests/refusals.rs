//! What the writer refuses, and how it says so.

use hpp_gen::verilog::emit;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogMatch,
    VerilogStatement,
};
use rust_hdl::prelude::*;

/// A circuit around a syntax tree made by hand.
#[derive(LogicBlock, Default)]
struct Circuit {
    pub a: Signal<In, Bits<8>>,
    pub b: Signal<In, Bit>,
    pub x: Signal<Out, Bits<8>>,
    pub y: Signal<Local, Bits<8>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Circuit {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

fn signal(name: &str) -> VerilogExpression {
    VerilogExpression::Signal(name.to_string())
}

fn assign(target: &str, value: &str) -> VerilogStatement {
    VerilogStatement::Assignment(signal(&format!("{target}$next")), signal(value))
}

fn when(test: &str, then: VerilogStatement) -> VerilogStatement {
    VerilogStatement::If(VerilogConditional {
        test: signal(test),
        then: vec![then],
        otherwise: VerilogBlockOrConditional::None,
    })
}

fn refusal(code: Vec<VerilogStatement>) -> String {
    let circuit = Circuit {
        _code: code,
        ..Circuit::default()
    };
    match emit(&circuit, "top") {
        Ok(written) => panic!("was written:\n{}", written.text),
        Err(error) => error.to_string(),
    }
}

/// What is refused, and the whole answer or a part of it.
#[test]
fn what_a_kernel_may_not_say() {
    let negative = VerilogExpression::Literal((-3i32).into());
    for (code, answer) in [
        (
            vec![when("b", assign("x", "a"))],
            "top: signal `x` keeps its value on some path (a latch): assign a default first",
        ),
        (vec![], "top: signal `x` is not driven by the kernel"),
        (
            vec![assign("x", "y")],
            "top: signal `y` is not driven by the kernel",
        ),
        (
            vec![assign("x", "x")],
            "top: signal `x` depends on a value it is only about to get",
        ),
        (
            vec![assign("x", "_width")],
            "top: `_width` is neither a signal nor a constant",
        ),
        (
            vec![VerilogStatement::Assignment(signal("x$next"), negative)],
            "top: ",
        ),
        (
            vec![assign("a", "x")],
            "top: `a$next` cannot be assigned here",
        ),
    ] {
        let error = refusal(code);
        assert!(error.contains(answer), "{error}");
    }
}

#[test]
fn a_pattern_that_is_no_number() {
    for pattern in ["0b2", "b", "nothing"] {
        let case = |condition: &str| VerilogCase {
            condition: condition.to_string(),
            block: vec![assign("x", "a")],
        };
        let error = refusal(vec![VerilogStatement::Match(VerilogMatch {
            test: signal("a"),
            cases: vec![case(pattern), case("default")],
        })]);
        let part = format!("`{pattern}` is not a pattern");
        assert!(error.contains(&part), "{error}");
    }
}

#[test]
fn a_prefix_that_is_no_name() {
    let circuit = Circuit {
        _code: vec![assign("x", "a")],
        ..Circuit::default()
    };
    for prefix in ["", "2hpp", "h pp", "module", "_x"] {
        let error = emit(&circuit, prefix).expect_err("refused").to_string();
        assert!(
            error.contains("is not a plain Verilog identifier"),
            "{error}"
        );
    }
}

#[test]
fn a_width_beyond_the_type() {
    let mut circuit = Circuit {
        _code: vec![assign("x", "a")],
        ..Circuit::default()
    };
    let constraint = Constraint::Custom("width=9".to_string());
    circuit.a.add_constraint(PinConstraint {
        index: 0,
        constraint,
    });
    let error = emit(&circuit, "top").expect_err("refused").to_string();
    assert_eq!(error, "top: signal `a` width=9 is not within 1 to 8");
}
