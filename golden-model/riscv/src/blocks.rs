//! Basic blocks of machine code, found by following control flow.
//!
//! A block begins at a function, at the target of a direct branch or jump, after a branch, or where a run was seen to
//! begin a path. It ends with a control transfer or before the next block. Calls do not end blocks: the callee is
//! profiled on its own, and control comes back (Ball and Larus, "Efficient Path Profiling", section 2).
//!
//! Targets of computed jumps are not guessed: a jump table stays one indirect jump. Code that only such a jump
//! reaches is found in two ways: a profiled run gives the addresses ([`Starts::Observed`]), or what the control flow
//! leaves uncovered in a function with an indirect jump is taken to be its targets ([`Starts::Assumed`]).

use core::fmt;
use core::ops::Range;
use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Instruction, ProgramCode, Transfer};
use crate::functions::{Function, Functions};
use hpp_golden::branch::BranchKind;

/// A maximal run of instructions that control enters at the first and leaves at the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
    /// How control leaves.
    pub exit: Exit,
}

/// How control leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// On to the block at `end`, without a control transfer.
    Fall,
    /// By a direct jump.
    Jump {
        /// Its direction.
        kind: BranchKind,
        /// Its target.
        target: u64,
    },
    /// By a direct conditional branch; not taken, on to the block at `end`.
    Branch {
        /// Its direction.
        kind: BranchKind,
        /// Its target.
        target: u64,
    },
    /// By an indirect jump, a return or a trap return.
    Computed(BranchKind),
    /// Not at all: no code follows, or the block ends with a call that does not return.
    Dead,
}

impl fmt::Display for Exit {
    /// In words, to stand after "ends with".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fall => f.write_str("no branch"),
            Self::Jump { kind, target } => write!(f, "a {kind} jump to {target:#x}"),
            Self::Branch { kind, target } => write!(f, "a {kind} branch to {target:#x}"),
            Self::Computed(kind) => write!(f, "a computed {kind}"),
            Self::Dead => f.write_str("code that goes nowhere"),
        }
    }
}

/// What a run showed of the places where its paths begin and end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Where paths begin, other than at the target of a direct branch that ends a path.
    pub starts: BTreeSet<u64>,
    /// The branches at which a path was split because it was as long as it may be: the address after the branch, and
    /// whether it was taken.
    pub splits: BTreeSet<(u64, bool)>,
}

/// Further places where blocks begin, beside functions and branch targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Where the paths of a run were seen to begin.
    Observed(Observed),
    /// What the control flow of a function with an indirect jump leaves uncovered.
    Assumed,
}

/// The basic blocks of a program.
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: BTreeMap<u64, Block>,
    starts: BTreeSet<u64>,
    assumed: BTreeSet<u64>,
    splits: BTreeSet<(u64, bool)>,
}

impl Blocks {
    /// Finds the blocks of the whole program. O(n log n) in the number of instructions.
    pub fn recover<P: ProgramCode>(program: &P, functions: &Functions, starts: &Starts) -> Self {
        let mut search = Search {
            program,
            functions,
            instructions: BTreeMap::new(),
            leaders: BTreeSet::new(),
            starts: BTreeSet::new(),
            assumed: BTreeSet::new(),
        };
        for function in functions.iter() {
            search.begin(function.address);
        }
        match starts {
            Starts::Observed(run) => run.starts.iter().for_each(|&a| search.begin(a)),
            Starts::Assumed => functions.iter().for_each(|f| search.cover(f)),
        }
        let mut blocks = search.finish();
        if let Starts::Observed(run) = starts {
            blocks.splits.clone_from(&run.splits);
        }
        blocks
    }

    /// The block that begins at `address`.
    pub fn at(&self, address: u64) -> Option<&Block> {
        self.blocks.get(&address)
    }

    /// Every block, by ascending address.
    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        self.blocks.values()
    }

    /// The blocks that begin in a range of addresses, ascending; none of a range that ends before it begins. Logarithmic in their number, and linear in
    /// those found.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = &Block> {
        let end = range.end.max(range.start);
        self.blocks.range(range.start..end).map(|(_, block)| block)
    }

    /// Where control comes from elsewhere than a jump: functions, callees, and the observed [`Starts`].
    pub fn starts(&self) -> &BTreeSet<u64> {
        &self.starts
    }

    /// The assumed [`Starts`]: where the indirect jumps of a function may lead.
    pub fn assumed(&self) -> &BTreeSet<u64> {
        &self.assumed
    }

    /// Whether a path was seen to be split after the branch at the end of a block went this way.
    pub fn splits(&self, block: &Block, taken: bool) -> bool {
        self.splits.contains(&(block.end, taken))
    }
}

