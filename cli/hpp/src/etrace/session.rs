//! From the packets of one hart to branch records.

use std::rc::Rc;

use anyhow::{Result, bail};
use hpp_riscv::Image;
use riscv_etrace::config::AddressMode;
use riscv_etrace::instruction::info::Info;
use riscv_etrace::packet::payload::{AddressInfo, Branch, InstructionTrace};
use riscv_etrace::packet::sync::{QualStatus, Start, Synchronization};
use riscv_etrace::packet::unit::IOptions;
use riscv_etrace::tracer::error::Error;
use riscv_etrace::tracer::{self, Tracer, item};
use riscv_etrace::types::branch::Map;
use riscv_etrace::types::{Privilege, stack::VecStack};

use super::code::{Code, Known, Outside};
use super::packets::{Encoder, Options, Said};
use crate::log::follow::{self, Hart, Parts};

/// How many instructions one packet may lead over. A wrong packet in an endless loop would never end.
const MOST: usize = 1 << 20;

/// Follows the packets of one hart through the program.
pub struct Session {
    encoder: Encoder,
    image: Rc<Image>,
    tracer: Option<Tracer<Code, VecStack, Known>>,
    mode: AddressMode,
    options: Option<Options>,
    /// The instructions that the last decoder had remembered.
    remembered: Option<Code>,
    /// Whether the position in the run is known.
    is_followed: bool,
    /// The next packet is of a trap's handler, even if it does not say so.
    is_trapped: bool,
    last: Option<(u64, Known)>,
    before_last: Option<Known>,
    /// The last packet reports an instruction that the run reached without a computed jump, and may reach again by one.
    may_be_passed: bool,
    /// The last branch of which the outcome is known was taken.
    taken: bool,
    context: u8,
    /// The hart as records have it.
    pub hart: Hart,
    pub followed: u64,
    /// How many packets contradict the program, and the first of them.
    pub contradicted: (u64, u64),
    /// How many packets lead to code that is not in the program, and the first of them.
    pub outside: (u64, u64),
    is_outside: bool,
    /// Instructions to which one packet leads, at most.
    pub most: usize,
    /// How many packets have an unknown form, and the first of them.
    pub unknown: (u64, u64),
    /// How many packets came while the position in the run was unknown.
    pub before: (u64, u64),
    /// How many times the encoder reports lost packets, and the packet of the first.
    pub lost: (u64, u64),
    /// How many times the encoder stopped, and the packet of the first.
    pub stopped: (u64, u64),
}

impl Session {
    pub fn new(encoder: Encoder, image: &Rc<Image>) -> Self {
        Self {
            encoder,
            image: Rc::clone(image),
            tracer: None,
            mode: encoder.mode,
            options: None,
            remembered: None,
            is_followed: false,
            is_trapped: false,
            last: None,
            before_last: None,
            may_be_passed: false,
            taken: false,
            context: 0,
            hart: Hart::new(image.xlen()).exact(),
            most: MOST,
            followed: 0,
            contradicted: (0, 0),
            outside: (0, 0),
            is_outside: false,
            unknown: (0, 0),
            before: (0, 0),
            lost: (0, 0),
            stopped: (0, 0),
        }
    }

    /// The next packet, by its number. Linear in the instructions that it leads over.
    pub fn take(&mut self, payload: &[u8], number: u64, parts: &mut Parts) -> Result<()> {
        match self.encoder.payload(payload) {
            None => {
                follow::count(&mut self.unknown, number);
                self.lose(number, parts);
            }
            Some(Said::Sync(Synchronization::Support(support))) => {
                let options = support.ioptions;
                if let Err(what) = options.update_features(&mut Default::default()) {
                    bail!(
                        "packet {number}: the encoder uses {what}, which cannot be followed; remedy: record without"
                    );
                }
                if let Some(mode) = options.address_mode() {
                    self.mode = mode;
                }
                self.options = Some(options);
                if self.is_followed {
                    self.feed(|tracer| tracer.process_support(&support), number, parts);
                }
                match support.qual_status {
                    QualStatus::NoChange => {}
                    QualStatus::TraceLost => {
                        follow::count(&mut self.lost, number);
                        self.lose(number, parts);
                    }
                    QualStatus::EndedRep | QualStatus::EndedNtr => {
                        follow::count(&mut self.stopped, number);
                        self.hart.end(number, parts);
                        self.lose(number, parts);
                    }
                }
            }
            Some(Said::Sync(sync)) => self.sync(&sync, number, parts),
            Some(Said::Path(_)) if !self.is_followed && self.tracer.is_none() => {
                follow::count(&mut self.before, number);
            }
            Some(Said::Path(mut path)) => {
                self.narrow(&mut path);
                if let InstructionTrace::Branch(branch) = &path {
                    let newest = branch.branch_map.count().saturating_sub(1);
                    self.taken = branch.branch_map.raw_map() >> newest & 1 == 0;
                }
                // A packet with a whole address gives a position, too.
                let fits = self.feed(|tracer| tracer.process_te_inst(&path), number, parts);
                let info = path.get_address_info();
                let jumped = self
                    .before_last
                    .is_none_or(|known| known.is_uninferable_discon());
                self.may_be_passed =
                    !jumped && info.is_some_and(|info| !info.notify && !info.updiscon);
                let was_followed = std::mem::replace(&mut self.is_followed, fits);
                match (was_followed, fits) {
                    (_, true) => {}
                    (true, false) => self.contradict(number, parts),
                    (false, false) => follow::count(&mut self.before, number),
                }
            }
        }
        Ok(())
    }

