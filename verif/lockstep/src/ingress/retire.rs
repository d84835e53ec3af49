//! The last stage of a core.

use super::interface::{Interface, Values, values_of};
use super::retirements::{Mix, Retirements};
use super::shown::Shown;
use super::{context, xlen};
use crate::random::Nonsense;
use crate::stream::StreamRng;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_riscv::{CycleRecords, LastStage, Offer, Retire, Retirement};
use rand::RngExt;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct RetireInterface {
    model: Retire,
    program: Retirements,
    geometry: Geometry,
    /// The address of the next instruction.
    at: u64,
}

impl RetireInterface {
    pub fn new(geometry: &Geometry, options: &IngressOptions) -> Self {
        let model = Retire::new(xlen(geometry), geometry.event_bits).with_geometry(geometry);
        Self {
            model: model.with_extensions(options.extensions()),
            program: Retirements::with(Mix::Uniform, geometry, options),
            geometry: *geometry,
            at: 0,
        }
    }
}

impl Interface for RetireInterface {
    type Shown = LastStage;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const SLOTS: usize = 1;
    const STALL: &'static str = "retire_stall";
    const PORTS: &'static [&'static str] = &[
        "retire_valid",
        "retire_trap",
        "retire_insn",
        "retire_expanded",
        "retire_loop_end",
        "retire_pc",
        "retire_context",
    ];
    const OPTIONAL: &'static [&'static str] = &["retire_loop_end", "retire_context"];

    fn of(shown: &Shown) -> Option<&LastStage> {
        match shown {
            Shown::Stage(stage) => Some(stage),
            _ => None,
        }
    }

    fn draw(&mut self, rng: &mut StreamRng) -> LastStage {
        let retirement = self.program.draw(rng);
        self.program.advance(&retirement);
        LastStage {
            pc: retirement.pc,
            insn: retirement.insn,
            expanded: rng.random_range(0..8) == 0,
            trap: retirement.trap,
            loop_end: retirement.loop_end,
            context: context(&self.geometry, rng),
        }
    }

    /// An interrupt occupies the stage for a cycle before the first instruction of its handler.
    fn show(&mut self, waiting: &mut VecDeque<Retirement>, _rng: &mut StreamRng) -> LastStage {
        let retirement = waiting.front_mut().expect("something was executed");
        if std::mem::take(&mut retirement.intr) {
            return LastStage {
                pc: self.at,
                insn: retirement.insn,
                trap: true,
                context: retirement.context,
                ..LastStage::default()
            };
        }
        self.at = retirement.next_pc;
        let stage = LastStage {
            pc: retirement.pc,
            insn: retirement.insn,
            expanded: false,
            trap: retirement.trap,
            loop_end: retirement.loop_end,
            context: retirement.context,
        };
        waiting.pop_front();
        stage
    }

    fn values(shown: Option<&LastStage>, nonsense: &mut Nonsense) -> Values {
        let noise = nonsense.draw();
        let values = match shown {
            Some(stage) => [
                1,
                stage.trap.into(),
                stage.insn.into(),
                stage.expanded.into(),
                stage.loop_end.into(),
                stage.pc,
                stage.context.into(),
            ],
            None => [
                0,
                noise,
                noise >> 8,
                noise >> 1,
                noise >> 2,
                !noise,
                noise >> 3,
            ],
        };
        values_of(values)
    }

    fn instructions(shown: &LastStage) -> u32 {
        u32::from(!shown.trap)
    }

    fn step(&mut self, shown: Option<&LastStage>, _select: u8, events: u32) -> CycleRecords {
        let Some(stage) = shown else {
            self.model.idle(events);
            return CycleRecords::default();
        };
        let record = self.model.step(stage, events);
        CycleRecords {
            offers: record.into_iter().map(Offer::new).collect(),
            lost: false,
        }
    }
}
