//! From the instructions of a log to branch records: the next line says where an instruction led.
//!
//! # Interrupts and lines that are missing
//!
//! Where an instruction cannot have led to what the next line shows, an interrupt was taken, or lines are missing. What
//! comes later tells: a handler ends with a trap return to what was interrupted. Until then the record is that of an
//! interrupt, whose paths are a frame of their own. If a return leaves that frame instead, or a trap return leads
//! elsewhere, lines are missing there, and what was under way below is dropped before anything could go on in it.
//!
//! After a computed jump any address may follow; it is an interrupt if the address is that of a known handler.

use hpp_explore::trace::{Isa, Numbering};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Ingress, Instruction, Retirement, Xlen};
use rustc_hash::FxHashSet;

/// Records by number, in parts between which some are missing.
#[derive(Debug, Default)]
pub struct Parts {
    numbering: Numbering,
    /// What is whole, and whether records are missing before it.
    whole: Vec<(bool, Vec<u32>)>,
    after_loss: bool,
    numbers: Vec<u32>,
}

impl Parts {
    /// The records by number.
    pub fn records(&self) -> &[BranchRecord] {
        self.numbering.records()
    }

    /// How many records are in the last part.
    pub const fn in_last(&self) -> usize {
        self.numbers.len()
    }

    /// The parts so far.
    pub fn take(&mut self) -> Vec<(bool, Vec<u32>)> {
        self.end();
        std::mem::take(&mut self.whole)
    }

    fn end(&mut self) {
        if !self.numbers.is_empty() {
            let numbers = std::mem::take(&mut self.numbers);
            self.whole
                .push((std::mem::take(&mut self.after_loss), numbers));
        }
    }

    fn lose(&mut self) {
        self.end();
        self.after_loss = true;
    }

    #[inline]
    fn push(&mut self, record: &BranchRecord) {
        let number = self.numbering.number(record);
        self.numbers.push(number);
    }
}

/// Where a handler may have been entered.
#[derive(Clone, Copy, Debug)]
struct Entry {
    handler: u64,
    /// The instruction before it.
    before: u64,
    /// Where the program goes on, if that is known.
    resume: Option<u64>,
    /// Calls without their returns since then.
    depth: u32,
    /// It is a handler.
    is_known: bool,
}

/// Entries that are remembered.
const MOST: usize = 64;

/// An instruction of which it is not known yet where it led.
#[derive(Clone, Copy, Debug)]
struct Last {
    retirement: Retirement,
    instruction: Instruction,
}

/// One hart.
#[derive(Debug)]
pub struct Hart {
    ingress: Ingress,
    geometry: Geometry,
    last: Option<Last>,
    /// The next instruction is a handler's first.
    enters: bool,
    entries: Vec<Entry>,
    handlers: FxHashSet<u64>,
    /// Instructions.
    pub instructions: u64,
    /// Entries that nothing but a jump shows and that are known by their return.
    pub interrupts: u64,
    /// Places where lines are missing, and the number of the line after the first.
    pub lost: (u64, u64),
    /// Calls without their returns, and returns without their calls.
    depth: u64,
    /// Returns to what was called before the log begins.
    pub from_before: u64,
}

/// The geometry that records are made for: contexts as `hpp trace --system` records them.
fn geometry(isa: Isa) -> Geometry {
    Geometry {
        context_bits: 8,
        ..isa.geometry()
    }
}

/// How far beyond the interrupted instruction a handler may return.
const SKIPS: [u64; 3] = [0, 2, 4];

impl Hart {
    /// Before its first instruction.
    pub fn new(isa: Isa, xlen: Xlen) -> Self {
        let geometry = geometry(isa);
        Self {
            ingress: Ingress::new(xlen, geometry.event_bits).with_geometry(&geometry),
            geometry,
            last: None,
            enters: false,
            entries: Vec::new(),
            handlers: FxHashSet::default(),
            instructions: 0,
            interrupts: 0,
            lost: (0, 0),
            depth: 0,
            from_before: 0,
        }
    }

