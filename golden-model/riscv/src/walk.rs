//! The descriptor walk: from a path descriptor and the program's code back to the basic blocks of the path.
//!
//! A descriptor holds the first address and the outcomes of the recorded branches. The walk decodes from that address
//! on, takes the next outcome at every branch whose row updates, and stops where the row of a branch pops, at the
//! maximum length, or where something does not fit. It follows the same control register as the path stack did:
//!
//! - A call whose row pushes is stepped over, because the callee has an entry, and so paths, of its own. A call that
//!   extends the path (procedure extension), or whose row does nothing, is followed into the callee and back.
//! - A backward branch that extends the path (loop extension) does not end it.
//!
//! A descriptor does not show where traps interrupted the path. Nor does it show how many extended calls the path
//! began inside of. The walk assumes none, so a path that began inside one may be refused, or end at its callee's
//! return.
//!
//! Source: Vaswani's thesis, section 5.2; `docs/behaviour.md`.

use crate::code::{Instruction, ProgramCode, Transfer};
use crate::error::WalkError;
use hpp_golden::branch::BranchKind;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{BackwardNotTaken, Extension, Operation, Ppcr, Row};

/// A run of instructions that a path executed one after another, calls stepped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressRange {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
}

/// Why a path ends where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The row of the last instruction's kind pops.
    Popped(BranchKind),
    /// It is as long as a path may be.
    Split,
    /// A trap ended it somewhere in the last block (only where the row of traps pops).
    Trap,
}

/// What a descriptor stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The basic blocks in the order of execution, at least one. A block ends with a branch or with a call that the
    /// path follows.
    pub blocks: Vec<AddressRange>,
    /// Whether the last instruction of each block was taken: a branch may be taken to the instruction after it.
    pub taken: Vec<bool>,
    /// Address of the last instruction.
    pub last: u64,
    /// Why it is the last.
    pub end: End,
}

/// How many jumps in a row may record nothing before the walk gives up.
const QUIET_LIMIT: u32 = 1 << 16;

/// Walks a descriptor through a program, under the control register and the maximum length that were in force when
/// it was recorded. Linear in the number of instructions walked.
///
/// # Errors
///
/// If the descriptor does not fit the program, or if the control register leaves the way open; see [`WalkError`].
pub fn walk<P: ProgramCode + ?Sized>(
    program: &P,
    ppcr: &Ppcr,
    max_branches: u32,
    path: &PathDescriptor,
) -> Result<Walk, WalkError> {
    let mut walker = Walker {
        ppcr,
        max_branches,
        path,
        block: path.start,
        used: 0,
        extension: 0,
        returns: Vec::new(),
        quiet: 0,
        blocks: Vec::new(),
        taken: Vec::new(),
    };
    let mut at = path.start;
    loop {
        let instruction = program.instruction(at).ok_or(WalkError::NoCode {
            at,
            used: walker.used,
        })?;
        let step = match instruction.transfer {
            Some(transfer) => walker.transfer(at, instruction, transfer)?,
            None => Onward::On(instruction.next),
        };
        match step {
            Onward::On(next) => at = next,
            Onward::To(target, taken) => {
                walker.close(instruction.next, taken);
                walker.block = target;
                at = target;
            }
            Onward::End(end, taken) => {
                walker.close(instruction.next, taken);
                return Ok(Walk {
                    blocks: walker.blocks,
                    taken: walker.taken,
                    last: at,
                    end,
                });
            }
        }
    }
}

/// Where the path goes after an instruction.
enum Onward {
    /// On in the same block.
    On(u64),
    /// To another block, and whether the branch was taken.
    To(u64, bool),
    /// Nowhere that the path shows; whether the branch was taken.
    End(End, bool),
}

struct Walker<'a> {
    ppcr: &'a Ppcr,
    max_branches: u32,
    path: &'a PathDescriptor,
    /// Where the block under way begins.
    block: u64,
    used: u32,
    /// The extension counter of the path's entry.
    extension: u8,
    /// Return addresses of the calls the walk followed.
    returns: Vec<u64>,
    /// Jumps since an outcome was used up.
    quiet: u32,
    blocks: Vec<AddressRange>,
    taken: Vec<bool>,
}

