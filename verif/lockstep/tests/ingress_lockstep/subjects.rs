//! The ingresses: what each is shown, and its model.

use hpp_lockstep::rvfi::Retirements;
use hpp_lockstep::stream::StreamRng;
use hpp_riscv::trace::{Block, Trace, TraceForm};
use hpp_riscv::{LastStage, Offer, Retire, Retirement, Row, Rvfi};
use rand::RngExt;

/// Values of ports; of several channels, the part of each.
pub type Pins = Vec<(&'static str, Vec<u64>)>;

/// An ingress: what it is shown, and its model.
pub trait Subject {
    /// What the core shows in a cycle.
    type Shown: Clone;
    /// Cycles from the ports to the model.
    const STAGES: usize;
    /// Places that the buffer keeps when it asks the core to hold.
    const RESERVE: usize;
    /// The port that asks.
    const STALL: &'static str;

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown;
    /// What is counted.
    fn select(&mut self, _select: u8) {}
    /// It was shown.
    fn advance(&mut self, _shown: &Self::Shown) {}
    fn pins(&self, shown: Option<&Self::Shown>) -> Pins;
    fn instructions(shown: &Self::Shown) -> u32;
    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row;
}

/// Bits of the contexts that are drawn.
pub const CONTEXT_BITS: u32 = 3;

fn context(rng: &mut StreamRng) -> u8 {
    rng.random_range(0..1 << CONTEXT_BITS)
}

pub struct RvfiSubject {
    pub model: Rvfi,
    pub program: Retirements,
    pub channels: usize,
    pub select: u8,
}

impl Subject for RvfiSubject {
    type Shown = Vec<Option<Retirement>>;
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const STALL: &'static str = "rvfi_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown {
        let program = &mut self.program;
        let channels = (0..self.channels).map(|_| {
            let retirement = Retirement {
                context: context(rng),
                ..program.draw(rng)
            };
            let shows = rng.random_range(0..4) > 0;
            if shows {
                program.advance(&retirement);
            }
            shows.then_some(retirement)
        });
        channels.collect()
    }

    fn pins(&self, shown: Option<&Self::Shown>) -> Pins {
        let nothing = vec![None; self.channels];
        let channels = shown.unwrap_or(&nothing);
        let port = |value: fn(&Retirement) -> u64| {
            let parts = channels.iter().map(Option::as_ref);
            parts.map(|shown| shown.map_or(0, value)).collect()
        };
        vec![
            ("rvfi_valid", port(|_| 1)),
            ("rvfi_insn", port(|shown| shown.insn.into())),
            ("rvfi_trap", port(|shown| shown.trap.into())),
            ("rvfi_intr", port(|shown| shown.intr.into())),
            ("rvfi_pc_rdata", port(|shown| shown.pc)),
            ("rvfi_pc_wdata", port(|shown| shown.next_pc)),
            ("rvfi_context", port(|shown| shown.context.into())),
        ]
    }

    /// Those of each channel are in [`step`](Self::step).
    fn instructions(_shown: &Self::Shown) -> u32 {
        0
    }

    fn select(&mut self, select: u8) {
        self.select = select;
    }

    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row {
        let nothing = vec![None; self.channels];
        let channels = shown.unwrap_or(&nothing);
        let counted = |(channel, shown): (usize, &Option<Retirement>)| match (self.select, channel)
        {
            (1, _) => u32::from(shown.is_some()),
            (_, 0) => events,
            _ => 0,
        };
        let events: Vec<u32> = channels.iter().enumerate().map(counted).collect();
        self.model.cycle(channels, &events)
    }
}

pub struct RetireSubject {
    pub model: Retire,
    pub program: Retirements,
}

impl Subject for RetireSubject {
    type Shown = LastStage;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const STALL: &'static str = "retire_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> LastStage {
        let retirement = self.program.draw(rng);
        self.program.advance(&retirement);
        LastStage {
            pc: retirement.pc,
            insn: retirement.insn,
            expanded: rng.random_range(0..8) == 0,
            trap: retirement.trap,
            context: context(rng),
        }
    }

    fn pins(&self, shown: Option<&LastStage>) -> Pins {
        let stage = shown.copied().unwrap_or_default();
        vec![
            ("retire_valid", vec![shown.is_some().into()]),
            ("retire_trap", vec![stage.trap.into()]),
            ("retire_insn", vec![stage.insn.into()]),
            ("retire_expanded", vec![stage.expanded.into()]),
            ("retire_pc", vec![stage.pc]),
            ("retire_context", vec![stage.context.into()]),
        ]
    }

    fn instructions(shown: &LastStage) -> u32 {
        u32::from(!shown.trap)
    }

    fn step(&mut self, shown: Option<&LastStage>, events: u32) -> Row {
        let Some(stage) = shown else {
            self.model.idle(events);
            return Row::default();
        };
        let record = self.model.step(stage, events);
        Row {
            offers: record.into_iter().map(Offer::new).collect(),
            lost: false,
        }
    }
}

pub struct TraceSubject {
    pub model: Trace,
    pub form: TraceForm,
}

impl Subject for TraceSubject {
    type Shown = Block;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const STALL: &'static str = "trace_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Block {
        let (types, most) = (
            if self.form.short_itype { 8 } else { 16 },
            if self.form.single { 2 } else { 8 },
        );
        Block {
            itype: rng.random_range(0..types),
            // So few addresses that many a block follows the one before.
            iaddr: 2 * rng.random_range(0..16),
            iretire: rng.random_range(0..most),
            ilastsize: rng.random_range(0..2),
            context: context(rng),
        }
    }

    fn pins(&self, shown: Option<&Block>) -> Pins {
        let block = shown.copied().unwrap_or_default();
        vec![
            ("trace_itype", vec![block.itype.into()]),
            ("trace_iaddr", vec![block.iaddr]),
            ("trace_iretire", vec![block.iretire.into()]),
            ("trace_ilastsize", vec![block.ilastsize.into()]),
            ("trace_context", vec![block.context.into()]),
        ]
    }

    fn instructions(shown: &Block) -> u32 {
        shown.iretire.into()
    }

    fn step(&mut self, shown: Option<&Block>, events: u32) -> Row {
        let block = shown.copied().unwrap_or_default();
        self.model.step(&block, events)
    }
}
