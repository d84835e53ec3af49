//! A Wishbone master that works through a list of transfers, one cycle at a time.

use super::pins::{Request, Seen};
use std::collections::VecDeque;

/// How the master behaves between strobe and acknowledgement (Wishbone B4, chapters 3.2 and 3.1.3).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    /// The strobe falls once the slave no longer stalls; the next request may overtake the acknowledgement.
    #[default]
    Pipelined,
    /// The strobe stays until the acknowledgement; `wb_stall_o` is not looked at.
    Classic,
}

impl Protocol {
    /// Both by turns: the protocol for a run with this seed.
    pub fn of_seed(seed: u64) -> Self {
        if seed.is_multiple_of(2) {
            Self::Pipelined
        } else {
            Self::Classic
        }
    }
}

/// A finished transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// What was asked for.
    pub request: Request,
    /// The first cycle with the strobe.
    pub strobe: u64,
    /// The cycle of the acknowledgement.
    pub ack: u64,
    /// `wb_dat_o` with the acknowledgement.
    pub data: u32,
}

/// The master's state.
#[derive(Debug, Default)]
pub struct Master {
    protocol: Protocol,
    waiting: VecDeque<Request>,
    /// The first cycle in which the first of `waiting` was strobed.
    strobe: Option<u64>,
    /// Strobed and taken, not yet acknowledged.
    open: VecDeque<(Request, u64)>,
}

impl Master {
    /// An idle master.
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            ..Self::default()
        }
    }

    /// Queues a request.
    pub fn push(&mut self, request: Request) {
        self.waiting.push_back(request);
    }

    /// Whether every transfer has finished.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.open.is_empty()
    }

    /// Forgets every transfer, as a reset makes the slave do.
    pub fn reset(&mut self) {
        *self = Self::new(self.protocol);
    }

    /// `wb_cyc_i` and the request with `wb_stb_i` for this cycle.
    pub fn drive(&self) -> (bool, Option<Request>) {
        (!self.is_idle(), self.waiting.front().copied())
    }

    /// Looks at the slave's answer in the cycle `now`; returns the transfer that finished.
    ///
    /// # Errors
    ///
    /// If the slave signals an error or acknowledges what was never asked for.
    pub fn see(&mut self, now: u64, seen: &Seen) -> Result<Option<Transfer>, String> {
        if seen.error {
            return Err("wb_err_o is 1".into());
        }
        let strobing = !self.waiting.is_empty();
        if strobing {
            self.strobe.get_or_insert(now);
        }
        let taken = strobing
            && match self.protocol {
                Protocol::Pipelined => !seen.stall,
                Protocol::Classic => seen.ack.is_some(),
            };
        if taken {
            let request = self.waiting.pop_front().expect("a request is strobed");
            self.open
                .push_back((request, self.strobe.take().expect("set above")));
        }
        let Some(data) = seen.ack else {
            return Ok(None);
        };
        let (request, strobe) = self
            .open
            .pop_front()
            .ok_or("wb_ack_o is 1 without a request that waits for it")?;
        Ok(Some(Transfer {
            request,
            strobe,
            ack: now,
            data,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(address: u32) -> Request {
        Request {
            address,
            write: None,
            select: 0xf,
        }
    }

    fn ack(data: u32) -> Seen {
        Seen {
            ack: Some(data),
            ..Seen::default()
        }
    }

    #[test]
    fn a_pipelined_master_sends_the_next_request_before_the_acknowledgement() {
        let mut master = Master::new(Protocol::Pipelined);
        master.push(request(1));
        master.push(request(2));
        assert_eq!(
            master.see(
                0,
                &Seen {
                    stall: true,
                    ..Seen::default()
                }
            ),
            Ok(None)
        );
        assert_eq!(
            master.drive(),
            (true, Some(request(1))),
            "the slave stalled"
        );
        assert_eq!(master.see(1, &Seen::default()), Ok(None));
        assert_eq!(master.drive(), (true, Some(request(2))));
        let first = Transfer {
            request: request(1),
            strobe: 0,
            ack: 2,
            data: 7,
        };
        assert_eq!(master.see(2, &ack(7)), Ok(Some(first)));
        assert_eq!(master.drive(), (true, None));
        let second = Transfer {
            request: request(2),
            strobe: 2,
            ack: 3,
            data: 8,
        };
        assert_eq!(master.see(3, &ack(8)), Ok(Some(second)));
        assert!(master.is_idle());
    }

    #[test]
    fn a_classic_master_holds_the_strobe() {
        let mut master = Master::new(Protocol::Classic);
        master.push(request(1));
        master.push(request(2));
        assert_eq!(master.see(0, &Seen::default()), Ok(None));
        assert_eq!(master.drive(), (true, Some(request(1))));
        assert!(master.see(1, &ack(7)).expect("legal").is_some());
        assert_eq!(master.drive(), (true, Some(request(2))));
    }

    #[test]
    fn an_acknowledgement_out_of_nowhere_is_an_error() {
        assert!(Master::default().see(0, &ack(0)).is_err());
    }
}
