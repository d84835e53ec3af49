//! From the instructions of a log to branch records: the next line says where an instruction led.
//!
//! # Interrupts and lines that are missing
//!
//! Where an instruction cannot have led to what the next line shows, an interrupt was taken, or lines are missing. What
//! comes later tells: a handler ends with a trap return to what was interrupted. Until then the record is that of an
//! interrupt, whose paths are a frame of their own. If a return leaves that frame instead, or a trap return leads
//! elsewhere, lines are missing there, and what was under way below is dropped before anything could go on in it. So they
//! are if nothing returns before the log ends.
//!
//! After a computed jump any address may follow; it is an interrupt if the address is that of a known handler. If it is not
//! known yet, the trap return comes where nothing was interrupted, and is counted.

use hpp_explore::trace::{Isa, Numbering};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Ingress, Instruction, Retirement, Xlen};
use hpp_report::numbers::number_of;
use rustc_hash::FxHashSet;

/// Records by number, in parts between which some are missing.
#[derive(Debug, Default)]
pub struct Parts {
    numbering: Numbering,
    /// Parts that are complete, each with whether records are missing before it.
    whole: Vec<(bool, Vec<u32>)>,
    after_loss: bool,
    numbers: Vec<u32>,
}

impl Parts {
    pub fn records(&self) -> &[BranchRecord] {
        self.numbering.records()
    }

    /// How many records are in the last part.
    pub const fn in_last(&self) -> usize {
        self.numbers.len()
    }

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

/// How many of the other harts a message names.
const NAMED: usize = 8;

/// The harts of a log or of packets, one of which is followed.
#[derive(Debug)]
pub struct Harts {
    /// The one that was asked for.
    pub asked: Option<u32>,
    /// The others, with how often each was seen.
    others: Vec<(u32, u64)>,
}

impl Harts {
    pub const fn new(asked: Option<u32>) -> Self {
        let others = Vec::new();
        Self { asked, others }
    }

    /// Counts a line or packet of a hart that is not followed. At most 4,096 such harts are counted.
    #[cold]
    pub fn pass(&mut self, hart: u32) {
        let has_room = self.others.len() < HARTS;
        match self.others.iter_mut().find(|(other, _)| *other == hart) {
            Some((_, times)) => *times += 1,
            None if has_room => self.others.push((hart, 1)),
            None => {}
        }
    }

    /// The numbers of the other harts for a message, if there are any.
    pub fn named(&self) -> Option<String> {
        let names = self.others.iter().take(NAMED);
        let names = names.map(|(hart, _)| hart.to_string());
        let more = self.more().map(|more| format!("{more} more"));
        let names: Vec<_> = names.chain(more).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// What is said of the harts that are left out; nothing if the user chose one.
    pub fn left_out(&self, what: &str) -> Vec<String> {
        let named = self.others.iter().take(NAMED).map(|(hart, times)| {
            let times = number_of(*times, what);
            format!("hart {hart}, of {times}; --hart {hart} takes it instead")
        });
        let more = self.more().map(|more| number_of(more, "other hart"));
        match self.asked {
            Some(_) => Vec::new(),
            None => named.chain(more).collect(),
        }
    }

    fn more(&self) -> Option<u64> {
        let more = self.others.len().checked_sub(NAMED)?;
        Some(more as u64).filter(|&more| more > 0)
    }
}

/// How many other harts are counted at most.
const HARTS: usize = 1 << 12;

/// The instruction set of this width.
pub const fn isa(xlen: Xlen) -> Isa {
    match xlen {
        Xlen::Rv32 => Isa::Riscv32,
        Xlen::Rv64 => Isa::Riscv64,
    }
}

/// A jump that may have entered a handler.
#[derive(Clone, Copy, Debug)]
struct Entry {
    handler: u64,
    before: u64,
    /// Addresses at which the interrupted program may continue: two after a conditional branch whose outcome is unknown.
    resumes: [Option<u64>; 2],
    /// The line of the handler's first instruction.
    line: u64,
    /// Depth of calls within the handler.
    depth: u32,
    why: Why,
}

/// Why a handler was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// A line, a level of privilege or an earlier return says so.
    Known,
    /// The instruction before is `ecall` or `ebreak`.
    Environment,
    /// Nothing explains the jump yet.
    Unknown,
}

impl Entry {
    /// Whether a return to this address ends the handler: the program continues there, or the interrupted instruction runs again.
    fn resumes_at(&self, to: u64) -> bool {
        // After a branch both addresses are known exactly. A handler that returned behind one of them would have skipped an instruction that no line shows.
        let skips = match self.resumes {
            [Some(_), Some(_)] => &SKIPS[..1],
            _ => &SKIPS[..],
        };
        let mut resumes = self.resumes.iter().flatten();
        let at = |resume: &u64| skips.iter().any(|skip| resume.wrapping_add(*skip) == to);
        self.before == to || resumes.any(at)
    }

