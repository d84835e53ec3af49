use rust_hdl::prelude::*;

use super::layout::{TagLayout, ones};
use crate::circuit::{circuit, kernel};
use crate::register::Register;

/// Clear walk: addresses every entry once, after reset or a clear command.
///
/// ```text
///             +---+---+---+     +---+---+
///   entry   0 | 0 | 1 | 2 | ... | n | 0 |     n: the last of SETS x WAYS, WAYS rounded up to a power of two
///           __                        ____
///   clear     |______________________          (or reset)
///              _______________________
///   walking __|                       |____
/// ```
#[circuit(
    layout: &TagLayout,
    const last: Bits<16> = ones(layout.number_bits())
)]
pub struct ClearWalk {
    /// Start or restart the walk.
    pub clear: Signal<In, Bit>,
    /// The entry can be cleared in this cycle.
    pub ready: Signal<In, Bit>,
    /// The walk is in progress.
    pub walking: Signal<Out, Bit>,
    /// Number of the entry to clear; counts while ready is 1.
    pub entry: Signal<Out, Bits<16, { layout.number_bits() }>>,
    #[connect(q = walking)]
    active: Register<Bit, true>,
    #[connect(q = entry)]
    place: Register<Bits<16, { layout.number_bits() }>>,
}

#[kernel]
impl ClearWalk {
    /// The next entry, and the end.
    fn walk(&mut self) {
        if self.ready {
            self.place.d.next = self.place + 1;
            if self.place == self.last {
                self.active.d.next = false;
            }
        }
        if self.clear {
            self.active.d.next = true;
            self.place.d.next = 0.into();
        }
    }
}
