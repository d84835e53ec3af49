//! The check of the path stack: it stores the return address of each procedure and handler, and searches the frame that
//! a return leaves.
//!
//! ```text
//!   behind, context -> [ top's ] --+--> push ---> ( RAM: frames below the top )
//!                         ^        |                    |
//!                         +--------|---- pop <----------+
//!                                  v                    v
//!   target -------------------> [ fits ]            [ fits ] <--- place, one after another
//!                                  |                    |
//!                               elsewhere --> searching +--> resumes | restarts
//! ```
//!
//! A frame has the same address in this memory as its entry in the stack's memory. The decoder presents a return for
//! two cycles. In the first the return is compared with the frame on top. In the second the stack applies it, unless it
//! does not fit.
//!
//! If it does not fit, all frames below are compared, one in each cycle. If the return fits exactly one of them, and
//! that is not the lowest, the stack *resumes* below it. The entry there is read and becomes the top by a pop that
//! completes no path. Otherwise the stack *restarts* with a path that begins at the target.
//!
//! Timing: a return that does not fit in cycle *t*, with *n* entries below the top, starts a search that ends in cycle
//! *t* + *n* + 2. `busy` is 1 from *t* + 1 until then. No record may be presented between *t* and the end.
//!
//! The rules: `docs/behaviour.md`, "The checked stack".

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel, memory};
use crate::ram::SameEdge;
use crate::register::{Delay, Register};

/// Return frames of the stack entries below the top.
#[memory(
    geometry: &Geometry,
    depth = geometry.stack_depth,
    same_edge = SameEdge::New
)]
pub struct FrameMemory {
    /// Return address and its context, without constant low bits.
    return_address: Bits<64, { geometry.start_bits() - geometry.align }>,
    /// Frame was entered by a trap.
    trap: Bit,
    /// Return address is known.
    known: Bit,
}

/// Whether a return fits a frame; combinational.
/// A handler may return to the trapped instruction or 2 or 4 bytes later, in the same context.
#[circuit(
    combinational,
    geometry: &Geometry,
    let address_bits = geometry.pc_bits - geometry.align,
    const address_mask: Bits<64> = Geometry::mask(address_bits),
    const context_lsb: Bits<7> = address_bits,
    const _contexts: bool = geometry.context_bits > 0,
    const two_bytes: Bits<64> = 2 >> geometry.align,
    const four_bytes: Bits<64> = 4 >> geometry.align
)]
pub struct FrameFit {
    /// Return address of the frame and its context, without constant low bits.
    pub return_address: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Frame was entered by a trap.
    pub trap: Signal<In, Bit>,
    /// Target and context of the return, without constant low bits.
    pub target: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// The return is a return from a trap.
    pub trap_return: Signal<In, Bit>,
    /// The return fits the frame.
    pub fits: Signal<Out, Bit>,
}

#[kernel]
impl FrameFit {
    /// The comparison.
    fn fits(&mut self) {
        let skipped = (self.target - self.return_address) & self.address_mask;
        let elsewhere = if self._contexts {
            ((self.target ^ self.return_address) >> self.context_lsb).any()
        } else {
            false
        };
        let exactly = !skipped.any();
        let beyond = (skipped == self.two_bytes) | (skipped == self.four_bytes);
        self.fits.next =
            !(self.trap ^ self.trap_return) & !elsewhere & (exactly | (self.trap & beyond));
    }
}

/// Compares returns with the return frames, and searches for the frame that fits.
#[circuit(
    geometry: &Geometry,
    let place_bits = geometry.stack_depth.trailing_zeros(),
    const context_lsb: Bits<7> = geometry.pc_bits - geometry.align
)]
pub struct StackCheck {
    /// Branch record is valid.
    pub valid: Signal<In, Bit>,
    /// Record is a trap.
    pub is_trap: Signal<In, Bit>,
    /// Record is a return.
    pub is_return: Signal<In, Bit>,
    /// Record is a return from a trap.
    pub is_trap_return: Signal<In, Bit>,
    /// Target and context of the record, without constant low bits.
    pub leads_to: Signal<In, Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Address after the record, without constant low bits and context.
    pub next_address: Signal<In, Bits<64, { geometry.pc_bits - geometry.align }>>,

    /// The record pops and does not push.
    pub leaves: Signal<In, Bit>,
    /// A stack entry is pushed in this cycle.
    pub grows: Signal<In, Bit>,
    /// The entry below becomes the top in this cycle.
    pub shrinks: Signal<In, Bit>,
    /// The stack restarts in this cycle.
    pub begins: Signal<In, Bit>,
    /// Address of the entry below the top.
    pub below: Signal<In, Bits<8, place_bits>>,
    /// Address of the entry below the top in the next cycle.
    pub next_below: Signal<In, Bits<8, place_bits>>,
    /// Address at which an entry is written.
    pub write_place: Signal<In, Bits<8, place_bits>>,
    /// Number of entries, including the top.
    pub occupancy: Signal<In, Bits<9, { place_bits + 1 }>>,

