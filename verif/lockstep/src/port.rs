//! The rules of the Wishbone port: when it stalls, when an access takes effect, and when it is acknowledged.
//!
//! An access is accepted in a cycle *a* with `wb_cyc_i`, `wb_stb_i` and not `wb_stall_o`. It takes effect in a later
//! cycle *s*, and is acknowledged in *s* + 1 if `wb_cyc_i` is still 1. If `wb_cyc_i` is 0 in any cycle from *a* + 1 to
//! *s*, it is dropped. The port stalls from *a* + 1 to *s* + 1, or to the first cycle without `wb_cyc_i`.

use super::pins::{Access, Drive, Request, Seen};
use hpp_golden::registers::{self, ADDRESS_SPACE, COUNTERS_OFFSET};

#[derive(Debug, Clone, Copy)]
struct Open {
    request: Request,
    accepted: u64,
    /// The cycle in which it takes effect; `None` if it waits for the readout or the scan of the counters.
    acts: Option<u64>,
    /// The last cycle in which the scan can be at the word.
    due: Option<u64>,
}

/// Words that the scan of the counters visits in turn.
const SCANNED: u64 = 16;

#[derive(Debug, Default)]
pub struct Port {
    open: Option<Open>,
    /// Maximum number of cycles from acceptance to acknowledgement.
    longest: u64,
}

impl Port {
    /// A port that acknowledges an access within `longest` cycles of its acceptance. A low counter word waits for the
    /// scan, which may rest.
    pub fn new(longest: u64) -> Self {
        Self {
            open: None,
            longest,
        }
    }

    /// Drops the access in progress, as a reset does.
    pub fn reset(&mut self) {
        self.open = None;
    }

    /// Checks the port's pins in the cycle `now` and returns the access that ended.
    pub fn cycle(
        &mut self,
        now: u64,
        drive: &Drive,
        seen: &Seen,
    ) -> Result<Option<Access>, String> {
        if seen.error {
            return Err("wb_err_o is 1".into());
        }
        self.check_stall(seen)?;
        let Some(open) = self.open else {
            if seen.ack.is_some() {
                return Err("wb_ack_o is 1 without a request that waits for it".into());
            }
            if let Some(request) = drive.request.filter(|_| drive.bus_cycle) {
                self.accept(now, request);
            }
            return Ok(None);
        };
        self.check_ack(now, &open, drive.bus_cycle, seen)?;
        if seen.ack.is_none() && drive.bus_cycle {
            return Ok(None);
        }
        self.open = None;
        let forgotten = match open.acts {
            Some(acts) => now <= acts,
            None => seen.ack.is_none() && now == open.accepted + 1,
        };
        Ok((!forgotten).then_some(Access {
            request: open.request,
            ack: now,
            data: seen.ack,
            certain: seen.ack.is_some() || open.acts.is_some(),
        }))
    }

    fn accept(&mut self, now: u64, request: Request) {
        let word = u64::from(request.address);
        let (reads, offset) = (request.write.is_none(), request.address * 4);
        let readout = if reads {
            registers::TABLE_DATA.offset
        } else {
            registers::TABLE_INDEX.offset
        };
        let low_word =
            reads && (COUNTERS_OFFSET..ADDRESS_SPACE).contains(&offset) && word.is_multiple_of(2);
        let acts = (offset != readout && !low_word).then_some(now + 1);
        self.open = Some(Open {
            request,
            accepted: now,
            acts,
            due: low_word.then_some(now + SCANNED),
        });
    }

    fn check_stall(&self, seen: &Seen) -> Result<(), String> {
        match self.open {
            None if seen.stall => Err("wb_stall_o is 1, but no access is under way".into()),
            Some(open) if !seen.stall => Err(format!(
                "wb_stall_o is 0, but the {} is under way",
                name(&open)
            )),
            _ => Ok(()),
        }
    }

    fn check_ack(&self, now: u64, open: &Open, cyc: bool, seen: &Seen) -> Result<(), String> {
        let ack = seen.ack.is_some();
        let early = now < open.acts.unwrap_or(open.accepted + 1) + 1;
        if ack && (early || !cyc) {
            return Err(format!(
                "wb_ack_o is 1 too early or too late: {}",
                name(open)
            ));
        }
        let due = open.acts.or(open.due);
        if due.is_some_and(|acts| now == acts + 1) && cyc && !ack {
            return Err(format!("wb_ack_o is 0, it is due: {}", name(open)));
        }
        if !ack && cyc && now >= open.accepted + self.longest {
            return Err(format!(
                "{} is not acknowledged within {} cycles",
                name(open),
                self.longest
            ));
        }
        Ok(())
    }
}

/// A name such as `read of 0x2c accepted in cycle 7`.
fn name(open: &Open) -> String {
    let verb = match open.request.write {
        Some(_) => "write",
        None => "read",
    };
    let (offset, cycle) = (open.request.offset(), open.accepted);
    format!("{verb} of {offset:#04x} accepted in cycle {cycle}")
}
