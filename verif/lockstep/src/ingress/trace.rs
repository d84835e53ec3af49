//! The interface between a hart and a trace encoder.

use super::interface::{Interface, Values, values_of};
use super::shown::Shown;
use super::{context, xlen};
use crate::random::Nonsense;
use crate::stream::StreamRng;
use hpp_golden::config::Geometry;
use hpp_riscv::trace::{Block, Trace, TraceForm};
use hpp_riscv::{CycleRecords, Retirement};
use rand::{Rng, RngExt};
use std::collections::VecDeque;

/// Type of a block that an interrupt follows.
const INTERRUPT: u8 = 2;

#[derive(Clone, Debug)]
pub struct TraceInterface {
    model: Trace,
    form: TraceForm,
    most: u8,
    next: u64,
    geometry: Geometry,
}

impl TraceInterface {
    /// The interface of a form for a geometry.
    pub fn new(geometry: &Geometry, form: TraceForm) -> Self {
        let model = Trace::new(form, xlen(geometry), geometry.event_bits);
        Self {
            model: model.with_geometry(geometry),
            form,
            most: if form.single { 1 } else { 7 },
            next: 0,
            geometry: *geometry,
        }
    }

    /// The interface with `bits` bits of `iretire`, 1 to 8, if its blocks have several instructions.
    pub fn with_iretire_bits(self, bits: u32) -> Self {
        let most = Geometry::mask(bits) as u8;
        Self { most, ..self }
    }
}

impl Interface for TraceInterface {
    type Shown = Block;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const SLOTS: usize = 1;
    const STALL: &'static str = "trace_stall";
    const PORTS: &'static [&'static str] = &[
        "trace_itype",
        "trace_iaddr",
        "trace_iretire",
        "trace_ilastsize",
        "trace_context",
        "trace_cause",
        "trace_tval",
        "trace_privilege",
    ];
    const OPTIONAL: &'static [&'static str] = &["trace_context"];

    fn of(shown: &Shown) -> Option<&Block> {
        match shown {
            Shown::Block(block) => Some(block),
            _ => None,
        }
    }

    fn draw(&mut self, rng: &mut StreamRng) -> Block {
        let types = if self.form.short_itype { 8 } else { 16 };
        let block = Block {
            itype: rng.random_range(0..types),
            // There are so few addresses that many blocks are contiguous with the previous one.
            iaddr: match rng.random_range(0..4) {
                0 => self.next,
                _ => 2 * rng.random_range(0..16),
            },
            iretire: match rng.random_range(0..8) {
                0 => self.most,
                1 => 0,
                _ => rng.random_range(0..=self.most),
            },
            ilastsize: rng.random_range(0..2),
            context: context(&self.geometry, rng),
        };
        let next = block.iaddr + 2 * u64::from(block.iretire);
        self.next = next & Geometry::mask(self.geometry.pc_bits);
        block
    }

    /// An interrupt is a block without instructions before the first instruction of its handler.
    fn show(&mut self, waiting: &mut VecDeque<Retirement>, rng: &mut StreamRng) -> Block {
        let retirement = waiting.front_mut().expect("something was executed");
        let context = retirement.context;
        if std::mem::take(&mut retirement.intr) {
            return Block {
                itype: INTERRUPT,
                iaddr: rng.next_u64() & Geometry::mask(self.geometry.pc_bits),
                context,
                ..Block::default()
            };
        }
        let retirement = waiting.pop_front().expect("just seen");
        let block = match retirement.trap {
            true => Block::exception(retirement.pc),
            false => Block::of(&retirement, xlen(&self.geometry), self.form),
        };
        Block { context, ..block }
    }

    fn values(shown: Option<&Block>, nonsense: &mut Nonsense) -> Values {
        let noise = [nonsense.draw(), nonsense.draw()];
        let [itype, iaddr, iretire, ilastsize, context] = match shown {
            Some(block) => [
                block.itype.into(),
                block.iaddr,
                block.iretire.into(),
                block.ilastsize.into(),
                block.context.into(),
            ],
            // A type that is not a trap, so nothing retires.
            None => {
                let itype = [0, 3, 4, 5, 6, 7][noise[0] as usize % 6];
                [itype, !noise[0], 0, noise[0] >> 5, noise[0] >> 9]
            }
        };
        let [cause, tval, privilege] = [noise[1], noise[1] >> 1, noise[1] >> 7];
        values_of([
            itype, iaddr, iretire, ilastsize, context, cause, tval, privilege,
        ])
    }

    fn instructions(shown: &Block) -> u32 {
        shown.iretire.into()
    }

    fn step(&mut self, shown: Option<&Block>, _select: u8, events: u32) -> CycleRecords {
        self.model.step(&shown.copied().unwrap_or_default(), events)
    }
}