    /// The return does not fit the top frame and must not be applied.
    pub elsewhere: Signal<Out, Bit>,
    /// Busy: a search for the frame of a return is in progress.
    pub busy: Signal<Out, Bit>,
    /// Set the address below the top to place, and the number of entries to entries.
    pub moves_to: Signal<Out, Bit>,
    /// Address of the entry at which the stack resumes.
    pub place: Signal<Out, Bits<8, place_bits>>,
    /// Number of entries, including one that is popped next.
    pub entries: Signal<Out, Bits<9, { place_bits + 1 }>>,
    /// Pop the top without completing a path.
    pub resumes: Signal<Out, Bit>,
    /// Empty the stack and begin a path at target.
    pub restarts: Signal<Out, Bit>,
    /// Target and context of the return, without constant low bits.
    pub target: Signal<Out, Bits<64, { geometry.start_bits() - geometry.align }>>,

    #[connect(
        write_enable = grows, write_return_address = return_address.q, write_trap = trap.q,
        write_known = known.q
    )]
    frames: FrameMemory<geometry>,
    #[connect(
        return_address = return_address.q, trap = trap.q, target = leads_to,
        trap_return = is_trap_return
    )]
    top_fit: FrameFit<geometry>,
    #[connect(frames.{return_address, trap}, target = sought.q, trap_return = sought_trap.q)]
    below_fit: FrameFit<geometry>,

    /// Return address of the top frame is known.
    known: Register<Bit>,
    /// Top frame was entered by a trap.
    trap: Delay<Bit>,
    /// Return address of the top frame and its context, without constant low bits.
    return_address: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    /// Context of the target of the last record.
    last_context: Option<Delay<Bits<8, { geometry.context_bits }>>, { geometry.context_bits > 0 }>,

    /// The return of the previous cycle does not fit the top frame.
    strays: Register<Bit>,
    searching: Register<Bit>,
    #[connect(q = resumes)]
    resuming: Register<Bit>,
    #[connect(q = restarts)]
    restarting: Register<Bit>,
    /// Target and context of the return that is searched for.
    #[connect(q = target)]
    sought: Delay<Bits<64, { geometry.start_bits() - geometry.align }>>,
    sought_trap: Delay<Bit>,
    /// Address of the frame that is compared.
    at: Delay<Bits<8, place_bits>>,
    /// Number of frames left to compare, the current one included.
    left: Delay<Bits<9, { place_bits + 1 }>>,
    found: Delay<Bit>,
    several: Delay<Bit>,
    /// Result of the search: address below the frame that fits, and number of entries up to there.
    #[connect(q = place)]
    found_place: Delay<Bits<8, place_bits>>,
    found_left: Delay<Bits<9, { place_bits + 1 }>>,
}

#[kernel]
impl StackCheck {
    /// The return is compared with the frame on top, then with those below, one in each cycle.
    fn search(&mut self) {
        self.strays.d.next =
            (self.is_return | self.is_trap_return) & self.known & !self.top_fit.fits;
        let leads_elsewhere = self.leaves & self.strays;
        self.elsewhere.next = leads_elsewhere;

        // Frames are pushed and popped with the entries.
        if self.valid {
            self.last_context?.d.next = bit_cast::<8, 64>(self.leads_to >> self.context_lsb);
        }
        if self.grows {
            self.known.d.next = true;
            self.trap.d.next = self.is_trap;
            self.return_address.d.next =
                self.next_address | (bit_cast::<64, 8>(self.last_context?) << self.context_lsb);
        }
        if self.shrinks {
            self.known.d.next = self.frames.known;
            self.trap.d.next = self.frames.trap;
            self.return_address.d.next = self.frames.return_address;
        }
        if self.begins {
            self.known.d.next = false;
        }
        self.frames.write_address.next = bit_cast::<16, 8>(self.write_place);

        // Search: compare the frames below, one in each cycle.
        let ends = self.searching & !self.left.any();
        if self.searching {
            self.at.d.next = self.at - 1;
            self.left.d.next = self.left - 1;
            if self.below_fit.fits & self.frames.known & !ends {
                self.several.d.next = self.found;
                self.found.d.next = true;
                self.found_place.d.next = self.at - 1;
                self.found_left.d.next = self.left - 1;
            }
            if ends {
                self.searching.d.next = false;
            }
        }
        if leads_elsewhere {
            self.searching.d.next = true;
            self.sought.d.next = self.leads_to;
            self.sought_trap.d.next = self.is_trap_return;
            self.at.d.next = self.below;
            self.left.d.next = self.occupancy - 1;
            self.found.d.next = false;
            self.several.d.next = false;
        }
        self.frames.read_address.next = bit_cast::<16, 8>(self.next_below);
        if self.searching & !ends {
            self.frames.read_address.next = bit_cast::<16, 8>(self.at.d);
        }

        // The result of the search.
        let resumable = self.found & !self.several & self.found_left.any();
        self.resuming.d.next = ends & resumable;
        self.restarting.d.next = ends & !resumable;
        self.moves_to.next = ends & resumable;
        self.entries.next = self.found_left + 1;
        self.busy.next = self.searching | self.resuming | self.restarting;
    }
}
