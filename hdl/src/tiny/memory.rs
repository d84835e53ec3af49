//! The two memories of a tiny profiler, with what they hold from the start.

use std::fmt::Write;

use rust_hdl::prelude::*;

use super::program::{Cell, PROGRAM_BITS, Step, assembled};
use crate::annotate::sized;
use crate::circuit::{Part, wire};

/// The words of a memory at power-up, as Verilog.
fn initial(words: &[(usize, u64)], width: u32) -> String {
    words.iter().fold(String::new(), |mut text, (cell, word)| {
        let digits = width.div_ceil(4) as usize;
        writeln!(text, "  cells[{cell}] = {width}'h{word:0digits$x};").expect("a string takes all");
        text
    })
}

/// One memory with one address: a cell is written or read.
///
/// ```text
///   write ----->+----------------+
///   address --->|  cells x 32    |---> word: what was read last, from the cycle after on
///   data ------>|>               |
///               +----------------+
/// ```
///
/// Some cells are constants: they hold from power-up what nothing overwrites.
#[derive(Clone, Debug, LogicBlock)]
pub struct SharedMemory {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// The cell.
    pub address: Signal<In, Bits<10>>,
    /// It is written; else it is read.
    pub write: Signal<In, Bit>,
    /// What is written.
    pub data: Signal<In, Bits<32>>,
    /// What was read last.
    pub word: Signal<Out, Bits<32>>,
    _cells: Vec<Bits<32>>,
    _constants: Vec<(usize, u64)>,
}

impl SharedMemory {
    /// A memory of so many cells (a power of two), with these constants.
    #[must_use]
    pub fn new(cells: u32, constants: &[(usize, u32)]) -> Self {
        let mut held = vec![Bits::default(); cells as usize];
        for &(cell, word) in constants {
            held[cell] = u64::from(word).into();
        }
        Self {
            clk: Signal::default(),
            address: sized(cells.trailing_zeros()),
            write: Signal::default(),
            data: Signal::default(),
            word: Signal::default(),
            _cells: held,
            _constants: constants
                .iter()
                .map(|&(cell, word)| (cell, word.into()))
                .collect(),
        }
    }
}

impl Logic for SharedMemory {
    fn update(&mut self) {
        if !self.clk.pos_edge() {
            return;
        }
        let cell = self.address.val().index() % self._cells.len();
        if self.write.val() {
            self._cells[cell] = self.data.val();
        } else {
            self.word.next = self._cells[cell];
        }
    }

    fn connect(&mut self) {
        self.word.connect();
    }

    fn hdl(&self) -> Verilog {
        let (last, constants) = (self._cells.len() - 1, initial(&self._constants, 32));
        Verilog::Wrapper(Wrapper {
            code: format!(
                "// shared_memory: Memory with one address: a cell is written or read. Some cells hold constants from power-up on.\n\
                 (* ram_style = \"block\" *)\n\
                 reg [31:0] cells [0:{last}];\n\
                 reg [31:0] word_q;\n\
                 initial begin\n{constants}end\n\
                 always @(posedge clk) begin\n  \
                   if (write) cells[address] <= data;\n  \
                   else word_q <= cells[address];\n\
                 end\n\
                 assign word = word_q;\n"
            ),
            cores: String::new(),
        })
    }
}

impl Part for SharedMemory {
    fn drive(&mut self, clk: Clock, _rst: Bit) {
        self.clk.next = clk;
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
    }
}

