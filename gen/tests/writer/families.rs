//! Circuits that are equal but for constants share a module; others do not, however alike they are.

use hpp_gen::verilog::emit;
use rust_hdl::prelude::*;

/// Kernels of the same signals: with these operators.
macro_rules! kernel {
    ($name:ident, $first:tt, $second:tt) => {
        #[derive(LogicBlock)]
        struct $name {
            pub a: Signal<In, Bits<16>>,
            pub b: Signal<In, Bits<16>>,
            pub y: Signal<Out, Bits<16>>,
            pub z: Signal<Out, Bit>,
            low: Signal<Local, Bits<16>>,
            middle: Signal<Local, Bits<16>>,
            high: Signal<Local, Bits<16>>,
            step: Constant<Bits<16>>,
        }

        impl $name {
            fn new(step: u64) -> Self {
                Self {
                    a: Signal::default(),
                    b: Signal::default(),
                    y: Signal::default(),
                    z: Signal::default(),
                    low: Signal::default(),
                    middle: Signal::default(),
                    high: Signal::default(),
                    step: Constant::new(step.into()),
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            fn update(&mut self) {
                self.low.next = self.a.val() $first self.step.val();
                self.middle.next = self.low.val() $second self.a.val();
                self.high.next = (self.b.val() $second self.low.val()) & self.middle.val();
                self.z.next = (self.low.val() & self.high.val()).any();
                self.y.next = self.low.val() $first self.high.val();
                if self.z.val() & self.high.val().get_bit(3) {
                    self.y.next = self.low.val() $second self.b.val();
                }
            }
        }
    };
}

kernel!(Adding, +, ^);
kernel!(Mixing, ^, +);

/// Two of each.
#[derive(LogicBlock)]
struct Four {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    adding: Vec<Adding>,
    mixing: Vec<Mixing>,
}

impl Four {
    fn new(steps: [u64; 4]) -> Self {
        Self {
            a: Signal::default(),
            y: Signal::default(),
            adding: vec![Adding::new(steps[0]), Adding::new(steps[1])],
            mixing: vec![Mixing::new(steps[2]), Mixing::new(steps[3])],
        }
    }
}

impl Logic for Four {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..2 {
            self.adding[i].a.next = self.a.val();
            self.adding[i].b.next = 3.into();
            self.mixing[i].a.next = self.a.val();
            self.mixing[i].b.next = self.adding[i].y.val();
        }
        self.y.next = self.mixing[0].y.val() ^ self.mixing[1].y.val();
        if self.adding[0].z.val() | self.adding[1].z.val() {
            self.y.next = self.a.val();
        }
        if self.mixing[0].z.val() & self.mixing[1].z.val() {
            self.y.next = self.adding[0].y.val();
        }
    }
}

fn written(steps: [u64; 4]) -> (Vec<String>, String) {
    let written = emit(&Four::new(steps), "top").unwrap_or_else(|error| panic!("{error}"));
    crate::tools::lint(&written.text, "top");
    (written.modules, written.text)
}

#[test]
fn circuits_of_other_kernels_have_modules_of_their_own() {
    let (modules, text) = written([5, 5, 5, 5]);
    assert_eq!(modules, ["top", "top_adding", "top_mixing"]);
    assert!(!text.contains("parameter"), "{text}");
    for module in ["top_adding", "top_mixing"] {
        assert_eq!(text.matches(&format!("\n  {module} ")).count(), 2, "{text}");
    }
}

/// A parameter is as wide as its widest value.
#[test]
fn a_constant_that_varies_is_a_parameter_of_its_own_module_alone() {
    let (modules, text) = written([5, 300, 7, 7]);
    assert_eq!(modules, ["top", "top_adding", "top_mixing"]);
    let parts: Vec<&str> = text.split("\nmodule ").collect();
    let of = |name: &str| {
        let part = parts.iter().find(|part| part.starts_with(name));
        *part.unwrap_or_else(|| panic!("no module {name}:\n{text}"))
    };
    assert!(
        of("top_adding").contains("parameter [8:0] STEP = "),
        "{text}"
    );
    assert!(!of("top_mixing").contains("parameter"), "{text}");
    assert!(
        of("top_mixing").contains("16'd7") || of("top_mixing").contains("'d7"),
        "{text}"
    );
    assert!(
        text.contains(".STEP(9'd5)") && text.contains(".STEP(9'h12c)"),
        "{text}"
    );
}
