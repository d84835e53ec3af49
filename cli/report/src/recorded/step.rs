//! Two retirements in a row.

use hpp_golden::branch::BranchKind;
use hpp_golden::ingress::{Extensions, Vendor, decode_shown};
use hpp_riscv::decode::length;
use hpp_riscv::{Instruction, Loops, Retirement, Xlen, decode};

/// How a retirement follows the one before it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// After an instruction that trapped.
    Trap,
    /// As another operation of the same instruction.
    Operation,
    /// Two bytes on, after a word of four.
    Expanded,
    /// Where the instruction leads, or may lead.
    Leads,
    /// Elsewhere, or with `intr` after a computed jump.
    Enters,
}

/// Two retirements in a row.
pub struct Step<'a> {
    pub before: &'a Retirement,
    pub after: &'a Retirement,
    /// The one before.
    pub instruction: Instruction,
    /// It is the last of a hardware loop's body.
    pub ends_loop: bool,
    /// Whose it is, where nothing else leads to the one after.
    pub vendor: Option<&'static str>,
    /// The one before it has its address too: an instruction is shown as several operations.
    pub is_operation: bool,
    /// So has the one after `after` that of `after`.
    pub begins_operations: bool,
}

/// All of a run.
pub fn steps(run: &[Retirement], xlen: Xlen) -> impl Iterator<Item = Step<'_>> {
    let repeats = |place: usize| {
        run.get(place + 1)
            .is_some_and(|next| next.pc == run[place].pc)
    };
    let mut loops = Loops::default();
    (1..run.len()).map(move |place| {
        let (before, after) = (&run[place - 1], &run[place]);
        let decoded = decode(before.insn, before.pc, xlen);
        let instruction = match before.trap || xlen == Xlen::Rv64 {
            true => decoded,
            false => loops.execute(before.insn, before.pc, decoded),
        };
        let ends_loop = instruction != decoded;
        let own = of_vendor(before, xlen).filter(|(_, own)| {
            let leads = |instruction| leads_to(instruction, after.pc) != Some(false);
            !before.trap && !leads(&instruction) && leads(own)
        });
        let (vendor, instruction) =
            own.map_or((None, instruction), |(vendor, own)| (Some(vendor), own));
        Step {
            before,
            after,
            instruction,
            ends_loop,
            vendor,
            is_operation: place > 1 && repeats(place - 2),
            begins_operations: repeats(place),
        }
    })
}

/// What a word is to the vendor whose transfers of control have it, or lengths.
fn of_vendor(shown: &Retirement, xlen: Xlen) -> Option<(&'static str, Instruction)> {
    let of = |vendor| {
        let zcm = false;
        decode_shown(shown.insn, shown.pc, xlen, Extensions { zcm, vendor })
    };
    let mut vendors = Vendor::NAMED.into_iter();
    vendors.find_map(|(vendor, name)| {
        Some((name, of(vendor))).filter(|(_, own)| *own != of(Vendor::None))
    })
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

impl Step<'_> {
    pub fn follows(&self) -> Follows {
        let (before, after) = (self.before, self.after);
        let two_on = length(before.insn) == 4 && before.pc.wrapping_add(2) == after.pc;
        match leads_to(&self.instruction, after.pc) {
            _ if before.trap => Follows::Trap,
            Some(true) => Follows::Leads,
            _ if after.intr => Follows::Enters,
            _ if before.pc == after.pc => Follows::Operation,
            None => Follows::Leads,
            // The last of several operations may be shown as a word of four bytes.
            Some(false) if two_on && self.is_operation => Follows::Leads,
            Some(false) if two_on => Follows::Expanded,
            Some(false) => Follows::Enters,
        }
    }

    pub fn is_computed(&self) -> bool {
        let transfer = self.instruction.transfer;
        transfer.is_some_and(|transfer| transfer.target.is_none())
    }

    pub fn is_trap_return(&self) -> bool {
        let transfer = self.instruction.transfer;
        transfer.is_some_and(|transfer| transfer.kind == BranchKind::TrapReturn)
    }

    /// Before a handler: `pc_wdata` is an address that the instruction may lead to, and not the handler's own.
    pub fn shows_next(&self) -> bool {
        let next = self.before.next_pc;
        leads_to(&self.instruction, next) != Some(false) && next != self.after.pc
    }

    /// Before a handler: where the program may go on after it. The instruction says so. Where it does not, and where a branch has two ways,
    /// `pc_wdata` does, unless it is the handler's own address.
    pub fn resumes(&self) -> [Option<u64>; 2] {
        let Retirement { pc, next_pc, .. } = *self.before;
        let next = match self.is_operation {
            true => pc.wrapping_add(2),
            false => self.instruction.next,
        };
        let shown = (next_pc != self.after.pc && next_pc != pc).then_some(next_pc);
        match self.instruction.transfer {
            _ if self.before.trap => [Some(pc), Some(next)],
            None => [Some(next), shown],
            Some(transfer) if transfer.conditional && self.shows_next() => [Some(next_pc), None],
            Some(transfer) => match transfer.target {
                None => [shown, None],
                target => [target, transfer.conditional.then_some(next)],
            },
        }
    }
}
