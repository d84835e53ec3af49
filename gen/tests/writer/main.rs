//! The Verilog writer: its text, and what tools say to it. That it means what rust-hdl simulates is the subject of `random_expressions` and `random_circuits`.

/// A circuit with these signals as they are by default, and these fields.
macro_rules! made {
    ($circuit:ident { $($signal:ident),* ; $($field:ident: $value:expr),* $(,)? }) => {
        $circuit { $($signal: Default::default(),)* $($field: $value),* }
    };
}

mod circuits;
mod finder;
#[path = "../random_expressions/icarus.rs"]
mod icarus;
mod kernels;
mod profilers;
mod tools;

use circuits::{Arithmetic, Register, Search, Sequencer};
use hpp_gen::verilog::emit;
use rust_hdl::prelude::*;
use tools::lint;

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
        made!(Self { clk, rst, unused, whole_0, table; kept: Register::new(4) })
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
