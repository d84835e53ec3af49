//! The drain: a FIFO of evicted entries, read by software or through ports.
//!
//! ```text
//!   left ---> [ full? ] ---> ( RAM, depth x entry ) ---> head ---+---> drain_*
//!                 |                    ^                         +---> DRAIN_COUNT, ...
//!                 +---> [ lost ]       |
//!                                [ pointers ] <--- drain_ready, TAKE
//!                                      +---> level ---> drain_irq, hold
//! ```
//!
//! An entry that is evicted while the FIFO is full is lost, and counted. Software can select *hold* instead. The drain
//! then stalls the records early enough for all paths in flight.
//!
//! [`hpp_golden::registers`] defines addresses and fields. No access waits: each acts in the cycle of its request, and
//! `done` comes one cycle later.

mod fifo;
mod lost;
mod writer;

pub use fifo::{DrainFifo, DrainMemory};
pub use lost::LostEntries;
pub use writer::{DrainWriter, WishboneWriterPort};

use hpp_golden::config::{DRAIN_MARGIN, Geometry};
use hpp_golden::registers::{self, drain_command, drain_control};
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, LeftSink};
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};
use crate::registers::RegisterSlave;

/// FIFO of evicted paths for software or a streaming port, with its registers.
///
/// Timing: an entry on `left` in cycle *t* is in `level` in *t* + 1 and can be taken from *t* + 2 on. A lost entry is
/// counted in *t* + 2. `irq` and `hold` lag the level by one cycle.
#[circuit(
    geometry: &Geometry,
    start: u64,
    let level_bits = geometry.drain_depth.trailing_zeros() + 1,
    const align: Bits<8> = geometry.align,
    const limit: Bits<13> = geometry.drain_depth - DRAIN_MARGIN
)]
pub struct Drain {
    /// Evicted paths from the table.
    pub left: LeftSink<geometry>,
    /// Streaming ports.
    pub port: DrainPort<geometry>,
    /// Level-sensitive interrupt: the FIFO level has reached the watermark.
    pub irq: Signal<Out, Bit>,
    /// Register accesses to the drain.
    pub access: RegisterSlave<{ geometry.address_bits() }>,
    /// Clear count and sum of lost paths.
    pub clear_counters: Signal<In, Bit>,
    /// Pulse: an evicted path was lost (sets a sticky error).
    pub lost: Signal<Out, Bit>,
    /// Back-pressure: no record leaves the queue in this cycle.
    pub hold: Signal<Out, Bit>,

    #[connect(left, port.{outcomes, length, count})]
    fifo: DrainFifo<geometry>,
    #[connect(loses = fifo.loses, count = left.count, clear = clear_counters, losing = lost)]
    losses: LostEntries<geometry, start>,
    holds: Register<Bit>,
    /// Evicted paths leave through the streaming ports.
    streams: Register<Bit>,
    watermark: Register<Bits<13, level_bits>>,
    #[connect(q = irq)]
    reached: Register<Bit>,
    #[connect(q = hold)]
    held: Register<Bit>,
    #[connect(d = access.request, q = access.done)]
    done: Register<Bit>,
    #[connect(q = access.read_data)]
    word: Delay<Bits<32>>,
    high: Register<Bits<32>>,
}

#[kernel]
impl Drain {
    /// Writes. A byte lane that is not written keeps its bits; in a command it counts as 0.
    fn writes(&mut self) {
        let (address, data, lanes) = (self.access.address, self.access.data, self.access.lanes);
        let writes = self.access.request & self.access.write;
        let watermark = bit_cast::<16, 13>(self.watermark);
        let fresh = data.get_bits::<16>(drain_control::WATERMARK);
        if writes & (address == registers::DRAIN_CONTROL) {
            if lanes.get_bit(0) {
                self.holds.d.next = data.get_bit(drain_control::HOLD);
                self.streams.d.next = data.get_bit(drain_control::STREAM);
            }
            let low = if lanes.get_bit(2) { fresh } else { watermark };
            let high = if lanes.get_bit(3) { fresh } else { watermark };
            self.watermark.d.next = bit_cast::<13, 16>((low & 0xff) | (high & 0xff00));
        }
        let commands = writes & (address == registers::DRAIN_COMMAND) & lanes.get_bit(0);
        let take = commands & data.get_bit(drain_command::TAKE);
        self.fifo.take.next = if self.streams { self.port.ready } else { take };
        self.fifo.clear.next = commands & data.get_bit(drain_command::CLEAR);
    }

    /// Interrupt, hold and the streaming ports.
    fn outputs(&mut self) {
        self.reached.d.next = self.watermark.any() & (self.fifo.level >= self.watermark);
        self.held.d.next = self.holds & (self.fifo.level > self.limit);
        self.port.valid.next = self.fifo.shown & self.streams;
        self.port.start.next = self.fifo.start << self.align;
    }

    /// Read data. The words of the path at the head are 0 if there is none.
    fn reads(&mut self) {
        let address = self.access.address;
        if self.access.request & !self.access.write & (address == registers::DRAIN_LOST_COUNT_LO) {
            self.high.d.next = bit_cast::<32, 64>(self.losses.total >> 32);
        }
        let control = (bit_cast::<32, 13>(self.watermark) << drain_control::WATERMARK)
            .replace_bit(drain_control::HOLD, self.holds)
            .replace_bit(drain_control::STREAM, self.streams);
        let own = match address {
            registers::DRAIN_CONTROL => control,
            registers::DRAIN_STATUS => bit_cast::<32, 13>(self.fifo.level),
            registers::DRAIN_LOST => self.losses.entries,
            registers::DRAIN_LOST_COUNT_LO => bit_cast::<32, 64>(self.losses.total),
            registers::DRAIN_LOST_COUNT_HI => self.high,
            _ => 0.into(),
        };
        let start = self.fifo.start << self.align;
        let head = match address {
            registers::DRAIN_COUNT => self.fifo.count,
            registers::DRAIN_LENGTH => bit_cast::<32, 7>(self.fifo.length),
            registers::DRAIN_OUTCOMES_LO => bit_cast::<32, 64>(self.fifo.outcomes),
            registers::DRAIN_OUTCOMES_HI => bit_cast::<32, 64>(self.fifo.outcomes >> 32),
            registers::DRAIN_START_LO => bit_cast::<32, 64>(start),
            registers::DRAIN_START_HI => bit_cast::<32, 64>(start >> 32),
            _ => 0.into(),
        };
        self.word.d.next = if self.fifo.shown { own | head } else { own };
    }
}
