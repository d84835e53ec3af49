//! What a kernel need not say: clocks, resets, holding registers, widths of what registers take, and sums in loops.

use crate::golden;
use crate::tools::lint;
use hpp_gen::verilog::emit;
use hpp_hdl::register::{Delay, Register};
use rust_hdl::prelude::*;

/// Two registers and a sum, with as few words as a kernel may use.
#[derive(LogicBlock)]
struct Terse {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub word: Signal<In, Bits<8>>,
    pub count: Signal<Out, Bits<3>>,
    pub last: Signal<Out, Bits<8>>,
    pub sum: Signal<Out, Bits<8>>,
    counter: Register<Bits<3>>,
    kept: Delay<Bits<8>>,
    total: Signal<Local, Bits<8>>,
    before: Signal<Local, Bits<8>>,
    _rounds: usize,
}

impl Default for Terse {
    fn default() -> Self {
        made!(Self {
            clk, rst, step, word, count, last, sum, total, before;
            counter: Register::new(3, 5.into()),
            kept: Delay::new(6),
            _rounds: 3,
        })
    }
}

impl Logic for Terse {
    #[hdl_gen]
    fn update(&mut self) {
        if self.step.val() {
            self.counter.d.next = self.counter.q.val() + 1;
            self.kept.d.next = self.word.val();
        }
        self.total.next = self.word.val();
        for i in 0..self._rounds {
            self.before.next = self.total.val();
            self.total.next = (self.total.val() << 1) ^ i.to_bits();
        }
        self.sum.next = self.total.val() ^ self.before.val();
        self.count.next = self.counter.q.val();
        self.last.next = self.kept.q.val();
    }
}

#[test]
fn what_is_left_out_is_written_without_a_warning() {
    let text = emit(&Terse::default(), "terse")
        .expect("can be written")
        .text;
    golden("terse", &text);
    lint(&text, "terse");
    assert!(text.contains("+ 3'd1"), "{text}");
    assert!(text.contains("word[5:0]"), "{text}");
}

/// Bits put side by side one after another.
#[derive(LogicBlock, Default)]
struct Gathered {
    pub flags: [Signal<In, Bit>; 4],
    pub all: Signal<Out, Bits<4>>,
    pub any_two: Signal<Out, Bit>,
    gathered: Signal<Local, Bits<4>>,
    _flags: usize,
}

impl Logic for Gathered {
    #[hdl_gen]
    fn update(&mut self) {
        self.gathered.next = 0.into();
        for i in 0..self._flags {
            self.gathered.next = self.gathered.val().replace_bit(i, self.flags[i].val());
        }
        self.all.next = self.gathered.val();
        self.any_two.next = self.gathered.val().get_bits::<2>(1).any();
    }
}

/// Wires side by side take no wire of their own on the way.
#[test]
fn bits_gathered_in_a_loop_are_one_concatenation() {
    let circuit = Gathered {
        _flags: 4,
        ..Gathered::default()
    };
    let text = emit(&circuit, "top").expect("legal").text;
    let all = "{flags_3, flags_2, flags_1, flags_0}";
    assert!(text.contains(all), "{text}");
    assert!(!text.contains("gathered_"), "{text}");
}
