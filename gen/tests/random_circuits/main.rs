//! Random circuits: what the writer writes, run by Verilator, against rust-hdl's own simulation of the same circuit.
//!
//! A circuit's kernel is a random program made at run time. Its `update` interprets the program on rust-hdl's signals; its syntax tree
//! is the program translated, and leaves out what a kernel need not say. There are registers of random widths with and
//! without reset that hold on some paths, locals that are assigned again and again, a memory, and sub-circuits that are equal but for
//! their constants. `HPP_SEED` runs another circuit.

#[path = "../random_expressions/generator.rs"]
mod generator;
mod program;
#[path = "../writer/tools.rs"]
mod tools;

use generator::Generator;
use hpp_gen::verilog::emit;
use hpp_hdl::circuit::kernel;
use hpp_hdl::ram::{Ram, SameEdge};
use hpp_hdl::register::{Delay, Register};
use num_bigint::BigUint;
use program::{
    DELAYS, INPUTS, LOCALS, OUTPUTS, REGISTERS, Step, Target, number, signals, statements,
};
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;
use std::rc::Rc;
use tools::lint;

/// Random code may have `a < b - b`, which is a comparison with 0.
const WAIVED: &str = "// verilator lint_off UNSIGNED\n// verilator lint_off CMPCONST\n";

type Word = Bits<16>;

/// Sums up, within its mask.
#[derive(LogicBlock)]
struct Lane {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    a: Signal<In, Word>,
    y: Signal<Out, Word>,
    mask: Constant<Word>,
    step: Constant<Word>,
    sum: Register<Word>,
}

impl Lane {
    fn new(mask: u64, step: u64, reset: u64) -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            a: Signal::default(),
            y: Signal::default(),
            mask: Constant::new(mask.into()),
            step: Constant::new(step.into()),
            sum: Register::new(16, reset.into()),
        }
    }
}

#[kernel]
impl Lane {
    /// The sum.
    fn sum(&mut self) {
        self.sum.clk.next = self.clk;
        self.sum.rst.next = self.rst;
        self.sum.d.next = (self.sum + self.step) ^ (self.a & self.mask);
        self.y.next = self.sum & self.mask;
    }
}

#[derive(LogicBlock)]
struct Circuit {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    inputs: Vec<Signal<In, Word>>,
    outputs: Vec<Signal<Out, Word>>,
    locals: Vec<Signal<Local, Word>>,
    registers: Vec<Register<Word>>,
    delays: Vec<Delay<Word>>,
    lanes: Vec<Lane>,
    memory: Ram<16>,
    _program: Rc<Vec<Step>>,
}

impl Circuit {
    /// The values that expressions read, in the order of their names.
    fn values(&self) -> Vec<BigUint> {
        let inputs = self.inputs.iter().map(|input| input.val());
        let registers = self.registers.iter().map(|register| register.q.val());
        let delays = self.delays.iter().map(|delay| delay.q.val());
        let lanes = self.lanes.iter().map(|lane| lane.y.val());
        let locals = self.locals.iter().map(|local| local.val());
        let words = inputs.chain(registers).chain(delays).chain(lanes);
        let words = words.chain([self.memory.read_data.val()]).chain(locals);
        words.map(|word| word.to_u64().into()).collect()
    }

    fn next(&mut self, target: Target) -> &mut Word {
        match target {
            Target::Local(n) => &mut self.locals[n].next,
            Target::Output(n) => &mut self.outputs[n].next,
            Target::Register(n) => &mut self.registers[n].d.next,
            Target::Delay(n) => &mut self.delays[n].d.next,
            Target::Lane(n) => &mut self.lanes[n].a.next,
            Target::Memory => &mut self.memory.write_data.next,
        }
    }

    fn run(&mut self, steps: &[Step]) {
        for step in steps {
            let values = self.values();
            match step {
                Step::Assign(target, value) => {
                    *self.next(*target) = number(value, &values, 16).into();
                }
                Step::If(test, then, otherwise) => match number(test, &values, 1) {
                    0 => self.run(otherwise),
                    _ => self.run(then),
                },
                Step::Match(value, arms, default) => {
                    let arm = number(value, &values, 2) as usize;
                    self.run(arms.get(arm).unwrap_or(default));
                }
            }
        }
    }
}

impl Logic for Circuit {
    fn update(&mut self) {
        let (clk, rst) = (self.clk.val(), self.rst.val());
        for register in &mut self.registers {
            register.clk.next = clk;
            register.rst.next = rst;
            register.d.next = register.q.val();
        }
        for delay in &mut self.delays {
            delay.clk.next = clk;
            delay.d.next = delay.q.val();
        }
        for lane in &mut self.lanes {
            lane.clk.next = clk;
            lane.rst.next = rst;
        }
        self.memory.clk.next = clk;
        self.memory.write_enable.next = true;
        self.memory.write_address.next = self.inputs[0].val();
        self.memory.read_address.next = self.inputs[1].val();
        let program = Rc::clone(&self._program);
        self.run(&program);
    }

