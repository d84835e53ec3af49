//! A RISC-V Formal Interface of one to four channels.

use super::interface::{Interface, Values};
use super::retirements::{Mix, Retirements};
use super::shown::{CHANNELS, Shown};
use super::{context, xlen};
use crate::random::Nonsense;
use crate::stream::StreamRng;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_riscv::{CycleRecords, Retirement, Rvfi};
use rand::RngExt;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub struct RvfiInterface {
    model: Rvfi,
    program: Retirements,
    geometry: Geometry,
    channels: usize,
}

impl RvfiInterface {
    /// The interface for an ingress with these options.
    pub fn new(geometry: &Geometry, options: &IngressOptions) -> Self {
        let model = Rvfi::new(xlen(geometry), geometry.event_bits).with_geometry(geometry);
        Self {
            model: model
                .with_next(options.rvfi_next)
                .with_extensions(options.extensions()),
            program: Retirements::with(Mix::Uniform, geometry, options),
            geometry: *geometry,
            channels: options.retire_channels as usize,
        }
    }
}

impl Interface for RvfiInterface {
    type Shown = [Option<Retirement>; CHANNELS];
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const SLOTS: usize = 2;
    const STALL: &'static str = "rvfi_stall";
    const PORTS: &'static [&'static str] = &[
        "rvfi_valid",
        "rvfi_insn",
        "rvfi_trap",
        "rvfi_intr",
        "rvfi_pc_rdata",
        "rvfi_pc_wdata",
        "rvfi_loop_end",
        "rvfi_context",
    ];
    const OPTIONAL: &'static [&'static str] = &[
        "rvfi_intr",
        "rvfi_pc_wdata",
        "rvfi_loop_end",
        "rvfi_context",
    ];

    fn of(shown: &Shown) -> Option<&Self::Shown> {
        match shown {
            Shown::Retirements(channels) => Some(channels),
            _ => None,
        }
    }

    fn channels(&self) -> usize {
        self.channels
    }

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown {
        let mut channels = [None; CHANNELS];
        for channel in &mut channels[..self.channels] {
            if rng.random_range(0..4) > 0 {
                let retirement = Retirement {
                    context: context(&self.geometry, rng),
                    ..self.program.draw(rng)
                };
                self.program.advance(&retirement);
                *channel = Some(retirement);
            }
        }
        channels
    }

    fn show(&mut self, waiting: &mut VecDeque<Retirement>, rng: &mut StreamRng) -> Self::Shown {
        let mut channels = [None; CHANNELS];
        for channel in &mut channels[..self.channels] {
            let left_out = self.channels > 1 && rng.random_range(0..8) == 0;
            *channel = (!left_out).then(|| waiting.pop_front()).flatten();
        }
        channels
    }

    fn values(shown: Option<&Self::Shown>, nonsense: &mut Nonsense) -> Values {
        let mut values = Values::default();
        for channel in 0..CHANNELS {
            let noise = nonsense.draw();
            let parts = match shown.and_then(|channels| channels[channel].as_ref()) {
                Some(shown) => [
                    1,
                    shown.insn.into(),
                    shown.trap.into(),
                    shown.intr.into(),
                    shown.pc,
                    shown.next_pc,
                    shown.loop_end.into(),
                    shown.context.into(),
                ],
                None => [
                    0,
                    noise >> 8,
                    noise,
                    noise >> 1,
                    noise,
                    !noise,
                    noise >> 2,
                    noise >> 3,
                ],
            };
            for (port, part) in values.iter_mut().zip(parts) {
                port[channel] = part;
            }
        }
        values
    }

    /// [`step`](Self::step) counts those of each channel.
    fn instructions(_shown: &Self::Shown) -> u32 {
        0
    }

    fn step(&mut self, shown: Option<&Self::Shown>, select: u8, events: u32) -> CycleRecords {
        let channels = &shown.unwrap_or(&[None; CHANNELS])[..self.channels];
        let mut counted = [0; CHANNELS];
        counted[0] = events;
        if select == 1 {
            for (counted, retirement) in counted.iter_mut().zip(channels) {
                *counted = retirement.is_some().into();
            }
        }
        self.model.cycle(channels, &counted)
    }
}