    /// Whether the handler skipped the instruction that a branch led to, which trapped and is in no line.
    fn skips_one(&self, to: u64) -> bool {
        let after = |resume: u64| {
            SKIPS[1..]
                .iter()
                .any(|skip| resume.wrapping_add(*skip) == to)
        };
        matches!(self.resumes, [Some(_), Some(_)])
            && !self.resumes_at(to)
            && self.resumes.into_iter().flatten().any(after)
    }
}

/// How many entries are remembered at most.
const MOST: usize = 64;

/// The last instruction, whose next address is not known yet.
#[derive(Clone, Copy, Debug)]
struct Last {
    retirement: Retirement,
    instruction: Instruction,
}

#[derive(Debug)]
pub struct Hart {
    ingress: Ingress,
    geometry: Geometry,
    last: Option<Last>,
    /// The next instruction is a handler's first.
    enters: bool,
    entries: Vec<Entry>,
    /// Entries that were given up before their return.
    given_up: u64,
    /// The next instruction has less privilege.
    falls: bool,
    handlers: FxHashSet<u64>,
    /// The last instruction that led to itself, and how many instructions had retired then.
    itself: Option<(Last, u64)>,
    /// How many more times that instruction was executed.
    repeats: u32,
    /// Every trap is shown, and no instruction twice.
    is_exact: bool,
    /// The log has shown a compressed instruction as a word of 32 bits, without a mark.
    is_expanded: bool,
    pub instructions: u64,
    /// Interrupts that no line names: a jump nothing explains, confirmed by its trap return.
    pub interrupts: u64,
    /// How many times lines are missing, and the line after the first gap.
    pub lost: (u64, u64),
    /// How many trap returns do not lower the privilege though no handler is under way, and the line after the first.
    pub unentered: (u64, u64),
    /// Depth of calls since the log began.
    depth: u64,
    /// Returns to what was called before the log begins.
    from_before: u64,
}

/// How far beyond the interrupted instruction a handler may return.
const SKIPS: [u64; 3] = [0, 2, 4];

impl Hart {
    pub fn new(xlen: Xlen) -> Self {
        // Contexts as `hpp trace --system` records them.
        let geometry = Geometry {
            context_bits: 8,
            ..isa(xlen).geometry()
        };
        Self {
            ingress: Ingress::new(xlen, geometry.event_bits).with_geometry(&geometry),
            geometry,
            last: None,
            enters: false,
            entries: Vec::new(),
            given_up: 0,
            falls: false,
            handlers: FxHashSet::default(),
            itself: None,
            repeats: 0,
            is_exact: false,
            is_expanded: false,
            instructions: 0,
            interrupts: 0,
            lost: (0, 0),
            unentered: (0, 0),
            depth: 0,
            from_before: 0,
        }
    }

