//! Whether a set is full. If it is, an insertion evicts an entry.

use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::Delay;

/// Whether a set is full: sets fill from way 0, so its last way holds a path.
/// Name suffixes are pipeline stages.
///
/// An empty way has an accumulator of 0 and a filled way has more. Of equals the lowest way is replaced. A set
/// therefore fills from way 0 upwards, and is full if its last way is filled.
///
/// ```text
///   stage      1              2                  3                  4
///   stored --------> [ ] ---> patch ---> [ ] ---> patch ---> [ ] ---> patch ---> full
///             three and four ahead            two ahead          one ahead
/// ```
#[circuit(resetless)]
pub struct SetFull {
    /// Stage 1: the last way holds a path, from memory.
    pub stored_1: Signal<In, Bit>,
    /// Stage 2: same set as the operation three stages ahead.
    pub near3_2: Signal<In, Bit>,
    /// Stage 2: same set as the operation four stages ahead.
    pub near4_2: Signal<In, Bit>,
    /// Stage 3: same set as the operation two stages ahead.
    pub near2_3: Signal<In, Bit>,
    /// Stage 4: same set as the operation one stage ahead.
    pub near1_4: Signal<In, Bit>,
    /// Stage 5: the operation wrote the last way.
    pub written_5: Signal<In, Bit>,
    /// Stage 5: the operation cleared its set.
    pub cleared_5: Signal<In, Bit>,
    /// Stage 6: the operation wrote the last way.
    pub written_6: Signal<In, Bit>,
    /// Stage 6: the operation cleared its set.
    pub cleared_6: Signal<In, Bit>,
    /// Stage 4: the set has no empty way.
    pub full_4: Signal<Out, Bit>,
    #[connect(d = stored_1)]
    stage_2: Delay<Bit>,
    stage_3: Delay<Bit>,
    stage_4: Delay<Bit>,
}

#[kernel]
impl SetFull {
    /// The last way in each stage.
    fn full(&mut self) {
        self.stage_3.d.next = self.stage_2;
        if self.near3_2 & self.written_5 {
            self.stage_3.d.next = !self.cleared_5;
        } else if self.near4_2 & self.written_6 {
            self.stage_3.d.next = !self.cleared_6;
        }
        self.stage_4.d.next = self.stage_3;
        if self.near2_3 & self.written_5 {
            self.stage_4.d.next = !self.cleared_5;
        }
        self.full_4.next = self.stage_4;
        if self.near1_4 & self.written_5 {
            self.full_4.next = !self.cleared_5;
        }
    }
}
