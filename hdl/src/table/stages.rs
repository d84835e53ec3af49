//! The first stages of the table's pipeline: operations on their way to a decision.
//!
//! ```text
//!   stage      0              1              2              3              4
//!   set ------------> [ ] ----------> [ ] ----------> [ ] ----------> [ ] ---------> decision
//!   tag --+---------> [ ] --+-------> [ ] --+-------> [ ] --+-------> [ ] --+
//!         |                 |               |               |               |
//!         +---- = ? --------+               |               |               |
//!         +---- = ? ------------------------+               |               |
//!         +---- = ? ----------------------------------------+               |
//!         +---- = ? --------------------------------------------------------+
//! ```
//!
//! An operation is compared with the four ahead of it as it enters; the answers, known a cycle later, travel with it. Whether an operation
//! ahead has *changed* the set turns out when that one is decided, and is combined with the answer then.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::annotate::{comment, sized};
use crate::register::{Delay, Register};

/// Stages 1 to 4 of the table: what is to be done, and which operations ahead concern the same set or tag.
#[derive(LogicBlock)]
pub struct Stages {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// Stage 0: set.
    pub set_0: Signal<In, Bits<16>>,
    /// Stage 0: tag of the path.
    pub tag_0: Signal<In, Bits<TAG_BITS>>,
    /// Stage 0: count of the path.
    pub count_0: Signal<In, Bits<32>>,
    /// Stage 0: the operation looks a path up.
    pub path_0: Signal<In, Bit>,
    /// Stage 0: the operation empties the set.
    pub clear_0: Signal<In, Bit>,
    /// Stage 0: the operation reads an entry out.
    pub read_0: Signal<In, Bit>,
    /// The operation in stage 5 has changed its set.
    pub changed_5: Signal<In, Bit>,
    /// The operation in stage 6 has changed its set.
    pub changed_6: Signal<In, Bit>,

    /// Stage 1: set.
    pub set_1: Signal<Out, Bits<16>>,
    /// Stage 1: the operation reads an entry out.
    pub read_1: Signal<Out, Bit>,
    /// Stage 1: tag.
    pub tag_1: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 2: set.
    pub set_2: Signal<Out, Bits<16>>,
    /// Stage 2: the operation reads an entry out.
    pub read_2: Signal<Out, Bit>,
    /// Stage 2: this operation and the one ahead look up the same path.
    pub repeats1_2: Signal<Out, Bit>,
    /// Stage 2: this operation and the one two ahead look up the same path.
    pub repeats2_2: Signal<Out, Bit>,
    /// Stage 2: this operation and the one three ahead look up the same path.
    pub repeats3_2: Signal<Out, Bit>,
    /// Stage 2: the operation three ahead is for this set.
    pub near3_2: Signal<Out, Bit>,
    /// Stage 2: the operation four ahead is for this set.
    pub near4_2: Signal<Out, Bit>,
    /// Stage 2: the operation four ahead has the same tag.
    pub same4_2: Signal<Out, Bit>,
    /// Stage 3: the operation looks a path up.
    pub path_3: Signal<Out, Bit>,
    /// Stage 3: count; 0 unless a path is looked up.
    pub count_3: Signal<Out, Bits<32>>,
    /// Stage 3: the operation one ahead is for this set.
    pub near1_3: Signal<Out, Bit>,
    /// Stage 3: this operation and the one ahead look up the same path.
    pub repeats1_3: Signal<Out, Bit>,
    /// Stage 3: the operation two ahead is for this set.
    pub near2_3: Signal<Out, Bit>,
    /// Stage 3: this operation and the one two ahead look up the same path.
    pub repeats2_3: Signal<Out, Bit>,
    /// Stage 3: the operation two ahead has changed this set.
    pub follows2_3: Signal<Out, Bit>,
    /// Stage 3: the operation three ahead is for this set.
    pub near3_3: Signal<Out, Bit>,
    /// Stage 3: the operation three ahead has changed this set.
    pub follows3_3: Signal<Out, Bit>,
    /// Stage 4: set.
    pub set_4: Signal<Out, Bits<16>>,
    /// Stage 4: tag; 0 when the set is emptied.
    pub tag_4: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 4: count; 0 unless a path is looked up.
    pub count_4: Signal<Out, Bits<32>>,
    /// Stage 4: a path is looked up, and its count is not 0.
    pub some_4: Signal<Out, Bit>,
    /// Stage 4: the operation empties the set.
    pub clear_4: Signal<Out, Bit>,
    /// Stage 4: an entry is read out that no operation ahead has changed.
    pub read_4: Signal<Out, Bit>,
    /// Stage 4: the operation one ahead is for this set.
    pub near1_4: Signal<Out, Bit>,
    /// Stage 4: the operation one ahead has changed this set.
    pub follows1_4: Signal<Out, Bit>,
    /// Stage 4: this operation and the one ahead look up the same path.
    pub repeats1_4: Signal<Out, Bit>,
    /// A readout is in stages 1 to 4.
    pub reading: Signal<Out, Bit>,