    /// An instruction retired, on this line.
    #[inline]
    pub fn retire(
        &mut self,
        pc: u64,
        insn: u32,
        context: u8,
        instruction: Instruction,
        line: u64,
        parts: &mut Parts,
    ) {
        let pc = self.geometry.address(pc);
        if let Some(mut last) = self.last.take() {
            match self.leads(&mut last, pc, context) {
                Leads::There => self.led(last, pc, line, parts),
                // An operation of an instruction that is shown as several, or an instruction that began again.
                Leads::Again => {
                    self.instructions -= 1;
                    self.enters = last.retirement.intr;
                }
                Leads::Elsewhere => self.interrupted(last, pc, context, line, parts),
            }
        }
        let intr = std::mem::take(&mut self.enters);
        self.instructions += 1;
        self.last = Some(Last {
            retirement: Retirement {
                intr,
                context,
                ..Retirement::new(pc, insn, 0)
            },
            instruction,
        });
    }

    /// A line says that a trap was taken: an exception of the instruction at `pc`, or before it.
    pub fn trap(&mut self, pc: Option<u64>, is_interrupt: bool, line: u64, parts: &mut Parts) {
        let Some(mut last) = self.last.take() else {
            return;
        };
        let at = pc.map(|pc| self.geometry.address(pc));
        if !is_interrupt && at.is_none_or(|at| at == last.retirement.pc) {
            last.retirement.trap = true;
            self.step(last, line, parts);
            self.enter(last.retirement.pc, 0, None, true);
            return;
        }
        // An instruction that was not fetched is in no line.
        let next = last.instruction.next;
        let target = last
            .instruction
            .transfer
            .and_then(|transfer| transfer.target);
        let to = at.or_else(|| target.filter(|_| !is_conditional(&last)));
        match (to, last.instruction.transfer) {
            (Some(to), _) => self.led(last, to, line, parts),
            (None, None) => self.led(last, next, line, parts),
            (None, Some(_)) => self.hide(last, line, parts),
        }
        self.enter(0, 0, to, true);
        self.enters = true;
    }

    /// What follows is not in the log.
    pub fn cut(&mut self, line: u64, parts: &mut Parts) {
        if let Some(last) = self.last.take() {
            self.hide(last, line, parts);
        } else {
            parts.lose();
        }
        self.entries.clear();
    }

    /// The log ends.
    pub fn end(&mut self, line: u64, parts: &mut Parts) {
        // What the last instruction led to is known if it is no transfer, or one that has one target.
        if let Some(last) = self.last.take()
            && let Some(transfer) = last.instruction.transfer
            && let Some(target) = transfer.target.filter(|_| !transfer.conditional)
        {
            self.led(last, target, line, parts);
        }
    }

    fn leads(&self, last: &mut Last, pc: u64, context: u8) -> Leads {
        let Instruction { next, transfer } = last.instruction;
        let next = self.geometry.address(next);
        let short = self.geometry.address(last.retirement.pc.wrapping_add(2));
        let target = transfer.map(|transfer| transfer.target);
        let falls_through = transfer.is_none_or(|transfer| transfer.conditional);
        match target {
            Some(Some(target)) if self.geometry.address(target) == pc => Leads::There,
            Some(None) if falls_through => Leads::There,
            Some(None) => match self.handlers.contains(&pc) || rises(last, context) {
                true => Leads::Elsewhere,
                false => Leads::There,
            },
            _ if falls_through && pc == next => Leads::There,
            // A compressed instruction whose word is shown as one of 32 bits.
            _ if falls_through && pc == short => {
                last.instruction.next = short;
                Leads::There
            }
            _ if pc == last.retirement.pc => Leads::Again,
            _ => Leads::Elsewhere,
        }
    }

    fn led(&mut self, mut last: Last, to: u64, line: u64, parts: &mut Parts) {
        last.retirement.next_pc = to;
        self.step(last, line, parts);
    }

