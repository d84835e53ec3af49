//! Where each instruction leads, beside what the core shows and what retires next.

use std::collections::BTreeMap;
use std::fmt::Write;

use hpp_golden::branch::BranchKind;
use hpp_riscv::decode::length;
use hpp_riscv::{Instruction, Retirement, Xlen, decode};

use super::log::Recorded;

/// Handlers that are named.
const NAMED: usize = 6;

/// More entries than a vector table of interrupts has are none.
const MOST_HANDLERS: usize = 64;

/// What was seen, as numbers of retirements.
#[derive(Debug, Default)]
pub struct Judge {
    retired: usize,
    has_intr: bool,
    has_pc_wdata: bool,
    /// Entries of a handler behind an instruction that trapped.
    traps: usize,
    /// Those behind one that does not lead there, by the handler.
    interrupts: BTreeMap<u64, usize>,
    /// `intr` is 1 there.
    marked: usize,
    /// `intr` is 1, and the instruction before leads there.
    marked_elsewhere: usize,
    /// `pc_wdata` is wrong, and the next is no handler's first.
    wrong_next: usize,
    /// It is wrong before a handler of an interrupt.
    wrong_before_handler: usize,
    /// It is not where a trap return went, which the ingress does not read.
    wrong_return: usize,
    /// What follows is two bytes on, behind an instruction of four.
    expanded: usize,
    /// What is behind an instruction that trapped retires next.
    trap_ignored: usize,
}

impl Judge {
    /// Follows the retirements. Linear.
    pub fn new(recorded: &Recorded, xlen: Xlen) -> Self {
        let mut judge = Self {
            retired: recorded.retirements.len(),
            has_intr: recorded.has_intr,
            has_pc_wdata: recorded.has_pc_wdata,
            ..Self::default()
        };
        let steps = || {
            recorded
                .retirements
                .windows(2)
                .map(|pair| (pair[0], pair[1]))
        };
        // A computed jump leads anywhere but to a handler, so the handlers come first.
        for (before, after) in steps().filter(|(before, _)| !before.trap) {
            let instruction = decode(before.insn, before.pc, xlen);
            if leads_to(&instruction, after.pc) == Some(false) {
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
            // An address that the instruction may lead to, and not the handler's own.
            let right =
                leads_to(instruction, before.next_pc) != Some(false) && before.next_pc != after.pc;
            self.wrong_before_handler += usize::from(!right);
            let two_on = before.pc.wrapping_add(2) == after.pc;
            self.expanded += usize::from(two_on && length(before.insn) == 4);
            return;
        }
        self.marked_elsewhere += usize::from(after.intr && leads.is_some());
        // A handler that nothing else shows: `intr` is all there is.
        let wrong = before.next_pc != after.pc && !after.intr;
        let returns = instruction
            .transfer
            .is_some_and(|t| t.kind == BranchKind::TrapReturn);
        match returns {
            true => self.wrong_return += usize::from(wrong),
            false => self.wrong_next += usize::from(wrong),
        }
    }

    fn interrupts(&self) -> usize {
        self.interrupts.values().sum()
    }

    /// What no RVFI ingress can make up for.
    fn fatal(&self) -> Vec<String> {
        let mut said = Vec::new();
        if self.expanded > 0 {
            said.push(format!(
                "`insn` of a compressed instruction is not the program's: {} times the next one is 2 bytes on, after an instruction of 4 bytes",
                self.expanded
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
                "`intr` never seen, {interrupts} entries of a handler"
            ));
        } else if missed > 0 {
            said.push(format!(
                "`intr` is 0 at {missed} of {interrupts} entries of a handler"
            ));
        }
        if self.marked_elsewhere > 0 {
            said.push(format!(
                "`intr` is 1 where the instruction before leads there itself: {} times",
                self.marked_elsewhere
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
                "`pc_wdata` is not the next `pc_rdata`: {all}, {before} before a handler"
            ));
        }
        said
    }

    /// Whether an ingress that believes the signals reports what was executed.
    pub fn is_believed(&self) -> bool {
        self.fatal().is_empty() && self.wrong().is_empty()
    }

    /// All of it, for people.
    pub fn text(&self) -> String {
        let interrupts = self.interrupts();
        let mut text = format!(
            "{} retirements, {} traps, {interrupts} interrupts",
            self.retired, self.traps
        );
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
        if self.wrong_return > 0 && self.has_pc_wdata {
            let _ = writeln!(
                text,
                "harmless: `pc_wdata` of {} trap returns is not where they went; no ingress reads it",
                self.wrong_return
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
            (false, _) => "The profiler cannot be put behind these signals as they are.\n",
            (true, false) => {
                "Do not believe `pc_wdata` and `intr`; remedy: gen-verilog --ingress rvfi --rvfi-next retirement\n"
            }
            (true, true) if interrupts == 0 || self.traps == 0 => {
                "As far as the recording goes, these signals can be believed: gen-verilog --ingress rvfi\n"
            }
            (true, true) => "These signals can be believed: gen-verilog --ingress rvfi\n",
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