    fn connect(&mut self) {
        self.outputs.iter_mut().for_each(Signal::connect);
        self.locals.iter_mut().for_each(Signal::connect);
        for register in &mut self.registers {
            register.clk.connect();
            register.rst.connect();
            register.d.connect();
        }
        for delay in &mut self.delays {
            delay.clk.connect();
            delay.d.connect();
        }
        for lane in &mut self.lanes {
            lane.clk.connect();
            lane.rst.connect();
            lane.a.connect();
        }
        self.memory.clk.connect();
        self.memory.write_enable.connect();
        self.memory.write_address.connect();
        self.memory.write_data.connect();
        self.memory.read_address.connect();
    }

    fn hdl(&self) -> Verilog {
        let signal = |name: &str| VerilogExpression::Signal(name.to_string());
        let always = [
            (
                "memory$write_enable",
                VerilogExpression::Literal(true.into()),
            ),
            ("memory$write_address", signal("inputs$0")),
            ("memory$read_address", signal("inputs$1")),
        ];
        let wiring = always.map(|(port, value)| {
            VerilogStatement::Assignment(signal(&format!("{port}$next")), value)
        });
        Verilog::Combinatorial(
            wiring
                .into_iter()
                .chain(statements(&self._program))
                .collect(),
        )
    }
}

/// A circuit with several lanes, which have a module; or with one, which is written where it stands.
fn circuit(generator: &mut Generator) -> Circuit {
    let width = |generator: &mut Generator| [1, 1 + generator.pick(16) as u32][generator.pick(2)];
    let lanes = [1, 4][generator.pick(2)];
    let (mask, reset) = (generator.edge(), generator.edge());
    generator.signals = signals(lanes);
    Circuit {
        clk: Signal::default(),
        rst: Signal::default(),
        inputs: (0..INPUTS).map(|_| Signal::default()).collect(),
        outputs: (0..OUTPUTS).map(|_| Signal::default()).collect(),
        locals: (0..LOCALS).map(|_| Signal::default()).collect(),
        registers: (0..REGISTERS)
            .map(|_| Register::new(width(generator), (generator.pick(2) as u64).into()))
            .collect(),
        delays: (0..DELAYS).map(|_| Delay::new(width(generator))).collect(),
        lanes: (0..lanes as u64)
            .map(|n| Lane::new(mask, generator.edge(), reset & n))
            .collect(),
        memory: Ram::new(4, width(generator), SameEdge::New),
        _program: Rc::new(generator.program(lanes)),
    }
}

/// Lets the inputs of `circuit` reach its outputs.
fn settle(circuit: &mut Circuit) {
    assert!(simulate(circuit, 100), "the circuit does not settle");
}

fn agrees(seed: u64) {
    let (seed, mut generator) = Generator::new(seed, 1, Vec::new());
    let mut circuit = circuit(&mut generator);
    let written = emit(&circuit, "random").expect("can be written");
    let text = [WAIVED, &written.text].concat();
    lint(&text, "random");
    let builder = verilated::Builder::new("random").source_text("random.v", text.as_str());
    let design = builder.build().expect("Verilator builds the circuit");
    let mut model = design.model().expect("a model of the design");
    circuit.connect_all();
    settle(&mut circuit);
    for cycle in 0..300 {
        let rst = cycle < 2 || generator.pick(40) == 0;
        let set = |model: &mut verilated::Model, name: &str, value: u64| {
            let port = model.input(name).expect("an input");
            model.set(port, value);
        };
        circuit.rst.next = rst;
        set(&mut model, "rst", rst.into());
        for n in 0..INPUTS {
            let value = generator.edge();
            circuit.inputs[n].next = value.into();
            // An input that no step reads is still a port.
            set(&mut model, &format!("inputs_{n}"), value);
        }
        settle(&mut circuit);
        model.eval().expect("nothing is asserted");
        for n in 0..OUTPUTS {
            let port = model.output(&format!("outputs_{n}")).expect("an output");
            let expected = circuit.outputs[n].val().to_u64();
            assert_eq!(
                model.get(port),
                expected,
                "HPP_SEED={seed}: outputs_{n} in cycle {cycle} of\n{text}"
            );
        }
        for level in [true, false] {
            circuit.clk.next = level.into();
            settle(&mut circuit);
            set(&mut model, "clk", level.into());
            model.eval().expect("nothing is asserted");
        }
    }
}

#[test]
fn circuits_of_seeds_1_to_4_do_what_rust_hdl_simulates() {
    (1..=4).for_each(agrees);
}

#[test]
fn circuits_of_seeds_5_to_8_do_what_rust_hdl_simulates() {
    (5..=8).for_each(agrees);
}
