//! Where each instruction leads, beside what the core shows and what retires next.

use std::collections::BTreeMap;
use std::fmt::Write;

use hpp_golden::branch::BranchKind;
use hpp_golden::ingress::Zcm;
use hpp_riscv::Xlen;
use hpp_riscv::decode::length;

use super::Recorded;
use super::entries::Entries;
use super::step::{Follows, Step, steps};
use crate::numbers::number_of;

/// Handlers, and words of instructions, that are named.
const NAMED: usize = 6;

/// What a core shows, held against where its instructions lead: numbers of retirements.
///
/// An interrupt is known by `intr`, or by the trap return that leads back to where the program was. Where neither is, a retirement that no
/// instruction leads to is unexplained.
///
/// ```
/// use hpp_report::Recorded;
/// use hpp_report::recorded::SignalCheck;
/// use hpp_riscv::Xlen;
///
/// // After `addi` at 0x10 retires `mret` at 0x100, and `intr` is 0. It leads back to 0x14.
/// let log = "pc_rdata,insn,trap,pc_wdata,intr\n10,13,0,14,0\n100,30200073,0,14,0\n14,13,0,18,0\n";
/// let check = SignalCheck::new(&Recorded::from_log(log)?, Xlen::Rv32);
/// assert!(!check.is_right());
/// assert!(check.text().contains("`intr` never seen, 1 entry of a handler"));
/// # Ok::<(), hpp_report::recorded::LogError>(())
/// ```
#[derive(Debug, Default)]
pub struct SignalCheck {
    retired: usize,
    resets: usize,
    has_intr: bool,
    has_pc_wdata: bool,
    is_execution: bool,
    /// Operations of an instruction that are not its last.
    operations: usize,
    /// Ends of the bodies of hardware loops.
    loop_ends: usize,
    /// Instructions of a vendor's own, by its name: nothing else leads to what follows them.
    vendors: BTreeMap<&'static str, usize>,
    /// Entries of a handler after an instruction that trapped.
    traps: usize,
    /// Those after one that does not lead there, by the handler.
    interrupts: BTreeMap<u64, usize>,
    /// `intr` is 1 there.
    marked: usize,
    /// It is 0, and the recording begins there.
    unmarked_at_begin: usize,
    begin: u64,
    /// An instruction that an interrupt displaced retired, and again after the trap return.
    displaced: usize,
    /// Neither the instruction before leads there nor does an interrupt, by the instruction's word.
    unexplained: BTreeMap<u32, usize>,
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

impl SignalCheck {
    /// Follows the retirements. Linear, and for each trap return in the places where something was interrupted.
    pub fn new(recorded: &Recorded, xlen: Xlen) -> Self {
        let mut check = Self {
            retired: recorded.runs.iter().map(Vec::len).sum(),
            resets: recorded.runs.len().saturating_sub(1),
            begin: recorded.runs.first().map_or(0, |run| run[0].pc),
            has_intr: recorded.has_intr,
            has_pc_wdata: recorded.has_pc_wdata,
            is_execution: recorded.is_execution,
            ..Self::default()
        };
        // A computed jump leads anywhere but to a handler, so the handlers come first.
        let entries = Entries::of(recorded, xlen);
        check.displaced = entries.displaced();
        check.interrupts = entries
            .handlers()
            .into_iter()
            .map(|handler| (handler, 0))
            .collect();
        for run in &recorded.runs {
            for step in steps(run, xlen) {
                check.step(&step);
            }
        }
        check
    }

    fn step(&mut self, step: &Step<'_>) {
        let (before, after) = (step.before, step.after);
        self.loop_ends += usize::from(step.ends_loop);
        if let Some(vendor) = step.vendor {
            *self.vendors.entry(vendor).or_default() += 1;
        }
        match step.follows() {
            Follows::Operation => {
                // Two in a row may be a loop of one instruction.
                self.operations += usize::from(step.is_operation);
                return;
            }
            Follows::Expanded => return self.expanded += 1,
            Follows::Trap => {
                self.traps += 1;
                self.trap_ignored += usize::from(after.pc == step.instruction.next);
                return;
            }
            Follows::Enters => {
                let Some(count) = self.interrupts.get_mut(&after.pc) else {
                    self.unmarked_at_begin += usize::from(after.pc == self.begin);
                    let word = match length(before.insn) {
                        2 => before.insn & 0xffff,
                        _ => before.insn,
                    };
                    return *self.unexplained.entry(word).or_default() += 1;
                };
                *count += 1;
                return self.interrupt(step);
            }
            Follows::Leads if step.is_computed() => {
                if let Some(count) = self.interrupts.get_mut(&after.pc) {
                    *count += 1;
                    return self.interrupt(step);
                }
            }
            Follows::Leads => {}
        }
        self.marked_elsewhere += usize::from(after.intr);
        let counter = match step.instruction.transfer.map(|transfer| transfer.kind) {
            None => &mut self.wrong_unread,
            Some(BranchKind::TrapReturn) => &mut self.wrong_return,
            Some(_) => &mut self.wrong_next,
        };
        *counter += usize::from(before.next_pc != after.pc);
    }

