//! A master on APB: setup phase, access phase, and pauses in which it may access another slave.
//!
//! Source of the rules: AMBA APB Protocol Specification, chapter 3.

use super::{Accesses, BusPins, Protocol};
use hpp_gen::Bus;
use rand::RngExt;
use verilated::Model;

#[derive(Debug, Default)]
pub struct ApbMaster {
    /// Cycles of the transfer in progress, including the setup phase.
    phase: Option<u64>,
}

impl Protocol for ApbMaster {
    const BUS: Bus = Bus::Apb;
    const PREFIX: &'static str = "s_apb_";

    const REGISTERED: &'static [&'static str] = &["pready", "pslverr"];

    fn drive(&mut self, accesses: &mut Accesses, pins: &mut BusPins, model: &mut Model) {
        if self.phase.is_none() && !accesses.waiting.is_empty() {
            self.phase = accesses.dares(|rng| rng.random()).then_some(0);
        }
        // Other inputs are random, including transfers with other slaves.
        pins.put(model, "psel", self.phase.is_some().into());
        let (Some(phase), Some(request)) = (self.phase, accesses.waiting.front()) else {
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
        accesses: &mut Accesses,
        pins: &BusPins,
        model: &Model,
    ) -> Result<(), String> {
        let Some(phase) = self.phase else {
            return Ok(());
        };
        self.phase = Some(phase + 1);
        if phase >= accesses.longest {
            let longest = accesses.longest;
            return Err(format!("a transfer is not over within {longest} cycles"));
        }
        if phase == 0 || !pins.flag(model, "pready") {
            return Ok(());
        }
        if pins.flag(model, "pslverr") {
            return Err("pslverr is 1".into());
        }
        self.phase = None;
        accesses.finish_first(Some(pins.get(model, "prdata") as u32));
        Ok(())
    }
}
