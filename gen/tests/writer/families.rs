//! Circuits that are equal but for constants share a module; others do not, however alike they are.

use crate::icarus::Vectors;
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
                made!(Self { a, b, y, z, low, middle, high; step: Constant::new(step.into()) })
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

/// A circuit with a constant, which is written where it stands.
#[derive(LogicBlock)]
struct Small {
    a: Signal<In, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    step: Constant<Bits<16>>,
}

impl Logic for Small {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val() - self.step.val();
    }
}

/// Circuits with constants of their own: one in place, and two of a module.
#[derive(LogicBlock)]
struct Group {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    small: Small,
    adding: Vec<Adding>,
    factor: Constant<Bits<16>>,
}

impl Group {
    fn new([small, first, second, factor]: [u64; 4]) -> Self {
        Self {
            a: Signal::default(),
            y: Signal::default(),
            small: Small {
                a: Signal::default(),
                y: Signal::default(),
                step: Constant::new(small.into()),
            },
            adding: vec![Adding::new(first), Adding::new(second)],
            factor: Constant::new(factor.into()),
        }
    }
}

impl Logic for Group {
    #[hdl_gen]
    fn update(&mut self) {
        self.small.a.next = self.a.val();
        for i in 0..2 {
            self.adding[i].a.next = self.small.y.val();
            self.adding[i].b.next = self.a.val() - self.factor.val();
        }
        self.y.next = self.adding[0].y.val() ^ self.adding[1].y.val();
        if self.adding[0].z.val() & self.adding[1].z.val() {
            self.y.next = self.a.val();
        }
    }
}

#[derive(LogicBlock)]
struct Groups {
    pub a: Signal<In, Bits<16>>,
    pub y: Signal<Out, Bits<16>>,
    pub z: Signal<Out, Bits<16>>,
    first: Group,
    second: Group,
}

impl Logic for Groups {
    #[hdl_gen]
    fn update(&mut self) {
        self.first.a.next = self.a.val();
        self.second.a.next = self.a.val();
        self.y.next = self.first.y.val();
        self.z.next = self.second.y.val();
    }
}

/// What a kernel of `Adding` says.
fn adding(a: u16, b: u16, step: u16) -> (u16, bool) {
    let low = a.wrapping_add(step);
    let high = (b ^ low) & (low ^ a);
    let z = low & high != 0;
    match z && high >> 3 & 1 == 1 {
        true => (low ^ b, z),
        false => (low.wrapping_add(high), z),
    }
}

fn group(a: u16, [small, first, second, factor]: [u16; 4]) -> u16 {
    let inner = a.wrapping_sub(small);
    let of = |step| adding(inner, a.wrapping_sub(factor), step);
    let ((x, p), (y, q)) = (of(first), of(second));
    if p && q { a } else { x ^ y }
}

/// Constants of sub-circuits that differ among their parents are parameters of these, who hand them on.
#[test]
fn a_constant_deep_within_is_a_parameter_all_the_way() {
    let constants: [[u16; 4]; 2] = [[3, 700, 5, 9], [1000, 6, 5, 11]];
    let [first, second] = constants.map(|of| Group::new(of.map(u64::from)));
    let circuit = made!(Groups { a, y, z; first: first, second: second });
    let written = emit(&circuit, "top").unwrap_or_else(|error| panic!("{error}"));
    let text = &written.text;
    crate::tools::lint(text, "top");
    assert_eq!(written.modules, ["top", "top_first", "top_adding"]);
    for connection in [
        ".ADDING_0_STEP(10'h2bc), .FACTOR(4'd9), .SMALL_STEP(10'd3)) first (",
        ".ADDING_0_STEP(10'd6), .FACTOR(4'd11), .SMALL_STEP(10'h3e8)) second (",
        "top_adding #(.STEP(ADDING_0_STEP)) adding_0 (",
        "top_adding #(.STEP(10'd5)) adding_1 (",
    ] {
        assert!(text.contains(connection), "{connection}\n{text}");
    }
    let port = |name: &str| (name.to_string(), 16);
    let values = (0..200u16).map(|n| {
        let a = n.wrapping_mul(331);
        let expected = constants.map(|of| group(a, of).into());
        (vec![a.into()], expected.to_vec())
    });
    let vectors = Vectors {
        inputs: vec![port("a")],
        outputs: vec![port("y"), port("z")],
        values: values.collect(),
    };
    assert_eq!(vectors.differences(text, "top"), "", "{text}");
}
