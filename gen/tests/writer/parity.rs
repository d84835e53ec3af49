//! Registers and their parity, under Icarus: they do what a kernel says, nothing is reported while nothing flips, and whatever flips is reported.

use crate::icarus::simulated;
use crate::spelling::{binary, number, signal, top_bit, when};
use hpp_gen::verilog::emit_protected;
use hpp_golden::config::Protection;
use hpp_hdl::register::{Delay, Register};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogExpression, VerilogOp, VerilogStatement,
};
use rust_hdl::prelude::*;
use std::fmt::Write;

/// Registers that a kernel assigns in every way it can: whole or a part, always or sometimes, from what is read in passing.
#[derive(LogicBlock)]
struct Circuit {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub word: Signal<In, Bits<8>>,
    pub seen: Signal<Out, Bits<8>>,
    pub fault: Signal<Out, Bit>,
    sum: Signal<Local, Bits<8>>,
    whole: Register<Bits<8>>,
    parts: Register<Bits<8>>,
    lows: Register<Bits<8>>,
    passing: Register<Bits<8>>,
    copy: Register<Bits<8>>,
    delayed: Delay<Bits<8>>,
    small: Register<Bits<3>>,
    tiny: Register<Bits<2>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Circuit {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

fn becomes(target: &str, value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::Assignment(signal(&format!("{target}$next")), value)
}

fn field(target: &str, low: u64, width: usize, value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::SliceAssignment {
        base: signal(&format!("{target}$next")),
        width,
        offset: number(low),
        replacement: value,
    }
}

fn kernel() -> Vec<VerilogStatement> {
    let none = || VerilogBlockOrConditional::None;
    let cut = |value, bits| VerilogExpression::Cast(Box::new(value), bits);
    let both = binary(signal("whole$q"), VerilogOp::BitXor, signal("parts$q"));
    let both = binary(both, VerilogOp::BitXor, signal("lows$q"));
    let some = binary(signal("passing$q"), VerilogOp::BitXor, signal("delayed$q"));
    vec![
        // The writer drives it.
        becomes("fault", VerilogExpression::Literal(false.into())),
        when(signal("step"), becomes("whole$d", signal("word")), none()),
        // The low bits, and on a condition some in the middle.
        becomes("parts$d", signal("parts$q")),
        field("parts$d", 0, 4, signal("word")),
        when(
            top_bit("word"),
            field("parts$d", 3, 3, signal("whole$q")),
            none(),
        ),
        // The low bits alone.
        when(
            signal("step"),
            becomes("lows$d", signal("lows$q")),
            VerilogBlockOrConditional::Block(vec![
                becomes("lows$d", signal("whole$q")),
                field("lows$d", 0, 5, signal("word")),
            ]),
        ),
        becomes("sum", signal("word")),
        becomes("passing$d", signal("sum")),
        when(
            signal("step"),
            becomes(
                "sum",
                binary(signal("sum"), VerilogOp::Add, signal("whole$q")),
            ),
            none(),
        ),
        becomes("copy$d", signal("sum")),
        when(top_bit("word"), becomes("copy$d", signal("copy$q")), none()),
        becomes("delayed$d", signal("copy$q")),
        becomes("small$d", cut(signal("sum"), 3)),
        becomes("tiny$d", cut(signal("small$q"), 2)),
        becomes("seen", binary(both, VerilogOp::BitXor, some)),
        when(
            top_bit("seen"),
            becomes(
                "seen",
                binary(
                    signal("seen"),
                    VerilogOp::BitXor,
                    cut(
                        binary(
                            cut(signal("small$q"), 8),
                            VerilogOp::Shl,
                            cut(signal("tiny$q"), 8),
                        ),
                        8,
                    ),
                ),
            ),
            none(),
        ),
    ]
}

/// What the registers have, as the kernel says.
#[derive(Clone, Copy)]
struct Model {
    whole: u8,
    parts: u8,
    lows: u8,
    passing: u8,
    copy: u8,
    delayed: u8,
    small: u8,
    tiny: u8,
}

impl Model {
    const RESET: Model = Model {
        whole: 0x35,
        parts: 0,
        lows: 0x80,
        passing: 7,
        copy: 0xff,
        delayed: 0,
        small: 5,
        tiny: 0,
    };

    fn seen(self) -> u8 {
        let seen = self.whole ^ self.parts ^ self.lows ^ self.passing ^ self.delayed;
        match seen >> 7 {
            1 => seen ^ (self.small << self.tiny),
            _ => seen,
        }
    }

    fn next(self, step: bool, word: u8) -> Self {
        let sum = word.wrapping_add(if step { self.whole } else { 0 });
        let mut parts = (self.parts & 0xf0) | (word & 0xf);
        if word >> 7 == 1 {
            parts = (parts & !0x38) | ((self.whole & 7) << 3);
        }
        Model {
            whole: if step { word } else { self.whole },
            parts,
            lows: if step {
                self.lows
            } else {
                (self.whole & 0xe0) | (word & 0x1f)
            },
            passing: word,
            copy: if word >> 7 == 1 { self.copy } else { sum },
            delayed: self.copy,
            small: sum & 7,
            tiny: self.small & 3,
        }
    }
}

fn text(what: Protection) -> String {
    let circuit = made!(Circuit {
        clk, rst, step, word, seen, fault, sum;
        whole: Register::new(8, 0x35.into()),
        parts: Register::new(8, 0.into()),
        lows: Register::new(8, 0x80.into()),
        passing: Register::new(8, 7.into()),
        copy: Register::new(8, 0xff.into()),
        delayed: Delay::new(8),
        small: Register::new(3, 5.into()),
        tiny: Register::new(2, 0.into()),
        _code: kernel(),
    });
    let written = emit_protected(&circuit, "top", what);
    written.unwrap_or_else(|error| panic!("{error}")).text
}

/// The registers of a text that have a clock, with their bits.
fn registers(text: &str) -> Vec<(&str, usize)> {
    let declared = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("reg ")?;
        let (line, _) = line.split_once(';')?;
        let (range, name) = line.trim().rsplit_once(' ').unwrap_or(("", line.trim()));
        let top = range
            .trim()
            .strip_prefix('[')
            .and_then(|range| range.strip_suffix(":0]"));
        Some((
            name,
            top.map_or(1, |top| top.parse::<usize>().expect("a number") + 1),
        ))
    });
    let is_clocked = |(name, _): &(&str, usize)| text.contains(&format!(" {name} <= "));
    declared.filter(is_clocked).collect()
}