    fn step(&mut self, last: Last, line: u64, parts: &mut Parts) {
        let records = self.ingress.step_as(&last.instruction, &last.retirement, 1);
        if let Some(trap) = &records.trap {
            parts.push(trap);
        }
        if let Some(own) = &records.own {
            self.account(own.kind, last.retirement.next_pc, line, parts);
            parts.push(own);
        }
    }

    /// Keeps account of calls and handlers.
    #[inline]
    fn account(&mut self, kind: BranchKind, to: u64, line: u64, parts: &mut Parts) {
        match kind {
            BranchKind::Call | BranchKind::IndirectCall => {
                self.depth += 1;
                if let Some(entry) = self.entries.last_mut() {
                    entry.depth += 1;
                }
            }
            BranchKind::Return => {
                self.from_before += u64::from(self.depth == 0);
                self.depth = self.depth.saturating_sub(1);
                match self.entries.last_mut() {
                    Some(entry) if entry.depth > 0 => entry.depth -= 1,
                    Some(entry) if !entry.is_known => self.lose(line, parts),
                    _ => {}
                }
            }
            BranchKind::TrapReturn => {
                let Some(entry) = self.entries.pop().filter(|entry| !entry.is_known) else {
                    return;
                };
                let returns =
                    |resume: u64| SKIPS.iter().any(|skip| resume.wrapping_add(*skip) == to);
                // An instruction that trapped may begin again.
                match entry.resume.is_none_or(returns) || entry.before == to {
                    true => {
                        self.interrupts += 1;
                        self.handlers.insert(entry.handler);
                    }
                    false => self.lose(line, parts),
                }
            }
            _ => {}
        }
    }

    /// What is under way is dropped.
    #[cold]
    fn lose(&mut self, line: u64, parts: &mut Parts) {
        self.lost.0 += 1;
        if self.lost.1 == 0 {
            self.lost.1 = line;
        }
        self.entries.clear();
        parts.lose();
    }

    /// The instruction does not lead to the handler at `pc`, if it is one.
    #[cold]
    fn interrupted(&mut self, mut last: Last, pc: u64, context: u8, line: u64, parts: &mut Parts) {
        let is_known = self.handlers.contains(&pc) || rises(&last, context);
        self.interrupts += u64::from(is_known);
        let before = last.retirement.pc;
        if is_environment(last.retirement.insn) {
            last.retirement.trap = true;
            self.step(last, line, parts);
            return self.enter(pc, before, Some(before), is_known);
        }
        let resume = match last.instruction.transfer {
            None => Some(self.geometry.address(last.instruction.next)),
            Some(transfer) => transfer.target.filter(|_| !transfer.conditional),
        };
        match resume {
            Some(to) => self.led(last, to, line, parts),
            None => self.hide(last, line, parts),
        }
        self.enter(pc, before, resume, is_known);
        self.enters = true;
    }

    /// Nobody knows where the instruction led: no path goes on from there.
    fn hide(&mut self, mut last: Last, line: u64, parts: &mut Parts) {
        if is_conditional(&last) {
            last.instruction.transfer = None;
        }
        let next = last.instruction.next;
        self.led(last, next, line, parts);
        parts.lose();
    }

    fn enter(&mut self, handler: u64, before: u64, resume: Option<u64>, is_known: bool) {
        if self.entries.len() == MOST {
            self.entries.remove(0);
        }
        self.entries.push(Entry {
            handler,
            before,
            resume,
            depth: 0,
            is_known,
        });
    }
}

enum Leads {
    There,
    Again,
    Elsewhere,
}

/// `ecall`, `ebreak` and `c.ebreak`, which trap.
const fn is_environment(insn: u32) -> bool {
    matches!(insn, 0x73 | 0x0010_0073 | 0x9002)
}

fn is_conditional(last: &Last) -> bool {
    let transfer = last.instruction.transfer;
    transfer.is_some_and(|transfer| transfer.conditional)
}

/// Whether the next instruction has more privilege. No jump gives any.
const fn rises(last: &Last, context: u8) -> bool {
    context < last.retirement.context
}