impl Walker<'_> {
    fn close(&mut self, end: u64, taken: bool) {
        self.taken.push(taken);
        self.blocks.push(AddressRange {
            start: self.block,
            end,
        });
    }

    fn transfer(
        &mut self,
        at: u64,
        instruction: Instruction,
        transfer: Transfer,
    ) -> Result<Onward, WalkError> {
        let Some(taken) = self.outcome(at, transfer)? else {
            return Ok(Onward::End(End::Trap, false));
        };
        let kind = self.effective(transfer.kind, taken);
        let row = self.ppcr.rows[kind];
        let updates = row.has(Operation::Update);
        self.used += u32::from(updates);
        self.quiet = if updates { 0 } else { self.quiet + 1 };
        if self.quiet > QUIET_LIMIT {
            return Err(WalkError::Endless { at });
        }
        let row = if self.extends(kind) { Row::NONE } else { row };
        if row.has(Operation::Pop) {
            return self.end(at, transfer.kind, End::Popped(transfer.kind), taken);
        }
        if updates && self.used == self.max_branches {
            return self.end(at, transfer.kind, End::Split, taken);
        }
        self.go_on(at, instruction, transfer, taken, row.has(Operation::Push))
    }

    /// Which way the transfer went; `None` if the path had been ended by a trap before.
    fn outcome(&self, at: u64, transfer: Transfer) -> Result<Option<bool>, WalkError> {
        let kind = transfer.kind;
        let updates = |taken| {
            let row = self.ppcr.rows[self.effective(kind, taken)];
            row.has(Operation::Update)
        };
        if !updates(true) {
            return match transfer.conditional {
                true => Err(WalkError::NotRecorded { at, kind }),
                false => Ok(Some(true)),
            };
        }
        match self.path.outcome(self.used) {
            Some(false) if !transfer.conditional => Err(WalkError::NotConditional {
                at,
                kind,
                index: self.used,
            }),
            _ if transfer.conditional && !updates(false) => {
                Err(WalkError::NotRecorded { at, kind })
            }
            None if self.ppcr.rows[BranchKind::Trap].has(Operation::Pop) => Ok(None),
            None => Err(WalkError::RunsOn {
                at,
                kind,
                length: self.path.length,
            }),
            outcome => Ok(outcome),
        }
    }

    /// The kind whose row applies.
    fn effective(&self, kind: BranchKind, taken: bool) -> BranchKind {
        match (kind, taken, self.ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            _ => kind,
        }
    }

    /// Counts the extension counter as the path stack does; whether pop and push are left out.
    fn extends(&mut self, kind: BranchKind) -> bool {
        let (up, down) = match self.ppcr.extension {
            Extension::Loop => (kind == BranchKind::Backward, false),
            Extension::Procedure => (kind == BranchKind::Call, kind == BranchKind::Return),
            Extension::None => (false, false),
        };
        let up = up && self.extension < self.ppcr.max_extension;
        let down = down && self.extension > 0;
        self.extension = self.extension + u8::from(up) - u8::from(down);
        up || down
    }

    fn end(&self, at: u64, kind: BranchKind, end: End, taken: bool) -> Result<Onward, WalkError> {
        if self.used == self.path.length {
            Ok(Onward::End(end, taken))
        } else {
            Err(WalkError::EndsEarly {
                at,
                kind,
                used: self.used,
                length: self.path.length,
            })
        }
    }

    /// Where a path goes that does not end here.
    fn go_on(
        &mut self,
        at: u64,
        instruction: Instruction,
        transfer: Transfer,
        taken: bool,
        pushes: bool,
    ) -> Result<Onward, WalkError> {
        let kind = transfer.kind;
        let computed = WalkError::Computed { at, kind };
        let to = |target| Onward::To(target, taken);
        match kind {
            BranchKind::Call | BranchKind::IndirectCall if pushes => {
                Ok(Onward::On(instruction.next))
            }
            _ if pushes => Err(WalkError::Suspended { at, kind }),
            BranchKind::Call | BranchKind::IndirectCall => {
                self.returns.push(instruction.next);
                transfer.target.map(to).ok_or(computed)
            }
            BranchKind::Return => self.returns.pop().map(to).ok_or(computed),
            _ if !taken => Ok(to(instruction.next)),
            _ => transfer.target.map(to).ok_or(computed),
        }
    }
}