macro_rules! program {
    ($($(#[$doc:meta])* $port:ident: $width:literal;)*) => {
        /// The microprogram, a step a word: what the step that `address` named does a cycle later.
        #[derive(Clone, Debug, LogicBlock)]
        pub struct Program {
            /// Clock.
            pub clk: Signal<In, Clock>,
            /// The next step.
            pub address: Signal<In, Bits<7>>,
            /// Half the place of the steps that may follow.
            pub follows: Signal<Out, Bits<6>>,
            /// Which answer chooses between them.
            pub ask: Signal<Out, Bits<4>>,
            /// Where its cell is: table, stack, counters, bus.
            pub space: Signal<Out, Bits<2>>,
            /// Which cell there.
            pub place: Signal<Out, Bits<4>>,
            $($(#[$doc])* pub $port: Signal<Out, Bit>,)*
            _steps: Vec<Step>,
        }

        impl Program {
            /// The microprogram.
            #[must_use]
            pub fn new() -> Self {
                Self {
                    clk: Signal::default(),
                    address: Signal::default(),
                    follows: Signal::default(),
                    ask: Signal::default(),
                    space: Signal::default(),
                    place: Signal::default(),
                    $($port: Signal::default(),)*
                    _steps: assembled(),
                }
            }

            fn show(&mut self, place: usize) {
                let step = self._steps.get(place).copied().unwrap_or(self._steps[0]);
                let (space, cell) = placed(step.cell);
                self.follows.next = u64::from(step.next).into();
                self.ask.next = (step.ask as u64).into();
                self.space.next = space.into();
                self.place.next = cell.into();
                $(self.$port.next = step.acts >> $width & 1 == 1;)*
            }

            fn names() -> Vec<&'static str> {
                vec![$(stringify!($port)),*]
            }
        }

        impl Logic for Program {
            fn update(&mut self) {
                if self.clk.pos_edge() {
                    self.show(self.address.val().index());
                }
            }

            fn connect(&mut self) {
                self.follows.connect();
                self.ask.connect();
                self.space.connect();
                self.place.connect();
                $(self.$port.connect();)*
            }

            fn hdl(&self) -> Verilog {
                text(&self._steps, &Self::names())
            }
        }
    };
}

program! {
    /// The cell is written.
    writes: 0;
    /// To the word that was read, the path's start is added.
    adds_start: 1;
    /// The path's outcomes are.
    adds_outcomes: 2;
    /// One is.
    adds_one: 3;
    /// A record begins: it updates, and the first way is the way.
    begins: 4;
    /// The next way is.
    next_way: 5;
    /// The way with the least count is.
    takes_least: 6;
    /// The word read is a count: it is the least if it is less.
    notes_least: 7;
    /// The next place of the stack is the place.
    deeper: 8;
    /// The place before is.
    shallower: 9;
    /// A path begins at the record's target.
    restarts: 10;
    /// The word read is the path's start.
    pops_start: 11;
    /// It is the path's outcomes.
    pops_outcomes: 12;
    /// The record is done, unless others were lost behind it.
    ends: 13;
    /// They have been counted, and the stack is to be emptied.
    loses: 14;
    /// A count would not fit.
    saturates: 15;
    /// The walk's cell is the cell.
    walks: 16;
    /// The bus has its answer.
    answers: 17;
}

/// Bits of a step's word before those of what it does.
const ACTS_FROM: u32 = 6 + 4 + 2 + 4;

const fn placed(cell: Cell) -> (u64, u64) {
    match cell {
        Cell::Table(word) => (0, word as u64),
        Cell::Stack(word) => (1, word as u64),
        Cell::Counter(counter) => (2, counter as u64),
        Cell::Bus => (3, 0),
    }
}

fn word(step: &Step) -> u64 {
    let (space, cell) = placed(step.cell);
    u64::from(step.next)
        | (step.ask as u64) << 6
        | space << 10
        | cell << 12
        | u64::from(step.acts) << ACTS_FROM
}

fn text(steps: &[Step], acts: &[&str]) -> Verilog {
    let width = ACTS_FROM + acts.len() as u32;
    let places = 1 << PROGRAM_BITS;
    let of = |place: usize| word(steps.get(place).unwrap_or(&steps[0]));
    let words: Vec<_> = (0..places).map(|place| (place, of(place))).collect();
    let (high, last, words) = (width - 1, places - 1, initial(&words, width));
    let acts = (ACTS_FROM..)
        .zip(acts)
        .fold(String::new(), |mut text, (bit, act)| {
            writeln!(text, "assign {act} = step_q[{bit}];").expect("a string takes all");
            text
        });
    Verilog::Wrapper(Wrapper {
        code: format!(
            "// program: The microprogram, a step a word: what the step that `address` named does a cycle later.\n\
             (* rom_style = \"block\", ram_style = \"block\" *)\n\
             reg [{high}:0] cells [0:{last}];\n\
             reg [{high}:0] step_q;\n\
             initial begin\n{words}end\n\
             always @(posedge clk) step_q <= cells[address];\n\
             assign follows = step_q[5:0];\n\
             assign ask = step_q[9:6];\n\
             assign space = step_q[11:10];\n\
             assign place = step_q[15:12];\n\
             {acts}"
        ),
        cores: String::new(),
    })
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

impl Part for Program {
    fn drive(&mut self, clk: Clock, _rst: Bit) {
        self.clk.next = clk;
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
    }
}
