//! The two memories of a tiny profiler, with their contents at power-up.

use std::fmt::Write;

use rust_hdl::prelude::*;

use super::program::{Cell, PROGRAM_BITS, Step, ZERO, assembled};
use crate::annotate::sized;
use crate::circuit::memory_part;
use crate::ram::wrapped;

/// The words of a memory at power-up, as Verilog.
fn initial(words: impl Iterator<Item = (usize, u64, String)>, width: u32) -> String {
    let digits = width.div_ceil(4) as usize;
    words.fold(String::new(), |mut text, (cell, word, meaning)| {
        writeln!(
            text,
            "  cells[{cell}] = {width}'h{word:0digits$x};{meaning}"
        )
        .expect("a string takes all");
        text
    })
}

/// Single-port memory: a cell is written or read in a cycle.
///
/// ```text
///   write ----->+----------------+
///   address --->|  cells x 32    |---> word read last, from the next cycle on
///   data ------>|>               |
///               +----------------+
/// ```
///
/// Some cells are constants from power-up. Nothing overwrites them.
#[derive(Clone, Debug, LogicBlock)]
pub struct SharedMemory {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Cell address.
    pub address: Signal<In, Bits<10>>,
    /// 1 write, 0 read.
    pub write: Signal<In, Bit>,
    /// Write data.
    pub data: Signal<In, Bits<32>>,
    /// Word read last.
    pub word: Signal<Out, Bits<32>>,
    _cells: Vec<Bits<32>>,
    _constants: Vec<(usize, u64)>,
}

impl SharedMemory {
    /// A memory of `cells` words (a power of two) that holds the constants.
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
        let constants = self._constants.iter();
        let constants = constants.map(|&(cell, word)| (cell, word, String::new()));
        let (last, constants) = (self._cells.len() - 1, initial(constants, 32));
        wrapped(format!(
            "// shared_memory: Single-port memory, read or write in a cycle. Some cells hold constants from power-up.\n\
                 (* ram_style = \"block\" *)\n\
                 reg [31:0] cells [0:{last}];\n\
                 reg [31:0] word_q;\n\
                 initial begin\n{constants}end\n\
                 always @(posedge clk) begin\n  \
                   if (write) cells[address] <= data;\n  \
                   else word_q <= cells[address];\n\
                 end\n\
                 assign word = word_q;\n"
        ))
    }
}

memory_part!(SharedMemory);

macro_rules! program {
    ($($(#[$doc:meta])* $port:ident = $act:ident, $bit:literal;)*) => {
        /// The actions of a step, one bit each: outputs of [`Program`].
        pub(super) mod act {
            $(pub const $act: u32 = 1 << $bit;)*
        }

        /// Microprogram ROM, one step per word; a step acts one cycle after it is addressed.
        #[derive(Clone, Debug, LogicBlock)]
        pub struct Program {
            /// Clock.
            pub clk: Signal<In, Clock>,
            /// Number of the next step.
            pub address: Signal<In, Bits<7>>,
            /// Upper bits of the next step number; the answer is bit 0.
            pub follows: Signal<Out, Bits<6>>,
            /// Question whose answer selects the next step.
            pub ask: Signal<Out, Bits<4>>,
            /// Memory area of the cell: table, stack, counters, bus.
            pub space: Signal<Out, Bits<2>>,
            /// Cell in the memory area.
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
                $(self.$port.next = step.acts >> $bit & 1 == 1;)*
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
    /// Write the cell.
    writes = WRITE, 0;
    /// Add the path's start to the word read.
    adds_start = ADDS_START, 1;
    /// Add the path's outcomes to the word read.
    adds_outcomes = ADDS_OUTCOMES, 2;
    /// Add 1 to the word read.
    adds_one = ADDS_ONE, 3;
    /// Start a record: append its outcome, and select the first way.
    begins = BEGINS, 4;
    /// Select the next way.
    next_way = NEXT_WAY, 5;
    /// Select the way with the smallest count.
    takes_least = TAKES_LEAST, 6;
    /// Compare the word read, a count, with the smallest count so far.
    notes_least = NOTES_LEAST, 7;
    /// Select the next place of the stack.
    deeper = DEEPER, 8;
    /// Select the previous place of the stack.
    shallower = SHALLOWER, 9;
    /// Begin a path at the record's target.
    restarts = RESTARTS, 10;
    /// Load the path's start from the word read.
    pops_start = POPS_START, 11;
    /// Load the path's outcomes from the word read.
    pops_outcomes = POPS_OUTCOMES, 12;
    /// End the record, unless others were lost after it.
    ends = ENDS, 13;
    /// The loss has been counted: request an empty stack.
    loses = LOSES, 14;
    /// Set the saturation error.
    saturates = SATURATES, 15;
    /// Advance the clear walk.
    walks = WALKS, 16;
    /// Acknowledge the bus access.
    answers = ANSWERS, 17;
    /// There is nothing to do.
    rests = RESTS, 18;
}

/// Width of the fields in front of the actions in a program word.
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

/// `name: cell, actions; question ? yes : no` of a step.
fn meaning(step: &Step, acts: &[&str]) -> String {
    let [no, yes] = step.successors;
    let cell = match step.cell {
        ZERO => "zero".to_string(),
        cell => format!("{cell:?}").to_lowercase(),
    };
    let does = (0..).zip(acts).filter(|(bit, _)| step.acts >> bit & 1 == 1);
    let does: String = does.map(|(_, act)| format!(", {act}")).collect();
    let follows = match (no == yes, step.ask) {
        (true, _) => no.to_string(),
        (false, ask) => format!("{ask:?} ? {yes} : {no}"),
    };
    format!("{}: {cell}{does}; {follows}", step.name)
}

fn text(steps: &[Step], acts: &[&str]) -> Verilog {
    let width = ACTS_FROM + acts.len() as u32;
    let places = 1 << PROGRAM_BITS;
    let words = (0..places).map(|place| match steps.get(place) {
        Some(step) => (place, word(step), format!("  // {}", meaning(step, acts))),
        None => (place, word(&steps[0]), "  // unused".to_string()),
    });
    let (high, last, words) = (width - 1, places - 1, initial(words, width));
    let acts = (ACTS_FROM..)
        .zip(acts)
        .fold(String::new(), |mut text, (bit, act)| {
            writeln!(text, "assign {act} = step_q[{bit}];").expect("a string takes all");
            text
        });
    wrapped(format!(
        "// program: Microprogram ROM, one step per word; a step acts one cycle after it is addressed.\n\
             // Behind each word: the step's name, its cell and actions, and the step or steps that follow.\n\
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
    ))
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

memory_part!(Program);
