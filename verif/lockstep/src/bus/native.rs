//! A master on the register port itself. A rude one pauses, and withdraws requests and makes them again.

use super::{BusMaster, BusPins, Protocol};
use crate::pins::Request;
use crate::port::Access;
use crate::stream::{StreamRng, rng};
use hpp_gen::Bus;
use rand::RngExt;
use std::collections::VecDeque;
use verilated::Model;

#[derive(Debug, Default)]
pub struct NativeMaster {
    longest: u64,
    waiting: VecDeque<Request>,
    requested: bool,
    /// Cycles for which the request has stood.
    held: u64,
    rudeness: Option<StreamRng>,
}

impl BusMaster for NativeMaster {
    fn push(&mut self, request: Request) {
        self.waiting.push_back(request);
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    fn reset(&mut self) {
        self.waiting.clear();
        self.held = 0;
    }

    fn be_rude(&mut self, seed: Option<u64>) {
        self.rudeness = seed.map(rng);
    }
}

impl Protocol for NativeMaster {
    const BUS: Bus = Bus::Native;
    const PREFIX: &'static str = "reg_";

    const REGISTERED: &'static [&'static str] = &["done"];

    /// An idle master. An access must be done within `longest` cycles of its request.
    fn new(longest: u64) -> Self {
        Self {
            longest,
            ..Self::default()
        }
    }

    fn drive(&mut self, pins: &mut BusPins, model: &mut Model) {
        let polite = |rng: &mut StreamRng| rng.random_range(0..4) > 0;
        self.requested = !self.waiting.is_empty() && self.rudeness.as_mut().is_none_or(polite);
        pins.put(model, "request", self.requested.into());
        let Some(request) = self.waiting.front().filter(|_| self.requested) else {
            return;
        };
        for (name, value) in [
            ("address", u64::from(request.address)),
            ("write", request.write.is_some().into()),
            ("wdata", request.write.unwrap_or(0).into()),
            ("wstrb", request.select.into()),
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
        let stood = std::mem::take(&mut self.held);
        if pins.flag(model, "done") {
            if stood == 0 {
                return Err("done without a request in the cycle before".into());
            }
            // A request that is withdrawn in this very cycle took effect in the one before; its word is lost.
            let word = self.requested.then(|| pins.get(model, "rdata") as u32);
            finished.extend(self.waiting.pop_front().map(|request| Access {
                request,
                ack: now,
                data: word,
                certain: true,
            }));
        } else if self.requested {
            self.held = stood + 1;
            if self.held > self.longest {
                return Err(format!(
                    "an access is not done within {} cycles",
                    self.longest
                ));
            }
        }
        Ok(())
    }
}