    fn sync(&mut self, sync: &Synchronization<Options, ()>, number: u64, parts: &mut Parts) {
        let may_be_passed = std::mem::take(&mut self.may_be_passed);
        let start = match *sync {
            Synchronization::Start(start) => Some(start),
            Synchronization::Trap(trap) => trap.thaddr.then_some(Start {
                branch: trap.branch,
                ctx: trap.ctx,
                address: trap.address,
            }),
            _ => None,
        };
        if let (Synchronization::Trap(trap), true) = (sync, self.is_followed)
            && trap.info.is_interrupt()
        {
            // The decoder does not report at which address the program was interrupted.
            let resumes = self.resumes().or((!trap.thaddr).then_some(trap.address));
            self.hart.trap(resumes, true, number, parts);
            self.last = None;
            self.is_followed = false;
            self.is_trapped = true;
            self.followed += 1;
        } else if self.is_followed {
            let fits = match (sync, self.last) {
                (Synchronization::Start(start), Some((at, _)))
                    if may_be_passed && self.is_passed(start.address) =>
                {
                    self.pass(*start, at, number, parts)
                }
                _ => self.feed(|tracer| tracer.process_sync(sync), number, parts),
            };
            if fits {
                self.note(start);
                return;
            }
            self.contradict(number, parts);
        }
        let Some(start) = start else {
            return;
        };
        if !self.is_trapped {
            self.hart.cut(number, parts);
        }
        self.forget();
        let begins = Synchronization::<Options, ()>::Start(start);
        self.is_followed = self.feed(|tracer| tracer.process_sync(&begins), number, parts);
        match self.is_followed {
            true => self.note(Some(start)),
            false => self.contradict(number, parts),
        }
        self.is_trapped = false;
    }

    /// Whether the run reached the last packet's instruction twice before this address. An encoder reports an instruction because of a packet of
    /// synchronisation only if that packet is of the next instruction.
    fn is_passed(&self, address: u64) -> bool {
        self.resumes().is_some_and(|next| next != address)
    }

    /// Follows the run past its second visit of `at` to the packet's address. The decoder would skip the second visit for a packet of synchronisation;
    /// for one with an address it does not.
    fn pass(&mut self, start: Start, at: u64, number: u64, parts: &mut Parts) -> bool {
        let address = match self.mode {
            AddressMode::Full => start.address,
            AddressMode::Delta => start.address.wrapping_sub(at),
        };
        let info = AddressInfo {
            address: address.cast_signed(),
            // The first visit is the right one.
            notify: true,
            updiscon: false,
            irdepth: None,
        };
        let is_branch = super::code::known(&self.image, start.address)
            .is_some_and(|instruction| instruction.info.is_branch());
        let mut branch_map = Map::default();
        let path: InstructionTrace =
            match is_branch && branch_map.push_branch_taken(!start.branch).is_ok() {
                true => Branch {
                    branch_map,
                    address: Some(info),
                }
                .into(),
                false => info.into(),
            };
        self.feed(|tracer| tracer.process_te_inst(&path), number, parts)
    }

    /// Remembers the outcome of the branch that a packet of synchronisation reports.
    fn note(&mut self, start: Option<Start>) {
        if let Some(start) = start {
            self.taken = !start.branch;
        }
    }

    /// The address after the last instruction, if it is known.
    fn resumes(&self) -> Option<u64> {
        let (_, known) = self.last?;
        match known.instruction.transfer {
            Some(transfer) if !transfer.conditional || self.taken => transfer.target,
            _ => Some(known.instruction.next),
        }
    }

    /// Reads an address of full width as unsigned.
    fn narrow(&self, path: &mut InstructionTrace) {
        let address = match path {
            InstructionTrace::Address(info) => Some(info),
            InstructionTrace::Branch(branch) => branch.address.as_mut(),
            _ => None,
        };
        let width = self.encoder.parameters.iaddress_width_p.get();
        if let Some(info) = address.filter(|_| self.mode == AddressMode::Full && width < 64) {
            info.address &= (1 << width) - 1;
        }
    }