    set_stage_1: Delay<Bits<16>>,
    tag_stage_1: Delay<Bits<TAG_BITS>>,
    count_stage_1: Delay<Bits<32>>,
    some_stage_1: Delay<Bit>,
    path_stage_1: Register<Bit>,
    clear_stage_1: Register<Bit>,
    read_stage_1: Register<Bit>,
    set_stage_2: Delay<Bits<16>>,
    tag_stage_2: Delay<Bits<TAG_BITS>>,
    count_stage_2: Delay<Bits<32>>,
    some_stage_2: Delay<Bit>,
    path_stage_2: Register<Bit>,
    clear_stage_2: Register<Bit>,
    read_stage_2: Register<Bit>,
    set_stage_3: Delay<Bits<16>>,
    tag_stage_3: Delay<Bits<TAG_BITS>>,
    count_stage_3: Delay<Bits<32>>,
    some_stage_3: Delay<Bit>,
    path_stage_3: Register<Bit>,
    clear_stage_3: Register<Bit>,
    read_stage_3: Register<Bit>,
    set_stage_4: Delay<Bits<16>>,
    tag_stage_4: Delay<Bits<TAG_BITS>>,
    count_stage_4: Delay<Bits<32>>,
    some_stage_4: Register<Bit>,
    path_stage_4: Register<Bit>,
    clear_stage_4: Register<Bit>,
    read_stage_4: Register<Bit>,
    match1: TagMatch,
    match2: TagMatch,
    match3: TagMatch,
    match4: TagMatch,
    near1_stage_1: Delay<Bit>,
    near1_stage_2: Delay<Bit>,
    near1_stage_3: Delay<Bit>,
    near1_stage_4: Delay<Bit>,
    near2_stage_1: Delay<Bit>,
    near2_stage_2: Delay<Bit>,
    near2_stage_3: Delay<Bit>,
    near3_stage_1: Delay<Bit>,
    near3_stage_2: Delay<Bit>,
    near3_stage_3: Delay<Bit>,
    near4_stage_1: Delay<Bit>,
    near4_stage_2: Delay<Bit>,
    same1_stage_2: Delay<Bit>,
    same2_stage_2: Delay<Bit>,
    same3_stage_2: Delay<Bit>,
    same4_stage_2: Delay<Bit>,
    repeats1_stage_3: Delay<Bit>,
    repeats1_stage_4: Delay<Bit>,
    repeats2_stage_3: Delay<Bit>,
    conflict_stage_3: Delay<Bit>,
    conflict_stage_4: Delay<Bit>,
    repeats1: Signal<Local, Bit>,
    repeats2: Signal<Local, Bit>,
    repeats3: Signal<Local, Bit>,
    follows1: Signal<Local, Bit>,
    follows2: Signal<Local, Bit>,
    follows3: Signal<Local, Bit>,
}

