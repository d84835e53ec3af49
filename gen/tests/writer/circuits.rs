//! Small circuits that use what kernels may use.

use rust_hdl::prelude::*;

macro_rules! comment {
    ($($text:tt)*) => {};
}

/// Says how many bits a signal has in the Verilog.
pub fn width<D: Direction, T: Synth>(signal: &mut Signal<D, T>, bits: usize) {
    signal.add_constraint(PinConstraint {
        index: 0,
        constraint: Constraint::Custom(format!("width={bits}")),
    });
}

fn doc<D: Direction, T: Synth>(signal: &mut Signal<D, T>, text: &str) {
    signal.add_constraint(PinConstraint {
        index: 0,
        constraint: Constraint::Custom(format!("doc={text}")),
    });
}

/// A register with reset, written by hand.
#[derive(LogicBlock, Default)]
pub struct Register {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub d: Signal<In, Bits<64>>,
    pub q: Signal<Out, Bits<64>>,
    _width: usize,
}

impl Register {
    pub fn new(bits: usize) -> Self {
        let mut it = Self {
            _width: bits,
            ..Self::default()
        };
        width(&mut it.d, bits);
        width(&mut it.q, bits);
        it
    }
}

impl Logic for Register {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = if self.rst.val() {
                0.into()
            } else {
                self.d.val()
            };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        let zero = format!("{}'d0", self._width);
        Verilog::Custom(format!(
            "// register_{}: Register with synchronous reset.\nalways @(posedge clk) begin\n  if (rst) q <= {zero};\n  else q <= d;\nend",
            self._width
        ))
    }
}

/// Finds the lowest way whose tag is asked for; a loop with values read in passing.
#[derive(LogicBlock)]
pub struct Search {
    pub tag: Signal<In, Bits<64>>,
    pub hit: Signal<Out, Bit>,
    pub way: Signal<Out, Bits<5>>,
    pub entries: Vec<Entry>,
    _ways: usize,
}

/// One tag of the search; too much to be written wherever it stands.
#[derive(LogicBlock)]
pub struct Entry {
    pub asked: Signal<In, Bits<64>>,
    pub hit: Signal<Out, Bit>,
    low: Signal<Local, Bit>,
    middle: Signal<Local, Bit>,
    high: Signal<Local, Bit>,
    tag: Constant<Bits<64>>,
    differences: Signal<Local, Bits<64>>,
}

impl Entry {
    fn new(bits: usize, tag: u64) -> Self {
        let mut it = made!(Self {
            asked, hit, low, middle, high, differences;
            tag: Constant::new(tag.into()),
        });
        width(&mut it.asked, bits);
        width(&mut it.differences, bits);
        it
    }
}

impl Logic for Entry {
    #[hdl_gen]
    fn update(&mut self) {
        self.differences.next = self.asked.val() ^ self.tag.val();
        self.low.next = self.differences.val().get_bits::<8>(0).any();
        self.middle.next = self.differences.val().get_bits::<8>(8).any();
        self.high.next = (self.differences.val() >> bits::<5>(16)).any();
        self.hit.next = !(self.low.val() | self.middle.val() | self.high.val());
    }
}

impl Search {
    pub fn new(bits: usize, tags: &[u64]) -> Self {
        let mut it = made!(Self {
            tag, hit, way;
            entries: tags.iter().map(|&tag| Entry::new(bits, tag)).collect(),
            _ways: tags.len(),
        });
        width(&mut it.tag, bits);
        doc(&mut it.tag, "what is looked for");
        it
    }
}

impl Logic for Search {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("search: Lowest entry that holds a tag.");
        comment!("");
        comment!("Not found: way 0.");
        self.hit.next = false;
        self.way.next = 0.into();
        for i in 0..self._ways {
            self.entries[i].asked.next = self.tag.val();
            if self.entries[i].hit.val() && !self.hit.val() {
                self.hit.next = true;
                self.way.next = i.to_bits();
            }
        }
    }
}

/// States of the sequencer.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Phase {
    Idle,
    Run,
    LastStep,
}

/// A flip-flop for the state.
#[derive(LogicBlock, Default)]
pub struct PhaseRegister {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub d: Signal<In, Phase>,
    pub q: Signal<Out, Phase>,
}

