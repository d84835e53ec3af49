//! Circuits that bring their Verilog: what stands around it.

use hpp_gen::verilog::emit;
use rust_hdl::prelude::*;

/// Ports of which one has the name of the wire that takes what is unused.
#[derive(LogicBlock, Default)]
struct Unused {
    pub a: Signal<In, Bit>,
    pub spare: Signal<In, Bits<3>>,
    pub unused: Signal<In, Bit>,
    pub y: Signal<Out, Bit>,
    _code: String,
}

impl Logic for Unused {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom(self._code.clone())
    }
}

/// The same without it.
#[derive(LogicBlock, Default)]
struct Plain {
    pub a: Signal<In, Bit>,
    pub spare: Signal<In, Bits<3>>,
    pub y: Signal<Out, Bit>,
    _code: String,
}

impl Logic for Plain {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Custom(self._code.clone())
    }
}

/// What is said of unused ports.
fn sink(circuit: &dyn Block) -> String {
    let text = emit(circuit, "top").expect("can be written").text;
    crate::tools::lint(&text, "top");
    let line = text.lines().find(|line| line.contains("&{1'b0, "));
    line.unwrap_or("").trim().to_string()
}

#[test]
fn inputs_that_the_text_does_not_read_are_said_to_be_unused() {
    let plain = |code: &str| {
        sink(&Plain {
            _code: format!("always @* y = {code};"),
            ..Plain::default()
        })
    };
    assert_eq!(plain("a & ^spare"), "");
    assert_eq!(plain("a"), "wire unused = &{1'b0, spare};");
    assert_eq!(plain("a; // spare"), "wire unused = &{1'b0, spare};");
}

#[test]
fn the_wire_for_it_has_a_name_of_its_own() {
    let named = |code: &str| {
        sink(&Unused {
            _code: format!("always @* y = {code};"),
            ..Unused::default()
        })
    };
    assert_eq!(named("a"), "wire unused_2 = &{1'b0, spare, unused};");
    assert_eq!(named("unused"), "wire unused_2 = &{1'b0, a, spare};");
    let own = Plain {
        _code: "wire unused = !a;\nalways @* y = unused;".into(),
        ..Plain::default()
    };
    assert_eq!(sink(&own), "wire unused_2 = &{1'b0, spare};");
}
