//! A master on AXI4-Lite with five independent channels, and a checker of the slave's side.
//!
//! Source of the rules: AMBA AXI Protocol Specification, chapter A3. An output is stable until it is accepted, a
//! response follows its request, and no output depends combinationally on an input.

use super::{Accesses, BusPins, Protocol};
use crate::pins::Request;
use hpp_gen::Bus;
use rand::RngExt;
use std::collections::VecDeque;
use verilated::Model;

/// A channel on which the master offers requests.
#[derive(Debug, Default)]
struct Offers {
    waiting: VecDeque<Request>,
    valid: bool,
}

impl Offers {
    /// Offers the next request, if it is due. An offer is stable.
    fn begin(&mut self, now: bool) {
        self.valid |= now && !self.waiting.is_empty();
    }

    fn offer(&self) -> Option<Request> {
        self.waiting.front().copied().filter(|_| self.valid)
    }

    /// The request that was accepted in this cycle.
    fn taken(&mut self, ready: bool) -> Option<Request> {
        let taken = self.valid && ready;
        self.valid &= !taken;
        if taken {
            self.waiting.pop_front()
        } else {
            None
        }
    }
}

#[derive(Debug, Default)]
struct Answers {
    /// Accesses that were accepted in earlier cycles and have no response yet.
    due: VecDeque<(Request, u64)>,
    /// The response that was offered and not accepted.
    held: Option<u64>,
    ready: bool,
}

impl Answers {
    /// Checks the channel in a cycle. A new response is returned with its request.
    fn see(&mut self, name: &str, shown: Option<u64>) -> Result<Option<(Request, u64)>, String> {
        if let Some(held) = self.held
            && shown != Some(held)
        {
            return Err(format!("{name}: an answer changed before it was taken"));
        }
        let fresh = shown.is_some() && self.held.is_none();
        self.held = shown.filter(|_| !self.ready);
        if !fresh {
            return Ok(None);
        }
        let due = self.due.pop_front();
        due.map(Some)
            .ok_or_else(|| format!("{name}: an answer to nothing"))
    }

    fn is_idle(&self) -> bool {
        self.due.is_empty() && self.held.is_none()
    }
}

/// How long accesses of a direction have waited.
#[derive(Debug, Default)]
struct Wait {
    cycles: u64,
    /// An access of the other direction may have gone first.
    contended: bool,
}

