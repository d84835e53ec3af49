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
//!                               elsewhere --> looking --+--> resumes | restarts
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

use crate::circuit::{circuit, memory};
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
    #[bits(geometry.start_bits() - geometry.align)]
    return_address: Bits<64>,
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
    let address_bits = geometry.pc_bits - geometry.align
)]
pub struct FrameFit {
    /// Return address of the frame and its context, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub return_address: Signal<In, Bits<64>>,
    /// Frame was entered by a trap.
    pub trap: Signal<In, Bit>,
    /// Target and context of the return, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<In, Bits<64>>,
    /// The return is a return from a trap.
    pub trap_return: Signal<In, Bit>,
    /// The return fits the frame.
    pub fits: Signal<Out, Bit>,

    #[bits(address_bits)]
    skipped: Signal<Local, Bits<64>>,
    exactly: Signal<Local, Bit>,
    beyond: Signal<Local, Bit>,
    elsewhere: Signal<Local, Bit>,
    #[number(Geometry::mask(address_bits))]
    address_mask: Constant<Bits<64>>,
    #[number(address_bits)]
    context_lsb: Constant<Bits<7>>,
    #[value(usize::from(geometry.context_bits > 0))]
    _contexts: usize,
    #[number(2 >> geometry.align)]
    two_bytes: Constant<Bits<64>>,
    #[number(4 >> geometry.align)]
    four_bytes: Constant<Bits<64>>,
}

impl Logic for FrameFit {
    #[hdl_gen]
    fn update(&mut self) {
        self.skipped.next =
            (self.target.val() - self.return_address.val()) & self.address_mask.val();
        self.elsewhere.next = false;
        for _i in 0..self._contexts {
            self.elsewhere.next =
                ((self.target.val() ^ self.return_address.val()) >> self.context_lsb.val()).any();
        }
        self.exactly.next = !self.skipped.val().any();
        self.beyond.next = (self.skipped.val() == self.two_bytes.val())
            | (self.skipped.val() == self.four_bytes.val());
        self.fits.next = !(self.trap.val() ^ self.trap_return.val())
            & !self.elsewhere.val()
            & (self.exactly.val() | (self.trap.val() & self.beyond.val()));
    }
}

/// Compares returns with the return frames, and searches for the frame that fits.
#[circuit(
    geometry: &Geometry,
    let place_bits = geometry.stack_depth.trailing_zeros(),
    let contexts = usize::from(geometry.context_bits > 0)
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
    #[bits(geometry.start_bits() - geometry.align)]
    pub leads_to: Signal<In, Bits<64>>,
    /// Address after the record, without constant low bits and context.
    #[bits(geometry.pc_bits - geometry.align)]
    pub next_address: Signal<In, Bits<64>>,

    /// The record pops and does not push.
    pub leaves: Signal<In, Bit>,
    /// A stack entry is pushed in this cycle.
    pub grows: Signal<In, Bit>,
    /// The entry below becomes the top in this cycle.
    pub shrinks: Signal<In, Bit>,
    /// The stack restarts in this cycle.
    pub begins: Signal<In, Bit>,
    /// Address of the entry below the top.
    #[bits(place_bits)]
    pub below: Signal<In, Bits<8>>,
    /// Address of the entry below the top in the next cycle.
    #[bits(place_bits)]
    pub next_below: Signal<In, Bits<8>>,
    /// Address at which an entry is written.
    #[bits(place_bits)]
    pub write_place: Signal<In, Bits<8>>,
    /// Number of entries, including the top.
    #[bits(place_bits + 1)]
    pub occupancy: Signal<In, Bits<9>>,

    /// The return does not fit the top frame and must not be applied.
    pub elsewhere: Signal<Out, Bit>,
    /// Busy: a search for the frame of a return is in progress.
    pub busy: Signal<Out, Bit>,
    /// Set the address below the top to place, and the number of entries to entries.
    pub moves_to: Signal<Out, Bit>,
    /// Address of the entry at which the stack resumes.
    #[bits(place_bits)]
    pub place: Signal<Out, Bits<8>>,
    /// Number of entries, including one that is popped next.
    #[bits(place_bits + 1)]
    pub entries: Signal<Out, Bits<9>>,
    /// Pop the top without completing a path.
    pub resumes: Signal<Out, Bit>,
    /// Empty the stack and begin a path at target.
    pub restarts: Signal<Out, Bit>,
    /// Target and context of the return, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    pub target: Signal<Out, Bits<64>>,

    #[new(geometry)]
    #[connect(
        write_enable = grows, write_return_address = return_address.q, write_trap = trap.q,
        write_known = known.q
    )]
    frames: FrameMemory,
    #[new(geometry)]
    #[connect(
        return_address = return_address.q, trap = trap.q, target = leads_to,
        trap_return = is_trap_return
    )]
    top_fit: FrameFit,
    #[new(geometry)]
    #[connect(frames.{return_address, trap}, target = sought.q, trap_return = sought_trap.q)]
    below_fit: FrameFit,

    /// Return address of the top frame is known.
    known: Register<Bit>,
    /// Top frame was entered by a trap.
    trap: Delay<Bit>,
    /// Return address of the top frame and its context, without constant low bits.
    #[bits(geometry.start_bits() - geometry.align)]
    return_address: Delay<Bits<64>>,
    /// Context of the target of the last record.
    #[each(i in contexts)]
    #[bits(geometry.context_bits)]
    context: Vec<Delay<Bits<8>>>,

    /// The return of the previous cycle does not fit the top frame.
    strays: Register<Bit>,
    looking: Register<Bit>,
    #[connect(q = resumes)]
    resuming: Register<Bit>,
    #[connect(q = restarts)]
    restarting: Register<Bit>,
    /// Target and context of the return that is searched for.
    #[bits(geometry.start_bits() - geometry.align)]
    #[connect(q = target)]
    sought: Delay<Bits<64>>,
    sought_trap: Delay<Bit>,
    /// Address of the frame that is compared.
    #[bits(place_bits)]
    at: Delay<Bits<8>>,
    /// Number of frames left to compare, the current one included.
    #[bits(place_bits + 1)]
    left: Delay<Bits<9>>,
    found: Delay<Bit>,
    several: Delay<Bit>,
    /// Result of the search: address below the frame that fits, and number of entries up to there.
    #[bits(place_bits)]
    #[connect(q = place)]
    found_place: Delay<Bits<8>>,
    #[bits(place_bits + 1)]
    found_left: Delay<Bits<9>>,

    leads_elsewhere: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    resumable: Signal<Local, Bit>,
    #[bits(geometry.start_bits() - geometry.align)]
    from: Signal<Local, Bits<64>>,
    #[bits(geometry.context_bits)]
    now: Signal<Local, Bits<8>>,
    #[number(geometry.pc_bits - geometry.align)]
    context_lsb: Constant<Bits<7>>,
    #[value(contexts)]
    _contexts: usize,
}

