//! Where each instruction leads, beside what the core shows and what retires next.

use std::collections::BTreeMap;
use std::fmt::Write;

use hpp_golden::branch::BranchKind;
use hpp_riscv::decode::length;
use hpp_riscv::{Instruction, Retirement, Xlen, decode};

use super::Recorded;
use crate::numbers::number_of;

/// Handlers that are named.
const NAMED: usize = 6;

/// More entries than a vector table of interrupts has are none.
const MOST_HANDLERS: usize = 64;

/// What a core shows, held against where its instructions lead: numbers of retirements.
///
/// ```
/// use hpp_report::Recorded;
/// use hpp_report::recorded::Judge;
/// use hpp_riscv::Xlen;
///
/// // After `addi` at 0x10 retires 0x100, and `intr` is 0.
/// let log = "pc_rdata,insn,trap,pc_wdata,intr\n10,13,0,14,0\n100,13,0,104,0\n";
/// let judge = Judge::new(&Recorded::from_log(log)?, Xlen::Rv32);
/// assert!(!judge.is_right());
/// assert!(judge.text().contains("`intr` never seen, 1 entry of a handler"));
/// # Ok::<(), hpp_report::recorded::LogError>(())
/// ```
#[derive(Debug, Default)]
pub struct Judge {
    retired: usize,
    resets: usize,
    has_intr: bool,
    has_pc_wdata: bool,
    /// Entries of a handler after an instruction that trapped.
    traps: usize,
    /// Those after one that does not lead there, by the handler.
    interrupts: BTreeMap<u64, usize>,
    /// `intr` is 1 there.
    marked: usize,
    /// It is 0, and the recording begins there.
    unmarked_at_begin: usize,
    begin: u64,
    /// `intr` is 1, and the instruction before leads there.
    marked_elsewhere: usize,
    /// `pc_wdata` is wrong, and the next is no handler's first.
    wrong_next: usize,
    /// It is wrong before a handler of an interrupt.
    wrong_before_handler: usize,
    /// It is not where a trap return went, which the ingress does not read.
    wrong_return: usize,
    /// It is wrong of an instruction that makes no record, of which the ingress does not read it.
    wrong_unread: usize,
    /// What follows is two bytes on, after an instruction of four.
    expanded: usize,
    /// What is after an instruction that trapped retires next.
    trap_ignored: usize,
}

impl Judge {
    /// Follows the retirements. Linear.
    pub fn new(recorded: &Recorded, xlen: Xlen) -> Self {
        let mut judge = Self {
            retired: recorded.runs.iter().map(Vec::len).sum(),
            resets: recorded.runs.len().saturating_sub(1),
            begin: recorded.runs.first().map_or(0, |run| run[0].pc),
            has_intr: recorded.has_intr,
            has_pc_wdata: recorded.has_pc_wdata,
            ..Self::default()
        };
        let steps = || {
            let pairs = recorded.runs.iter().flat_map(|run| run.windows(2));
            pairs.map(|pair| (pair[0], pair[1]))
        };
        // A computed jump leads anywhere but to a handler, so the handlers come first. After one `intr` alone shows a handler.
        for (before, after) in steps().filter(|(before, _)| !before.trap) {
            let instruction = decode(before.insn, before.pc, xlen);
            let leads = leads_to(&instruction, after.pc);
            if leads == Some(false) || leads.is_none() && after.intr {
                judge.interrupts.insert(after.pc, 0);
            }
        }
        for (before, after) in steps() {
            judge.step(&before, &after, &decode(before.insn, before.pc, xlen));
        }
        judge
    }

    fn step(&mut self, before: &Retirement, after: &Retirement, instruction: &Instruction) {
        if before.trap {
            self.traps += 1;
            self.trap_ignored += usize::from(after.pc == instruction.next);
            return;
        }
        let leads = leads_to(instruction, after.pc);
        let handler = self.interrupts.get_mut(&after.pc);
        if let (None | Some(false), Some(count)) = (leads, handler) {
            *count += 1;
            self.marked += usize::from(after.intr);
            self.unmarked_at_begin += usize::from(!after.intr && after.pc == self.begin);
            // An address that the instruction may lead to, and not the handler's own.
            let right =
                leads_to(instruction, before.next_pc) != Some(false) && before.next_pc != after.pc;
            match instruction.transfer {
                Some(_) => self.wrong_before_handler += usize::from(!right),
                None => self.wrong_unread += usize::from(!right),
            }
            let two_on = before.pc.wrapping_add(2) == after.pc;
            self.expanded += usize::from(two_on && length(before.insn) == 4);
            return;
        }
        self.marked_elsewhere += usize::from(after.intr);
        let counter = match instruction.transfer.map(|transfer| transfer.kind) {
            None => &mut self.wrong_unread,
            Some(BranchKind::TrapReturn) => &mut self.wrong_return,
            Some(_) => &mut self.wrong_next,
        };
        *counter += usize::from(before.next_pc != after.pc);
    }

    fn interrupts(&self) -> usize {
        self.interrupts.values().sum()
    }

