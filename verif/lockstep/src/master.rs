//! A Wishbone master that performs a list of accesses, cycle by cycle. It can also abort accesses at random.

use super::pins::{BusMaster, Request, Seen};
use super::stream::{StreamRng, rng};
use hpp_golden::registers::ADDRESS_SPACE;
use rand::{Rng, RngExt};
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

/// Cycles in which the master asks for nothing, though it has something to ask for.
#[derive(Debug, Clone, Copy)]
struct Pause {
    left: u32,
    /// `wb_cyc_i` stays 1.
    bus_cycle: bool,
    /// A strobe without `wb_cyc_i`, which requests nothing.
    stray: Option<Request>,
}

#[derive(Debug, Default)]
pub struct Master {
    protocol: Protocol,
    waiting: VecDeque<Request>,
    /// The first of `waiting` is being strobed.
    strobed: bool,
    /// Accesses that were accepted and are not acknowledged yet.
    open: usize,
    pause: Option<Pause>,
    /// The random generator of a rude master. It is boxed, because it is large and moved out in every cycle.
    rudeness: Option<Box<StreamRng>>,
}

impl BusMaster for Master {
    fn push(&mut self, request: Request) {
        self.waiting.push_back(request);
    }

    /// Whether every access has completed or was aborted.
    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.open == 0
    }

    fn reset(&mut self) {
        self.waiting.clear();
        self.strobed = false;
        self.open = 0;
        self.pause = None;
    }

    /// A rude master aborts accesses at random, leaves gaps between them, and strobes without a bus cycle. It may or may
    /// not repeat an aborted access.
    fn be_rude(&mut self, seed: Option<u64>) {
        self.rudeness = seed.map(rng).map(Box::new);
    }
}

impl Master {
    pub fn new(protocol: Protocol) -> Self {
        Self {
            protocol,
            ..Self::default()
        }
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Aborts the access in progress: `wb_cyc_i` is 0 for `cycles` cycles. The access is not repeated.
    pub fn give_up(&mut self, cycles: u32) {
        if self.strobed {
            self.waiting.pop_front();
        }
        self.strobed = false;
        self.open = 0;
        self.pause = Some(Pause {
            left: cycles,
            bus_cycle: false,
            stray: None,
        });
    }

    /// `wb_cyc_i` and the request with `wb_stb_i` for this cycle.
    pub fn drive(&self) -> (bool, Option<Request>) {
        match &self.pause {
            Some(pause) => (pause.bus_cycle, pause.stray),
            None => (!self.is_idle(), self.waiting.front().copied()),
        }
    }

    pub fn see(&mut self, seen: &Seen) {
        let strobing = self.pause.is_none() && !self.waiting.is_empty();
        let ack = seen.ack.is_some();
        let taken = strobing
            && match self.protocol {
                Protocol::Pipelined => !seen.stall,
                Protocol::Classic => ack,
            };
        if taken {
            self.waiting.pop_front();
        }
        self.strobed = strobing && !taken;
        if self.protocol == Protocol::Pipelined {
            self.open = (self.open + usize::from(taken)).saturating_sub(ack.into());
        }
        if let Some(pause) = &mut self.pause {
            pause.left -= 1;
            if pause.left == 0 {
                self.pause = None;
            }
        }
        if let Some(mut rng) = self.rudeness.take() {
            self.misbehave(&mut rng);
            self.rudeness = Some(rng);
        }
    }

    fn misbehave(&mut self, rng: &mut StreamRng) {
        if let Some(pause) = &mut self.pause {
            pause.stray = pause.stray.and_then(|_| stray(rng));
            return;
        }
        let under_way = self.strobed || self.open > 0;
        match rng.random_range(0..8) {
            0 if under_way => {
                let again = self.waiting.front().copied().filter(|_| self.strobed);
                self.give_up(rng.random_range(1..4));
                self.waiting.extend(again.filter(|_| rng.random()));
                self.pause
                    .iter_mut()
                    .for_each(|pause| pause.stray = stray(rng));
            }
            1 | 2 if !self.strobed => {
                let bus_cycle = self.open > 0 || rng.random();
                self.pause = Some(Pause {
                    left: rng.random_range(1..5),
                    bus_cycle,
                    stray: if bus_cycle { None } else { stray(rng) },
                });
            }
            _ => {}
        }
    }
}

/// Any access, half of the time.
fn stray(rng: &mut StreamRng) -> Option<Request> {
    let request = Request {
        address: rng.random_range(0..ADDRESS_SPACE / 4),
        write: rng.random::<bool>().then(|| rng.next_u32()),
        select: rng.random_range(0..16),
    };
    rng.random::<bool>().then_some(request)
}