impl Logic for StackCheck {
    #[hdl_gen]
    fn update(&mut self) {
        // Compare the return with the frame on top.
        self.strays.d.next = (self.is_return.val() | self.is_trap_return.val())
            & self.known.q.val()
            & !self.top_fit.fits.val();
        self.leads_elsewhere.next = self.leaves.val() & self.strays.q.val();
        self.elsewhere.next = self.leads_elsewhere.val();

        // Frames are pushed and popped with the entries.
        self.from.next = self.next_address.val();
        self.now.next = 0.into();
        for i in 0..self._contexts {
            self.now.next = self.context[i].q.val();
            self.from.next = self.next_address.val()
                | (bit_cast::<64, 8>(self.now.val()) << self.context_lsb.val());
            if self.valid.val() {
                self.context[i].d.next =
                    bit_cast::<8, 64>(self.leads_to.val() >> self.context_lsb.val());
            }
        }
        if self.grows.val() {
            self.known.d.next = true;
            self.trap.d.next = self.is_trap.val();
            self.return_address.d.next = self.from.val();
        }
        if self.shrinks.val() {
            self.known.d.next = self.frames.known.val();
            self.trap.d.next = self.frames.trap.val();
            self.return_address.d.next = self.frames.return_address.val();
        }
        if self.begins.val() {
            self.known.d.next = false;
        }
        self.frames.write_address.next = bit_cast::<16, 8>(self.write_place.val());

        // Search: compare the frames below, one in each cycle.
        self.ends.next = self.looking.q.val() & !self.left.q.val().any();
        if self.looking.q.val() {
            self.at.d.next = self.at.q.val() - 1;
            self.left.d.next = self.left.q.val() - 1;
            if self.below_fit.fits.val() & self.frames.known.val() & !self.ends.val() {
                self.several.d.next = self.found.q.val();
                self.found.d.next = true;
                self.found_place.d.next = self.at.q.val() - 1;
                self.found_left.d.next = self.left.q.val() - 1;
            }
            if self.ends.val() {
                self.looking.d.next = false;
            }
        }
        if self.leads_elsewhere.val() {
            self.looking.d.next = true;
            self.sought.d.next = self.leads_to.val();
            self.sought_trap.d.next = self.is_trap_return.val();
            self.at.d.next = self.below.val();
            self.left.d.next = self.occupancy.val() - 1;
            self.found.d.next = false;
            self.several.d.next = false;
        }
        self.frames.read_address.next = bit_cast::<16, 8>(self.next_below.val());
        if self.looking.q.val() & !self.ends.val() {
            self.frames.read_address.next = bit_cast::<16, 8>(self.at.d.val());
        }

        // The result of the search.
        self.resumable.next =
            self.found.q.val() & !self.several.q.val() & self.found_left.q.val().any();
        self.resuming.d.next = self.ends.val() & self.resumable.val();
        self.restarting.d.next = self.ends.val() & !self.resumable.val();
        self.moves_to.next = self.ends.val() & self.resumable.val();
        self.entries.next = self.found_left.q.val() + 1;
        self.busy.next = self.looking.q.val() | self.resuming.q.val() | self.restarting.q.val();
    }
}