struct Search<'a, P> {
    program: &'a P,
    functions: &'a Functions,
    instructions: BTreeMap<u64, Instruction>,
    leaders: BTreeSet<u64>,
    starts: BTreeSet<u64>,
    assumed: BTreeSet<u64>,
}

impl<P: ProgramCode> Search<'_, P> {
    /// Follows control flow from a start, if there is code at it.
    fn begin(&mut self, start: u64) {
        if self.program.instruction(start).is_some() {
            self.starts.insert(start);
            self.explore(start);
        }
    }

    fn explore(&mut self, start: u64) {
        let mut work = vec![start];
        while let Some(leader) = work.pop() {
            if self.program.instruction(leader).is_some() && self.leaders.insert(leader) {
                self.follow(leader, &mut work);
            }
        }
    }

    /// Goes on from `pc` to the next transfer that ends a block; leaves further leaders in `work`.
    fn follow(&mut self, mut pc: u64, work: &mut Vec<u64>) {
        while !self.instructions.contains_key(&pc) {
            let Some(instruction) = self.program.instruction(pc) else {
                return;
            };
            self.instructions.insert(pc, instruction);
            if let Some(transfer) = instruction.transfer {
                work.extend(transfer.target);
                if is_call(transfer) {
                    self.starts.extend(self.callee(transfer));
                } else {
                    work.extend(transfer.conditional.then_some(instruction.next));
                    return;
                }
                if self.call_is_last(pc, instruction) {
                    return;
                }
            }
            pc = instruction.next;
        }
    }

    /// The target of a direct call, if there is code at it.
    fn callee(&self, call: Transfer) -> Option<u64> {
        call.target
            .filter(|&target| self.program.instruction(target).is_some())
    }

    /// Whether nothing of the caller follows its call: the callee does not return.
    fn call_is_last(&self, pc: u64, call: Instruction) -> bool {
        self.functions
            .at(pc)
            .is_some_and(|f| f.sized && call.next >= f.end())
    }

    /// Takes what is uncovered in a function with an indirect jump for targets of that jump.
    fn cover(&mut self, function: &Function) {
        let indirect = self
            .instructions
            .range(function.address..function.end())
            .filter_map(|(_, instruction)| instruction.transfer)
            .any(|transfer| transfer.kind == BranchKind::Indirect);
        let mut pc = function.address;
        while indirect && pc < function.end() {
            let is_known = self.instructions.contains_key(&pc) || self.program.is_data(pc);
            if !is_known && self.program.instruction(pc).is_some() {
                self.assumed.insert(pc);
                self.explore(pc);
            }
            pc = self.instructions.get(&pc).map_or(pc + 2, |i| i.next);
        }
    }

    fn finish(self) -> Blocks {
        let blocks = self
            .leaders
            .iter()
            .map(|&leader| (leader, self.block(leader)))
            .collect();
        Blocks {
            blocks,
            starts: self.starts,
            assumed: self.assumed,
            splits: BTreeSet::new(),
        }
    }

    fn block(&self, start: u64) -> Block {
        let mut pc = start;
        loop {
            let instruction = self.instructions[&pc];
            let end = instruction.next;
            let done = |exit| Block { start, end, exit };
            match instruction.transfer {
                Some(transfer) if !is_call(transfer) => return done(exit_of(transfer)),
                Some(_) if self.call_is_last(pc, instruction) => return done(Exit::Dead),
                _ if self.leaders.contains(&end) => return done(Exit::Fall),
                _ if !self.instructions.contains_key(&end) => return done(Exit::Dead),
                _ => pc = end,
            }
        }
    }
}

const fn is_call(transfer: Transfer) -> bool {
    matches!(
        transfer.kind,
        BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap
    )
}

const fn exit_of(transfer: Transfer) -> Exit {
    let kind = transfer.kind;
    match transfer.target {
        Some(target) if transfer.conditional => Exit::Branch { kind, target },
        Some(target) => Exit::Jump { kind, target },
        None => Exit::Computed(kind),
    }
}