    fn interrupt(&mut self, step: &Step<'_>) {
        let after = step.after;
        self.marked += usize::from(after.intr);
        self.unmarked_at_begin += usize::from(!after.intr && after.pc == self.begin);
        let counter = match step.instruction.transfer {
            Some(_) => &mut self.wrong_before_handler,
            None => &mut self.wrong_unread,
        };
        *counter += usize::from(!step.shows_next());
    }

    fn interrupts(&self) -> usize {
        self.interrupts.values().sum()
    }

    /// What no RVFI ingress can make up for.
    fn fatal(&self) -> Vec<String> {
        let times = |count: usize| number_of(count as u64, "time");
        let mut said = Vec::new();
        if self.expanded > 0 {
            said.push(format!(
                "`insn` of a compressed instruction is not the program's: {} the next one is 2 bytes on, after an instruction of 4 bytes",
                times(self.expanded)
            ));
        }
        if self.trap_ignored > 0 {
            said.push(format!(
                "`trap` is 1, and the instruction after it retires next: {} of {} times",
                self.trap_ignored, self.traps
            ));
        }
        if self.displaced > 0 {
            said.push(format!(
                "an instruction that an interrupt displaces is shown as retired, and again after the trap return: {}; remedy: gen-verilog --ingress retire, with retire_trap at 1 for that instruction",
                times(self.displaced)
            ));
        }
        if !self.unexplained.is_empty() {
            said.push(format!(
                "the next retirement is where the instruction before does not lead, and no trap return leads back, {}: {}; remedy: {}",
                times(self.unexplained.values().sum()),
                self.words(),
                self.remedy()
            ));
        }
        said
    }

    /// What to do about what is unexplained.
    fn remedy(&self) -> &'static str {
        let is_zcm = |word: &u32| length(*word) == 2 && Zcm::of(word & 0xffff).is_some();
        match (self.unexplained.keys().any(is_zcm), self.operations) {
            (true, 0) => {
                "gen-verilog --zcmp, if the core has Zcmp and the words are cm.popret, cm.popretz, cm.jt or cm.jalt"
            }
            (true, _) => {
                "one retirement for each cm.popret, cm.popretz, cm.jt and cm.jalt, as the last of its operations, and gen-verilog --zcmp"
            }
            (false, _) => {
                "record every retirement; instructions of an extension that no ingress decodes are among the limits of docs/riscv.md"
            }
        }
    }

    /// The words after which something is unexplained, the most frequent first.
    fn words(&self) -> String {
        let mut words: Vec<(&u32, &usize)> = self.unexplained.iter().collect();
        words.sort_by_key(|&(word, count)| (std::cmp::Reverse(*count), *word));
        let named = words.iter().take(NAMED).map(|&(word, count)| {
            let digits = 2 * length(*word) as usize;
            format!("after 0x{word:0digits$x} ({count})")
        });
        listed(named.collect(), words.len())
    }

    /// What the next retirement makes up for.
    fn wrong(&self) -> Vec<String> {
        let mut said = Vec::new();
        let interrupts = self.interrupts();
        let missed = interrupts - self.marked;
        if self.is_execution {
            said.push(
                "nothing is known of the core's `intr` and `pc_wdata`, which a log of this form does not show".into(),
            );
            return said;
        }
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
        if interrupts > 0 {
            let named = self.interrupts.iter().take(NAMED);
            let named = named.map(|(pc, count)| format!("{pc:#x} ({count})"));
            let handlers = listed(named.collect(), self.interrupts.len());
            text += &format!("; handlers of interrupts: {handlers}");
        }
        text.push('\n');
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
        let are = |count| match count {
            1 => "1 retirement is".into(),
            more => format!("{} are", number(more, "retirement")),
        };
        if self.loop_ends > 0 {
            let _ = writeln!(
                text,
                "note: {} at the end of a hardware loop's body; the ingress needs gen-verilog --vendor core-v, and a signal that marks them (rvfi_loop_end or retire_loop_end)",
                are(self.loop_ends)
            );
        }
        for (vendor, &count) in &self.vendors {
            let _ = writeln!(
                text,
                "note: {} of a vendor's own instructions; the ingress needs gen-verilog --vendor {vendor}",
                are(count)
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
            (true, false) if self.is_execution => {
                "The signals cannot be judged by this log; remedy: a waveform, or a table with the columns pc_wdata and intr\n"
            }
            (true, false) if self.operations > 0 && !self.has_pc_wdata => {
                "`pc_wdata` or `intr` is wrong, and an instruction retires as several operations, whose next retirement is not where it leads; remedy: mask `valid` of all but the last, or correct the ports\n"
            }
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

/// What is named of so many.
fn listed(named: Vec<String>, all: usize) -> String {
    let rest = match all.saturating_sub(named.len()) {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    named.join(", ") + &rest
}