    /// What no RVFI ingress can make up for.
    fn fatal(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.expanded > 0 {
            said.push(format!(
                "`insn` of a compressed instruction is not the program's: {} the next one is 2 bytes on, after an instruction of 4 bytes",
                number_of(self.expanded as u64, "time")
            ));
        } else if self.interrupts.len() > MOST_HANDLERS {
            said.push(format!(
                "{} addresses are reached from where no instruction leads to them: retirements are missing, or two are shown in one",
                self.interrupts.len()
            ));
        }
        if self.trap_ignored > 0 {
            said.push(format!(
                "`trap` is 1, and the instruction after it retires next: {} of {} times",
                self.trap_ignored, self.traps
            ));
        }
        said
    }

    /// What the next retirement makes up for.
    fn wrong(&self) -> Vec<String> {
        let mut said = Vec::new();
        let interrupts = self.interrupts();
        let missed = interrupts - self.marked;
        if !self.has_intr {
            said.push("there is no `intr`".into());
        } else if missed > 0 && self.marked == 0 {
            said.push(format!(
                "`intr` never seen, {interrupts} {} of a handler",
                if interrupts == 1 { "entry" } else { "entries" }
            ));
        } else if missed > 0 {
            said.push(format!(
                "`intr` is 0 at {missed} of {interrupts} entries of a handler"
            ));
        }
        if self.marked_elsewhere > 0 {
            said.push(format!(
                "`intr` is 1 where the instruction before leads there itself: {}",
                number_of(self.marked_elsewhere as u64, "time")
            ));
        }
        let (all, before) = (
            self.wrong_next + self.wrong_before_handler,
            self.wrong_before_handler,
        );
        if !self.has_pc_wdata {
            said.push("there is no `pc_wdata`".into());
        } else if all > 0 {
            said.push(format!(
                "`pc_wdata` of a jump or branch is not the next `pc_rdata`: {all}, {before} before a handler"
            ));
        }
        said
    }

    /// Whether an ingress that relies on the signals reports what was executed.
    pub fn is_right(&self) -> bool {
        self.fatal().is_empty() && self.wrong().is_empty()
    }

    /// All of it, for people.
    pub fn text(&self) -> String {
        let interrupts = self.interrupts();
        let number = |count: usize, what| number_of(count as u64, what);
        let mut text = format!(
            "{}, {}, {}",
            number(self.retired, "retirement"),
            number(self.traps, "trap"),
            number(interrupts, "interrupt")
        );
        if self.resets > 0 {
            text += &format!(", {}", number(self.resets, "reset"));
        }
        let named = self.interrupts.iter().take(NAMED);
        let named: Vec<String> = named
            .map(|(pc, count)| format!("{pc:#x} ({count})"))
            .collect();
        let rest = self.interrupts.len().saturating_sub(NAMED);
        match (named.is_empty(), rest) {
            (true, _) => text += "\n",
            (_, 0) => text += &format!("; handlers of interrupts: {}\n", named.join(", ")),
            _ => {
                text += &format!(
                    "; handlers of interrupts: {} and {rest} more\n",
                    named.join(", ")
                )
            }
        }
        let (fatal, wrong) = (self.fatal(), self.wrong());
        for line in fatal.iter().chain(&wrong) {
            let _ = writeln!(text, "wrong: {line}");
        }
        if self.unmarked_at_begin > 0 && self.has_intr {
            let _ = writeln!(
                text,
                "note: {:#x}, where the recording begins, is reached {} without `intr`; remedy, if these are resets: --reset names the signal (a log has a column reset)",
                self.begin,
                number(self.unmarked_at_begin, "time")
            );
        }
        if self.wrong_unread > 0 && self.has_pc_wdata {
            let _ = writeln!(
                text,
                "harmless: `pc_wdata` is wrong {} where the instruction is no jump or branch; no ingress reads it",
                number(self.wrong_unread, "time")
            );
        }
        if self.wrong_return > 0 && self.has_pc_wdata {
            let _ = writeln!(
                text,
                "harmless: `pc_wdata` of a trap return is not where it went, {}; no ingress reads it",
                number(self.wrong_return, "time")
            );
        }
        for (none, what) in [(interrupts, "interrupt"), (self.traps, "trap")] {
            if none == 0 {
                let _ = writeln!(
                    text,
                    "not seen: no {what}, so nothing is known of what the core shows there"
                );
            }
        }
        text += match (fatal.is_empty(), wrong.is_empty()) {
            (false, _) => "The profiler cannot work with these signals as they are.\n",
            (true, false) => {
                "`pc_wdata` or `intr` is wrong; remedy: gen-verilog --ingress rvfi --rvfi-next retirement\n"
            }
            (true, true) if interrupts == 0 || self.traps == 0 => {
                "As far as the recording goes, these signals are right: gen-verilog --ingress rvfi\n"
            }
            (true, true) => "These signals are right: gen-verilog --ingress rvfi\n",
        };
        text
    }
}

/// Whether an instruction leads to an address; `None` if it may lead anywhere.
fn leads_to(instruction: &Instruction, pc: u64) -> Option<bool> {
    let follows = instruction.next == pc;
    match instruction.transfer {
        None => Some(follows),
        Some(transfer) => {
            let target = transfer.target?;
            Some(target == pc || (transfer.conditional && follows))
        }
    }
}