impl Stages {
    /// The stages of a table of this geometry.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let layout = TagLayout::new(geometry);
        let events_bits = geometry.event_counter_bits;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            set_0: sized(layout.set_bits),
            tag_0: sized(layout.width()),
            count_0: sized(events_bits),
            path_0: Signal::default(),
            clear_0: Signal::default(),
            read_0: Signal::default(),
            changed_5: Signal::default(),
            changed_6: Signal::default(),
            set_1: sized(layout.set_bits),
            read_1: Signal::default(),
            tag_1: sized(layout.width()),
            set_2: sized(layout.set_bits),
            read_2: Signal::default(),
            repeats1_2: Signal::default(),
            repeats2_2: Signal::default(),
            repeats3_2: Signal::default(),
            near3_2: Signal::default(),
            near4_2: Signal::default(),
            same4_2: Signal::default(),
            path_3: Signal::default(),
            count_3: sized(events_bits),
            near1_3: Signal::default(),
            repeats1_3: Signal::default(),
            near2_3: Signal::default(),
            repeats2_3: Signal::default(),
            follows2_3: Signal::default(),
            near3_3: Signal::default(),
            follows3_3: Signal::default(),
            set_4: sized(layout.set_bits),
            tag_4: sized(layout.width()),
            count_4: sized(events_bits),
            some_4: Signal::default(),
            clear_4: Signal::default(),
            read_4: Signal::default(),
            near1_4: Signal::default(),
            follows1_4: Signal::default(),
            repeats1_4: Signal::default(),
            reading: Signal::default(),
            set_stage_1: Delay::new(layout.set_bits),
            tag_stage_1: Delay::new(layout.width()),
            count_stage_1: Delay::new(events_bits),
            some_stage_1: Delay::new(1),
            path_stage_1: Register::flag(false),
            clear_stage_1: Register::flag(false),
            read_stage_1: Register::flag(false),
            set_stage_2: Delay::new(layout.set_bits),
            tag_stage_2: Delay::new(layout.width()),
            count_stage_2: Delay::new(events_bits),
            some_stage_2: Delay::new(1),
            path_stage_2: Register::flag(false),
            clear_stage_2: Register::flag(false),
            read_stage_2: Register::flag(false),
            set_stage_3: Delay::new(layout.set_bits),
            tag_stage_3: Delay::new(layout.width()),
            count_stage_3: Delay::new(events_bits),
            some_stage_3: Delay::new(1),
            path_stage_3: Register::flag(false),
            clear_stage_3: Register::flag(false),
            read_stage_3: Register::flag(false),
            set_stage_4: Delay::new(layout.set_bits),
            tag_stage_4: Delay::new(layout.width()),
            count_stage_4: Delay::new(events_bits),
            some_stage_4: Register::flag(false),
            path_stage_4: Register::flag(false),
            clear_stage_4: Register::flag(false),
            read_stage_4: Register::flag(false),
            match1: TagMatch::new(layout.width()),
            match2: TagMatch::new(layout.width()),
            match3: TagMatch::new(layout.width()),
            match4: TagMatch::new(layout.width()),
            near1_stage_1: Delay::new(1),
            near1_stage_2: Delay::new(1),
            near1_stage_3: Delay::new(1),
            near1_stage_4: Delay::new(1),
            near2_stage_1: Delay::new(1),
            near2_stage_2: Delay::new(1),
            near2_stage_3: Delay::new(1),
            near3_stage_1: Delay::new(1),
            near3_stage_2: Delay::new(1),
            near3_stage_3: Delay::new(1),
            near4_stage_1: Delay::new(1),
            near4_stage_2: Delay::new(1),
            same1_stage_2: Delay::new(1),
            same2_stage_2: Delay::new(1),
            same3_stage_2: Delay::new(1),
            same4_stage_2: Delay::new(1),
            repeats1_stage_3: Delay::new(1),
            repeats1_stage_4: Delay::new(1),
            repeats2_stage_3: Delay::new(1),
            conflict_stage_3: Delay::new(1),
            conflict_stage_4: Delay::new(1),
            repeats1: Signal::default(),
            repeats2: Signal::default(),
            repeats3: Signal::default(),
            follows1: Signal::default(),
            follows2: Signal::default(),
            follows3: Signal::default(),
        }
    }
}