    /// The same, where every trap is shown and no instruction twice.
    #[must_use]
    pub const fn exact(mut self) -> Self {
        self.is_exact = true;
        self
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
            self.falls = context > last.retirement.context;
            match self.leads(&mut last, pc, context) {
                Leads::There => self.led(last, pc, line, parts),
                // The log shows one instruction as several operations, or the instruction was restarted.
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
            return self.enter(0, 0, [None; 2], Why::Known, line);
        };
        let at = pc.map(|pc| self.geometry.address(pc));
        if !is_interrupt && at.is_none_or(|at| at == last.retirement.pc) {
            last.retirement.trap = true;
            self.step(last, line, parts);
            self.enter(last.retirement.pc, 0, [None; 2], Why::Known, line);
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
        self.enter(0, 0, [to, None], Why::Known, line);
        self.enters = true;
    }

    /// A line says how many times the last instruction was executed. It stands after the line of the interrupt that ended the loop, as nothing else ends it.
    #[cold]
    pub fn repeat(&mut self, times: u32) {
        if let Some((last, instructions)) = &mut self.itself
            && *instructions == self.instructions
        {
            last.retirement.intr = false;
            self.repeats = times.saturating_sub(1);
        }
    }

    /// Executes that instruction once more; false if all repetitions are done.
    #[inline]
    pub fn again(&mut self, line: u64, parts: &mut Parts) -> bool {
        let Some(left) = self.repeats.checked_sub(1) else {
            return false;
        };
        self.repeats = left;
        if let Some((last, _)) = self.itself {
            self.instructions += 1;
            self.step(last, line, parts);
        }
        true
    }

    /// Lines are missing from here on.
    pub fn cut(&mut self, line: u64, parts: &mut Parts) {
        if let Some(last) = self.last.take() {
            self.hide(last, line, parts);
        } else {
            parts.lose();
        }
        self.give_up();
    }

    pub fn end(&mut self, line: u64, parts: &mut Parts) {
        // What the last instruction led to is known if it is no transfer, or one that has one target.
        if let Some(last) = self.last.take()
            && let Some(transfer) = last.instruction.transfer
            && let Some(target) = transfer.target.filter(|_| !transfer.conditional)
        {
            self.falls = false;
            self.led(last, target, line, parts);
        }
        self.give_up();
    }

    /// Forgets all handlers under way. A jump that nothing has explained counts as missing lines.
    fn give_up(&mut self) {
        self.given_up += self.entries.len() as u64;
        for entry in std::mem::take(&mut self.entries) {
            if entry.why == Why::Unknown {
                count(&mut self.lost, entry.line);
            }
        }
    }

    /// The end of a sentence that says whether the log begins in the middle of the run.
    pub fn beginning(&self) -> String {
        match self.from_before {
            0 => String::new(),
            1 => "; it begins in mid-run, 1 return leads to before it".into(),
            n => format!("; it begins in mid-run, {n} returns lead to before it"),
        }
    }

    fn leads(&mut self, last: &mut Last, pc: u64, context: u8) -> Leads {
        let short = self.geometry.address(last.retirement.pc.wrapping_add(2));
        // If this branch had four bytes, taken and not taken would lead to the same address. No compiler emits that, so it is a compressed branch over a compressed instruction.
        if self.is_expanded
            && let Some(transfer) = last.instruction.transfer
            && transfer.conditional
            && transfer.target == Some(last.instruction.next)
        {
            last.instruction.next = short;
        }
        let Instruction { next, transfer } = last.instruction;
        let next = self.geometry.address(next);
        let target = transfer.map(|transfer| transfer.target);
        let falls_through = transfer.is_none_or(|transfer| transfer.conditional);
        match target {
            Some(Some(target)) if self.geometry.address(target) == pc => Leads::There,
            Some(None) if self.is_exact => Leads::There,
            // The log shows one instruction as several operations, or has the line twice. No other instruction leads to itself.
            _ if pc == last.retirement.pc => Leads::Again,
            Some(None) => match self.handlers.contains(&pc) || rises(last, context) {
                true => Leads::Elsewhere,
                false => Leads::There,
            },
            _ if falls_through && pc == next => Leads::There,
            // A compressed instruction whose word is shown as one of 32 bits.
            _ if falls_through && pc == short => {
                self.is_expanded = true;
                last.instruction.next = short;
                Leads::There
            }
            _ => Leads::Elsewhere,
        }
    }

    fn led(&mut self, mut last: Last, to: u64, line: u64, parts: &mut Parts) {
        last.retirement.next_pc = to;
        if to == last.retirement.pc {
            self.itself = Some((last, self.instructions));
        }
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

    /// Updates the depth of calls and the handlers under way.
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
                    Some(entry) if entry.why != Why::Known => self.lose(None, line, parts),
                    _ => {}
                }
            }
            BranchKind::TrapReturn => {
                let Some(entry) = self.entries.pop() else {
                    return self.return_unentered(line);
                };
                match entry.why {
                    // The branch led to an instruction that trapped and is in no line, so its outcome is unknown.
                    Why::Known if entry.skips_one(to) => count(&mut self.lost, entry.line),
                    Why::Known => {}
                    _ if entry.resumes_at(to) => {
                        self.interrupts += 1;
                        self.handlers.insert(entry.handler);
                    }
                    _ => self.lose(Some(entry), line, parts),
                }
            }
            _ => {}
        }
    }

    /// A trap return, though the log shows no handler under way.
    #[cold]
    fn return_unentered(&mut self, line: u64) {
        match self.given_up {
            // The privilege falls, so this starts a program and ends no handler.
            0 if self.falls => {}
            0 => count(&mut self.unentered, line),
            _ => self.given_up -= 1,
        }
    }

    /// Drops all handlers under way, because the return does not match the last entry.
    #[cold]
    fn lose(&mut self, entry: Option<Entry>, line: u64, parts: &mut Parts) {
        let before = self.lost.0;
        if let Some(entry) = entry.filter(|entry| entry.why == Why::Unknown) {
            count(&mut self.lost, entry.line);
        }
        self.give_up();
        if self.lost.0 == before {
            count(&mut self.lost, line);
        }
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
            let why = match is_known {
                true => Why::Known,
                false => Why::Environment,
            };
            return self.enter(pc, before, [Some(before), None], why, line);
        }
        let next = Some(self.geometry.address(last.instruction.next));
        let resumes = match last.instruction.transfer {
            None => [next, None],
            Some(transfer) => [
                transfer.target.map(|target| self.geometry.address(target)),
                next.filter(|_| transfer.conditional),
            ],
        };
        match resumes {
            [Some(to), None] => self.led(last, to, line, parts),
            _ => self.hide(last, line, parts),
        }
        let why = if is_known { Why::Known } else { Why::Unknown };
        self.enter(pc, before, resumes, why, line);
        self.enters = true;
    }

    /// Where the instruction led is unknown: no path continues across it.
    fn hide(&mut self, mut last: Last, line: u64, parts: &mut Parts) {
        if is_conditional(&last) {
            last.instruction.transfer = None;
        }
        let next = last.instruction.next;
        self.led(last, next, line, parts);
        parts.lose();
    }

    fn enter(&mut self, handler: u64, before: u64, resumes: [Option<u64>; 2], why: Why, line: u64) {
        if self.entries.len() == MOST {
            let first = self.entries.remove(0);
            self.given_up += 1;
            if first.why == Why::Unknown {
                count(&mut self.lost, first.line);
            }
        }
        self.entries.push(Entry {
            handler,
            before,
            resumes,
            line,
            depth: 0,
            why,
        });
    }
}

/// Counts one more, and keeps the smallest line.
pub const fn count((all, first): &mut (u64, u64), line: u64) {
    if *all == 0 || line < *first {
        *first = line;
    }
    *all += 1;
}

/// Messages for the counts that are not 0: `{line}` becomes the number of lines, or of whatever the braces name, and `{first}` the first line.
pub fn left_out(counts: &[((u64, u64), &str)]) -> Vec<String> {
    let there = counts.iter().filter(|((count, _), _)| *count > 0);
    let filled = |((count, first), text): &((u64, u64), &str)| {
        let (before, rest) = text.split_once('{')?;
        let (what, after) = rest.split_once('}')?;
        let after = after.replace("{first}", &first.to_string());
        Some(format!("{before}{}{after}", number_of(*count, what)))
    };
    there.filter_map(filled).collect()
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

/// Whether the next instruction has more privilege, which no jump can give.
const fn rises(last: &Last, context: u8) -> bool {
    context < last.retirement.context
}