impl Logic for PhaseRegister {
    fn update(&mut self) {
        if self.clk.pos_edge() {
            self.q.next = if self.rst.val() {
                Phase::Idle
            } else {
                self.d.val()
            };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("always @(posedge clk)\n  if (rst) q <= 2'd0;\n  else q <= d;".to_string())
    }
}

/// A state machine with a counter, a constant switch and an unused input.
#[derive(LogicBlock)]
pub struct Sequencer {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub spare: Signal<In, Bits<7>>,
    pub limit: Signal<In, Bits<64>>,
    pub busy: Signal<Out, Bit>,
    pub count: Signal<Out, Bits<64>>,
    phase: PhaseRegister,
    counter: Register,
    fast: Constant<Bit>,
    dead: Signal<Local, Bits<9>>,
}

impl Sequencer {
    pub fn new(bits: usize, fast: bool) -> Self {
        let mut it = made!(Self {
            clk, rst, start, spare, limit, busy, count, dead;
            phase: PhaseRegister::default(),
            counter: Register::new(bits),
            fast: Constant::new(fast),
        });
        width(&mut it.limit, bits);
        width(&mut it.count, bits);
        it
    }
}

impl Logic for Sequencer {
    #[hdl_gen]
    fn update(&mut self) {
        self.phase.clk.next = self.clk.val();
        self.phase.rst.next = self.rst.val();
        self.counter.clk.next = self.clk.val();
        self.counter.rst.next = self.rst.val();
        self.counter.d.next = self.counter.q.val();
        self.phase.d.next = self.phase.q.val();
        self.dead.next = bit_cast::<9, 7>(self.spare.val()) + 1;
        match self.phase.q.val() {
            Phase::Idle => {
                if self.start.val() {
                    self.phase.d.next = Phase::Run;
                    self.counter.d.next = 0.into();
                }
            }
            Phase::Run => {
                if self.fast.val() {
                    self.counter.d.next = self.counter.q.val() + 2;
                } else {
                    self.counter.d.next = self.counter.q.val() + 1;
                }
                if self.counter.q.val() >= self.limit.val() {
                    self.phase.d.next = Phase::LastStep;
                }
            }
            Phase::LastStep => {
                self.phase.d.next = Phase::Idle;
            }
        }
        self.busy.next = self.phase.q.val() != Phase::Idle;
        self.count.next = self.counter.q.val();
    }
}

/// Arithmetic, shifts, part selects in every combination.
#[derive(LogicBlock)]
pub struct Arithmetic {
    pub a: Signal<In, Bits<64>>,
    pub b: Signal<In, Bits<64>>,
    pub n: Signal<In, Bits<3>>,
    pub flag: Signal<In, Bit>,
    pub sum: Signal<Out, Bits<64>>,
    pub carry: Signal<Out, Bit>,
    pub difference_is_less: Signal<Out, Bit>,
    pub joined: Signal<Out, Bits<160>>,
    pub taken_apart: Signal<Out, Bits<64>>,
    pub field: Signal<Out, Bits<4>>,
    pub moving: Signal<Out, Bits<4>>,
    pub chosen: Signal<Out, Bit>,
    pub replaced: Signal<Out, Bits<64>>,
    pub shifted: Signal<Out, Bits<64>>,
    pub flags: Signal<Out, Bits<8>>,
    pub twice: Signal<Out, Bits<4>>,
    word: Signal<Local, Bits<160>>,
    mask: Constant<Bits<64>>,
    size: Constant<Bits<8>>,
}

impl Arithmetic {
    pub fn new(bits: usize) -> Self {
        let mut it = made!(Self {
            a, b, n, flag, sum, carry, difference_is_less, joined, taken_apart, field, moving,
            chosen, replaced, shifted, flags, twice, word;
            mask: Constant::new(
                if bits == 64 {
                    u64::MAX
                } else {
                    (1u64 << bits) - 1
                }
                .into(),
            ),
            size: Constant::new((bits as u64).into()),
        });
        for signal in [
            &mut it.sum,
            &mut it.taken_apart,
            &mut it.replaced,
            &mut it.shifted,
        ] {
            width(signal, bits);
        }
        width(&mut it.a, bits);
        width(&mut it.b, bits);
        width(&mut it.joined, 2 * bits + 3);
        width(&mut it.word, 2 * bits + 3);
        it
    }
}

impl Logic for Arithmetic {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("arithmetic: Every operator once.");
        self.sum.next = (self.a.val() + self.b.val()) & self.mask.val();
        self.carry.next = ((self.a.val() + self.b.val()) >> self.size.val()).any();
        self.difference_is_less.next = (self.a.val() - self.b.val()) < self.b.val();
        self.word.next = bit_cast::<160, 64>(self.a.val())
            | (bit_cast::<160, 64>(self.b.val()) << self.size.val())
            | (bit_cast::<160, 3>(self.n.val()) << (self.size.val() + self.size.val()));
        self.joined.next = self.word.val();
        self.taken_apart.next =
            bit_cast::<64, 160>(self.word.val() >> self.size.val()) & self.mask.val();
        self.field.next = (self.a.val() ^ self.b.val())
            .get_bits::<6>(2)
            .get_bits::<4>(1);
        self.moving.next = self.a.val().get_bits::<4>(self.n.val().index());
        self.chosen.next = self.a.val().get_bit(self.n.val().index());
        self.replaced.next = self
            .a
            .val()
            .replace_bit(self.n.val().index(), self.flag.val());
        self.shifted.next = (((self.a.val() << self.n.val()) & self.mask.val())
            - (self.b.val() >> self.n.val()))
            & self.mask.val();
        self.flags.next = bits::<8>(0);
        if self.a.val().all() || self.a.val() == 77 {
            self.flags.next = self.flags.val() | 1;
        }
        if (!self.b.val() & self.mask.val()).any() && self.b.val() > 5 {
            self.flags.next = self.flags.val() | 2;
        }
        if self.a.val().xor() ^ self.flag.val() {
            self.flags.next = self.flags.val().replace_bit(7, true);
        }
        self.twice.next =
            (self.a.val() + self.b.val()).get_bits::<4>(3) + bit_cast::<4, 3>(self.n.val());
    }
}
