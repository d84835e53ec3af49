//! Whether a set is full. If it is, an insertion evicts an entry.

use rust_hdl::prelude::*;

use crate::circuit::circuit;
use crate::register::Delay;

/// Whether a set is full, which its last way tells.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
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
    /// Stage 1: the last way is filled, as stored.
    pub stored_1: Signal<In, Bit>,
    /// Stage 2: the operation three ahead is for this set.
    pub near3_2: Signal<In, Bit>,
    /// Stage 2: the operation four ahead is for this set.
    pub near4_2: Signal<In, Bit>,
    /// Stage 3: the operation two ahead is for this set.
    pub near2_3: Signal<In, Bit>,
    /// Stage 4: the operation one ahead is for this set.
    pub near1_4: Signal<In, Bit>,
    /// The operation in stage 5 has written the last way.
    pub written_5: Signal<In, Bit>,
    /// The operation in stage 5 emptied its set.
    pub cleared_5: Signal<In, Bit>,
    /// The operation in stage 6 has written the last way.
    pub written_6: Signal<In, Bit>,
    /// The operation in stage 6 emptied its set.
    pub cleared_6: Signal<In, Bit>,
    /// Stage 4: the set is full.
    pub full_4: Signal<Out, Bit>,
    #[connect(d = stored_1)]
    stage_2: Delay<Bit>,
    stage_3: Delay<Bit>,
    stage_4: Delay<Bit>,
}

impl Logic for SetFull {
    #[hdl_gen]
    fn update(&mut self) {
        self.stage_3.d.next = self.stage_2.q.val();
        if self.near3_2.val() & self.written_5.val() {
            self.stage_3.d.next = !self.cleared_5.val();
        } else if self.near4_2.val() & self.written_6.val() {
            self.stage_3.d.next = !self.cleared_6.val();
        }
        self.stage_4.d.next = self.stage_3.q.val();
        if self.near2_3.val() & self.written_5.val() {
            self.stage_4.d.next = !self.cleared_5.val();
        }
        self.full_4.next = self.stage_4.q.val();
        if self.near1_4.val() & self.written_5.val() {
            self.full_4.next = !self.cleared_5.val();
        }
    }
}
