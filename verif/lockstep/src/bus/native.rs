//! A master on the register port itself. A rude one pauses, and withdraws requests and makes them again.

use super::{Accesses, BusPins, Protocol};
use hpp_gen::Bus;
use rand::RngExt;
use verilated::Model;

#[derive(Debug, Default)]
pub struct NativeMaster {
    requested: bool,
    /// Cycles for which the request has stood.
    held: u64,
}

impl Protocol for NativeMaster {
    const BUS: Bus = Bus::Native;
    const PREFIX: &'static str = "reg_";

    const REGISTERED: &'static [&'static str] = &["done"];

    fn drive(&mut self, accesses: &mut Accesses, pins: &mut BusPins, model: &mut Model) {
        self.requested =
            !accesses.waiting.is_empty() && accesses.dares(|rng| rng.random_range(0..4) > 0);
        pins.put(model, "request", self.requested.into());
        let Some(request) = accesses.waiting.front().filter(|_| self.requested) else {
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
        accesses: &mut Accesses,
        pins: &BusPins,
        model: &Model,
    ) -> Result<(), String> {
        let stood = std::mem::take(&mut self.held);
        if pins.flag(model, "done") {
            if stood == 0 {
                return Err("done without a request in the cycle before".into());
            }
            // A request that is withdrawn in this very cycle took effect in the one before; its word is lost.
            accesses.finish_first(self.requested.then(|| pins.get(model, "rdata") as u32));
        } else if self.requested {
            self.held = stood + 1;
            if self.held > accesses.longest {
                let longest = accesses.longest;
                return Err(format!("an access is not done within {longest} cycles"));
            }
        }
        Ok(())
    }
}
