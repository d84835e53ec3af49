//! The ingresses: what each is shown, and its model.

use hpp_riscv::trace::{Block, Trace, TraceForm};
use hpp_riscv::{LastStage, Offer, Retire, Retirement, Row, Rvfi};
use hpp_verif::lockstep::rvfi::Retirements;
use hpp_verif::lockstep::stream::StreamRng;
use rand::RngExt;

/// Values of ports.
pub type Pins = Vec<(&'static str, u64)>;

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
    fn select(&mut self, _select: u32) {}
    /// It was shown.
    fn advance(&mut self, _shown: &Self::Shown) {}
    fn pins(shown: Option<&Self::Shown>) -> Pins;
    fn instructions(shown: &Self::Shown) -> u32;
    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row;
}

pub struct RvfiSubject {
    pub model: Rvfi,
    pub program: Retirements,
}

impl Subject for RvfiSubject {
    type Shown = Retirement;
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const STALL: &'static str = "rvfi_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Retirement {
        self.program.draw(rng)
    }

    fn advance(&mut self, shown: &Retirement) {
        self.program.advance(shown);
    }

    fn pins(shown: Option<&Retirement>) -> Pins {
        let retirement = shown.copied().unwrap_or_default();
        vec![
            ("rvfi_valid", shown.is_some().into()),
            ("rvfi_insn", retirement.insn.into()),
            ("rvfi_trap", retirement.trap.into()),
            ("rvfi_intr", retirement.intr.into()),
            ("rvfi_pc_rdata", retirement.pc),
            ("rvfi_pc_wdata", retirement.next_pc),
        ]
    }

    fn instructions(_shown: &Retirement) -> u32 {
        1
    }

    fn step(&mut self, shown: Option<&Retirement>, events: u32) -> Row {
        let Some(retirement) = shown else {
            self.model.idle(events);
            return Row::default();
        };
        self.model.step(retirement, events)
    }
}

pub struct PairSubject {
    pub model: Rvfi,
    pub program: Retirements,
    pub select: u32,
}

impl Subject for PairSubject {
    type Shown = [Option<Retirement>; 2];
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const STALL: &'static str = "rvfi_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown {
        let program = &mut self.program;
        [0; 2].map(|_| {
            let retirement = program.draw(rng);
            let shows = rng.random_range(0..4) > 0;
            if shows {
                program.advance(&retirement);
            }
            shows.then_some(retirement)
        })
    }

    fn pins(shown: Option<&Self::Shown>) -> Pins {
        let channels = shown.copied().unwrap_or_default();
        let [first, second] = channels.map(Option::unwrap_or_default);
        vec![
            ("rvfi_valid", channels[0].is_some().into()),
            ("rvfi_insn", first.insn.into()),
            ("rvfi_trap", first.trap.into()),
            ("rvfi_intr", first.intr.into()),
            ("rvfi_pc_rdata", first.pc),
            ("rvfi_pc_wdata", first.next_pc),
            ("rvfi_valid_1", channels[1].is_some().into()),
            ("rvfi_insn_1", second.insn.into()),
            ("rvfi_trap_1", second.trap.into()),
            ("rvfi_intr_1", second.intr.into()),
            ("rvfi_pc_rdata_1", second.pc),
            ("rvfi_pc_wdata_1", second.next_pc),
        ]
    }

    fn instructions(_shown: &Self::Shown) -> u32 {
        0
    }

    fn select(&mut self, select: u32) {
        self.select = select;
    }

    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row {
        let channels = shown.copied().unwrap_or_default();
        let events = match self.select {
            1 => channels.map(|channel| u32::from(channel.is_some())),
            _ => [events, 0],
        };
        self.model.cycle(&channels, &events)
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
        }
    }

    fn pins(shown: Option<&LastStage>) -> Pins {
        let stage = shown.copied().unwrap_or_default();
        vec![
            ("retire_valid", shown.is_some().into()),
            ("retire_trap", stage.trap.into()),
            ("retire_insn", stage.insn.into()),
            ("retire_expanded", stage.expanded.into()),
            ("retire_pc", stage.pc),
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
        }
    }

    fn pins(shown: Option<&Block>) -> Pins {
        let block = shown.copied().unwrap_or_default();
        vec![
            ("trace_itype", block.itype.into()),
            ("trace_iaddr", block.iaddr),
            ("trace_iretire", block.iretire.into()),
            ("trace_ilastsize", block.ilastsize.into()),
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