/// Statements of a bench that show inputs for a cycle.
fn cycle(bench: &mut String, step: bool, word: u8) {
    let _ = writeln!(
        bench,
        "    step = {}; word = {word}; #1 clk = 1; #1 clk = 0; #1;",
        u8::from(step)
    );
}

fn expect(bench: &mut String, signal: &str, value: u8, when: &str) {
    let _ = writeln!(
        bench,
        "    if ({signal} !== {value}) $display(\"{signal} is %d, not {value}, {when}\", {signal});"
    );
}

/// What a bench says whose steps these are.
fn said(text: &str, steps: &str) -> String {
    let bench = format!(
        "module bench;\n  reg clk, rst, step;\n  reg [7:0] word;\n  wire [7:0] seen;\n  wire fault;
  top it (.clk(clk), .rst(rst), .step(step), .word(word), .seen(seen), .fault(fault));
  initial begin\n    clk = 0; rst = 1; step = 0; word = 0; #1 clk = 1; #1 clk = 0; #1 clk = 1; #1 clk = 0; rst = 0; #1;
{steps}    $display(\"done\");\n  end\nendmodule\n"
    );
    simulated(text, &bench)
}

#[test]
fn registers_do_what_a_kernel_says_and_no_flip_is_reported() {
    for what in [Protection::None, Protection::Memories, Protection::All] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut model, mut steps) = (Model::RESET, String::new());
        if what != Protection::All {
            // A register without reset has what it takes while the others are reset.
            model.delayed = model.copy;
        }
        for _ in 0..300 {
            expect(&mut steps, "seen", model.seen(), "as the kernel says");
            expect(&mut steps, "fault", 0, "for nothing has flipped");
            let (step, word) = (random.random(), random.random());
            cycle(&mut steps, step, word);
            model = model.next(step, word);
        }
        let text = text(what);
        crate::tools::lint(&text, "top");
        assert_eq!(said(&text, &steps), "done\n", "{text}");
    }
}

#[test]
fn every_bit_that_flips_is_reported() {
    let text = text(Protection::All);
    let all = registers(&text);
    // Those of the circuit, the parity bits of six, and one that two share.
    let bits: usize = all.iter().map(|(_, bits)| bits).sum();
    assert_eq!(bits, 6 * 8 + 3 + 2 + 7, "{all:?}");
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut steps = String::new();
    for (name, bits) in &all {
        for bit in 0..*bits {
            for _ in 0..3 {
                cycle(&mut steps, random.random(), random.random());
            }
            let mask = 1u8 << bit;
            let _ = writeln!(steps, "    it.{name} = it.{name} ^ {bits}'d{mask}; #1;");
            cycle(&mut steps, false, 0);
            expect(&mut steps, "fault", 1, &format!("after {name} has flipped"));
            steps.push_str(
                "    rst = 1; clk = 1; #1 clk = 0; #1 clk = 1; #1 clk = 0; rst = 0; #1;\n",
            );
        }
    }
    assert_eq!(said(&text, &steps), "done\n", "{text}");
}
