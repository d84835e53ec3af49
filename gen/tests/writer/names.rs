//! Names of what stands in place and of instances: each is one thing's.

use crate::golden;
use crate::tools::lint;
use hpp_gen::verilog::emit;
use hpp_hdl::annotate::present;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogLoop, VerilogStatement};
use rust_hdl::prelude::*;

/// Locals of a sub-circuit called `a_b` of `a`, and a signal `a_b` of its parent.
#[derive(LogicBlock, Default)]
struct Crossed {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    pub z: Signal<Out, Bits<16>>,
    inner_twice: Signal<Local, Bits<16>>,
    inner: Inner,
}

#[derive(LogicBlock, Default)]
struct Inner {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    twice: Signal<Local, Bits<16>>,
}

impl Logic for Inner {
    #[hdl_gen]
    fn update(&mut self) {
        self.twice.next = self.a.val() + self.a.val();
        self.y.next = self.twice.val() & (self.twice.val() - 5);
    }
}

impl Logic for Crossed {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.a.next = self.a.val();
        self.inner_twice.next = self.a.val() - 3;
        self.y.next = self.inner.y.val();
        self.z.next = self.inner_twice.val() & (self.inner_twice.val() ^ self.inner.y.val());
    }
}

#[test]
fn two_signals_with_one_name_are_distinguished() {
    let text = emit(&Crossed::default(), "top")
        .expect("can be written")
        .text;
    assert!(
        text.contains("wire [15:0] inner_twice = a - 16'd3;"),
        "{text}"
    );
    assert!(
        text.contains("wire [15:0] inner_twice_0 = a + a;"),
        "{text}"
    );
    golden("crossed", &text);
    lint(&text, "top");
}

/// A port of this one in `leaf` has the name `leaf_tap`.
#[derive(LogicBlock)]
struct Leaf {
    a: Signal<In, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    tap: Signal<Out, Bits<16>>,
}

impl Logic for Leaf {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val() + 1;
        self.tap.next = self.a.val() + 3;
    }
}

#[derive(LogicBlock)]
struct Branch {
    a: Signal<In, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    leaf: Leaf,
}

impl Logic for Branch {
    #[hdl_gen]
    fn update(&mut self) {
        self.leaf.a.next = self.a.val();
        self.y.next = self.leaf.y.val();
    }
}

#[derive(LogicBlock)]
struct Tree {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    leaf_tap: Branch,
}

impl Logic for Tree {
    #[hdl_gen]
    fn update(&mut self) {
        self.leaf_tap.a.next = self.a.val();
        self.y.next = self.leaf_tap.y.val();
    }
}

/// To lint that is a signal which hides another.
#[test]
fn an_instance_has_no_name_that_its_circuit_uses() {
    for (is_there, instance) in [(true, "leaf_tap_"), (false, "leaf_tap")] {
        let leaf = Leaf {
            a: Signal::default(),
            y: Signal::default(),
            tap: present(Signal::default(), is_there),
        };
        let branch = Branch {
            a: Signal::default(),
            y: Signal::default(),
            leaf,
        };
        let tree = Tree {
            a: Signal::default(),
            y: Signal::default(),
            leaf_tap: branch,
        };
        let text = emit(&tree, "top").expect("can be written").text;
        assert!(
            text.contains(&format!("top_leaf_tap {instance} (")),
            "{text}"
        );
    }
}

/// Gives its last output one of its inputs, by an index.
#[derive(LogicBlock)]
struct Indexed {
    pub inputs: Vec<Signal<In, Bit>>,
    pub x: Signal<Out, Bit>,
    _index: &'static str,
}

impl Logic for Indexed {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        let signal = |name: &str| VerilogExpression::Signal(name.to_string());
        let input = signal(&format!("inputs[{}]", self._index));
        let around = |index: &str, value: usize, block| {
            VerilogStatement::Loop(VerilogLoop {
                index: index.to_string(),
                from: value.into(),
                to: (value + 1).into(),
                block,
            })
        };
        let assignment = VerilogStatement::Assignment(signal("x$next"), input);
        let inner = around("j", 5, vec![assignment]);
        Verilog::Combinatorial(vec![around("i", 2, vec![inner])])
    }
}

#[test]
fn indices_are_computed_with_the_usual_precedence() {
    for (index, input) in [
        ("i+1", Some(3)),
        ("(j-i)*2", Some(6)),
        ("1+i*3", Some(7)),
        ("(1+i)*3%4", Some(1)),
        ("j/i", Some(2)),
        ("3_usize", Some(3)),
        ("n", None),
        ("i-3", None),
        ("j/0", None),
        ("j+", None),
    ] {
        let circuit = Indexed {
            inputs: (0..8).map(|_| Signal::default()).collect(),
            x: Signal::default(),
            _index: index,
        };
        match (emit(&circuit, "top"), input) {
            (Ok(written), Some(input)) => {
                let line = format!("assign x = inputs_{input};");
                assert!(written.text.contains(&line), "{index}\n{}", written.text);
            }
            (Err(error), None) => {
                let what = format!("the index in `inputs[{index}]`");
                assert!(error.to_string().contains(&what), "{error}");
            }
            (result, _) => panic!("{index}: {result:?}"),
        }
    }
}