impl Logic for Stages {
    #[hdl_gen]
    fn update(&mut self) {
        comment!(
            "stages: table operations on their way to a decision, and who follows whom into a set."
        );
        comment!(
            "The number at the end of a name is the pipeline stage of the operation it belongs to."
        );
        self.set_stage_1.clk.next = self.clk.val();
        self.tag_stage_1.clk.next = self.clk.val();
        self.count_stage_1.clk.next = self.clk.val();
        self.some_stage_1.clk.next = self.clk.val();
        self.path_stage_1.clk.next = self.clk.val();
        self.path_stage_1.rst.next = self.rst.val();
        self.clear_stage_1.clk.next = self.clk.val();
        self.clear_stage_1.rst.next = self.rst.val();
        self.read_stage_1.clk.next = self.clk.val();
        self.read_stage_1.rst.next = self.rst.val();
        self.set_stage_2.clk.next = self.clk.val();
        self.tag_stage_2.clk.next = self.clk.val();
        self.count_stage_2.clk.next = self.clk.val();
        self.some_stage_2.clk.next = self.clk.val();
        self.path_stage_2.clk.next = self.clk.val();
        self.path_stage_2.rst.next = self.rst.val();
        self.clear_stage_2.clk.next = self.clk.val();
        self.clear_stage_2.rst.next = self.rst.val();
        self.read_stage_2.clk.next = self.clk.val();
        self.read_stage_2.rst.next = self.rst.val();
        self.set_stage_3.clk.next = self.clk.val();
        self.tag_stage_3.clk.next = self.clk.val();
        self.count_stage_3.clk.next = self.clk.val();
        self.some_stage_3.clk.next = self.clk.val();
        self.path_stage_3.clk.next = self.clk.val();
        self.path_stage_3.rst.next = self.rst.val();
        self.clear_stage_3.clk.next = self.clk.val();
        self.clear_stage_3.rst.next = self.rst.val();
        self.read_stage_3.clk.next = self.clk.val();
        self.read_stage_3.rst.next = self.rst.val();
        self.set_stage_4.clk.next = self.clk.val();
        self.tag_stage_4.clk.next = self.clk.val();
        self.count_stage_4.clk.next = self.clk.val();
        self.some_stage_4.clk.next = self.clk.val();
        self.some_stage_4.rst.next = self.rst.val();
        self.path_stage_4.clk.next = self.clk.val();
        self.path_stage_4.rst.next = self.rst.val();
        self.clear_stage_4.clk.next = self.clk.val();
        self.clear_stage_4.rst.next = self.rst.val();
        self.read_stage_4.clk.next = self.clk.val();
        self.read_stage_4.rst.next = self.rst.val();
        self.match1.clk.next = self.clk.val();
        self.match2.clk.next = self.clk.val();
        self.match3.clk.next = self.clk.val();
        self.match4.clk.next = self.clk.val();
        self.near1_stage_1.clk.next = self.clk.val();
        self.near1_stage_2.clk.next = self.clk.val();
        self.near1_stage_3.clk.next = self.clk.val();
        self.near1_stage_4.clk.next = self.clk.val();
        self.near2_stage_1.clk.next = self.clk.val();
        self.near2_stage_2.clk.next = self.clk.val();
        self.near2_stage_3.clk.next = self.clk.val();
        self.near3_stage_1.clk.next = self.clk.val();
        self.near3_stage_2.clk.next = self.clk.val();
        self.near3_stage_3.clk.next = self.clk.val();
        self.near4_stage_1.clk.next = self.clk.val();
        self.near4_stage_2.clk.next = self.clk.val();
        self.same1_stage_2.clk.next = self.clk.val();
        self.same2_stage_2.clk.next = self.clk.val();
        self.same3_stage_2.clk.next = self.clk.val();
        self.same4_stage_2.clk.next = self.clk.val();
        self.repeats1_stage_3.clk.next = self.clk.val();
        self.repeats1_stage_4.clk.next = self.clk.val();
        self.repeats2_stage_3.clk.next = self.clk.val();
        self.conflict_stage_3.clk.next = self.clk.val();
        self.conflict_stage_4.clk.next = self.clk.val();

        // Stage 0.
        self.set_stage_1.d.next = self.set_0.val();
        self.path_stage_1.d.next = self.path_0.val();
        self.clear_stage_1.d.next = self.clear_0.val();
        self.read_stage_1.d.next = self.read_0.val();
        self.tag_stage_1.d.next = self.tag_0.val();
        if self.clear_0.val() {
            self.tag_stage_1.d.next = 0.into();
        }
        self.count_stage_1.d.next = 0.into();
        if self.path_0.val() {
            self.count_stage_1.d.next = self.count_0.val();
        }
        self.some_stage_1.d.next = self.count_0.val().any();
        self.match1.a.next = self.tag_0.val();
        self.match1.b.next = self.tag_stage_1.q.val();
        self.match2.a.next = self.tag_0.val();
        self.match2.b.next = self.tag_stage_2.q.val();
        self.match3.a.next = self.tag_0.val();
        self.match3.b.next = self.tag_stage_3.q.val();
        self.match4.a.next = self.tag_0.val();
        self.match4.b.next = self.tag_stage_4.q.val();
        self.near1_stage_1.d.next = self.set_0.val() == self.set_stage_1.q.val();
        self.near2_stage_1.d.next = self.set_0.val() == self.set_stage_2.q.val();
        self.near3_stage_1.d.next = self.set_0.val() == self.set_stage_3.q.val();
        self.near4_stage_1.d.next = self.set_0.val() == self.set_stage_4.q.val();

        // Stage 1.
        self.set_1.next = self.set_stage_1.q.val();
        self.tag_1.next = self.tag_stage_1.q.val();
        self.read_1.next = self.read_stage_1.q.val();
        self.set_stage_2.d.next = self.set_stage_1.q.val();
        self.tag_stage_2.d.next = self.tag_stage_1.q.val();
        self.count_stage_2.d.next = self.count_stage_1.q.val();
        self.some_stage_2.d.next = self.some_stage_1.q.val();
        self.path_stage_2.d.next = self.path_stage_1.q.val();
        self.clear_stage_2.d.next = self.clear_stage_1.q.val();
        self.read_stage_2.d.next = self.read_stage_1.q.val();
        // Only paths find one another; what stands on path_* during a clear or a readout is none.
        self.same1_stage_2.d.next =
            self.match1.same.val() & self.path_stage_1.q.val() & self.path_stage_2.q.val();
        self.same2_stage_2.d.next =
            self.match2.same.val() & self.path_stage_1.q.val() & self.path_stage_3.q.val();
        self.same3_stage_2.d.next =
            self.match3.same.val() & self.path_stage_1.q.val() & self.path_stage_4.q.val();
        self.same4_stage_2.d.next = self.match4.same.val();
        self.near1_stage_2.d.next = self.near1_stage_1.q.val();
        self.near2_stage_2.d.next = self.near2_stage_1.q.val();
        self.near3_stage_2.d.next = self.near3_stage_1.q.val();
        self.near4_stage_2.d.next = self.near4_stage_1.q.val();

        // Stage 2: the operations three and four ahead are decided.
        self.repeats1.next = self.same1_stage_2.q.val() & self.near1_stage_2.q.val();
        self.repeats2.next = self.same2_stage_2.q.val() & self.near2_stage_2.q.val();
        self.repeats3.next = self.same3_stage_2.q.val() & self.near3_stage_2.q.val();
        self.repeats1_2.next = self.repeats1.val();
        self.repeats2_2.next = self.repeats2.val();
        self.repeats3_2.next = self.repeats3.val();
        self.set_2.next = self.set_stage_2.q.val();
        self.read_2.next = self.read_stage_2.q.val();
        self.near3_2.next = self.near3_stage_2.q.val();
        self.near4_2.next = self.near4_stage_2.q.val();
        self.same4_2.next = self.same4_stage_2.q.val();
        self.set_stage_3.d.next = self.set_stage_2.q.val();
        self.tag_stage_3.d.next = self.tag_stage_2.q.val();
        self.count_stage_3.d.next = self.count_stage_2.q.val();
        self.some_stage_3.d.next = self.some_stage_2.q.val();
        self.path_stage_3.d.next = self.path_stage_2.q.val();
        self.clear_stage_3.d.next = self.clear_stage_2.q.val();
        self.read_stage_3.d.next = self.read_stage_2.q.val();
        self.near1_stage_3.d.next = self.near1_stage_2.q.val();
        self.near2_stage_3.d.next = self.near2_stage_2.q.val();
        self.near3_stage_3.d.next = self.near3_stage_2.q.val();
        self.repeats1_stage_3.d.next = self.repeats1.val();
        self.repeats2_stage_3.d.next = self.repeats2.val();
        self.conflict_stage_3.d.next = (self.near3_stage_2.q.val() & self.changed_5.val())
            | (self.near4_stage_2.q.val() & self.changed_6.val());

        // Stage 3: the operation two ahead is decided.
        self.follows2.next = self.near2_stage_3.q.val() & self.changed_5.val();
        self.follows3.next = self.near3_stage_3.q.val() & self.changed_6.val();
        self.path_3.next = self.path_stage_3.q.val();
        self.count_3.next = self.count_stage_3.q.val();
        self.near1_3.next = self.near1_stage_3.q.val();
        self.repeats1_3.next = self.repeats1_stage_3.q.val();
        self.near2_3.next = self.near2_stage_3.q.val();
        self.repeats2_3.next = self.repeats2_stage_3.q.val();
        self.follows2_3.next = self.follows2.val();
        self.near3_3.next = self.near3_stage_3.q.val();
        self.follows3_3.next = self.follows3.val();
        self.set_stage_4.d.next = self.set_stage_3.q.val();
        self.tag_stage_4.d.next = self.tag_stage_3.q.val();
        self.count_stage_4.d.next = self.count_stage_3.q.val();
        self.path_stage_4.d.next = self.path_stage_3.q.val();
        self.clear_stage_4.d.next = self.clear_stage_3.q.val();
        self.read_stage_4.d.next = self.read_stage_3.q.val();
        self.near1_stage_4.d.next = self.near1_stage_3.q.val();
        self.some_stage_4.d.next = self.some_stage_3.q.val() & self.path_stage_3.q.val();
        self.repeats1_stage_4.d.next = self.repeats1_stage_3.q.val();
        self.conflict_stage_4.d.next = self.conflict_stage_3.q.val() | self.follows2.val();

        // Stage 4: the operation one ahead is decided.
        self.follows1.next = self.near1_stage_4.q.val() & self.changed_5.val();
        self.set_4.next = self.set_stage_4.q.val();
        self.tag_4.next = self.tag_stage_4.q.val();
        self.count_4.next = self.count_stage_4.q.val();
        self.some_4.next = self.some_stage_4.q.val();
        self.clear_4.next = self.clear_stage_4.q.val();
        self.read_4.next =
            self.read_stage_4.q.val() & !self.conflict_stage_4.q.val() & !self.follows1.val();
        self.near1_4.next = self.near1_stage_4.q.val();
        self.follows1_4.next = self.follows1.val();
        self.repeats1_4.next = self.repeats1_stage_4.q.val();
        self.reading.next = self.read_stage_1.q.val()
            | self.read_stage_2.q.val()
            | self.read_stage_3.q.val()
            | self.read_stage_4.q.val();
    }
}