    /// A decoder before the first packet, with the encoder's options.
    fn tracer(&mut self) -> Option<Tracer<Code, VecStack, Known>> {
        let code = self.remembered.take();
        let builder = tracer::builder()
            .with_params(&self.encoder.parameters)
            .with_address_mode(self.mode)
            .with_implicit_return(false)
            .with_binary(code.unwrap_or_else(|| Code::new(&self.image)));
        let mut tracer = builder.build().ok()?;
        if let Some(ioptions) = self.options {
            let support = riscv_etrace::packet::sync::Support {
                ienable: true,
                ioptions,
                ..Default::default()
            };
            let support: riscv_etrace::packet::sync::Support<Options, ()> = support;
            tracer.process_support(&support).ok()?;
        }
        Some(tracer)
    }

    /// Drops the decoder, and keeps the instructions it had remembered.
    fn forget(&mut self) {
        if let Some(mut tracer) = self.tracer.take() {
            self.remembered = Some(tracer.binary_mut().take());
        }
    }

    /// Gives the decoder a packet and follows the run; returns whether both succeeded.
    fn feed(
        &mut self,
        show: impl FnOnce(&mut Tracer<Code, VecStack, Known>) -> Result<(), Error<Outside>>,
        number: u64,
        parts: &mut Parts,
    ) -> bool {
        let Some(mut tracer) = self.tracer.take().or_else(|| self.tracer()) else {
            return false;
        };
        if let Err(error) = show(&mut tracer) {
            self.recover(tracer, &error);
            return false;
        }
        let mut steps = 0;
        while let Some(item) = tracer.next() {
            steps += 1;
            let item = match item {
                Ok(item) if steps < self.most => item,
                Ok(_) => return false,
                Err(error) => {
                    self.recover(tracer, &error);
                    return false;
                }
            };
            match item.kind() {
                item::Kind::Regular(instruction) => {
                    self.retire(item.pc(), instruction.info, number, parts);
                }
                item::Kind::Trap(info) => {
                    self.trap(item.pc(), info.ecause, number, parts);
                }
                item::Kind::Context(context) => {
                    self.context = match context.privilege {
                        Privilege::Machine | Privilege::Debug => 0,
                        Privilege::Supervisor | Privilege::VirtSupervisor => 1,
                        Privilege::User | Privilege::VirtUser => 2,
                    };
                }
            }
        }
        let is_followed = !tracer.is_recovering();
        self.tracer = Some(tracer);
        self.followed += u64::from(is_followed);
        is_followed
    }

    /// Where addresses are whole the decoder recovers by itself, so it is kept.
    fn recover(&mut self, tracer: Tracer<Code, VecStack, Known>, error: &Error<Outside>) {
        self.is_outside = matches!(error, Error::CannotGetInstruction(..));
        if self.mode == AddressMode::Full && tracer.is_recovering() {
            self.tracer = Some(tracer);
        }
    }

    fn retire(&mut self, pc: u64, known: Known, number: u64, parts: &mut Parts) {
        let Known {
            word, instruction, ..
        } = known;
        self.hart
            .retire(pc, word, self.context, instruction, number, parts);
        self.before_last = self.last.replace((pc, known)).map(|(_, known)| known);
    }

    /// An exception of the instruction at `pc`, which did not retire unless it is `ecall` or `ebreak`.
    fn trap(&mut self, pc: u64, cause: u16, number: u64, parts: &mut Parts) {
        let is_fetched = !matches!(cause, 0 | 1 | 12 | 20);
        let asks = self
            .last
            .is_some_and(|(last, known)| last == pc && known.is_ecall_or_ebreak());
        let mut is_shown = asks;
        if !asks
            && is_fetched
            && let Some(instruction) = super::code::known(&self.image, pc)
        {
            self.retire(pc, instruction.info, number, parts);
            is_shown = true;
        }
        self.hart.trap(Some(pc), !is_shown, number, parts);
        self.last = None;
    }

    /// The position is lost until a packet of synchronisation.
    pub fn lose(&mut self, number: u64, parts: &mut Parts) {
        self.hart.cut(number, parts);
        self.forget();
        self.last = None;
        self.is_followed = false;
        self.is_trapped = false;
    }

    fn contradict(&mut self, number: u64, parts: &mut Parts) {
        match std::mem::take(&mut self.is_outside) {
            true => follow::count(&mut self.outside, number),
            false => follow::count(&mut self.contradicted, number),
        }
        let recovering = self.tracer.take().filter(|tracer| tracer.is_recovering());
        self.lose(number, parts);
        self.tracer = recovering;
    }
}