impl Wait {
    fn see(
        &mut self,
        name: &str,
        waits: bool,
        contended: bool,
        longest: u64,
    ) -> Result<(), String> {
        if !waits {
            *self = Self::default();
            return Ok(());
        }
        self.cycles += 1;
        self.contended |= contended;
        let most = if self.contended {
            2 * longest + 1
        } else {
            longest
        };
        if self.cycles > most + 1 {
            return Err(format!("a {name} is not taken within {most} cycles"));
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub struct Axi4LiteMaster {
    aw: Offers,
    w: Offers,
    ar: Offers,
    /// Writes of which one part was accepted: the address, or the data.
    addressed: VecDeque<Request>,
    worded: VecDeque<Request>,
    b: Answers,
    r: Answers,
    write_wait: Wait,
    read_wait: Wait,
    /// Never accepts the responses of reads, or of writes.
    deaf: [bool; 2],
    /// Reads and writes do not wait for each other.
    hasty: bool,
}

impl Axi4LiteMaster {
    /// From now on responses of reads, or of writes, are not accepted.
    pub fn be_deaf(&mut self, reads: bool, writes: bool) {
        self.deaf = [reads, writes];
    }

    /// From now on reads and writes are offered in parallel, each as soon as the previous one of its direction was
    /// accepted.
    pub fn be_hasty(&mut self) {
        self.hasty = true;
    }

    /// Whether every write has a response that was accepted.
    pub fn writes_are_over(&self) -> bool {
        let offers = self.aw.waiting.is_empty() && self.w.waiting.is_empty();
        offers && self.addressed.is_empty() && self.worded.is_empty() && self.b.is_idle()
    }

    /// Whether every read has a response that was accepted.
    pub fn reads_are_over(&self) -> bool {
        self.ar.waiting.is_empty() && self.r.is_idle()
    }

    /// Distributes the requests to the channels. A rude or hasty master distributes all at once. Otherwise an access
    /// waits for those of the other direction, so that they take effect in the order of the requests.
    fn distribute(&mut self, accesses: &mut Accesses) {
        while let Some(request) = accesses.waiting.front().copied() {
            let write = request.write.is_some();
            let free = if write {
                self.reads_are_over()
            } else {
                self.writes_are_over()
            };
            let independent = self.deaf != [false; 2] || self.hasty;
            if !free && accesses.rudeness.is_none() && !independent {
                return;
            }
            accesses.waiting.pop_front();
            if write {
                self.aw.waiting.push_back(request);
                self.w.waiting.push_back(request);
            } else {
                self.ar.waiting.push_back(request);
            }
        }
    }

    /// Completes writes whose address and data have both been accepted, the later one in this cycle.
    fn finish_writes(&mut self, accesses: &mut Accesses) {
        while !self.addressed.is_empty() && !self.worded.is_empty() {
            self.worded.pop_front();
            let request = self.addressed.pop_front().expect("just seen");
            self.b.due.push_back((request, accesses.now));
            accesses.finish(request, accesses.now, Some(0));
        }
    }
}

impl Protocol for Axi4LiteMaster {
    const BUS: Bus = Bus::Axi4Lite;
    const PREFIX: &'static str = "s_axi_";

    const REGISTERED: &'static [&'static str] = &[
        "awready", "wready", "bvalid", "bresp", "arready", "rvalid", "rdata", "rresp",
    ];

    fn is_idle(&self) -> bool {
        self.writes_are_over() && self.reads_are_over()
    }

    fn drive(&mut self, accesses: &mut Accesses, pins: &mut BusPins, model: &mut Model) {
        self.distribute(accesses);
        let mut chance = |of_256| accesses.dares(|rng| rng.random_range(0..256) < of_256);
        self.aw.begin(chance(80));
        self.w.begin(chance(80));
        self.ar.begin(chance(80));
        self.b.ready = chance(60) && !self.deaf[1];
        self.r.ready = chance(60) && !self.deaf[0];

        for (channel, valid, address) in [("aw", "awvalid", "awaddr"), ("ar", "arvalid", "araddr")]
        {
            let offer = if channel == "aw" {
                self.aw.offer()
            } else {
                self.ar.offer()
            };
            pins.put(model, valid, offer.is_some().into());
            if let Some(request) = offer {
                // The byte within the word does not matter.
                let byte = u64::from(request.select) & 3;
                pins.put(model, address, u64::from(request.address) * 4 + byte);
            }
        }
        pins.put(model, "wvalid", self.w.offer().is_some().into());
        if let Some(request) = self.w.offer() {
            pins.put(model, "wdata", request.write.unwrap_or(0).into());
            pins.put(model, "wstrb", request.select.into());
        }
        pins.put(model, "bready", self.b.ready.into());
        pins.put(model, "rready", self.r.ready.into());
    }

    fn see(
        &mut self,
        accesses: &mut Accesses,
        pins: &BusPins,
        model: &Model,
    ) -> Result<(), String> {
        let (now, longest) = (accesses.now, accesses.longest);
        // Responses first: a request that is accepted in this cycle cannot get its response in it.
        let shown = |valid: &str, response: &str, data: u64| {
            let response = pins.get(model, response);
            pins.flag(model, valid).then_some(response << 32 | data)
        };
        let (written, read) = (
            shown("bvalid", "bresp", 0),
            shown("rvalid", "rresp", pins.get(model, "rdata")),
        );
        let free = [
            self.b.held.is_none() && written.is_none(),
            self.r.held.is_none() && read.is_none(),
        ];
        for (name, answer) in [("B", written), ("R", read)] {
            if answer.is_some_and(|answer| answer >> 32 != 0) {
                return Err(format!("{name}: a response that is not OKAY"));
            }
        }
        if let Some((_, taken)) = self.b.see("B", written)?
            && now != taken + 1
        {
            return Err("B: an answer that is not in the cycle after".into());
        }
        if let Some((request, taken)) = self.r.see("R", read)? {
            if now != taken + 1 {
                return Err("R: an answer that is not in the cycle after".into());
            }
            accesses.finish(request, taken, read.map(|word| word as u32));
        }
        if let Some((_, taken)) = self.b.due.front().or(self.r.due.front())
            && now > *taken
        {
            return Err("an access is not answered in the cycle after it was taken".into());
        }

        let (writes, reads) = (
            self.aw.valid && self.w.valid && free[0],
            self.ar.valid && free[1],
        );
        self.write_wait
            .see("write", writes, self.ar.valid, longest)?;
        self.read_wait
            .see("read", reads, self.aw.valid && self.w.valid, longest)?;

        let aw = self.aw.taken(pins.flag(model, "awready"));
        let w = self.w.taken(pins.flag(model, "wready"));
        self.addressed.extend(aw);
        self.worded.extend(w);
        self.finish_writes(accesses);
        let ar = self.ar.taken(pins.flag(model, "arready"));
        self.r.due.extend(ar.map(|request| (request, now)));
        Ok(())
    }
}
