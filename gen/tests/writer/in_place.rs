//! Small circuits that are written where they stand: which they are, and their comments.

use crate::circuits::width;
use crate::golden;
use crate::tools::lint;
use hpp_gen::verilog::emit;
use hpp_hdl::register::Register;
use rust_hdl::prelude::*;

macro_rules! comment {
    ($($text:tt)*) => {};
}

/// Adds a constant; so small that it is written wherever it stands.
#[derive(LogicBlock)]
struct Step {
    a: Signal<In, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    step: Constant<Bits<16>>,
}

impl Step {
    fn new(step: u64) -> Self {
        Self {
            a: Signal::default(),
            y: Signal::default(),
            step: Constant::new(step.into()),
        }
    }
}

impl Logic for Step {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("step: Adds a constant.");
        self.y.next = self.a.val() + self.step.val();
    }
}

/// Keeps a masked sum while it is asked to; written in place if that is the only one.
#[derive(LogicBlock)]
struct Mix {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    sum: Signal<Out, Bits<16>>,
    less: Signal<Out, Bit>,
    total: Signal<Local, Bits<17>>,
    held: Register<Bits<16>>,
    mask: Constant<Bits<16>>,
}

impl Mix {
    fn new(mask: u64, reset: u64, bits: usize) -> Self {
        let mut it = made!(Self {
            clk, rst, a, b, sum, less, total;
            held: Register::new(16, reset.into()),
            mask: Constant::new(mask.into()),
        });
        width(&mut it.a, bits);
        it
    }
}

impl Logic for Mix {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("mix: Keeps a masked sum.");
        self.held.clk.next = self.clk.val();
        self.held.rst.next = self.rst.val();
        self.held.d.next = self.held.q.val();
        self.total.next = bit_cast::<17, 16>(self.a.val()) + bit_cast::<17, 16>(self.b.val());
        self.less.next = self.a.val() < self.b.val();
        if self.less.val() | self.total.val().get_bit(16) {
            self.held.d.next = bit_cast::<16, 17>(self.total.val()) & self.mask.val();
        }
        self.sum.next = self.held.q.val();
    }
}

/// Sub-circuits with constants of their own, and a signal that is called as one of theirs would be.
#[derive(LogicBlock)]
struct Parent {
    clk: Signal<In, Clock>,
    rst: Signal<In, Bit>,
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    x: Signal<Out, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    less: Signal<Out, Bit>,
    mix_total: Signal<Local, Bits<16>>,
    mixes: Vec<Mix>,
    steps: Vec<Step>,
    _mixes: usize,
}

impl Parent {
    fn new(mixes: Vec<Mix>, steps: [u64; 3]) -> Self {
        made!(Self {
            clk, rst, a, b, x, y, less, mix_total;
            _mixes: mixes.len(),
            mixes: mixes,
            steps: steps.map(Step::new).into(),
        })
    }
}

impl Logic for Parent {
    #[hdl_gen]
    fn update(&mut self) {
        self.steps[0].a.next = self.a.val();
        self.steps[1].a.next = self.steps[0].y.val();
        self.steps[2].a.next = 7.into();
        self.mix_total.next = self.a.val() ^ self.b.val();
        self.x.next = self.mix_total.val() & self.steps[2].y.val();
        self.y.next = self.steps[1].y.val();
        self.less.next = false;
        for i in 0..self._mixes {
            self.mixes[i].clk.next = self.clk.val();
            self.mixes[i].rst.next = self.rst.val();
            self.mixes[i].a.next = self.b.val() & 0xff;
            self.mixes[i].b.next = self.y.val();
            self.x.next = self.x.val() ^ self.mixes[i].sum.val();
            self.less.next = self.less.val() | self.mixes[i].less.val();
        }
    }
}

#[test]
fn a_small_circuit_has_a_module_if_it_stands_in_several_places() {
    let mix = || Mix::new(0xff, 1, 16);
    let once = emit(&Parent::new(vec![mix()], [1, 2, 3]), "top").expect("can be written");
    assert_eq!(once.modules, ["top"]);
    golden("in_place", &once.text);
    let twice = emit(&Parent::new(vec![mix(), mix()], [1, 2, 3]), "top").expect("can be written");
    assert_eq!(twice.modules, ["top", "top_mix"]);
    golden("in_modules", &twice.text);
    lint(&twice.text, "top");
}

#[test]
fn what_is_written_in_place_keeps_its_names_and_its_comment() {
    let parent = Parent::new(vec![Mix::new(0xff, 1, 16)], [1, 2, 3]);
    let text = emit(&parent, "top").expect("can be written").text;
    let lines = [
        "  reg  [15:0] mixes_0_sum;",
        "  // Adds a constant.",
        "  // Keeps a masked sum.",
        "    if (rst) mixes_0_sum <= 16'd1;",
    ];
    for line in lines {
        assert_eq!(
            text.matches(&format!("{line}\n")).count(),
            1,
            "{line}\n{text}"
        );
    }
    assert!(
        text.contains("wire [15:0] steps_0_y = a + 16'd1;"),
        "{text}"
    );
    assert!(!text.contains("steps_2"), "a constant has a name:\n{text}");
}

/// Says of each of two signals what it is; the second is computed first.
#[derive(LogicBlock, Default)]
struct Two {
    a: Signal<In, Bits<16>>,
    y: Signal<Out, Bits<16>>,
    z: Signal<Out, Bits<16>>,
}

impl Logic for Two {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("two: Says two things.");
        self.y.next = self.z.val() + 1;
        comment!("The other one.");
        if self.a.val().get_bit(0) {
            self.z.next = self.a.val() + 2;
        } else if self.a.val().get_bit(1) {
            self.z.next = self.a.val() + 3;
        } else {
            self.z.next = self.a.val();
        }
    }
}

#[derive(LogicBlock, Default)]
struct AroundTwo {
    pub a: Signal<In, Bits<16>>,
    pub x: Signal<Out, Bits<16>>,
    two: Two,
}

impl Logic for AroundTwo {
    #[hdl_gen]
    fn update(&mut self) {
        self.two.a.next = self.a.val();
        self.x.next = self.two.y.val() & self.two.z.val();
    }
}

/// Where a statement has a comment of its own, that of the circuit does not stand too.
#[test]
fn a_statement_in_place_has_one_comment() {
    let written = emit(&AroundTwo::default(), "top").expect("can be written");
    let expected = "
  reg [15:0] two_z;
  always @* begin
    // The other one.
    if (a[0]) two_z = a + 16'd2;
    else if (a[1]) two_z = a + 16'd3;
    else two_z = a;
  end

  // Says two things.
  wire [15:0] two_y = two_z + 16'd1;
  assign x = two_y & two_z;
";
    assert!(written.text.contains(expected), "{}", written.text);
}
