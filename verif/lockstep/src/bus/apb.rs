//! A master on APB: setup phase, access phase, and pauses in which it may access another slave.
//!
//! Source of the rules: AMBA APB Protocol Specification, chapter 3.

use super::{BusMaster, BusPins, Protocol};
use crate::pins::Request;
use crate::port::Access;
use crate::stream::{StreamRng, rng};
use hpp_gen::Bus;
use rand::RngExt;
use std::collections::VecDeque;
use verilated::Model;

#[derive(Debug, Default)]
pub struct ApbMaster {
    longest: u64,
    waiting: VecDeque<Request>,
    /// Cycles of the transfer in progress, including the setup phase.
    phase: Option<u64>,
    rudeness: Option<StreamRng>,
}

impl BusMaster for ApbMaster {
    fn push(&mut self, request: Request) {
        self.waiting.push_back(request);
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    fn reset(&mut self) {
        self.waiting.clear();
        self.phase = None;
    }

    fn be_rude(&mut self, seed: Option<u64>) {
        self.rudeness = seed.map(rng);
    }
}

impl Protocol for ApbMaster {
    const BUS: Bus = Bus::Apb;
    const PREFIX: &'static str = "s_apb_";

    const REGISTERED: &'static [&'static str] = &["pready", "pslverr"];

    /// An idle master. A transfer must end within `longest` cycles of its setup phase.
    fn new(longest: u64) -> Self {
        Self {
            longest,
            ..Self::default()
        }
    }

    fn drive(&mut self, pins: &mut BusPins, model: &mut Model) {
        if self.phase.is_none() && !self.waiting.is_empty() {
            let begins = self.rudeness.as_mut().is_none_or(|rng| rng.random());
            self.phase = begins.then_some(0);
        }
        // Other inputs are random, including transfers with other slaves.
        pins.put(model, "psel", self.phase.is_some().into());
        let (Some(phase), Some(request)) = (self.phase, self.waiting.front()) else {
            return;
        };
        let byte = u64::from(request.select) & 3;
        for (name, value) in [
            ("penable", u64::from(phase > 0)),
            ("paddr", u64::from(request.address) * 4 + byte),
            ("pwrite", request.write.is_some().into()),
            ("pwdata", request.write.unwrap_or(0).into()),
            ("pstrb", request.select.into()),
        ] {
            pins.put(model, name, value);
        }
    }

    fn see(
        &mut self,
        now: u64,
        pins: &BusPins,
        model: &Model,
        finished: &mut VecDeque<Access>,
    ) -> Result<(), String> {
        let Some(phase) = self.phase else {
            return Ok(());
        };
        self.phase = Some(phase + 1);
        if phase >= self.longest {
            return Err(format!(
                "a transfer is not over within {} cycles",
                self.longest
            ));
        }
        if phase == 0 || !pins.flag(model, "pready") {
            return Ok(());
        }
        if pins.flag(model, "pslverr") {
            return Err("pslverr is 1".into());
        }
        self.phase = None;
        finished.extend(self.waiting.pop_front().map(|request| Access {
            request,
            ack: now,
            data: Some(pins.get(model, "prdata") as u32),
            certain: true,
        }));
        Ok(())
    }
}
