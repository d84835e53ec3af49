//! Retirements from what a core's last stage shows, when their records are made.

use super::watcher::Meanwhile;
use hpp_fpga::core::Core;
use hpp_riscv::Retirement;
use std::collections::VecDeque;

/// What was shown and has not met the registers of the profiler yet.
pub struct LastStage {
    core: Core,
    /// The last that was shown, and what happened up to it.
    held: Option<(Meanwhile, Retirement)>,
    enters: bool,
    /// Retirements, what happened up to each, and the cycle from which on they can be passed on.
    known: VecDeque<(u64, Meanwhile, Retirement)>,
}

impl LastStage {
    pub fn new(core: Core) -> Self {
        Self {
            core,
            held: None,
            enters: false,
            known: VecDeque::new(),
        }
    }

    /// The core shows something before a cycle, with what happened since the last retirement. Behind the retire ingress, `trap` is a
    /// trap being taken and `pc` the address it returns to, and the address that follows is that of what is shown next, as it is of CVA6.
    pub fn shows(&mut self, meanwhile: Meanwhile, shown: Retirement) {
        let cycle = meanwhile.cycle;
        match self.core {
            Core::PicoRv32 | Core::Ibex | Core::IbexMaxperf | Core::Serv => {
                self.release(cycle, |held| held);
                self.held = Some((meanwhile, shown));
            }
            Core::Cva6 => {
                let next_pc = shown.pc;
                self.release(cycle, |held| Retirement { next_pc, ..held });
                self.held = Some((meanwhile, shown));
            }
            // With contexts, a trap's own is needed too: as it is shown.
            Core::VexRiscvLinux => self.known.push_back((cycle + 1, meanwhile, shown)),
            Core::VexRiscv
            | Core::VexRiscvCaches
            | Core::VexRiscvImac
            | Core::Cv32e40p
            | Core::Cv32e40pPulp
            | Core::Cv32e40x
            | Core::Rocket => {
                let next_pc = shown.pc;
                self.release(cycle + 1, |held| Retirement { next_pc, ..held });
                if shown.trap {
                    self.enters = true;
                } else {
                    let intr = std::mem::take(&mut self.enters);
                    self.held = Some((meanwhile, Retirement { intr, ..shown }));
                }
            }
        }
    }

    /// Nothing more will be shown: what is held is known as far as it ever will be.
    pub fn ends(&mut self) {
        self.release(0, |held| held);
        self.known.iter_mut().for_each(|known| known.0 = 0);
    }

    fn release(&mut self, from: u64, complete: impl FnOnce(Retirement) -> Retirement) {
        if let Some((meanwhile, held)) = self.held.take() {
            self.known.push_back((from, meanwhile, complete(held)));
        }
    }

    /// The next retirement that can be passed on in `cycle`, and what happened up to it.
    pub fn due(&mut self, cycle: u64) -> Option<(Meanwhile, Retirement)> {
        let (from, ..) = self.known.front()?;
        if *from > cycle {
            return None;
        }
        let (_, meanwhile, retirement) = self.known.pop_front()?;
        Some((meanwhile, retirement))
    }
}
