//! The first stages of the table's pipeline: operations on their way to a decision.
//!
//! ```text
//!   stage      0              1              2              3
//!   set ------------> [ ] ----------> [ ] ----------> [ ] ---------> decision
//!   tag --+---------> [ ] --+-------> [ ] --+-------> [ ] --+
//!         |                 |               |               |
//!         +---- = ? --------+               |               |
//!         +---- = ? ------------------------+               |
//!         +---- = ? ----------------------------------------+
//! ```
//!
//! An operation is compared with the three ahead of it as it enters; the answers, known a cycle later, travel with it. Whether an operation
//! ahead has *changed* the set turns out when that one is decided, and is combined with the answer then.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::annotate::{comment, sized};
use crate::register::{Delay, Register};

/// Stages 1 to 3 of the table: what is to be done, and which operations ahead concern the same set or tag.
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
    /// The operation in stage 4 has changed its set.
    pub changed_4: Signal<In, Bit>,
    /// The operation in stage 5 has changed its set.
    pub changed_5: Signal<In, Bit>,

    /// Stage 1: set.
    pub set_1: Signal<Out, Bits<16>>,
    /// Stage 1: the operation reads an entry out.
    pub read_1: Signal<Out, Bit>,
    /// Stage 1: tag.
    pub tag_1: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 2: the operation empties the set.
    pub clear_2: Signal<Out, Bit>,
    /// Stage 2: the operation reads an entry out.
    pub read_2: Signal<Out, Bit>,
    /// Stage 2: the operation two ahead is for this set.
    pub near2_2: Signal<Out, Bit>,
    /// Stage 2: this operation and the one ahead look up the same path.
    pub repeats_2: Signal<Out, Bit>,
    /// Stage 2: the operation three ahead is for this set.
    pub near3_2: Signal<Out, Bit>,
    /// Stage 2: the operation two ahead has changed this set.
    pub follows2_2: Signal<Out, Bit>,
    /// Stage 2: the operation two ahead has the same tag.
    pub same2_2: Signal<Out, Bit>,
    /// Stage 2: the operation three ahead has changed this set.
    pub follows3_2: Signal<Out, Bit>,
    /// Stage 2: the operation three ahead has the same tag.
    pub same3_2: Signal<Out, Bit>,
    /// Stage 3: set.
    pub set_3: Signal<Out, Bits<16>>,
    /// Stage 3: tag; 0 when the set is emptied.
    pub tag_3: Signal<Out, Bits<TAG_BITS>>,
    /// Stage 3: count; 0 unless a path is looked up.
    pub count_3: Signal<Out, Bits<32>>,
    /// Stage 3: the count is not 0.
    pub some_3: Signal<Out, Bit>,
    /// Stage 3: the operation looks a path up.
    pub path_3: Signal<Out, Bit>,
    /// Stage 3: the operation empties the set.
    pub clear_3: Signal<Out, Bit>,
    /// Stage 3: an entry is read out that no operation ahead has changed.
    pub read_3: Signal<Out, Bit>,
    /// Stage 3: the operation one ahead is for this set.
    pub near1_3: Signal<Out, Bit>,
    /// Stage 3: the operation one ahead has changed this set.
    pub follows1_3: Signal<Out, Bit>,
    /// Stage 3: this operation and the one ahead look up the same path.
    pub same1_3: Signal<Out, Bit>,
    /// Stage 3: the operation two ahead is for this set.
    pub near2_3: Signal<Out, Bit>,
    /// A readout is in stage 1, 2 or 3.
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
    match1: TagMatch,
    same1_stage_2: Delay<Bit>,
    same1_stage_3: Delay<Bit>,
    match2: TagMatch,
    same2_stage_2: Delay<Bit>,
    match3: TagMatch,
    same3_stage_2: Delay<Bit>,
    near1_stage_1: Delay<Bit>,
    near1_stage_2: Delay<Bit>,
    near1_stage_3: Delay<Bit>,
    near2_stage_1: Delay<Bit>,
    near2_stage_2: Delay<Bit>,
    near3_stage_1: Delay<Bit>,
    near3_stage_2: Delay<Bit>,
    near2_stage_3: Delay<Bit>,
    conflict_stage_3: Delay<Bit>,
    follows2: Signal<Local, Bit>,
    follows3: Signal<Local, Bit>,
    follows1: Signal<Local, Bit>,
    repeats: Signal<Local, Bit>,
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
            changed_4: Signal::default(),
            changed_5: Signal::default(),
            set_1: sized(layout.set_bits),
            read_1: Signal::default(),
            tag_1: sized(layout.width()),
            clear_2: Signal::default(),
            read_2: Signal::default(),
            near2_2: Signal::default(),
            repeats_2: Signal::default(),
            near3_2: Signal::default(),
            follows2_2: Signal::default(),
            same2_2: Signal::default(),
            follows3_2: Signal::default(),
            same3_2: Signal::default(),
            set_3: sized(layout.set_bits),
            tag_3: sized(layout.width()),
            count_3: sized(events_bits),
            some_3: Signal::default(),
            path_3: Signal::default(),
            clear_3: Signal::default(),
            read_3: Signal::default(),
            near1_3: Signal::default(),
            follows1_3: Signal::default(),
            same1_3: Signal::default(),
            near2_3: Signal::default(),
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
            match1: TagMatch::new(layout.width()),
            same1_stage_2: Delay::new(1),
            same1_stage_3: Delay::new(1),
            match2: TagMatch::new(layout.width()),
            same2_stage_2: Delay::new(1),
            match3: TagMatch::new(layout.width()),
            same3_stage_2: Delay::new(1),
            near1_stage_1: Delay::new(1),
            near1_stage_2: Delay::new(1),
            near1_stage_3: Delay::new(1),
            near2_stage_1: Delay::new(1),
            near2_stage_2: Delay::new(1),
            near3_stage_1: Delay::new(1),
            near3_stage_2: Delay::new(1),
            near2_stage_3: Delay::new(1),
            conflict_stage_3: Delay::new(1),
            follows2: Signal::default(),
            follows3: Signal::default(),
            follows1: Signal::default(),
            repeats: Signal::default(),
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
        self.match1.clk.next = self.clk.val();
        self.same1_stage_2.clk.next = self.clk.val();
        self.same1_stage_3.clk.next = self.clk.val();
        self.match2.clk.next = self.clk.val();
        self.same2_stage_2.clk.next = self.clk.val();
        self.match3.clk.next = self.clk.val();
        self.same3_stage_2.clk.next = self.clk.val();
        self.near1_stage_1.clk.next = self.clk.val();
        self.near1_stage_2.clk.next = self.clk.val();
        self.near1_stage_3.clk.next = self.clk.val();
        self.near2_stage_1.clk.next = self.clk.val();
        self.near2_stage_2.clk.next = self.clk.val();
        self.near3_stage_1.clk.next = self.clk.val();
        self.near3_stage_2.clk.next = self.clk.val();
        self.near2_stage_3.clk.next = self.clk.val();
        self.conflict_stage_3.clk.next = self.clk.val();

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
        self.near1_stage_1.d.next = self.set_0.val() == self.set_stage_1.q.val();
        self.near2_stage_1.d.next = self.set_0.val() == self.set_stage_2.q.val();
        self.near3_stage_1.d.next = self.set_0.val() == self.set_stage_3.q.val();

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
        self.same2_stage_2.d.next = self.match2.same.val();
        self.same3_stage_2.d.next = self.match3.same.val();
        self.near1_stage_2.d.next = self.near1_stage_1.q.val();
        self.near2_stage_2.d.next = self.near2_stage_1.q.val();
        self.near3_stage_2.d.next = self.near3_stage_1.q.val();

        // Stage 2: the operations two and three ahead are decided.
        self.follows2.next = self.near2_stage_2.q.val() & self.changed_4.val();
        self.follows3.next = self.near3_stage_2.q.val() & self.changed_5.val();
        self.repeats.next = self.same1_stage_2.q.val() & self.near1_stage_2.q.val();
        self.repeats_2.next = self.repeats.val();
        self.clear_2.next = self.clear_stage_2.q.val();
        self.read_2.next = self.read_stage_2.q.val();
        self.near2_2.next = self.near2_stage_2.q.val();
        self.near3_2.next = self.near3_stage_2.q.val();
        self.follows2_2.next = self.follows2.val();
        self.same2_2.next = self.same2_stage_2.q.val();
        self.follows3_2.next = self.follows3.val();
        self.same3_2.next = self.same3_stage_2.q.val();
        self.set_stage_3.d.next = self.set_stage_2.q.val();
        self.tag_stage_3.d.next = self.tag_stage_2.q.val();
        self.count_stage_3.d.next = self.count_stage_2.q.val();
        self.some_stage_3.d.next = self.some_stage_2.q.val();
        self.path_stage_3.d.next = self.path_stage_2.q.val();
        self.clear_stage_3.d.next = self.clear_stage_2.q.val();
        self.read_stage_3.d.next = self.read_stage_2.q.val();
        self.same1_stage_3.d.next = self.repeats.val();
        self.near1_stage_3.d.next = self.near1_stage_2.q.val();
        self.near2_stage_3.d.next = self.near2_stage_2.q.val();
        self.conflict_stage_3.d.next = self.follows2.val() | self.follows3.val();

        // Stage 3: the operation one ahead is decided.
        self.follows1.next = self.near1_stage_3.q.val() & self.changed_4.val();
        self.set_3.next = self.set_stage_3.q.val();
        self.tag_3.next = self.tag_stage_3.q.val();
        self.count_3.next = self.count_stage_3.q.val();
        self.some_3.next = self.some_stage_3.q.val();
        self.path_3.next = self.path_stage_3.q.val();
        self.clear_3.next = self.clear_stage_3.q.val();
        self.read_3.next =
            self.read_stage_3.q.val() & !self.conflict_stage_3.q.val() & !self.follows1.val();
        self.near1_3.next = self.near1_stage_3.q.val();
        self.follows1_3.next = self.follows1.val();
        self.same1_3.next = self.same1_stage_3.q.val();
        self.near2_3.next = self.near2_stage_3.q.val();
        self.reading.next =
            self.read_stage_1.q.val() | self.read_stage_2.q.val() | self.read_stage_3.q.val();
    }
}
